"""The picture of a timeline: in order, inside its frame, no mark on another."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from backend.pages.strip import LEFT, MARKS_MAX, RIGHT, Moment, strip_of
from schema.ids import MessageId

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
instants = st.integers(0, 60_000).map(lambda hours: NOW - timedelta(hours=hours))
moments = st.lists(
    st.builds(
        Moment,
        at=instants,
        kind=st.sampled_from(["acknowledgement", "rejection", "offer", None]),
        message_id=st.integers(1, 99).map(MessageId),
    ),
    min_size=1,
    max_size=60,
)


@given(moments, st.booleans())
def test_marks_keep_their_order_inside_the_frame_and_apart(some: list[Moment], ended: bool):
    strip = strip_of(some, NOW, ended=ended)
    assert strip
    places = [mark.place for mark in strip.marks]
    assert places[0] >= LEFT
    assert places[-1] <= RIGHT
    assert all(later - earlier >= 2.9 for earlier, later in pairwise(places))
    assert [mark.moment.at for mark in strip.marks] == sorted(mark.moment.at for mark in strip.marks)
    assert len(strip.marks) + strip.left_out == len(some)
    assert len(strip.marks) <= MARKS_MAX


def test_nothing_known_is_no_picture():
    assert strip_of([], NOW, ended=False) is None


def test_an_open_application_goes_on_to_now_and_an_ended_one_stops():
    some = [
        Moment(at=NOW - timedelta(days=10), kind=None),
        Moment(at=NOW - timedelta(days=5), kind="rejection"),
    ]
    open_strip, ended = strip_of(some, NOW, ended=False), strip_of(some, NOW, ended=True)
    assert open_strip and ended
    assert open_strip.end == NOW
    assert open_strip.known_to == 50.0
    assert ended.known_to == RIGHT


def test_each_sort_of_event_has_its_own_shape():
    kinds = [None, "acknowledgement", "interview_invite", "offer", "rejection"]
    some = [Moment(at=NOW + timedelta(days=day), kind=kind) for day, kind in enumerate(kinds)]
    strip = strip_of(some, NOW, ended=False)
    assert strip
    assert [mark.shape for mark in strip.marks] == ["start", "plain", "ask", "good", "end"]
