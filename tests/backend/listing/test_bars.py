"""Bars keep their order and their measure."""

import itertools
from datetime import date, timedelta

import pytest

from backend.listing.bars import HEIGHT, LEFT, RIGHT, histogram, weekly
from matcher.figures.rules import STEPS, StepCount, Week, steps_of


def weeks(*sent: int) -> list[Week]:
    start = date(2026, 1, 5)
    return [Week(start=start + timedelta(weeks=n), sent=count, answered=0) for n, count in enumerate(sent)]


def test_the_longest_bar_fills_the_height_and_the_others_their_share():
    picture = weekly(weeks(4, 2, 0))
    assert [bar.height for bar in picture.bars if bar.tone == "sent"] == [HEIGHT, HEIGHT / 2, 0]
    assert all(bar.y + bar.height == HEIGHT for bar in picture.bars)
    assert picture.bars[0].says == "Week of 5 Jan 2026: 4 sent"


def test_bars_lie_side_by_side_within_the_picture():
    picture = weekly(weeks(*range(26)))
    edges = [(bar.x, bar.x + bar.width) for bar in picture.bars]
    assert all(right <= left + 0.011 for (_, right), (left, _) in itertools.pairwise(edges))
    assert edges[0][0] > LEFT
    assert edges[-1][1] < RIGHT


def test_without_anything_the_measure_is_still_there():
    picture = weekly(weeks(0, 0))
    assert [(rule.at, rule.text) for rule in picture.rules] == [(HEIGHT, "0"), (HEIGHT / 2, "1"), (0, "2")]


@pytest.mark.parametrize("days", [0.0, 0.5, 3.9, 4.0, 12.25, 60.9, 90.0])
def test_the_median_lies_in_its_own_step(days: float):
    picture = histogram(steps_of([StepCount(step=1, count=3)]), days)
    assert picture.mark
    own = max(number for number, first in enumerate(STEPS) if first <= days)
    width = (RIGHT - LEFT) / len(STEPS)
    assert LEFT + own * width - 0.01 <= picture.mark.at <= LEFT + (own + 1) * width + 0.01


def test_no_median_no_mark():
    assert histogram(steps_of([]), None).mark is None
    open_end = histogram(steps_of([]), 4000.0).mark
    assert open_end
    assert open_end.at < RIGHT
