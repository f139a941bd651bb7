"""What an answer proves, when a board is asked, and how long a platform is left alone."""

from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace

import msgspec
import pytest

from pipeline.sources.add import lane_of
from pipeline.sources.registry import ADAPTERS
from pipeline.sources.rules import (
    PULL_EVERY,
    WHOLE_EVERY,
    blocked_until,
    currency_code,
    finite,
    is_due,
    judged_against_before,
    known_validators,
    likely_instant,
    pause_after,
    settled_coverage,
    usable_id,
)
from pipeline.sources.types import BoardReading, Evidence, Listing, Source, Validators
from schema.ids import SourceId

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


@pytest.mark.parametrize(("before", "minutes"), [(1, 2), (40, 80), (300, 360)])
def test_a_platform_that_throttles_again_is_left_alone_twice_as_long(before, minutes):
    evidence = Evidence(problem="throttled", retry_after_seconds=30)
    left_alone = blocked_until(evidence, NOW, timedelta(minutes=before))
    assert left_alone == NOW + timedelta(minutes=minutes)


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


def source(**changed: object) -> Source:
    base = Source(
        id=SourceId(1),
        platform="ashby",
        board="northwind",
        company=None,
        url="https://jobs.ashbyhq.com/northwind",
        enabled=True,
        failures_in_a_row=0,
        blocked_until=None,
        last_pull_at=None,
        last_complete_at=None,
        etag=None,
        last_modified=None,
        read_whole_at=None,
        rests_until=None,
        off_since=None,
        off_reason=None,
        newest_pull_id=None,
    )
    return msgspec.structs.replace(base, **changed)


@pytest.mark.parametrize(
    ("changed", "due"),
    [
        ({}, True),
        ({"last_pull_at": NOW - PULL_EVERY}, True),
        ({"last_pull_at": NOW - timedelta(hours=1)}, False),
        ({"last_pull_at": NOW - PULL_EVERY, "failures_in_a_row": 1}, False),
        ({"last_pull_at": NOW - timedelta(hours=72), "failures_in_a_row": 7}, True),
        ({"last_pull_at": NOW - timedelta(days=9), "blocked_until": NOW + timedelta(minutes=1)}, False),
        ({"last_pull_at": NOW - timedelta(days=9), "rests_until": NOW + timedelta(minutes=1)}, False),
        ({"last_pull_at": NOW - timedelta(days=9), "rests_until": NOW}, True),
    ],
)
def test_a_board_is_due_when_no_pause_of_any_kind_runs(changed, due):
    assert is_due(source(**changed), NOW) is due


@pytest.mark.parametrize(
    ("changed", "known"),
    [
        ({}, None),
        ({"etag": "e", "read_whole_at": NOW}, Validators(etag="e")),
        ({"etag": "e"}, None),
        ({"etag": "e", "read_whole_at": NOW - WHOLE_EVERY}, None),
    ],
)
def test_a_board_is_asked_whether_it_changed_only_for_so_long(changed, known):
    assert known_validators(source(**changed), NOW) == known


def test_a_lane_is_the_platform_or_the_host_of_the_board(monkeypatch):
    assert lane_of("ashby", "https://jobs.ashbyhq.com/northwind") == "ashby"
    own = SimpleNamespace(has_one_host=False)
    monkeypatch.setitem(ADAPTERS, "workday", own)  # type: ignore[misc]
    assert (
        lane_of("workday", "https://northwind.wd3.myworkdayjobs.com/Site")
        == "northwind.wd3.myworkdayjobs.com"
    )
