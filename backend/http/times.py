"""Instants and days as people read them, in their own zone. Pure: the present instant is handed in."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_SOON = timedelta(minutes=1)


def zone(name: str) -> ZoneInfo:
    """The zone called `name`; UTC when this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def _there(at: datetime, where: ZoneInfo) -> datetime:
    """The first and the last day there are stay in UTC where another zone leads beyond them."""
    try:
        return at.astimezone(where)
    except OverflowError:
        return at.astimezone(UTC)


def exact(at: datetime, where: ZoneInfo) -> str:
    """`Mon 2 March 2026, 10:00:05 CET (09:00:05 UTC)`: for the title of a time."""
    there = _there(at, where)
    told = f"{there:%a} {there.day} {there:%B %Y, %H:%M:%S %Z}"
    return told if where.key == "UTC" else f"{told} ({at.astimezone(UTC):%H:%M:%S} UTC)"


def short(at: datetime, now: datetime, where: ZoneInfo) -> str:
    """`just now`, `14:05`, `yesterday 14:05`, `2 Mar 14:05`, `2 Mar 2025`: the nearer, the finer."""
    there, today = _there(at, where), now.astimezone(where).date()
    clock = f"{there:%H:%M}"
    if timedelta(0) <= now - at < _SOON:
        return "just now"
    if there.date() == today:
        return clock
    if there.date() == today - timedelta(days=1):
        return f"yesterday {clock}"
    if there.year == today.year:
        return f"{there.day} {there:%b} {clock}"
    return day(there.date())


def local_day(at: datetime, where: ZoneInfo) -> str:
    """The day an instant lies in, there."""
    return day(_there(at, where).date())


def day(when: date) -> str:
    """`2 Mar 2026`; a day without a zone stays a day."""
    return f"{when.day} {when:%b %Y}"
