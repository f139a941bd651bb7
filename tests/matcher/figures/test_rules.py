"""Weeks from Monday to Sunday, steps of days without a hole."""

import itertools
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

from matcher.figures.rules import (
    STEPS,
    WEEKS,
    StepCount,
    WeekCount,
    instants,
    steps_of,
    week_starts,
    weeks_of,
)


@pytest.mark.parametrize("today", [date(2026, 3, 2), date(2026, 3, 8), date(2026, 1, 1), date(2024, 2, 29)])
def test_the_last_weeks_end_with_the_one_of_today(today: date):
    starts = week_starts(today)
    assert len(starts) == WEEKS + 1
    assert starts[-2] <= today < starts[-1]
    assert {start.weekday() for start in starts} == {0}
    assert {later - earlier for earlier, later in itertools.pairwise(starts)} == {timedelta(7)}


def test_a_week_with_a_changed_clock_is_an_hour_longer():
    begun = instants([date(2026, 10, 19), date(2026, 10, 26)], ZoneInfo("Europe/Berlin"))
    assert begun[1].timestamp() - begun[0].timestamp() == (7 * 24 + 1) * 3600


def test_weeks_without_anything_are_there_too():
    weeks = weeks_of(week_starts(date(2026, 3, 2)), [WeekCount(week=WEEKS, sent=2, answered=1)])
    assert len(weeks) == WEEKS
    assert (weeks[-1].start, weeks[-1].sent, weeks[-1].answered) == (date(2026, 3, 2), 2, 1)
    assert sum(week.sent + week.answered for week in weeks[:-1]) == 0


def test_steps_meet_without_a_hole_and_the_last_is_open():
    steps = steps_of([StepCount(step=2, count=5), StepCount(step=len(STEPS), count=1)])
    assert [step.first for step in steps[1:]] == [(step.last or 0) + 1 for step in steps[:-1]]
    assert (steps[0].label, steps[1].count, steps[-1].label, steps[-1].count) == ("0\u20133", 5, "91+", 1)
