"""Dates out of prose: as precise as written, never invented, never read one way when two are possible."""

from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.identity.dates import dates_in, one_date

ANCHOR = date(2026, 8, 15)
PLAIN = [
    ("Posted 2026-08-05.", date(2026, 8, 5)),
    ("on 5 August 2026 in Oslo", date(2026, 8, 5)),
    ("Wednesday, 5th of August 2026", date(2026, 8, 5)),
    ("August 5th, 2026", date(2026, 8, 5)),
    ("Aug. 5, 2026", date(2026, 8, 5)),
    ("am Mittwoch, den 5. August 2026", date(2026, 8, 5)),
    ("le 5 août 2026", date(2026, 8, 5)),
    ("5 de agosto de 2026", date(2026, 8, 5)),
    ("1er février 2026", date(2026, 2, 1)),
    ("5. März 2026", date(2026, 3, 5)),
    ("05.08.2026", date(2026, 8, 5)),
    ("25/12/2026", date(2026, 12, 25)),
    ("12/25/26", date(2026, 12, 25)),
    ("08/08/2026", date(2026, 8, 8)),
    ("2026/8/5", date(2026, 8, 5)),
]
FROM_ANCHOR = [
    ("Posted 5 Days Ago", date(2026, 8, 10), "day"),
    ("a day ago", date(2026, 8, 14), "day"),
    ("yesterday", date(2026, 8, 14), "day"),
    ("2 weeks ago", date(2026, 8, 1), "week"),
    ("3 months ago", date(2026, 5, 17), "month"),
    ("by August 20", date(2026, 8, 20), "day"),
    ("20 Aug", date(2026, 8, 20), "day"),
    ("on January 5", date(2027, 1, 5), "day"),
    ("Thursday, August 20", date(2026, 8, 20), "day"),
    ("Wednesday, August 20", date(2025, 8, 20), "day"),
]
INSTANTS = [
    ("2026-08-05T10:30:00Z", datetime(2026, 8, 5, 10, 30, tzinfo=UTC)),
    ("2026-08-05 10:30:15.123+02:00", datetime(2026, 8, 5, 8, 30, 15, tzinfo=UTC)),
    ("Tue, 03 Feb 2026 10:30:00 +0000", datetime(2026, 2, 3, 10, 30, tzinfo=UTC)),
    ("August 5, 2026 at 3:00 PM EST", datetime(2026, 8, 5, 20, 0, tzinfo=UTC)),
    ("August 5, 2026 at 3 p.m. ET", datetime(2026, 8, 5, 19, 0, tzinfo=UTC)),
    ("January 5, 2026, 12:15 am (PT)", datetime(2026, 1, 5, 8, 15, tzinfo=UTC)),
    ("5. August 2026 um 15:00 Uhr MESZ", datetime(2026, 8, 5, 13, 0, tzinfo=UTC)),
    ("5 August 2026, 09:00 GMT+5:30", datetime(2026, 8, 5, 3, 30, tzinfo=UTC)),
]
NOTHING = [
    "", "30+ days ago", "version 1.2.2026.7", "2026-02-30", "31 June 2026", "0001-01-01", "9999-12-31",
    "03/04/2026",
    "yesterday", "August 20", "call 2026-08-051", "12345-08-05-06", "may 2", "5 hours ago",
]  # fmt: skip


@pytest.mark.parametrize(("text", "day"), PLAIN)
def test_a_plain_date_stays_a_date(text, day):
    found = one_date(text)
    assert found is not None
    assert (found.day, found.precision, found.clock_time, found.instant) == (day, "day", None, None)


@pytest.mark.parametrize(("text", "day", "precision"), FROM_ANCHOR)
def test_words_that_count_from_a_day_need_that_day(text, day, precision):
    assert one_date(text) is None
    found = one_date(text, anchor=ANCHOR)
    assert found is not None
    assert (found.day, found.precision) == (day, precision)


@pytest.mark.parametrize(("text", "instant"), INSTANTS)
def test_a_time_with_its_zone_is_an_instant(text, instant):
    found = one_date(text)
    assert found is not None
    assert found.instant == instant


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_date_or_could_be_two_is_left_out(text):
    assert dates_in(text) == []


def test_a_time_without_a_certain_zone_is_no_instant():
    for text in ("August 5, 2026 at 3:00 PM", "August 5, 2026 at 3:00 PM IST"):
        found = one_date(text)
        assert found is not None
        assert (found.clock_time, found.precision, found.instant) == (time(15), "minute", None)


def test_a_month_stays_a_month():
    found = one_date("starting August 2026")
    assert found is not None
    assert (found.day, found.precision) == (date(2026, 8, 1), "month")


def test_the_order_of_a_slashed_date_is_the_callers_to_say():
    read = [one_date("03/04/2026", day_first=order) for order in (True, False)]
    assert [found.day if found else None for found in read] == [date(2026, 4, 3), date(2026, 3, 4)]


def test_a_year_far_from_the_anchor_is_left_out():
    assert one_date("5 August 2031") is not None
    assert one_date("5 August 2031", anchor=ANCHOR) is None


def test_several_dates_come_in_their_order_with_their_places():
    text = "Apply by Aug 20, 2026; interviews from 2026-09-01, offer in October 2026."
    found = dates_in(text)
    assert [text[each.start : each.end] for each in found] == ["Aug 20, 2026", "2026-09-01", "October 2026"]
    assert one_date(text) is None


PIECES = st.sampled_from(
    [
        "2026",
        "-",
        "08",
        "/",
        ".",
        "5",
        " ",
        "August",
        "aug",
        "at",
        "3:00",
        "pm",
        "EST",
        "+02:00",
        "ago",
        "day",
        "é",
        "T",
        "Z",
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=16).map("".join)), st.booleans())
def test_any_text_is_read_without_failing(text, day_first):
    for found in dates_in(text, anchor=ANCHOR, day_first=day_first):
        assert 0 <= found.start < found.end <= len(text)
        assert 1990 <= found.day.year <= 2028
        assert (found.clock_time is None) == (found.precision in {"day", "week", "month"})
