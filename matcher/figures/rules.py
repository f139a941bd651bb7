"""The weeks and the steps of days that figures are counted in. Pure."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import pairwise

import msgspec

WEEKS = 26
STEPS: tuple[int, ...] = (0, 4, 8, 15, 22, 31, 46, 61, 91)
"""The first day of each step; the last one is open."""


class Week(msgspec.Struct, frozen=True, kw_only=True):
    """Seven days from Monday `start`: applications sent in it, and applications first answered in it."""

    start: date
    sent: int
    answered: int


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Answers that took `first` to `last` whole days, both included; `last` None is open."""

    first: int
    last: int | None
    count: int

    @property
    def label(self) -> str:
        return f"{self.first}+" if self.last is None else f"{self.first}\u2013{self.last}"


class WeekCount(msgspec.Struct, frozen=True, kw_only=True):
    """`week` counts from 1, the first of those asked for."""

    week: int
    sent: int
    answered: int


class StepCount(msgspec.Struct, frozen=True, kw_only=True):
    step: int
    count: int


def week_starts(today: date) -> list[date]:
    """The Mondays of the last `WEEKS` weeks, this one included, and the one after."""
    monday = today - timedelta(days=today.weekday())
    return [monday - timedelta(weeks=back) for back in range(WEEKS - 1, -2, -1)]


def instants(starts: Iterable[date], zone: tzinfo) -> list[datetime]:
    """When those days begin in `zone`."""
    return [datetime.combine(start, time.min, zone) for start in starts]


def weeks_of(starts: Sequence[date], counts: Iterable[WeekCount]) -> list[Week]:
    """Every week, those without anything too."""
    known = {count.week: count for count in counts}
    nothing = WeekCount(week=0, sent=0, answered=0)
    found = [(start, known.get(number, nothing)) for number, start in enumerate(starts[:WEEKS], 1)]
    return [Week(start=start, sent=count.sent, answered=count.answered) for start, count in found]


def steps_of(counts: Iterable[StepCount]) -> list[Step]:
    known = {count.step: count.count for count in counts}
    bounds = [*pairwise(STEPS), (STEPS[-1], None)]
    return [
        Step(first=first, last=None if after is None else after - 1, count=known.get(number, 0))
        for number, (first, after) in enumerate(bounds, 1)
    ]
