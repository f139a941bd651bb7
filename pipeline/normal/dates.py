"""Dates of postings: only days that can be one, never a guess at the order of numbers. Pure."""

import re
from datetime import UTC, date, datetime

import msgspec

from pipeline.sources.types import Posted
from schema.identity.dates import one_date

_EARLIEST_YEAR = 1990
_YEARS_AHEAD = 2
_MAX_CHARS = 100
_INSTANT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?\s?(Z|UTC|[+-]\d{2}:?\d{2})"
)
#: "Posted 5 Days Ago" is counted from a day nobody tells.
_RELATIVE = re.compile(
    r"\bago\b|\bdays?\b|\btoday\b|\byesterday\b|\bweeks?\b|\bmonths?\b|\bjust\b", re.IGNORECASE
)


def likely_posted(posted: Posted | None, now: datetime) -> Posted | None:
    """None for dates that are no publication: 0001 and 9999 stand for "none" on some platforms."""
    if posted is None:
        return None
    if posted.at is not None:
        return msgspec.structs.replace(posted, at=_in_utc(posted.at)) if _is_likely(posted.at, now) else None
    return posted if posted.on is not None and _is_likely(posted.on, now) else None


def date_in(text: str) -> date | datetime | None:
    """The one day or moment a platform's field names; None for none, for more, and for two readings.

    "1/9/2026" is no date: whether it is January or September depends on who wrote it.
    """
    text = text.strip()[:_MAX_CHARS]
    written = _INSTANT.fullmatch(text)
    if written is not None:
        return _moment(f"{written[1]}T{written[2]}", written[3])
    if _RELATIVE.search(text):
        return None
    found = one_date(text)
    if found is None or found.precision in {"month", "week"}:
        return None
    return found.instant or found.day


def _moment(local: str, zone: str) -> datetime | None:
    try:
        return datetime.fromisoformat(local + ("+00:00" if zone in {"Z", "UTC"} else zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _in_utc(at: datetime) -> datetime:
    return at if at.tzinfo is None else at.astimezone(UTC)


def _is_likely(day: date, now: datetime) -> bool:
    return _EARLIEST_YEAR <= day.year <= now.year + _YEARS_AHEAD
