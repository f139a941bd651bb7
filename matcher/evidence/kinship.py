"""How two different names can be one employer's without anybody having said so. Pure.

What is found here only ever proposes: initials, a group and its part, another alphabet. A name with its
umlauts written out is the same letters, and one with a country or "Group" beside it the same house: both
count for a little, never for enough.
"""

import unicodedata
from functools import cache, lru_cache
from typing import Literal

from matcher.evidence.around_names import words_around
from matcher.evidence.mistyped import is_mistyped, slips
from matcher.evidence.romanised import is_latin, sound
from schema.identity.names import company_words

Kinship = Literal["spelling", "country", "group", "alphabet", "mistyped", "initials", "part"]
KINSHIP_SAYS: dict[Kinship, str] = {
    "spelling": "It names {theirs}, which is how {ours} is also spelled.",
    "country": "It names {theirs}; only a country tells it from {ours}.",
    "group": "It names {theirs}; only a word for a group of companies tells it from {ours}.",
    "alphabet": "It names {theirs}, which may be {ours} in other letters.",
    "mistyped": "It names {theirs}; {ours} may be that with a slip of a letter.",
    "initials": "It names {theirs}; one of {theirs} and {ours} may be the initials of the other.",
    "part": "It names {theirs}, which is not {ours}, though one may belong to the other.",
}

SHORTEST_INITIALS = 2
LONGEST_INITIALS = 6
MOST_WORDS = 6
_SHORTEST_RUN = 3
_UMLAUTS = str.maketrans({"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00df": "ss", "\u00f8": "oe"})
_JOINTS = frozenset(("and", "und", "et", "y", "e"))
_WRITTEN_OUT = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_COUNTRIES_ELSEWHERE = frozenset((
    "polska", "nederland", "belgie", "sverige", "danmark", "norge", "suomi", "brasil", "emea",
))  # fmt: skip


@cache
def _countries() -> frozenset[str]:
    return _COUNTRIES_ELSEWHERE | words_around(lambda around: around.countries)


@cache
def _groups() -> frozenset[str]:
    return words_around(lambda around: around.group)


@cache
def _small_words() -> frozenset[str]:
    return words_around(lambda around: around.small_words)


@lru_cache(maxsize=20_000)
def kinship(theirs: str, ours: str) -> Kinship | None:
    """None for names that have nothing in common, and for two spellings of the very same one."""
    one, other = company_words(theirs), company_words(ours)
    key, own = "".join(one), "".join(other)
    if not key or not own or key == own:
        return None
    if collapsed(key) == collapsed(own) or {key, written_out(theirs)} & {own, written_out(ours)}:
        return "spelling"
    if unjoined(one) == unjoined(other):
        return "spelling"
    if is_latin(key) != is_latin(own) and (heard := sound(key)) is not None and heard == sound(own):
        return "alphabet"
    return _guessed(one, other)


def _guessed(one: tuple[str, ...], other: tuple[str, ...]) -> Kinship | None:
    key, own = "".join(one), "".join(other)
    if is_mistyped(key, own):
        return "mistyped"
    if key in initials(other) or own in initials(one):
        return "initials"
    return _of_more_words(one, other)


def _of_more_words(one: tuple[str, ...], other: tuple[str, ...]) -> Kinship | None:
    if _differ_by_country(one, other):
        return "country"
    if _differ_by_group(one, other):
        return "group"
    return "part" if _is_run(one, other) or _is_run(other, one) else None


def _differ_by_country(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """ "Globex UK" and "Globex", but not "Globex UK" and "Globex France"."""
    short, long = sorted((one, other), key=len)
    return (
        len(short) < len(long)
        and long[: len(short)] == short
        and _countries().issuperset(long[len(short) :])
        and not _small_words().issuperset(short)
    )


def _differ_by_group(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """ "Globex Group" or "Groupe Globex" and "Globex", but not "Globex Group" and "Globex Holding"."""
    short, long = sorted((one, other), key=len)
    more = len(long) - len(short)
    behind, before = long[len(short) :], long[:more]
    if not more or _small_words().issuperset(short):
        return False
    is_behind = long[: len(short)] == short and _groups().issuperset(behind)
    return is_behind or (long[more:] == short and _groups().issuperset(before))


def collapsed(key: str) -> str:
    """Umlauts written out and written with dots become the same: "mueller" and "muller"."""
    for written, plain in _WRITTEN_OUT:
        key = key.replace(written, plain)
    return key


def unjoined(words: tuple[str, ...]) -> str:
    """Without what joins names in any language: "Meyer und Sohn" and "Meyer & Sohn" are one."""
    return collapsed("".join(word for word in words if word not in _JOINTS))


def written_out(name: str) -> str:
    """The comparable form with every umlaut as two letters."""
    plain = unicodedata.normalize("NFC", name).casefold().translate(_UMLAUTS)
    return "".join(company_words(plain))


def initials(words: tuple[str, ...]) -> frozenset[str]:
    """With and without the small words between: "Bank of America" is "boa" and "ba"."""
    if not 1 < len(words) <= MOST_WORDS:
        return frozenset()
    every = "".join(word[0] for word in words)
    large = "".join(word[0] for word in words if word not in _small_words())
    return frozenset(one for one in (every, large) if SHORTEST_INITIALS <= len(one) <= LONGEST_INITIALS)


@lru_cache(maxsize=20_000)
def names_to_expect(company: str) -> frozenset[str]:
    """Under which keys an application is found beside its own name; the counterpart of `names_to_try`."""
    words = company_words(company)[:MOST_WORDS]
    key = "".join(words)
    spelled = (collapsed(key), written_out(company), key, unjoined(words))
    found = {f"whole {one}" for one in spelled if one}
    found |= {f"part {collapsed(run)}" for run in _runs(words)}
    found |= {f"initials {one}" for one in initials(words)}
    if heard := sound(key):
        found.add(f"latin {heard}" if is_latin(key) else f"other {heard}")
    return slips(key).union(found)


@lru_cache(maxsize=20_000)
def names_to_try(name: str) -> frozenset[str]:
    """Under which keys an employer that a message names may stand."""
    words = company_words(name)[:MOST_WORDS]
    key = "".join(words)
    if not key:
        return frozenset()
    found = {f"whole {one}" for one in (collapsed(key), written_out(name), key, unjoined(words)) if one}
    found.add(f"part {collapsed(key)}")
    found |= {f"whole {collapsed(one)}" for one in (*_runs(words), *initials(words))}
    if len(words) == 1 and SHORTEST_INITIALS <= len(key) <= LONGEST_INITIALS:
        found.add(f"initials {key}")
    if heard := sound(key):
        found.add(f"other {heard}" if is_latin(key) else f"latin {heard}")
    return slips(key).union(found)


def _runs(words: tuple[str, ...]) -> list[str]:
    """The words a longer name begins or ends with, run together."""
    runs = [words[:end] for end in range(1, len(words))] + [words[start:] for start in range(1, len(words))]
    joined = ("".join(run) for run in runs if not _small_words().issuperset(run))
    return [run for run in joined if len(run) >= _SHORTEST_RUN]


def _is_run(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    return len(short) < len(long) and "".join(short) in _runs(long)
