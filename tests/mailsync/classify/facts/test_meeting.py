from mailsync.classify.facts.meeting import SHORTEST_UID, meetings_of
from mailsync.classify.types import Fact
from mailsync.parse.calendars import calendar_text, read_calendar


def part(*uids: str, method: str = "REQUEST") -> bytes:
    events = "".join(f"BEGIN:VEVENT\nUID:{uid}\nDTSTART:20260212T140000Z\nEND:VEVENT\n" for uid in uids)
    return f"BEGIN:VCALENDAR\nMETHOD:{method}\n{events}END:VCALENDAR\n".encode()


def meetings(content: bytes) -> list[Fact]:
    return list(meetings_of(read_calendar(content)))


def test_an_invitation_its_update_cancellation_and_answer_name_one_meeting():
    told = {
        tuple(fact.comparable for fact in meetings(part("040000008200E00074C5B7101A82E008", method=method)))
        for method in ("REQUEST", "CANCEL", "REPLY", "COUNTER")
    }
    assert told == {("040000008200E00074C5B7101A82E008",)}


def test_the_span_is_the_uid_as_it_stands_in_the_part():
    content = part("one@northwind.example")
    (found,) = meetings(content)
    assert found.span.source == "calendar"
    assert calendar_text(content)[found.span.start : found.span.end] == found.value == found.span.text


def test_several_entries_are_several_meetings_and_a_repeated_one_is_told_once():
    assert [
        fact.value for fact in meetings(part("first@a.example", "second@a.example", "first@a.example"))
    ] == [
        "first@a.example",
        "second@a.example",
    ]


def test_a_uid_too_short_to_be_the_only_one_is_none():
    assert meetings(part("1" * (SHORTEST_UID - 1))) == []
    assert meetings(part("")) == []
    assert len(meetings(part("1" * SHORTEST_UID))) == 1
