"""What is an answer, and what may be said of a silence."""

from datetime import date, timedelta

import pytest
from fixtures.samples import day

from matcher.silence.rules import KNOWN_LEAST, Pace, first_answer, silence
from matcher.timeline.types import Event
from schema.ids import MessageId
from schema.vocabulary import EventKind, Stage

NO_ANSWERS: tuple[EventKind, ...] = (
    "acknowledgement",
    "status_update",
    "recruiter_outreach",
    "withdrawal_confirmed",
    "not_job_related",
)


def event(kind: EventKind, sent: float | None, number: int = 1) -> Event:
    at = None if sent is None else day(sent)
    return Event(event_id=number, message_id=MessageId(number), kind=kind, sent_at=at)


@pytest.mark.parametrize("kind", NO_ANSWERS)
def test_what_says_neither_yes_nor_no_is_no_answer(kind: EventKind):
    assert first_answer([event(kind, 9)], day(5), None) is None


def test_the_earliest_answer_after_the_application_counts():
    events = [event("offer", 20), event("rejection", 3), event("interview_invite", 9)]
    assert first_answer(events, day(5), None) == day(9)


def test_an_answer_without_a_time_is_unknown():
    assert first_answer([event("rejection", None)], day(5), None) is None


def test_without_a_start_every_answer_can_be_the_first():
    assert first_answer([event("rejection", 9), event("offer", 3)], None, None) == day(3)


def test_a_plain_day_began_earlier_elsewhere():
    answered = day(4.7)
    assert answered < day(5)
    event_then = Event(event_id=1, message_id=MessageId(1), kind="rejection", sent_at=answered)
    assert first_answer([event_then], None, date(2026, 3, 5)) == answered
    assert first_answer([event("rejection", 2)], None, date(2026, 3, 5)) is None


def test_a_silence_is_days_beside_the_usual_ones():
    told = silence(day(1), "applied", Pace(known=KNOWN_LEAST, median_days=8.2), day(11))
    assert told is not None
    assert (told.days, told.usual_days, told.is_long) == (10, 9, True)
    assert silence(day(1), "applied", Pace(known=9, median_days=10), day(11)).is_long is False  # type: ignore[union-attr]


def test_too_few_answers_are_nothing_to_compare_with():
    told = silence(day(1), "interviewing", Pace(known=KNOWN_LEAST - 1, median_days=1), day(90))
    assert told is not None
    assert (told.days, told.usual_days, told.is_long) == (89, None, False)
    assert Pace(known=0, median_days=None).usual_days is None


@pytest.mark.parametrize("stage", ["rejected", "withdrawn", "closed"])
def test_nothing_is_awaited_of_what_has_ended(stage: Stage):
    assert silence(day(1), stage, Pace(known=9, median_days=1), day(90)) is None


def test_an_unknown_start_stays_unknown_and_a_clock_behind_counts_no_days():
    pace = Pace(known=9, median_days=1)
    assert silence(None, "applied", pace, day(9)) is None
    told = silence(day(9) + timedelta(hours=3), "applied", pace, day(9))
    assert told is not None
    assert told.days == 0
