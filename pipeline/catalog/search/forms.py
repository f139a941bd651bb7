"""Other forms of a word that somebody who types it means too: number, gender, and who does it. Pure.

Careful rather than complete: the list is sorted by time, so a form that means something else would stand
first as likely as last. That is why words are not cut to their stems: "product" and "production", "account"
and "accountant", "operations" and "operator" share one, and are different jobs.
"""

from collections.abc import Iterator

_LEAST_CHARS = 4
_MOST_FORMS = 16
_LONGEST_VERB = 9
_LONGEST_DOUBLING = 4
#: Nouns of work whose "-ing" is another work.
_APART = frozenset(("account", "market"))
_NO_VERBS = (
    "er", "or", "ar", "ing", "ment", "ion", "ist", "ant", "ent", "al", "ive", "eur", "euse", "ung", "heit",
    "keit", "ity", "ics", "a", "o", "i", "s", "y", "in",
)  # fmt: skip
#: Of several to one: the first ending that fits.
_SINGULARS = (
    ("ies", "y"), ("innen", ""), ("erin", "er"), ("orin", "or"), ("istin", "ist"), ("entin", "ent"),
    ("antin", "ant"), ("eurin", "eur"), ("ogin", "og"), ("arztin", "arzt"), ("anwaltin", "anwalt"),
    ("euren", "eur"), ("eure", "eur"), ("isten", "ist"), ("enten", "ent"), ("anten", "ant"), ("ungen", "ung"),
    ("arzte", "arzt"), ("ores", "or"), ("iones", "ion"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"),
    ("xes", "x"), ("ss", "ss"), ("us", "us"), ("is", "is"), ("ics", "ics"), ("s", ""),
)  # fmt: skip
#: Of one to several, and the German woman: every row whose ending fits.
_PLURALS = (
    (("er",), ("n", "in", "innen")),
    (("eur", "ist", "ent", "ant", "og"), ("e", "en", "in", "innen")),
    (("or", "ion", "s", "x", "ch", "sh"), ("es",)),
    (("ung", "heit", "keit", "schaft"), ("en",)),
    (("arzt",), ("e",)),
)
#: Endings that stand for each other: German, French and Spanish genders, and irregular pairs.
_PAIRS = (
    ("mann", "frau"), ("mann", "leute"), ("frau", "leute"), ("kraft", "krafte"), ("arzt", "arztin"),
    ("anwalt", "anwaltin"), ("teur", "trice"), ("eur", "euse"), ("ier", "iere"), ("iller", "illere"),
    ("ien", "ienne"), ("ero", "era"), ("ado", "ada"), ("ico", "ica"), ("ivo", "iva"), ("dor", "dora"),
    ("tor", "tora"), ("man", "men"), ("ant", "ing"), ("eer", "eering"),
)  # fmt: skip


def forms(word: str) -> tuple[str, ...]:
    """The word itself first; only itself when it is short or no plain word. Small letters without marks."""
    if len(word) < _LEAST_CHARS or not (word.isascii() and word.isalpha()):
        return (word,)
    single = _single(word)
    found: dict[str, None] = {}
    for base in dict.fromkeys((word, single)):
        for each in (base, *_counterparts(base)):
            found |= dict.fromkeys((each, *_plurals(each)))
    found |= dict.fromkeys(_done(single))
    return tuple(found)[:_MOST_FORMS]


def _single(word: str) -> str:
    for ending, instead in _SINGULARS:
        if word.endswith(ending):
            single = word.removesuffix(ending) + instead
            return single if len(single) >= _LEAST_CHARS - 1 else word
    return word


def _plurals(base: str) -> Iterator[str]:
    if base.endswith("y") and base[-2] not in "aeiou":
        yield base[:-1] + "ies"
    elif not base.endswith("s"):
        yield base + "s"
    for endings, additions in _PLURALS:
        if base.endswith(endings):
            yield from (base + addition for addition in additions)


def _counterparts(base: str) -> Iterator[str]:
    for one, other in _PAIRS:
        for ending, instead in ((one, other), (other, one)):
            if base.endswith(ending) and len(base) > len(ending) + 1:
                yield base.removesuffix(ending) + instead
    stem = base.removesuffix("ing")
    if len(stem) >= _LEAST_CHARS - 1 and stem not in {base, *_APART}:
        yield from (stem + "er", stem + "e")


def _done(base: str) -> Iterator[str]:
    """Who does it and the doing, for a word that can be a verb."""
    if base.endswith(_NO_VERBS) or len(base) > _LONGEST_VERB:
        return
    if base.endswith("e"):
        yield from (base + "r", base + "rs", base[:-1] + "ing", base + "ment")
        return
    stem = base + base[-1] if _doubles(base) else base
    yield from (stem + "er", stem + "ers")
    if base not in _APART:
        yield from (stem + "ing", base + "ment")


def _doubles(base: str) -> bool:
    """As "plan" does in "planner", and "design" does not in "designer"."""
    before, vowel, last = base[-3:]
    return (
        len(base) <= _LONGEST_DOUBLING
        and last not in "aeiouwxy"
        and vowel in "aeiou"
        and before not in "aeiou"
    )
