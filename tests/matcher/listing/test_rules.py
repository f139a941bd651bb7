"""Lenses as parameters, days as instants, lines as places."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from matcher.listing.rules import asked, days, require_same_order
from matcher.listing.types import Lens, Place
from schema.errors import Invalid
from schema.ids import ApplicationId


def test_an_empty_lens_asks_nothing():
    nothing = asked(Lens())
    assert (nothing.stages, nothing.origins, nothing.platform, nothing.words) == (None, None, None, None)
    assert not any((nothing.by_applied, nothing.by_news, nothing.asks, nothing.proposed, nothing.dismissed))


def test_words_are_taken_as_they_are_and_only_so_many():
    assert asked(Lens(search="50% a_b \\")).words == [r"%50\%%", r"%a\_b%", "%\\\\%"]
    assert len(asked(Lens(search="a " * 40)).words or ()) == 10
    assert asked(Lens(search=" \x00 ")).words is None


def test_a_day_is_one_of_the_persons_zone_also_when_the_clock_is_put_forward():
    berlin = days(date(2026, 3, 29), date(2026, 3, 29), ZoneInfo("Europe/Berlin"))
    assert berlin is not None
    assert berlin.start == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert berlin.end == datetime(2026, 3, 29, 22, tzinfo=UTC)


def test_open_ends_stay_open():
    assert days(None, None, UTC) is None
    until = days(None, date(2026, 3, 1), UTC)
    assert until is not None
    assert (until.start, until.end) == (None, datetime(2026, 3, 2, tzinfo=UTC))


def test_counting_every_stage_leaves_only_the_stages_out():
    lens = Lens(stages=("offer",), search="x", silent_since=datetime(2026, 3, 1, tzinfo=UTC) - timedelta(1))
    assert asked(lens).stages == ["offer"]
    assert asked(lens, every_stage=True) == asked(Lens(search="x", silent_since=lens.silent_since))


def test_a_place_of_another_order_is_refused():
    with pytest.raises(Invalid):
        require_same_order(Place(sort="news", application_id=ApplicationId(1)), "company")
