"""Where the work is done: every signal kept, the most deliberate one believed, disagreement told. Pure.

A label a person chose outweighs words beside a place or in the title; those outweigh what the text demands;
that outweighs a yes-or-no flag, because forms tick "remote" for anything that is not five days in an office.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from pipeline.normal.cues import Cues
from pipeline.sources.types import Listing, Workplace
from schema.text import clean

_MAX_TEXT_CHARS = 60_000
_MAX_LABEL_CHARS = 300
_MAX_SIGNAL_CHARS = 120
_FLAGS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
_REMOTE = re.compile(
    r"\b(?:fully[ -])?remote(?:ly)?\b|\btelecommut\w*|\bwork(?:ing)? from home\b|\bwfh\b"
    r"|\bhome[ -]?(?:office|based)\b"
    r"|\bt[ée]l[ée]travail\b|\b[àa] distance\b|\bteletrabajo\b|\bremot[oa]\b|\bfernarbeit\b|\bdistans\b"
    r"|\bthuiswerk\w*"
    r"|\bzdaln\w+",
    re.IGNORECASE,
)
_HYBRID = re.compile(r"\bhybrid[eao]?\b|\bh[íi]brid[oa]\b|\bibrid[oa]\b|\bhybrydow\w+", re.IGNORECASE)
_ONSITE = re.compile(
    r"\bon-?\s?site\b|\bin[- ](?:office|person)\b|\bvor ort\b|\bpr[ée]sentiel\b|\bsur site\b"
    r"|\bpresencial\w*|\bop locatie\b"
    r"|\bin sede\b|\bstacjonarn\w+",
    re.IGNORECASE,
)
_OFFICE = re.compile(r"\boffice\b|\bb[üu]ro\b|\bbureau\b|\boficina\b", re.IGNORECASE)
_REMOTE_FLAG = re.compile(r"remote|telecommut|home", re.IGNORECASE)
_NOT_REMOTE = re.compile(r"\b(?:not|non|no|nicht|pas)[ -](?:\w+ )?(?:remote|telecommut)", re.IGNORECASE)
#: In a title only what stands apart speaks of the workplace: "Remote Sensing Engineer" does not.
_APART = re.compile(
    r"[(\[]([^()\[\]]{1,60})[)\]]|(?:\s[-\u2013\u2014|/]|,)\s*([^()\[\]|,\u2013\u2014]{1,40})$"
)

_DAY = r"days?|tage?n?|jours?|d[íi]as?|giorni|giorno|dagen|dag"
_NUMBER = (
    r"(?<![\d.,$€£])(?:[1-5](?:\s?(?:-|\u2013|to|or|bis|à|a|oder|ou)\s?[1-5])?"
    r"|one|two|three|four|five|zwei|drei|vier|f[üu]nf|deux|trois|quatre|cinq|tres|cuatro|cinco)\+?"
)
_WEEKLY = (
    r"(?:(?:a la|a|per|each|every|pro|par|por|of the|/|x)?\s?"
    r"(?:week\w*|woche|semaine|semana|settimana)\s?)?"
)
_THERE = (
    r"(?:in[- ](?:the |our |an |a )?(?:\w+ )?(?:office|hq|studio|lab)\b|at (?:the|our) (?:\w+ )?(?:office"
    r"|hq)\b|in[- ]person\b"
    r"|on-?\s?site\b|from (?:the|our) (?:\w+ )?(?:office|hq)\b|im b[üu]ro\b|vor ort\b|au bureau\b|sur site\b"
    r"|en (?:la )?oficina\b|presencial\w*|in ufficio\b|op kantoor\b)"
)
_DEMANDS = (
    re.compile(
        rf"({_NUMBER})\s?(?:{_DAY})[\s,-]{{0,3}}(?:work(?:ing)?\s)?{_WEEKLY}[\s,-]{{0,3}}{_THERE}",
    ),
    re.compile(
        rf"{_THERE}[\s,:(-]{{0,3}}(?:at least\s|for\s|minimum\s|a minimum of\s|approximately\s|about\s"
        rf"|up to\s)?({_NUMBER})"
        rf"\s?(?:{_DAY})\b(?!\s(?:a|per|each|every|/)?\s?(?:month|quarter|year))",
    ),
)
_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5,
    "funf": 5, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "tres": 3, "cuatro": 4, "cinco": 5,
}  # fmt: skip
_WHOLE_WEEK = 5
_FULLY_REMOTE = re.compile(
    r"\b(?:this|the) (?:role|position|job|opportunity) is (?:a )?(?:100% |fully |completely )?remote\b"
    r"|\b(?:100%|fully|completely) remote (?:role|position|job|opportunity)\b",
)
_DAY_STEMS = (" day", "tage", "jours", "d\u00edas", "dias", "giorni", "dagen")
_OFFICE_STEMS = (
    "office", "site", "person", "hq", "studio", "lab", "b\u00fcro", "buro", "vor ort", "bureau", "oficina",
    "presencial", "ufficio", "kantoor",
)  # fmt: skip
_MAX_MENTIONS = 50
_AROUND_CHARS = 90
_SPACES = re.compile(r"\s+")


CUES = Cues(
    "remot", "telecommut", "home", "wfh", "travail", "distan", "teletrabajo", "fernarbeit", "thuiswerk",
    "zdaln", "h[yíi]brid", "ibrid", "hybryd", "site", "office", "person", r"\bvor\b", "sentiel",
    "presencial", "locatie", "sede", "stacjonarn",
)  # fmt: skip


class WorkplaceReading(msgspec.Struct, frozen=True, kw_only=True):
    workplace: Workplace | None
    conflicts: bool
    signals: tuple[str, ...]


def workplace_of(listing: Listing, title: str, text: str | None) -> WorkplaceReading:
    """What the posting says, weighed; `signals` has the platform's own first, then ours."""
    label, flags, denied = _platform_says(listing.workplace_signals, listing.workplace)
    beside = _first(worded(place[:_MAX_LABEL_CHARS]) for place in listing.locations)
    named = title_says(title)
    demanded, words = text_demands((text or "")[:_MAX_TEXT_CHARS])
    in_order = (label, beside, named, demanded, flags)
    signals = [f"location={beside}"] if beside else []
    signals += [f"title={named}"] if named else []
    signals += [f"text={words}"] if words else []
    return WorkplaceReading(
        workplace=_first(in_order),
        conflicts=len({*in_order} - {None}) > 1 or (denied and "remote" in in_order),
        signals=(*listing.workplace_signals, *signals),
    )


