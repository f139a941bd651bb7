"""Dates of publication as feeds and pages write them. Pure.

A date without a zone stays a day; what could be read two ways is unknown, never a guess.
"""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

from pipeline.sources.types import Posted, PostedMeaning

_MAX_CHARS = 60
_EARLIEST_YEAR, _LATEST_YEAR = 1990, 2100
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?", re.DOTALL)
_SQL_UTC = re.compile(r"(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) (?:UTC|GMT)")
_JAVA = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{2}:\d{2}:\d{2}) ([A-Z]{3,4}) (\d{4})")
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})\.? ([A-Za-z]{3,9})\.?,? (\d{4})")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


def posted(text: str | None, meaning: PostedMeaning) -> Posted | None:
    """None for what is no date, or none that can be a publication."""
    written = (text or "").strip()
    if not written or len(written) > _MAX_CHARS:
        return None
    try:
        found = _read(written)
    except (ValueError, OverflowError):
        return None
    if found is None or not _EARLIEST_YEAR <= found.year <= _LATEST_YEAR:
        return None
    if isinstance(found, datetime):
        return Posted(meaning=meaning, at=found.astimezone(UTC))
    return Posted(meaning=meaning, on=found)


def _read(text: str) -> datetime | date | None:
    if _ISO.fullmatch(text):
        return _iso(text)
    if java := _JAVA.fullmatch(text):
        return _java(java)
    for pattern, order in _IN_WORDS:
        if found := pattern.fullmatch(text):
            day, month, year = (found[each] for each in order)
            return _day(int(year), _month(month), int(day))
    if slashed := _SLASHED.fullmatch(text):
        return _slashed(int(slashed[1]), int(slashed[2]), int(slashed[3]))
    return _settled(parsedate_to_datetime(text))


#: Which group is the day, the month and the year.
_IN_WORDS = ((_MONTH_FIRST, (2, 1, 3)), (_DAY_FIRST, (1, 2, 3)), (_DOTTED, (1, 2, 3)))


def _iso(text: str) -> datetime | date:
    if sql := _SQL_UTC.fullmatch(text):
        return datetime.fromisoformat(sql[1]).replace(tzinfo=UTC)
    return date.fromisoformat(text) if len(text) == len("2026-01-01") else _settled(_instant(text))


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _settled(at: datetime) -> datetime | date:
    return at.date() if at.tzinfo is None else at


def _java(found: re.Match[str]) -> datetime | date | None:
    day = _day(int(found[5]), _month(found[1]), int(found[2]))
    if day is None or found[4] not in {"UTC", "GMT"}:
        return day
    return datetime.fromisoformat(f"{day.isoformat()}T{found[3]}+00:00")


def _month(text: str) -> int:
    """0 for a word that is no month in English."""
    if text.isdigit():
        return int(text)
    return next((n for n, name in enumerate(_MONTHS, 1) if text.lower().startswith(name)), 0)


def _day(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if month else None


def _slashed(first: int, second: int, year: int) -> date | None:
    """Month first in one country, day first in the next: read only where both say the same."""
    if first == second or second > len(_MONTHS):
        return date(year, first, second)
    return date(year, second, first) if first > len(_MONTHS) else None
