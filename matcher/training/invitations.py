"""Writes calendar entries as mail carries them: an invitation, its update, its cancellation."""

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from matcher.training.naming import Person

Method = Literal["REQUEST", "CANCEL"]
_STAMP = "%Y%m%dT%H%M%SZ"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry over its life: `uid` stays, `sequence` counts the changes."""

    uid: str
    summary: str
    host: Person
    host_address: str
    guest: Person
    guest_address: str
    starts_at: datetime
    sequence: int = 0


def written(entry: Entry, method: Method, stamped_at: datetime) -> str:
    lines = [
        "BEGIN:VCALENDAR",
        "PRODID:-//Mail//Calendar//EN",
        "VERSION:2.0",
        f"METHOD:{method}",
        "BEGIN:VEVENT",
        f"UID:{entry.uid}",
        f"SEQUENCE:{entry.sequence}",
        f"DTSTAMP:{stamped_at.strftime(_STAMP)}",
        f"DTSTART:{entry.starts_at.strftime(_STAMP)}",
        f"DTEND:{(entry.starts_at + timedelta(minutes=45)).strftime(_STAMP)}",
        f"SUMMARY:{_escaped(entry.summary)}",
        f"ORGANIZER;CN={entry.host.name}:mailto:{entry.host_address}",
        f"ATTENDEE;CN={entry.guest.name};ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION:mailto:{entry.guest_address}",
        f"STATUS:{'CANCELLED' if method == 'CANCEL' else 'CONFIRMED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "\n".join(_folded(line) for line in lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;").replace("\n", "\\n")


def _folded(line: str) -> str:
    """Lines of at most sixty characters, as old readers want them."""
    return "\n ".join(line[at : at + 60] for at in range(0, len(line), 60))
