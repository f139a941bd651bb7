"""Times as they are typed: a date, a date with a time, or how long ago."""

import re
from datetime import UTC, datetime, timedelta

from backend.cli.parser import WrongUse

_AGO = re.compile(r"(\d{1,6})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
FORMS = "2026-11-29, 2026-11-29T10:00 (UTC when no zone is given), or an age: 30m, 6h, 2d"


def moment(flag: str, typed: str, now: datetime) -> datetime | None:
    """The time meant; None when nothing was typed. Raises `WrongUse`, naming the flag and the forms."""
    if not typed:
        return None
    try:
        if ago := _AGO.fullmatch(typed):
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        read = datetime.fromisoformat(typed)
        return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        raise WrongUse(f"{flag}: {typed!r} is no time; allowed are {FORMS}") from None
