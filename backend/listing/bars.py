"""Bars as a picture: places in per cent of the width, heights in pixels of a fixed height. Pure.

A picture keeps its letters readable on a phone because only places across are relative. The table beside it
holds the exact numbers.
"""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from backend.http import times
from matcher.figures.rules import Step, Week

HEIGHT = 160.0
LEFT, RIGHT = 9.0, 99.5
_GAP = 0.15
_LABEL_EVERY = 4


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """`x` and `width` in per cent, `y` and `height` in pixels from the top."""

    x: float
    width: float
    y: float
    height: float
    says: str
    tone: str


class Label(msgspec.Struct, frozen=True, kw_only=True):
    at: float
    text: str


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """`rules` are the lines across with their numbers; `mark` is a place to point out, with its words."""

    bars: list[Bar]
    labels: list[Label]
    rules: list[Label]
    mark: Label | None = None


def weekly(weeks: Sequence[Week]) -> Picture:
    """Two bars a week side by side, and the date of every fourth week."""
    most = _top(max((max(week.sent, week.answered) for week in weeks), default=0))
    bars = [bar for place, week in enumerate(weeks) for bar in _of_week(place, len(weeks), week, most)]
    labels = [
        Label(at=_x(place + 0.5, len(weeks)), text=f"{week.start.day} {week.start:%b}")
        for place, week in enumerate(weeks)
        if place % _LABEL_EVERY == _LABEL_EVERY // 2
    ]
    return Picture(bars=bars, labels=labels, rules=_rules(most))


def histogram(steps: Sequence[Step], median_days: float | None) -> Picture:
    """A bar a step, with the median marked where it lies within its step."""
    most = _top(max((step.count for step in steps), default=0))
    total = len(steps)
    bars = [
        _bar(
            _x(place + _GAP, total),
            _x(place + 1 - _GAP, total),
            step.count,
            most,
            f"{step.label} days: {step.count}",
            "heard",
        )
        for place, step in enumerate(steps)
    ]
    labels = [Label(at=_x(place + 0.5, total), text=step.label) for place, step in enumerate(steps)]
    mark = None if median_days is None else Label(at=_place_of(median_days, steps), text="median")
    return Picture(bars=bars, labels=labels, rules=_rules(most), mark=mark)


def _of_week(place: int, total: int, week: Week, most: int) -> list[Bar]:
    on = times.day(week.start)
    middle = _x(place + 0.5, total)
    sent = f"Week of {on}: {week.sent} sent"
    answered = f"Week of {on}: {week.answered} answered"
    return [
        _bar(_x(place + _GAP, total), middle, week.sent, most, sent, "sent"),
        _bar(middle, _x(place + 1 - _GAP, total), week.answered, most, answered, "heard"),
    ]


def _bar(left: float, right: float, count: int, most: int, says: str, tone: str) -> Bar:
    height = round(HEIGHT * count / most, 1)
    return Bar(
        x=left, width=round(right - left, 2), y=round(HEIGHT - height, 1), height=height, says=says, tone=tone
    )


def _x(place: float, total: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * place / max(total, 1), 2)


def _place_of(days: float, steps: Sequence[Step]) -> float:
    """Within its step in proportion; in the last, open one in its middle."""
    for place, (step, after) in enumerate(pairwise(steps)):
        if days < after.first:
            return _x(place + (days - step.first) / (after.first - step.first), len(steps))
    return _x(len(steps) - 0.5, len(steps))


def _rules(most: int) -> list[Label]:
    return [Label(at=HEIGHT - HEIGHT * share / most, text=str(share)) for share in (0, most // 2, most)]


def _top(most: int) -> int:
    """The next even number, so that half of it is one too."""
    return max(most + most % 2, 2)
