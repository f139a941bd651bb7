"""A remembered answer put into a field: typed, or as the option that says the same. Pure.

Options are compared by value: the same text, the same member of a closed set, the range that holds the
number, the same words. What is only like the answer is shown to the person and never written by itself.
"""

import re
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from rapidfuzz import fuzz

from extension_api.answers import closed_sets
from extension_api.answers.agreement import agreement
from extension_api.answers.options import is_yes_or_no, offered, yes_or_no
from extension_api.answers.ranges import range_holding
from extension_api.answers.wording import Wording, tokens, wording
from extension_api.answers.wording_words import FILLERS, NEGATIONS
from extension_api.answers.words import word_set
from extension_api.protocol import FieldDescription, Reason

Certainty = Literal["fill", "suggest"]

_LIKE = 85.0
_MARGIN = 10.0
_TYPED = frozenset({"text", "textarea"})
CHOSEN = frozenset({"select", "combobox", "radio", "buttons"})
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,4})?")
_PATTERNS = {
    "number": _NUMBER,
    "date": re.compile(r"\d{4}-\d{2}-\d{2}"),
    "month": re.compile(r"\d{4}-\d{2}"),
    "email": re.compile(r"[^@\s]{1,64}@[^@\s]{1,255}"),
    "url": re.compile(r"https?://\S{1,2000}"),
}
_SETS: tuple[Callable[[str], str | None], ...] = (
    closed_sets.decline,
    closed_sets.country,
    closed_sets.state,
    closed_sets.degree,
    closed_sets.fluency,
    closed_sets.visa,
)
_HEDGES = word_set(
    "but however if with without only except unless although though some partially limited depending "
    "aber mit ohne nur mais avec sans pero con sin"
)


class Mapped(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly one of `value`, `option` and `options` says something."""

    value: str | None = None
    option: str | None = None
    options: list[str] = []
    certainty: Certainty = "fill"


def mapped(given: Sequence[str], field: FieldDescription, asked: Wording) -> Mapped | Reason:
    """What to type, choose or tick for `given`; a reason where nothing offered says it for certain."""
    if field.kind in _TYPED:
        return _typed(", ".join(given), field)
    if field.kind == "checkboxes":
        return _ticked(given, field.options, asked)
    if field.kind in CHOSEN and len(given) == 1:
        return option_for(given[0], field.options, asked)
    return "no_option_matches"


def _typed(text: str, field: FieldDescription) -> Mapped | Reason:
    if field.max_length is not None and 0 < field.max_length < len(text):
        return "too_long"
    pattern = _PATTERNS.get(field.type)
    if pattern is not None and not pattern.fullmatch(text.strip()):
        return "no_option_matches"
    return Mapped(value=text)


def _ticked(given: Sequence[str], options: list[str], asked: Wording) -> Mapped | Reason:
    if not options:
        return "no_option_matches"
    found: list[Mapped | Reason] = [option_for(one, options, asked) for one in given]
    refused: list[Reason] = [one for one in found if not isinstance(one, Mapped)]
    if refused:
        return refused[0]
    chosen = [one for one in found if isinstance(one, Mapped)]
    certainty: Certainty = "suggest" if any(one.certainty == "suggest" for one in chosen) else "fill"
    return Mapped(
        options=list(dict.fromkeys(one.option for one in chosen if one.option)), certainty=certainty
    )


def option_for(given: str, options: list[str], asked: Wording) -> Mapped | Reason:
    """The option that says what was given; with options unknown the answer itself, to be looked for."""
    if not options:
        return Mapped(option=given)
    real = offered(options)
    answered = yes_or_no(given)
    if asked.is_legal and yes_or_no_alone(given) and not all(settles(one, asked) for one in real):
        return "no_option_matches"
    for found in (_literal(given, real), _same_words(given, real)):
        if found:
            return _only(found)
    if answered is not None and (is_yes_or_no(real) or yes_or_no_alone(given)):
        return _yes_or_no(answered, given, real, asked)
    for reading in _SETS:
        member = reading(given)
        if member is not None and (found := [one for one in real if reading(one) == member]):
            return _only(found)
    ranges = range_holding(real, given)
    return _only(ranges) if ranges else _alike(given, real)


def _literal(given: str, options: list[str]) -> list[str]:
    tidy = " ".join(given.casefold().split())
    return [one for one in options if " ".join(one.casefold().split()) == tidy][:1]


def _same_words(given: str, options: list[str]) -> list[str]:
    said = tokens(given)
    return [one for one in options if said and tokens(one) == said]


def _only(found: list[str]) -> Mapped | Reason:
    return Mapped(option=found[0]) if len(found) == 1 else "several_options_match"


def yes_or_no_alone(text: str) -> bool:
    return len(tokens(text)) == 1 and yes_or_no(text) is not None


def _yes_or_no(answered: str, given: str, options: list[str], asked: Wording) -> Mapped | Reason:
    """The one yes or no there is. A sentence that adds to it is only shown, under the law not even that."""
    found = [one for one in options if yes_or_no(one) == answered]
    opposite = [one for one in options if yes_or_no(one) not in {None, answered}]
    if len(found) != 1 or len(opposite) != 1:
        return "several_options_match" if len(found) > 1 else "no_option_matches"
    if _adds(found[0], asked) or (not yes_or_no_alone(given) and _adds(given, asked)):
        return "no_option_matches" if asked.is_legal else Mapped(option=found[0], certainty="suggest")
    return Mapped(option=found[0])


def settles(option: str, asked: Wording) -> bool:
    """Whatever else it says beside yes or no is the question's own words and says the same once more.

    "Yes, with sponsorship" adds a condition; "Yes, I do not require it" speaks against itself.
    """
    said = yes_or_no(option)
    if said is None:
        return True
    tail = tokens(option)[1:]
    denies = any(word in NEGATIONS for word in tail)
    return (denies == (said == "no") or not tail) and not _adds(option, asked)


def _adds(option: str, asked: Wording) -> bool:
    """The option says more than yes or no and the question's own words."""
    said = tokens(option)[1:]
    if not _HEDGES.isdisjoint(said):
        return True
    own = {*asked.exact, *asked.subject, *asked.qualifiers}
    more = wording(option).subject - asked.subject
    return any(word not in own and word not in FILLERS and yes_or_no(word) is None for word in more)


def _alike(given: str, options: list[str]) -> Mapped | Reason:
    said = wording(given)
    read = [(one, wording(one)) for one in options]
    same = [one for one, other in read if agreement(said, other) == "same" and said.subject]
    if same:
        return _only(same)
    ranked = sorted(
        (
            (fuzz.token_sort_ratio(said.canon, other.canon), one)
            for one, other in read
            if agreement(said, other) == "close"
        ),
        reverse=True,
    )
    if not ranked or ranked[0][0] < _LIKE:
        return "no_option_matches"
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _MARGIN:
        return "several_options_match"
    return Mapped(option=ranked[0][1], certainty="suggest")
