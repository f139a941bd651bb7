"""Which invitation a calendar part carries, by its UID: the same for every update and cancellation. Pure.

Offsets count in the text of the first calendar part that has an entry; the span is the whole value there.
"""

from collections.abc import Iterator

from mailsync.classify.facts.mentions import MOST_OF_ONE_NAME
from mailsync.classify.facts.page import fact, span_of
from mailsync.classify.types import Fact
from mailsync.parse.calendars import Calendar

SHORTEST_UID = 6
"""A UID is meant to be the only one in the world; a shorter one is not."""


def meetings_of(calendar: Calendar) -> Iterator[Fact]:
    """Each invitation once, in the order of the part."""
    seen: set[str] = set()
    for entry in calendar.entries:
        written = entry.uid_written
        if written is None or len(written.value) < SHORTEST_UID or written.value in seen:
            continue
        if len(seen) == MOST_OF_ONE_NAME:
            return
        seen.add(written.value)
        yield fact(
            "meeting",
            written.value,
            written.value,
            span_of(calendar.text, "calendar", written.start, written.end),
        )
