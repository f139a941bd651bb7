"""Numbers and the ranges forms offer for them: "5" is in "4 - 6 years", and in "5+". Pure."""

import math

import msgspec

from extension_api.answers.wording import tokens
from extension_api.answers.wording_words import BOUNDS, NUMBERS, UNITS

_LINKS = frozenset(
    {"to", "and", "bis", "a", "or", "than", "of", "at", "between", "experience", "equal", "the", "up"}
)

_BOTH_ENDS = 2


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """From `low` to `high`, both held unless said otherwise; `unit` "" when none is named."""

    low: float
    high: float
    holds_low: bool = True
    holds_high: bool = True
    unit: str = ""

    def holds(self, number: float) -> bool:
        above = number > self.low or (self.holds_low and number == self.low)
        below = number < self.high or (self.holds_high and number == self.high)
        return above and below


def span(text: str) -> Span | None:
    """The range a text names, a single number being one; None when it says anything else."""
    said = tokens(text)
    numbers = [_number(word) for word in said]
    found = [number for number in numbers if number is not None]
    units = {UNITS[word] for word in said if word in UNITS}
    bounds = {BOUNDS[word] for word in said if word in BOUNDS}
    rest = [
        word
        for word, number in zip(said, numbers, strict=True)
        if number is None and word not in UNITS and word not in BOUNDS and word not in _LINKS
    ]
    if rest or len(units) > 1 or len(bounds) > 1:
        return None
    return _bounded(found, bounds.pop() if bounds else "", units.pop() if units else "")


def _bounded(found: list[float], bound: str, unit: str) -> Span | None:
    if len(found) == _BOTH_ENDS and not bound and found[0] < found[1]:
        return Span(low=found[0], high=found[1], unit=unit)
    if len(found) != 1:
        return None
    only = found[0]
    if not bound:
        return Span(low=only, high=only, unit=unit)
    if bound in {"least", "more"}:
        return Span(low=only, high=math.inf, holds_low=bound == "least", unit=unit)
    return Span(low=-math.inf, high=only, holds_high=bound == "most", unit=unit)


def _number(word: str) -> float | None:
    if word in NUMBERS:
        return float(NUMBERS[word])
    try:
        return float(word) if word.isascii() and word[0].isdigit() else None
    except ValueError:
        return None


def range_holding(options: list[str], given: str) -> list[str]:
    """The offered ranges that hold the number given; none where the units differ or it is no number."""
    wanted = span(given)
    if wanted is None or wanted.low != wanted.high:
        return []
    read = [(option, span(option)) for option in options]
    return [
        option
        for option, one in read
        if one is not None
        and one.holds(wanted.low)
        and (not one.unit or not wanted.unit or one.unit == wanted.unit)
    ]
