"""A series lived through by the product's own rules: what counts as wrong, and the bars on a real one."""

from datetime import date, timedelta
from pathlib import Path

from pipeline.closing.columns import Asked
from pipeline.closing.replay import Outcome, replayed
from pipeline.closing.series import Series, Snapshot, read_series

FIRST = date(2026, 8, 1)


def series_of(board: list[int | set[str]], *others: list[int | set[str]]) -> Series:
    """A set or a number of ids on each day; an empty set has no rows."""
    snapshots = [
        Snapshot(on=FIRST + timedelta(days=day), board=f"board {number}", ids=frozenset(ids))
        for number, days in enumerate((board, *others))
        for day, shown in enumerate(days)
        if (ids := {str(n) for n in range(shown)} if isinstance(shown, int) else shown)
    ]
    return Series(snapshots=tuple(snapshots), rows=0, identity="id", rows_an_id=1, rows_a_url=0)


def test_a_posting_that_leaves_closes_and_is_not_wrong():
    outcome = replayed(series_of([10, *[9] * 20]), 1)
    assert (outcome.closes, outcome.false_closes, outcome.open_at_end) == (1, 0, 9)
    assert outcome.days_to_close == 3


def test_a_posting_that_comes_back_after_its_close_was_closed_wrongly():
    outcome = replayed(series_of([10, *[9] * 5, *[10] * 5]), 1)
    assert (outcome.closes, outcome.false_closes, outcome.false_share) == (1, 1, 1.0)


def test_a_day_on_which_nobody_has_rows_is_a_missing_pull():
    assert replayed(series_of([10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10]), 1) == Outcome(
        misses_to_close=1, open_at_end=10, open_days=20
    )


def test_a_board_without_rows_while_others_have_some_is_empty_and_doubted_for_ten_days():
    back = replayed(series_of([10, *[0] * 10, 10], [1] * 12), 1)
    assert (back.closes, back.doubts) == (0, 1)
    left = replayed(series_of([10, *[0] * 12], [1] * 13), 1)
    assert (left.closes, left.stale_at_end, left.stale_days) == (10, 0, 0)


def test_what_is_seen_last_over_two_weeks_ago_and_open_is_stale():
    away: list[int | set[str]] = [10, *[0] * 2]
    days = series_of(away).snapshots[0]
    late = Snapshot(on=FIRST + timedelta(days=15), board="another", ids=frozenset({"1"}))
    outcome = replayed(Series(snapshots=(days, late), rows=0, identity="id", rows_an_id=1, rows_a_url=0), 1)
    assert (outcome.stale_at_end, outcome.open_at_end, outcome.stale_days) == (10, 11, 10)


def test_the_bars_hold_on_a_page_scraped_series_of_four_months(shared_data: Path):

    whole = read_series(shared_data / "ats" / "kadoa_quant_daily_2026-04-14_2026-08-22.parquet", Asked())
    assert (whole.rows, whole.identity) == (299_613, "url")
    outcome = replayed(whole, 3)
    assert outcome.closes > 8_000
    assert outcome.false_share <= 0.084
    assert outcome.stale_share < 0.02 and outcome.stale_at_end == 0
