"""A `text/calendar` part as entries with instants and zones. Never raises, asks no clock.

A time in a zone nobody can place (an unknown TZID) stays the local time it was written as. Recurrences are
not unfolded and zone definitions inside the part are not computed, so time is linear in the size. Caps: 10
entries, 5,000 lines, 64 KiB.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, tzinfo
from functools import lru_cache
from typing import cast
from zoneinfo import ZoneInfo

import msgspec

from mailsync.parse.addresses import parse_address
from mailsync.parse.characters import as_seen
from mailsync.parse.charsets import decode
from mailsync.parse.types import Address, CalendarPart
from schema.text import clean

MOST_BYTES = 64 * 1024
MOST_ENTRIES = 10
MOST_LINES = 5000
LONGEST_VALUE = 1000
NOBODY = Address(address="")

_LINE_END = re.compile(r"\r\n?")
_NAME = re.compile(r"([A-Za-z-]{1,40})(?=[;:])")
_WANTED = frozenset(
    (
        "DTSTART",
        "DTEND",
        "DURATION",
        "SUMMARY",
        "LOCATION",
        "ORGANIZER",
        "UID",
        "SEQUENCE",
        "STATUS",
        "METHOD",
    )
)
_ZONE_IN_PATH = re.compile(r"([A-Z][A-Za-z_]+/[A-Z][A-Za-z_+-]+(?:/[A-Z][A-Za-z_]+)?)$")
_METHOD = re.compile(r"[A-Z]{1,20}")
_LARGEST_SEQUENCE = 1_000_000


class Property(msgspec.Struct, frozen=True, kw_only=True):
    """A value as it reads, and where it stands as sent in the text of the calendar."""

    value: str
    start: int
    end: int


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A plain date has no `clock_time`; a floating time, or one of an unknown zone, has no `instant`."""

    day: date
    clock_time: time | None
    instant: datetime | None
    zone: str
    written: Property


class CalendarEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One VEVENT. `uid` and `sequence` say which invitation it is and how often it was changed."""

    uid: str = ""
    uid_written: Property | None = None
    sequence: int = 0
    status: str = ""
    summary: Property | None = None
    location: Property | None = None
    organizer: Address = NOBODY
    organizer_written: Property | None = None
    starts: Moment | None = None
    ends: Moment | None = None


class Calendar(msgspec.Struct, frozen=True, kw_only=True):
    """`text` is what offsets count in. `method` in upper case, empty when the part has none."""

    text: str
    method: str
    entries: tuple[CalendarEntry, ...]


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    zone: str
    common_name: str
    written: Property


def calendar_text(content: bytes) -> str:
    text, _ = decode(content[:MOST_BYTES], "utf-8")
    return as_seen(clean(_LINE_END.sub("\n", text)))


def read_calendar(content: bytes, method: str = "") -> Calendar:
    """The entries of a part. `method` is that of its MIME header; the calendar's own counts without one."""
    text = calendar_text(content)
    told, entries = "", list[CalendarEntry]()
    for inside, lines in _components(text):
        if not inside:
            told = next((line.written.value.upper() for line in lines if line.name == "METHOD"), told)
        elif len(entries) < MOST_ENTRIES:
            entries.append(_entry(lines))
    own = _METHOD.fullmatch(told)
    return Calendar(text=text, method=method.upper() or (own[0] if own else ""), entries=tuple(entries))


def first_calendar(parts: tuple[CalendarPart, ...]) -> Calendar | None:
    """The first part with an entry; None for mail without one."""
    read = (read_calendar(part.content, part.method) for part in parts)
    return next((calendar for calendar in read if calendar.entries), None)


def _components(text: str) -> Iterator[tuple[bool, list[_Line]]]:
    """The calendar's own lines, then those of each event; what is nested in an event is left out."""
    own, event = list[_Line](), list[_Line]()
    inside, depth = False, 0
    finished: list[list[_Line]] = []
    named = set[str]()
    for start, end, line in _unfolded(text):
        marker = line.strip().upper()
        if marker == "BEGIN:VEVENT":
            inside, depth, event = True, 0, []
            named.clear()
        elif marker == "END:VEVENT" and inside:
            inside = False
            finished.append(event)
            if len(finished) == MOST_ENTRIES:
                break
        elif marker.startswith("BEGIN:") and marker != "BEGIN:VCALENDAR":
            depth += 1
        elif marker.startswith("END:"):
            depth = max(0, depth - 1)
        elif depth == 0 and _name(line) not in named and (read := _line(line, start, end)) is not None:
            # Of a property given twice the first counts, and looking at one takes a while.
            named.add(read.name)
            (event if inside else own).append(read)
    yield False, own
    yield from ((True, lines) for lines in (*finished, *([event] if inside else [])))


