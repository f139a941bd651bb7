"""What becomes of a lost task, and how long a sweep sleeps."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.worker.upkeep.rules import nap_seconds, try_again_at

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
JITTER = st.floats(0, 1, exclude_max=True)


@given(JITTER)
def test_after_one_silence_a_task_runs_at_once(jitter: float):
    assert try_again_at(0, NOW, jitter) is None


@given(st.integers(1, 32_000), JITTER)
def test_after_more_it_waits_within_a_span_that_grows_to_an_hour(losses: int, jitter: float):
    at = try_again_at(losses, NOW, jitter)
    assert at is not None
    assert (
        timedelta(seconds=2)
        <= at - NOW
        <= min(timedelta(seconds=20) * 2 ** min(losses - 1, 20), timedelta(hours=1))
    )


def test_neighbours_that_were_lost_together_come_back_apart():
    moments = sorted(try_again_at(1, NOW, place / 8) or NOW for place in range(8))
    gaps = [later - sooner for sooner, later in pairwise(moments)]
    assert min(gaps) > timedelta(seconds=2)


def test_a_sweep_sleeps_until_the_next_row_is_due_and_never_longer_than_a_poll():
    assert nap_seconds(None, NOW, 1.0) == 1.0
    assert nap_seconds(NOW + timedelta(seconds=0.3), NOW, 1.0) == 0.3
    assert nap_seconds(NOW + timedelta(hours=1), NOW, 1.0) == 1.0


def test_a_row_that_is_past_its_time_and_was_left_is_not_asked_for_in_a_ring():
    assert nap_seconds(NOW - timedelta(seconds=5), NOW, 1.0) == 1.0
    assert nap_seconds(NOW, NOW, 1.0) == 1.0
