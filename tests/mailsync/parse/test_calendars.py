import random
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest

from mailsync.parse.calendars import MOST_ENTRIES, Calendar, read_calendar


def calendar(*lines: str, method: str = "") -> Calendar:
    text = "\r\n".join(
        ["BEGIN:VCALENDAR", "METHOD:REQUEST", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"]
    )
    return read_calendar(text.encode(), method)


@pytest.mark.parametrize(
    ("line", "instant"),
    [
        ("DTSTART:20260212T130000Z", datetime(2026, 2, 12, 13, tzinfo=UTC)),
        ("DTSTART;TZID=Europe/Berlin:20260212T140000", datetime(2026, 2, 12, 13, tzinfo=UTC)),
        ("DTSTART;TZID=Eastern Standard Time:20260212T080000", datetime(2026, 2, 12, 13, tzinfo=UTC)),
        ('DTSTART;TZID="W. Europe Standard Time":20260712T140000', datetime(2026, 7, 12, 12, tzinfo=UTC)),
        (
            "DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260212T140000",
            datetime(2026, 2, 12, 13, tzinfo=UTC),
        ),
        ("dtstart;tzid=Europe/Berlin;value=DATE-TIME:20260212T140000", datetime(2026, 2, 12, 13, tzinfo=UTC)),
    ],
)
def test_a_start_in_a_known_zone_is_an_instant(line: str, instant: datetime):
    starts = calendar(line).entries[0].starts
    assert starts is not None
    assert starts.instant == instant


@pytest.mark.parametrize("line", ["DTSTART;TZID=Middle Earth:20260212T140000", "DTSTART:20260212T140000"])
def test_a_start_in_no_known_zone_stays_the_local_time_it_was_written_as(line: str):
    starts = calendar(line).entries[0].starts
    assert starts is not None
    assert (starts.day, starts.clock_time, starts.instant) == (date(2026, 2, 12), time(14), None)


def test_a_plain_date_has_no_time():
    starts = calendar("DTSTART;VALUE=DATE:20260212").entries[0].starts
    assert starts is not None
    assert (starts.day, starts.clock_time, starts.instant) == (date(2026, 2, 12), None, None)


@pytest.mark.parametrize(
    "line", ["DTSTART:INVALID", "DTSTART:20261399T250000Z", "DTSTART", "DTSTART:", "DTSTART:P1D"]
)
def test_a_start_that_cannot_be_read_leaves_the_entry_without_one(line: str):
    entry = calendar(line, "SUMMARY:Interview").entries[0]
    assert entry.starts is None
    assert entry.summary is not None
    assert entry.summary.value == "Interview"


def test_an_entry_tells_which_invitation_it_is():
    found = calendar(
        "UID:one@x.example",
        "SEQUENCE:3",
        "STATUS:cancelled",
        "ORGANIZER;CN=Grace Harlow:MAILTO:grace@x.example",
        "SUMMARY:Interview\\, second",
        " round",
        "LOCATION:Leeds",
        method="cancel",
    )
    entry = found.entries[0]
    assert (found.method, entry.uid, entry.sequence, entry.status) == (
        "CANCEL",
        "one@x.example",
        3,
        "CANCELLED",
    )
    assert (entry.organizer.name, entry.organizer.address) == ("Grace Harlow", "grace@x.example")
    assert entry.summary is not None
    assert entry.summary.value == "Interview, secondround"
    assert entry.location is not None
    assert found.text[entry.location.start : entry.location.end] == "Leeds"


def test_what_is_nested_in_an_entry_or_stands_beside_it_is_not_the_entry():
    found = calendar("BEGIN:VALARM", "SUMMARY:Alarm", "END:VALARM", "SUMMARY:Interview")
    assert [entry.summary.value for entry in found.entries if entry.summary] == ["Interview"]
    many = read_calendar(b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n" * 50)
    assert len(many.entries) == MOST_ENTRIES


def test_no_input_raises_and_every_span_stands_in_the_text(shared_data: Path):
    chance = random.Random(4)
    paths = sorted((shared_data / "mime" / "icalendar").rglob("*.ics"))
    assert len(paths) > 100
    for path in paths:
        raw = path.read_bytes()
        hurt = bytearray(raw)
        for _ in range(min(5, len(hurt))):
            hurt[chance.randrange(len(hurt))] = chance.randrange(256)
        for content in (raw, bytes(hurt), raw[: chance.randrange(len(raw) + 1)]):
            found = read_calendar(content)
            for entry in found.entries:
                moment = entry.starts.written if entry.starts else None
                for written in (entry.summary, entry.location, entry.organizer_written, moment):
                    assert written is None or 0 <= written.start < written.end <= len(found.text)


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff", b"BEGIN:VEVENT", b"DTSTART:x" * 9000, b"\r\n \r\n " * 5000]
)
def test_rubbish_has_no_entry_worth_anything(content: bytes):
    assert all(entry.starts is None for entry in read_calendar(content).entries)
