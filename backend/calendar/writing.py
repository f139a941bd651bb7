"""The entries of a calendar as an iCalendar file. The same entries give the same bytes."""

from collections.abc import Sequence
from datetime import UTC
from typing import Protocol, cast

from backend.calendar.rules import Entry

MEDIA_TYPE = "text/calendar"
NAME = "Job search"
REFRESH = "PT1H"


class _Component(Protocol):
    """The part of the library's components that is used here, with types."""

    def add(self, name: str, value: object) -> None: ...
    def add_component(self, component: object) -> None: ...
    def to_ical(self) -> bytes: ...


def written(found: Sequence[Entry], address: str) -> bytes:
    """The file; `address` is where the pages it links to are reached."""
    # A fifth of a second to load: a start waits for every import at the head of a file.
    from icalendar import Calendar  # noqa: PLC0415

    calendar = cast("_Component", Calendar())
    for name, value in (
        ("prodid", "-//Jobtrail//Job search//EN"),
        ("version", "2.0"),
        ("calscale", "GREGORIAN"),
        ("name", NAME),
        ("x-wr-calname", NAME),
        ("x-published-ttl", REFRESH),
    ):
        calendar.add(name, value)
    for entry in found:
        calendar.add_component(_event(entry, address))
    return calendar.to_ical()


def _event(entry: Entry, address: str) -> _Component:
    """An event without an end lasts no time at all, or that whole day: nothing more is known."""
    from icalendar import Event  # noqa: PLC0415 - as above

    event = cast("_Component", Event())
    revised_at = entry.revised_at.astimezone(UTC)
    event.add("uid", entry.uid)
    event.add("dtstamp", revised_at)
    event.add("last-modified", revised_at)
    event.add("sequence", entry.revision)
    event.add("dtstart", entry.starts)
    event.add("summary", entry.summary)
    event.add("url", f"{address}{entry.path}")
    event.add("transp", "OPAQUE" if entry.is_busy else "TRANSPARENT")
    return event
