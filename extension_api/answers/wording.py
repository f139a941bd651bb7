"""A question taken apart into what two askings of it must have in common. Pure.

Read once, a question can be compared with thousands of others: its subject words, and beside them everything
that can turn a right answer into a wrong one (negation, tense, number and bound, unit, country, whether it is
answered by yes or no). Comparing is `agreement.py`'s part.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import msgspec

from extension_api.answers.legal import countries_taken_out, touches_law
from extension_api.answers.wording_words import (
    AMOUNT_PAIRS,
    AMOUNT_WORDS,
    BOUNDS,
    DIRECTIONS,
    EMPLOYER_HERE,
    EMPLOYER_TIES,
    FILLERS,
    FUTURE,
    MODALS,
    NEGATIONS,
    NOW,
    NUMBERS,
    PAST,
    PAST_AUXILIARIES,
    PLACE_HERE,
    PLACE_POINTERS,
    QUALIFIERS,
    SYNONYMS,
    UNITS,
    YES_NO_STARTS,
)
from extension_api.answers.words import question

Ask = Literal["yes_no", "amount", "open"]

MAX_CHARS = 2_000
MAX_TOKENS = 400
_CACHED_TOKENS = 8_192
_CACHED = 16_384
"""Questions read by this process lately; a reading depends on nothing but the text and `is_yes_no`."""

_MARKS = (
    (re.compile(r"(?<![^\W_])([acfj])\+\+"), r"\1plusplus"),
    (re.compile(r"(?<![^\W_])([cfj])#"), r"\1sharp"),
    (re.compile(r"(?<![^\W_])\.net\b"), " dotnet"),
    (re.compile(r"(?<=[a-z])\.(js|net|io|ai)\b"), r"\1"),
    (re.compile(r"(?<![^\W_])front[ -]end\b"), "frontend"),
    (re.compile(r"(?<![^\W_])back[ -]end\b"), "backend"),
    (re.compile(r"(?<![^\W_])full[ -]stack\b"), "fullstack"),
    (re.compile(r"(?<![^\W_])on[ -]site\b"), "onsite"),
    (re.compile(r"(?<![^\W_])(java|type)[ -]script\b"), r"\1script"),
)
_SYMBOLS = str.maketrans({"€": " eur ", "$": " usd ", "£": " gbp ", "₹": " inr ", "%": " percent "})
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*(?![^\W_])|[^\W_]+|[+<>≥≤]")
_THOUSANDS = re.compile(r"^\d{1,3}(?:[.,]\d{3})+$")
_SHORTENED = re.compile(r"^(\d{1,4})k$")
_GLUED = re.compile(r"^(\d{1,4})(years?|yrs?|months?|weeks?|days?|hours?|hrs?)$")
_PLURAL = re.compile(r"(?<![su i])s$")
_STEMMED_FROM = 5
_YEARS_FORMULA = frozenset({"experience", "work", "role", "many", "much", "how", "number"})
_NONE: frozenset[str] = frozenset()
_BOUNDING = frozenset(BOUNDS)
_EXPLAINED = frozenset({*QUALIFIERS, *NEGATIONS, *UNITS, *NUMBERS, *PAST, *NOW, *FUTURE, *MODALS, *"+<>≥≤"})


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """`subject` and `order` hold the words nothing else explains; `canon` is their text for likeness.

    `tense` holds `past`, `future` and `now`, the last only beside another; `bounds` which way numbers are
    meant; `is_years`: how long something was done. `exact` is every word as it stands, for
    questions where none may differ.
    """

    subject: frozenset[str]
    order: tuple[str, ...]
    qualifiers: frozenset[str]
    ask: Ask
    negations: tuple[str, ...]
    numbers: tuple[str, ...]
    bounds: frozenset[str]
    units: frozenset[str]
    tense: frozenset[str]
    countries: frozenset[str]
    is_years: bool
    is_modal: bool
    is_legal: bool
    is_directed: bool
    is_about_employer: bool
    is_about_place: bool
    exact: tuple[str, ...]
    canon: str


@lru_cache(maxsize=_CACHED_TOKENS)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a question with what marks off techniques and numbers: `C++`, `.NET`, `5+`, `100k`."""
    flat = question(text[:MAX_CHARS].translate(_SYMBOLS))
    for pattern, kept in _MARKS:
        flat = pattern.sub(kept, flat)
    return tuple(part for found in _TOKEN.findall(flat)[:MAX_TOKENS] for part in _parts(found))


def _parts(token: str) -> tuple[str, ...]:
    if token[0].isdigit():
        if _THOUSANDS.match(token):
            return (token.replace(",", "").replace(".", ""),)
        if short := _SHORTENED.match(token):
            return (f"{short[1]}000",)
        if glued := _GLUED.match(token):
            return (glued[1], glued[2])
    return (token,)


