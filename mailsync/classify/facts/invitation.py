"""What a calendar part names: when it starts, who invites, and what its title says. Pure.

Offsets count in the text of the first calendar part that has an entry; a span is the whole value there.
"""

from collections.abc import Iterator

from mailsync.classify.facts.mentions import Mention, mentions
from mailsync.classify.facts.names import is_company, is_role
from mailsync.classify.facts.page import fact
from mailsync.classify.facts.when import of_moment
from mailsync.classify.languages.language import Names
from mailsync.classify.types import Fact, Span
from mailsync.parse.calendars import Calendar, CalendarEntry, Property


def appointment_of(calendar: Calendar) -> Fact | None:
    """When the first entry starts, unless the part takes it back or only answers."""
    entry = calendar.entries[0]
    if calendar.method in ("CANCEL", "REPLY") or entry.status == "CANCELLED" or entry.starts is None:
        return None
    written = entry.starts.written
    return fact("appointment", written.value, of_moment(entry.starts), _span(calendar, written))


def contact_of(calendar: Calendar) -> Fact | None:
    """Who invites; an answer is sent by the one invited, whose organizer is the reader."""
    entry = calendar.entries[0]
    written, person = entry.organizer_written, entry.organizer
    if written is None or calendar.method == "REPLY" or not person.address:
        return None
    value = f"{person.name} <{person.address}>" if person.name else person.address
    return fact("contact", value, person.address, _span(calendar, written))


def titled(calendar: Calendar | None, names: Names, *, company: bool) -> Iterator[Mention]:
    """Employer or role as the entry's title names it, by the patterns for subjects."""
    entry = _entry(calendar)
    if calendar is None or entry is None or entry.summary is None:
        return
    patterns = names.company_in_subject if company else names.role_in_subject
    for found in mentions(entry.summary.value, "calendar", names, patterns, company=company):
        named = is_company(found.value, names) if company else is_role(found.value, names, sure=found.sure)
        if named:
            span = _span(calendar, entry.summary)
            yield Mention(value=found.value, weight=found.weight, span=span, sure=found.sure)


def _entry(calendar: Calendar | None) -> CalendarEntry | None:
    return calendar.entries[0] if calendar is not None else None


def _span(calendar: Calendar, written: Property) -> Span:
    text = calendar.text[written.start : written.end]
    return Span(source="calendar", start=written.start, end=written.end, text=text)
