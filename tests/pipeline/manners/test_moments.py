"""The server's time on our own clock."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pipeline.manners.moments import Moments

EPOCH = datetime(2026, 11, 30, tzinfo=UTC)
ASKED = st.tuples(st.floats(0, 3), st.floats(0, 3), st.floats(0.1, 5))


def server(at: float) -> datetime:
    return EPOCH + timedelta(seconds=at)


@given(st.lists(ASKED, min_size=1, max_size=20))
def test_a_moment_lies_between_its_bounds_and_they_only_get_narrower_than_the_last(
    asked: list[tuple[float, ...]],
):
    moments, now = Moments(), 1000.0
    for there, back, pause in asked:
        moments.learn(server(now + there), now, now + there + back)
        now += there + back + pause
        at = now + 7
        assert moments.earliest(server(at)) <= at + 0.001
        assert moments.latest(server(at)) >= at - 0.001
        assert moments.latest(server(at)) - moments.earliest(server(at)) <= there + back + 0.001


def test_a_clock_that_was_set_counts_from_then_on():
    moments = Moments()
    moments.learn(server(1000), 1000, 1000.01)
    moments.learn(server(1500), 1001, 1001.01)
    assert abs(moments.latest(server(1501)) - 1002) < 0.02