def _unfolded(text: str) -> Iterator[tuple[int, int, str]]:
    """Logical lines with the stretch each takes; one that begins with a space goes on from the one before."""
    start = end = 0
    joined = ""
    position = 0
    for line in text.split("\n", MOST_LINES)[:MOST_LINES]:
        if line[:1] in (" ", "\t") and joined:
            joined = (joined + line[1:])[: LONGEST_VALUE * 4]
        else:
            if joined:
                yield start, end, joined
            start, joined = position, line
        end = position + len(line)
        position = end + 1
    if joined:
        yield start, end, joined


def _name(line: str) -> str:
    named = _NAME.match(line)
    return named[1].upper() if named else ""


def _line(line: str, start: int, end: int) -> _Line | None:
    if _name(line) not in _WANTED:
        return None
    # Calendars are rare in mail and this takes a while to load.
    from icalendar.parser import Contentline  # noqa: PLC0415
    from icalendar.prop import vText  # noqa: PLC0415

    try:
        name, parameters, value = Contentline(line, strict=False).parts()
        told = str(vText.from_ical(value)) if name.upper() in ("SUMMARY", "LOCATION") else str(value)
        zone, common = str(parameters.get("TZID", "")), str(parameters.get("CN", ""))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, UnicodeError):
        return None
    written = Property(
        value=" ".join(told.split())[:LONGEST_VALUE], start=_value_start(line, start, end, value), end=end
    )
    return _Line(name=name.upper(), zone=zone, common_name=common, written=written)


def _value_start(line: str, start: int, end: int, value: str) -> int:
    """Where the value begins; of a folded line, where it would without the folds before it."""
    at = line.rfind(str(value)[:40]) if value else -1
    return min(start + at, end - 1) if at > 0 else start


def _entry(lines: list[_Line]) -> CalendarEntry:
    first: dict[str, _Line] = {}
    for line in lines:
        first.setdefault(line.name, line)
    starts = _moment(first.get("DTSTART"))
    organizer = first.get("ORGANIZER")
    return CalendarEntry(
        uid=_value(first.get("UID")),
        uid_written=_property(first.get("UID")),
        sequence=_number(_value(first.get("SEQUENCE"))),
        status=_value(first.get("STATUS")).upper(),
        summary=_property(first.get("SUMMARY")),
        location=_property(first.get("LOCATION")),
        organizer=NOBODY if organizer is None else _person(organizer),
        organizer_written=_property(organizer),
        starts=starts,
        ends=_moment(first.get("DTEND")),
    )


def _property(line: _Line | None) -> Property | None:
    return line.written if line is not None and line.written.value else None


def _value(line: _Line | None) -> str:
    return "" if line is None else line.written.value


def _number(text: str) -> int:
    return (
        min(int(text), _LARGEST_SEQUENCE)
        if text.isdecimal() and len(text) < len(str(_LARGEST_SEQUENCE))
        else 0
    )


def _person(line: _Line) -> Address:
    address = re.sub(r"(?i)^mailto:", "", line.written.value)
    found = parse_address(address.encode("utf-8", "replace"))
    return Address(
        address=found.address if "@" in found.address else "", name=" ".join(line.common_name.split())[:300]
    )


def _moment(line: _Line | None) -> Moment | None:
    if line is None:
        return None
    from icalendar.prop import vDDDTypes  # noqa: PLC0415 - as above

    try:
        found = cast("object", vDDDTypes.from_ical(line.written.value.strip()))  # pyright: ignore[reportUnknownMemberType]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError):
        return None
    if isinstance(found, datetime):
        return _instant(found, line)
    if isinstance(found, date):
        return Moment(day=found, clock_time=None, instant=None, zone="", written=line.written)
    return None


def _instant(found: datetime, line: _Line) -> Moment:
    local = found.replace(tzinfo=None)
    zone = UTC if found.tzinfo is not None else zone_named(line.zone)
    return Moment(
        day=local.date(),
        clock_time=local.time(),
        instant=None if zone is None else in_utc(local, zone),
        zone="" if zone is None else str(zone),
        written=line.written,
    )


def in_utc(local: datetime, zone: tzinfo) -> datetime | None:
    try:
        return local.replace(tzinfo=zone).astimezone(UTC)
    except (OverflowError, ValueError):
        return None


@lru_cache(maxsize=500)
def zone_named(name: str) -> ZoneInfo | None:
    """An IANA zone by its name, by a path that ends in it, or by what Windows calls it; else None."""
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON  # noqa: PLC0415 - as above

    name = name.strip("\"' ")[:100]
    path = _ZONE_IN_PATH.search(name)
    for key in (name, WINDOWS_TO_OLSON.get(name), path[1] if path else None):
        try:
            if key:
                return ZoneInfo(key)
        except (ValueError, KeyError, OSError):
            continue
    return None
