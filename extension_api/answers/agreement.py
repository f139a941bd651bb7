"""Whether two askings are one question, so that the answer to one is an answer to the other. Pure.

`same`: nothing in their words tells them apart. `close`: one says more than the other, and what it says turns
nothing round. `unsure`: they speak of the same, but a negation, a tense, a number, a unit, a country or the
way it is answered differs, so that the answer could be the opposite. `other`: two questions.
"""

from typing import Literal

from extension_api.answers.legal import legal_question
from extension_api.answers.wording import Wording
from extension_api.answers.wording_words import FILLERS, SHIFTS

Agreement = Literal["same", "close", "unsure", "other"]

_POLITE = FILLERS - frozenset({"do", "does", "did", "have", "has", "you", "i", "currently", "presently"})


def agreement(mine: Wording, other: Wording) -> Agreement:
    """How far two questions are one, by their words alone."""
    more, less = mine.subject - other.subject, other.subject - mine.subject
    if (more and less) or not SHIFTS.isdisjoint(more | less):
        return "other"
    if _turned(mine, other):
        return "unsure"
    if mine.exact == other.exact:
        return "same"
    if mine.is_legal or mine.negations or mine.is_directed:
        return "same" if _stripped(mine) == _stripped(other) else "unsure"
    if not mine.subject and not (mine.is_years and other.is_years):
        return "other"
    return "same" if _same_words(mine, other) else "close"


def _same_words(mine: Wording, other: Wording) -> bool:
    return (
        sorted(mine.order) == sorted(other.order)
        and mine.qualifiers == other.qualifiers
        and mine.is_modal == other.is_modal
    )


def _turned(mine: Wording, other: Wording) -> bool:
    return (
        (mine.ask == "yes_no") != (other.ask == "yes_no")
        or mine.negations != other.negations
        or mine.numbers != other.numbers
        or mine.bounds != other.bounds
        or mine.units != other.units
        or mine.tense != other.tense
        or mine.countries != other.countries
        or mine.is_legal != other.is_legal
        or mine.is_directed != other.is_directed
    )


def _stripped(wording: Wording) -> tuple[str, ...]:
    """Every word but the polite ones, in order: what must not differ where a word can turn the question."""
    return tuple(word for word in wording.exact if word not in _POLITE)


def same_legal_question(mine: str, other: str) -> bool:
    """Both are understood for certain, and ask the same of the same country."""
    asked = legal_question(mine)
    return asked is not None and asked == legal_question(other)