@lru_cache(maxsize=2_000)
def worded(text: str) -> Workplace | None:
    """The workplace a label or a place's words name. "Office - Flexible" names none, and is not remote."""
    if _HYBRID.search(text):
        return "hybrid"
    remote = _REMOTE.search(text) is not None and _NOT_REMOTE.search(text) is None
    onsite = _ONSITE.search(text) is not None
    if remote and (onsite or (_OFFICE.search(_REMOTE.sub("", text)) is not None)):
        return None
    if remote:
        return "remote"
    return "onsite" if onsite else None


def title_says(title: str) -> Workplace | None:
    """What a bracket or the last part of a title names."""
    for match in _APART.finditer(title) if CUES.are_in(title) else ():
        said = worded(match[1] or match[2] or "")
        if said is not None:
            return said
    return None


def text_demands(text: str) -> tuple[Workplace | None, str | None]:
    """What the days in an office that a text asks for make of it, and the words; else "remote" if so."""
    text = text.lower()
    for around in _around(text, _DAY_STEMS):
        speaks_of_office = any(word in around for word in _OFFICE_STEMS)
        for pattern in _DEMANDS if speaks_of_office else ():
            match = pattern.search(around)
            if match is not None:
                return ("onsite" if _days(match[1]) >= _WHOLE_WEEK else "hybrid"), _quoted(match)
    for around in _around(text, ("remote",)):
        match = _FULLY_REMOTE.search(around)
        if match is not None:
            return "remote", _quoted(match)
    return None, None


def _around(text: str, stems: tuple[str, ...]) -> Iterator[str]:
    """The surroundings of words: searching patterns there costs little where most texts have none of them."""
    for stem in stems:
        at = text.find(stem)
        for _ in range(_MAX_MENTIONS):
            if at < 0:
                break
            yield text[max(at - _AROUND_CHARS, 0) : at + _AROUND_CHARS]
            at = text.find(stem, at + len(stem))


def _quoted(match: re.Match[str]) -> str:
    return clean(_SPACES.sub(" ", match[0])).strip()[:_MAX_SIGNAL_CHARS]


def _days(words: str) -> int:
    """The fewest days the words ask for: "3 to 5" asks for three."""
    plain = words.rstrip("+")
    return _NUMBERS.get(plain) or int(plain[0])


@lru_cache(maxsize=1_000)
def _platform_says(
    signals: tuple[str, ...], named: Workplace | None
) -> tuple[Workplace | None, Workplace | None, bool]:
    """The word of its label, the word of its flags, and whether a flag says that it is not remote."""
    labels: list[str] = []
    remote: bool | None = None
    for signal in signals:
        name, _, value = signal[:_MAX_LABEL_CHARS].partition("=")
        flag = _FLAGS.get(value.strip().lower())
        if flag is None:
            labels.append(value)
        elif _REMOTE_FLAG.search(name):
            remote = flag
    flagged: Workplace | None = "remote" if remote else None
    if not labels:
        return None, named or flagged, remote is False
    return _labelled(labels, named), flagged, remote is False


def _labelled(labels: list[str], named: Workplace | None) -> Workplace | None:
    """What labels name; the adapter knows the words of its platform, but an office is never remote."""
    said = _first(map(worded, labels))
    if said is None and named == "remote" and any(map(_OFFICE.search, labels)):
        return None
    return said or named


def _first(words: Iterable[Workplace | None]) -> Workplace | None:
    return next((word for word in words if word is not None), None)
