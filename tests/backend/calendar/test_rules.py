"""What becomes an entry of the calendar, and what only looks like one."""

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from backend.calendar.rules import Due, Entry, Told, entries, moment, one_line
from backend.calendar.writing import written
from schema.ids import ApplicationId, MessageId

NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)
DUE = Due(
    application_id=ApplicationId(3),
    message_id=MessageId(7),
    company="Northwind",
    role="Data Engineer",
    revised_at=NOW,
    revisions=0,
    kind="choose_time",
    due_at=None,
    due_on=date(2026, 3, 20),
)
TOLD = Told(
    application_id=ApplicationId(3),
    message_id=MessageId(7),
    company="Northwind",
    role="Data Engineer",
    revised_at=NOW,
    revisions=0,
    stage="interviewing",
    sent_at=NOW,
    appointment="2026-03-20T14:00:00+01:00",
    source="text",
    meeting=None,
    kinds=["interview_scheduled"],
)


def made(*about: Due | Told) -> list[Entry]:
    return entries(
        [each for each in about if isinstance(each, Due)],
        [each for each in about if isinstance(each, Told)],
        whose="1",
        now=NOW,
    )


def told(**changed: object) -> Told:
    return msgspec.structs.replace(TOLD, **changed)


def test_a_day_stays_a_day_and_an_instant_becomes_utc():
    (entry,) = made(DUE)
    assert entry.starts == date(2026, 3, 20)
    assert not isinstance(entry.starts, datetime)
    assert entry.summary == "Choose a time: Data Engineer, Northwind"
    (meeting,) = made(TOLD)
    assert meeting.starts == datetime(2026, 3, 20, 13, tzinfo=UTC)
    assert meeting.summary == "Interview: Data Engineer, Northwind"


def test_an_ask_without_a_date_is_no_entry():
    assert not made(msgspec.structs.replace(DUE, due_on=None))


def test_a_time_without_a_zone_stays_the_local_time_it_was_written_as():
    (entry,) = made(told(appointment="2026-03-20T14:00:00"))
    assert entry.starts == datetime(2026, 3, 20, 14)  # noqa: DTZ001


@pytest.mark.parametrize(
    "text",
    [
        "9999-12-31T23:59:59-12:00",
        "0001-01-01T00:00:00+14:00",
        "",
        "2026-02-30",
        "soon",
        "2026-13-01T10:00",
        "9" * 10,
        "2026-03-20T",
    ],
)
def test_what_is_no_moment_is_none(text: str):
    assert moment(text) is None


def test_a_time_that_is_only_offered_is_no_interview():
    assert not made(told(kinds=["interview_invite"]))
    assert made(told(kinds=["interview_invite"], source="calendar"))
    assert not made(told(kinds=["rejection"]))


def test_the_update_of_an_invitation_moves_it_and_its_cancellation_takes_it_away():
    first = told(meeting="m@x", source="calendar")
    moved = told(
        meeting="m@x", message_id=MessageId(9), sent_at=NOW + timedelta(days=1), appointment="2026-03-21"
    )
    (before,) = made(first)
    (after,) = made(moved, first)
    assert (after.uid, after.starts) == (before.uid, date(2026, 3, 21))
    assert after.revision > before.revision
    assert not made(first, moved, told(meeting="m@x", sent_at=NOW + timedelta(days=2), appointment=None))


def test_two_messages_about_one_time_are_one_interview():
    assert len(made(TOLD, told(message_id=MessageId(8), sent_at=NOW + timedelta(days=1)))) == 1


def test_an_end_takes_what_lies_ahead_with_it_but_not_what_was():
    assert not made(told(stage="rejected"))
    assert made(told(stage="rejected", appointment="2026-03-02T10:00:00+00:00"))


def test_a_new_reading_keeps_the_name_of_an_entry_and_raises_its_number():
    (before,) = made(DUE)
    (after,) = made(msgspec.structs.replace(DUE, revisions=1, due_on=date(2026, 3, 22)))
    assert (after.uid, after.revision) == (before.uid, before.revision + 1)


def test_another_persons_entry_has_another_name():
    (mine,) = made(DUE)
    (theirs,) = entries([DUE], [], whose="2", now=NOW)
    assert mine.uid != theirs.uid


@given(st.text(max_size=400), st.text(max_size=400))
def test_no_name_breaks_out_of_its_line(company: str, role: str):
    found = made(msgspec.structs.replace(DUE, company=company, role=role), TOLD)
    content = written(found, "http://127.0.0.1:8377")
    lines = content.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    (calendar,) = Calendar.from_ical(content, multiple=True)
    events = calendar.walk("VEVENT")
    assert len(events) == 2
    told = {str(event["summary"]) for event in events}
    assert (
        f"Choose a time: {one_line(role) or 'role unknown'}, {one_line(company) or 'company unknown'}" in told
    )


HOSTILE = "Evil\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:x, y; z\\n: \u2028\x0b" + "é" * 300


def test_a_hostile_name_is_only_a_name():
    content = written(made(msgspec.structs.replace(DUE, company=HOSTILE, role="A, B; C\\D")), "http://x")
    assert content.count(b"\r\nBEGIN:VEVENT\r\n") == 1
    (event,) = Calendar.from_ical(content).walk("VEVENT")
    assert str(event["summary"]).startswith("Choose a time: A, B; C\\D, Evil END:VEVENT BEGIN:VEVENT")


def test_nothing_is_said_about_an_end():
    (event,) = Calendar.from_ical(written(made(TOLD), "http://x")).walk("VEVENT")
    assert "dtend" not in event
    assert "duration" not in event
    assert event["sequence"] == 0
    assert "method" not in Calendar.from_ical(written([], "http://x"))
