"""The words by which a text is checked against its sources, as data: degrees, durations, what is no name."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DOCTOR = re.compile(
    r"\b(?:ph\.? ?d|doctorate|doctoral degree|doktortitel|promovierte?|doctorat|doctorado)\b", re.IGNORECASE
)
_DOCTOR_HELD = re.compile(r"\b(?:ph\.? ?d|doct|dokt|dr\b|promo)", re.IGNORECASE)
_MASTER = re.compile(
    r"\b(?:master(?:'?s\b(?: degree)?| of | in | degree)|masterabschluss|m\.?sc\b|m\.?eng\b"
    r"|máster\b|maîtrise\b)",
    re.IGNORECASE,
)
_MASTER_HELD = re.compile(r"\b(?:master|máster|maîtrise|m\.?sc|m\.?eng|m\.?a\b|m\.?s\b)", re.IGNORECASE)
_BACHELOR = re.compile(
    r"\b(?:bachelor\w*(?:'s)?(?: degree)?|b\.?sc\b|b\.?eng\b|licenciatura)\b", re.IGNORECASE
)
_BACHELOR_HELD = re.compile(r"\b(?:bachelor|b\.?sc|b\.?eng|b\.?a\b|b\.?s\b|licen)", re.IGNORECASE)
_MBA = re.compile(r"\bMBA\b")
_DIPLOMA = re.compile(r"\b(?:diploma|diplom|diplôme)\b", re.IGNORECASE)
_DIPLOMA_HELD = re.compile(r"\bdipl", re.IGNORECASE)

DEGREES = (
    (_DOCTOR, _DOCTOR_HELD),
    (_MASTER, _MASTER_HELD),
    (_BACHELOR, _BACHELOR_HELD),
    (_MBA, _MBA),
    (_DIPLOMA, _DIPLOMA_HELD),
)
"""How a degree is claimed, and how a profile that has it may spell it."""

DURATIONS = _words(
    "year years month months decade decades jahr jahre jahren monate monaten jahrzehnte ans année années mois"
    " año años meses"
)

NUMBER_WORDS = {
    word: str(number)
    for words in (
        "two three four five six seven eight nine ten eleven twelve",
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "deux trois quatre cinq six sept huit neuf dix onze douze",
        "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for number, word in enumerate(words.split(), 2)
}
"""Numbers as words count only with a unit of time after them."""

GERMAN = _words("ich und der die das mit für ist nicht auch bei habe war meine meiner einen eine dem den")

EMPLOYED_GERMAN = _words(
    "arbeitete arbeite gearbeitet tätig angestellt beschäftigt war praktikum stelle leitete entwickelte"
)

NO_NAMES = _words(
    "i i'm i've i'd i'll january february march april may june july august september october november"
    " december monday tuesday wednesday thursday friday saturday sunday english german french spanish"
    " italian dutch european american british mr mrs ms ok ceo cto hr it cv"
)
"""Written with a capital and naming nobody in particular."""