@lru_cache(maxsize=_CACHED_TOKENS)
def question_key(text: str) -> str:
    """Equal for two spellings of one question; "" when nothing in it is a letter or digit."""
    return " ".join(_spelled(word) for word in tokens(text) if word not in "+<>≥≤")[:MAX_CHARS].strip()


def _spelled(token: str) -> str:
    return token.replace("isation", "ization").replace("ised", "ized")


@lru_cache(maxsize=_CACHED)
def wording(text: str, *, is_yes_no: bool = False) -> Wording:
    """What a question says. `is_yes_no`: its options are yes and no, whatever its words look like."""
    said = _past_at_the_end(tokens(text))
    countries, left = countries_taken_out(list(said))
    numbers, bounds = _numbers(left)
    ask = _ask(said, is_yes_no=is_yes_no)
    units = frozenset(UNITS[word] for word in left if word in UNITS)
    years = "year" in units and (
        ask == "amount" or "experience" in {SYNONYMS.get(word, word) for word in left}
    )
    drops = FILLERS | (_YEARS_FORMULA if years else _NONE) | (_BOUNDING if numbers else _NONE)
    order = tuple(word for word in map(_canonical, left) if word not in drops and _is_subject(word))
    subject = frozenset(order)
    qualifiers = frozenset(word for word in map(_canonical, left) if word in QUALIFIERS)
    if years:
        qualifiers -= {"work", "role", "company"}
    return Wording(
        subject=subject,
        order=order,
        qualifiers=qualifiers,
        ask=ask,
        negations=tuple(sorted(_negation(word) for word in left if word in NEGATIONS)),
        numbers=numbers,
        bounds=bounds,
        units=units,
        tense=_tense(said),
        countries=frozenset(countries),
        is_years=years,
        is_modal=not MODALS.isdisjoint(said),
        is_legal=touches_law(text),
        is_directed=not DIRECTIONS.isdisjoint(said),
        is_about_employer=not (EMPLOYER_HERE.isdisjoint(said) or EMPLOYER_TIES.isdisjoint(said)),
        is_about_place=_points_at_a_place(said),
        exact=tuple(_spelled(word) for word in (left if len(countries) == 1 else said)),
        canon=" ".join(order),
    )


def _past_at_the_end(said: tuple[str, ...]) -> tuple[str, ...]:
    """ "Have you worked here before" compares nothing; it asks for what once was."""
    return (*said[:-1], "previously") if said and said[-1] == "before" else said


def _canonical(word: str) -> str:
    if word in SYNONYMS:
        return SYNONYMS[word]
    if len(word) < _STEMMED_FROM or word in FILLERS or word in QUALIFIERS:
        return word
    stem = _PLURAL.sub("", word)
    return SYNONYMS.get(stem, stem)


def _is_subject(word: str) -> bool:
    return word not in _EXPLAINED and not _is_number(word)


def _is_number(word: str) -> bool:
    return word[0].isdigit() and word[-1].isdigit()


def _negation(word: str) -> str:
    """All spellings of "not" are one; the others stay themselves."""
    return "not" if word.endswith("nt") or word in {"not", "cannot", "nicht", "pas", "ne"} else word


def _numbers(said: list[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The numbers in order, and which way they are meant."""
    found: list[str] = []
    for word in said:
        if _is_number(word):
            found.append(word.rstrip("0").rstrip(".") if "." in word else word)
        elif word in NUMBERS:
            found.append(NUMBERS[word])
    if not found:
        return (), frozenset()
    return tuple(found), frozenset(BOUNDS[word] for word in said if word in BOUNDS)


def _ask(said: tuple[str, ...], *, is_yes_no: bool) -> Ask:
    if is_yes_no:
        return "yes_no"
    if not AMOUNT_PAIRS.isdisjoint(pairwise(said)) or not AMOUNT_WORDS.isdisjoint(said):
        return "amount"
    return "yes_no" if said and said[0] in YES_NO_STARTS else "open"


def _tense(said: tuple[str, ...]) -> frozenset[str]:
    found: set[str] = set()
    if not PAST.isdisjoint(said) or not PAST_AUXILIARIES.isdisjoint(said):
        found.add("past")
    if ("have", "you") in pairwise(said) and said[0] == "have":
        found.add("past")
    if not FUTURE.isdisjoint(said):
        found.add("future")
    if found and not NOW.isdisjoint(said):
        found.add("now")
    return frozenset(found)


def _points_at_a_place(said: tuple[str, ...]) -> bool:
    """ "This location", "our office", "the country in which the role is": no place is named."""
    near = {
        said[at - back] for at, word in enumerate(said) if word in PLACE_HERE for back in (1, 2) if at >= back
    }
    return not near.isdisjoint(PLACE_POINTERS)
