"""Where an application stands: events in order of sending, ends that can reopen, and the person's word."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.timeline.rules import ENDED, in_order, silent_days, standing
from matcher.timeline.types import Event, PersonStatus
from schema.ids import MessageId
from schema.vocabulary import EventKind, Stage

DAY_ONE = datetime(2026, 3, 1, 9, tzinfo=UTC)


def day(number: float) -> datetime:
    return DAY_ONE + timedelta(days=number - 1)


def event(kind: EventKind, sent: float | None, *, message: int | None = None, number: int = 1) -> Event:
    return Event(
        event_id=number,
        message_id=MessageId(message if message is not None else int((sent or 0) * 10)),
        kind=kind,
        sent_at=None if sent is None else day(sent),
    )


@pytest.mark.parametrize(
    ("kinds", "stage"),
    [
        ([], "applied"),
        (["acknowledgement"], "acknowledged"),
        (["recruiter_outreach", "status_update"], "applied"),
        (["acknowledgement", "assessment_invite", "interview_invite"], "interviewing"),
        (["interview_scheduled", "acknowledgement"], "interviewing"),
        (["interview_invite", "rejection"], "rejected"),
        (["rejection", "acknowledgement"], "rejected"),
        (["rejection", "interview_invite"], "interviewing"),
        (["rejection", "interview_invite", "rejection"], "rejected"),
        (["offer", "position_closed"], "closed"),
        (["withdrawal_confirmed"], "withdrawn"),
        (["info_request"], "acknowledged"),
    ],
)
def test_events_lead_to_a_stage(kinds: list[EventKind], stage: Stage):
    stands = standing([event(kind, number) for number, kind in enumerate(kinds, 1)], None)
    assert (stands.stage, stands.mail_stage, stands.by_person) == (stage, stage, False)


def test_time_of_sending_counts_and_not_the_order_of_arrival():
    late_import = [event("rejection", 20, message=1), event("interview_invite", 10, message=2)]
    assert standing(late_import, None).stage == "rejected"


def test_ids_only_break_ties():
    same = [event("rejection", 5, message=2), event("interview_invite", 5, message=3)]
    assert standing(same, None).stage == "interviewing"


def test_within_one_message_the_end_is_read_last():
    one = [event("rejection", 5, message=2, number=1), event("acknowledgement", 5, message=2, number=2)]
    assert standing(one, None).stage == "rejected"


def test_an_event_of_unknown_time_never_outruns_a_known_one():
    assert standing([event("rejection", None), event("interview_invite", 3)], None).stage == "interviewing"


def test_a_reopening_names_the_event_and_lapses_with_the_next_end():
    reopening = event("interview_invite", 9)
    events = [event("rejection", 5), reopening]
    assert standing(events, None).reopened_by == reopening
    assert standing([*events, event("offer", 12)], None).reopened_by == reopening
    assert standing([*events, event("rejection", 12)], None).reopened_by is None


def test_the_persons_word_stands_and_later_mail_only_proposes():
    person = PersonStatus(stage="withdrawn", at=day(8))
    stands = standing([event("interview_invite", 5)], person)
    assert (stands.stage, stands.mail_stage, stands.by_person, stands.proposal) == (
        "withdrawn",
        "interviewing",
        True,
        None,
    )
    assert standing([event("interview_invite", 9)], person).proposal == "interviewing"
    assert standing([event("withdrawal_confirmed", 9)], person).proposal is None


def test_silence_is_a_number_or_unknown():
    assert silent_days(day(1), day(4.9)) == 3
    assert silent_days(day(4), day(1)) == 0
    assert silent_days(None, day(1)) is None


_events = st.lists(
    st.builds(
        event,
        st.sampled_from(["acknowledgement", "rejection", "interview_invite", "offer", "status_update"]),
        st.one_of(st.none(), st.integers(1, 9)),
        message=st.integers(1, 9),
        number=st.integers(1, 99),
    ),
    max_size=8,
    unique_by=lambda found: found.event_id,
)


@given(_events, st.randoms())
def test_any_order_of_arrival_gives_one_timeline(events, random):
    straight = standing(events, None)
    random.shuffle(events)
    assert standing(events, None) == straight


@given(_events)
def test_every_change_moves_and_the_last_one_is_the_stage(events):
    stands = standing(events, None)
    stages = ["applied", *(change.stage for change in stands.changes)]
    assert all(one != two for one, two in itertools.pairwise(stages))
    assert stands.mail_stage == stages[-1]
    assert (stands.reopened_by is None) or stands.mail_stage not in ENDED
    assert [change.event for change in stands.changes] == [
        found for found in in_order(events) if found in {change.event for change in stands.changes}
    ]
