"""Filters in an address: one spelling, said in words, and calm about nonsense."""

from datetime import UTC, date, datetime

import pytest

from backend.http.forms import Form
from backend.listing.filters import Filters, chips_of, filters_in, filters_of, form_in, lens_of, query_of

WHOLE = Filters(
    q="a & b",
    stages=("applied", "offer"),
    origins=("manual",),
    platform="lever",
    applied_from=date(2026, 2, 1),
    applied_to=date(2026, 2, 28),
    news_from=date(2026, 3, 1),
    silent=14,
    asks=True,
    proposed=True,
    dismissed=True,
    sort="silence",
    layout="board",
)


@pytest.mark.parametrize("filters", [Filters(), WHOLE, Filters(q="9 % \u00e9"), Filters(stages=("closed",))])
def test_an_address_says_all_there_is(filters: Filters):
    assert filters_in(query_of(filters)) == filters


def test_one_set_of_filters_has_one_spelling():
    assert (
        filters_in("stage=offer&q=&stage=applied&stage=offer&sort=news").query == "stage=applied&stage=offer"
    )
    assert query_of(Filters()) == ""


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("stage=hired", "stage"),
        ("origin=x", "origin"),
        ("sort=luck", "sort"),
        ("layout=pie", "layout"),
        ("silent=abc", "silent"),
        ("silent=0", "silent"),
        ("silent=-3", "silent"),
        ("silent=99999", "silent"),
        ("applied_from=yesterday", "applied_from"),
        ("news_to=0001-01-01", "news_to"),
        ("news_to=9999-12-31", "news_to"),
        ("applied_from=2026-03-02&applied_to=2026-03-01", "applied_to"),
        (f"q={'x' * 300}", "q"),
    ],
)
def test_what_cannot_be_meant_is_named_and_left_out(query: str, field: str):
    form = form_in([tuple(pair.split("=")) for pair in query.split("&")])  # type: ignore[misc]
    filters = filters_of(form)
    assert [fault.field for fault in form.faults] == [field]
    if field != "q":
        assert filters == Filters()


def test_the_rest_of_a_faulty_address_counts():
    form = form_in([("stage", "hired"), ("stage", "offer"), ("q", "\x00x\ud800")])
    assert filters_of(form) == Filters(stages=("offer",), q="x")


def test_every_filter_is_said_and_can_be_taken_away():
    chips = chips_of(WHOLE)
    assert [chip.text for chip in chips] == [
        "\u201ca & b\u201d",
        "Applied",
        "Offer",
        "By hand",
        "lever",
        "Applied from 1 Feb 2026 to 28 Feb 2026",
        "News from 1 Mar 2026",
        "No news for 14 days or more",
        "Something to do",
        "Waits for your answer",
    ]
    assert all(len(chips_of(filters_in(chip.query))) < len(chips) for chip in chips)
    assert chips_of(Filters(stages=("offer",), sort="applied")) == []


def test_silence_is_counted_from_now_in_whole_days():
    now = datetime(2026, 3, 20, 12, tzinfo=UTC)
    assert lens_of(Filters(silent=14), now, UTC).silent_since == datetime(2026, 3, 6, 12, tzinfo=UTC)
    assert lens_of(Filters(), now, UTC).silent_since is None


def test_a_kept_address_of_another_day_never_breaks():
    assert filters_in("stage=gone&&&=&%00=%ff&q=%ed%a0%80x" + "&a=b" * 5000).stages == ()
    assert filters_of(Form({})) == Filters()
