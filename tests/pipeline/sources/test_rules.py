"""What an answer proves, when a board is asked, and how long a platform is left alone."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from pipeline.sources.rules import (
    blocked_until,
    currency_code,
    finite,
    judged_against_before,
    likely_instant,
    pause_after,
    settled_coverage,
    usable_id,
)
from pipeline.sources.types import BoardReading, Evidence, Listing

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LISTING = Listing(vendor_id="1", record=b"{}", fingerprint="f", title="Pilot")


@pytest.mark.parametrize(
    ("evidence", "coverage"),
    [
        (Evidence(rows=3, ended_naturally=True), "complete"),
        (Evidence(rows=3, ended_naturally=True, vendor_total=3), "complete"),
        (Evidence(rows=3, ended_naturally=True, vendor_total=167), "partial"),
        (Evidence(rows=3, ended_naturally=True, unreadable_rows=1), "partial"),
        (Evidence(rows=3), "partial"),
    ],
)
def test_only_a_whole_list_is_complete(evidence, coverage):
    assert settled_coverage((LISTING,), evidence).coverage == coverage


def test_an_empty_list_is_suspect_only_where_there_were_postings():
    empty = BoardReading(listings=(), coverage="complete", evidence=Evidence(ended_naturally=True))
    assert judged_against_before(empty, 0).coverage == "complete"
    assert judged_against_before(empty, 1).coverage == "surprising_empty"
    failed = BoardReading(listings=(), coverage="failed", evidence=Evidence())
    assert judged_against_before(failed, 9).coverage == "failed"


@pytest.mark.parametrize(("asked", "seconds"), [(None, 300), (0, 30), (120, 120), (10**9, 6 * 3600)])
def test_a_platform_that_throttles_is_left_alone_within_reason(asked, seconds):
    evidence = Evidence(problem="throttled", retry_after_seconds=asked)
    assert blocked_until(evidence, NOW) == NOW + timedelta(seconds=seconds)
    assert blocked_until(Evidence(problem="timeout", retry_after_seconds=9), NOW) is None


def test_the_pause_doubles_and_ends_at_three_days():
    pauses = [pause_after(number) for number in range(6)]
    assert pauses[:4] == [timedelta(hours=hours) for hours in (6, 12, 24, 48)]
    assert pauses[4:] == [timedelta(hours=72)] * 2
    assert pause_after(10**6) == timedelta(hours=72)


def test_values_that_cannot_be_true_are_unknown():
    assert [finite(amount) for amount in (None, 0, -5, float("nan"), float("inf"), 1e300)] == [None] * 6
    assert finite(42.5) == 42.5
    assert [currency_code(text) for text in (None, "", "usd", "US$", "EURO", "EUR")] == [None] * 5 + ["EUR"]
    assert [usable_id(text) for text in ("", " \x00 ", "x" * 301, " a ")] == [None, None, None, "a"]
    assert likely_instant(datetime(1, 1, 1, tzinfo=UTC), NOW) is None
    assert likely_instant(datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-14))), NOW) is None
    assert likely_instant(datetime(2019, 5, 1, tzinfo=UTC), NOW) == datetime(2019, 5, 1, tzinfo=UTC)
