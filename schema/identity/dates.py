"""Dates and instants out of prose, as precise as they were written and no more.

A plain date stays a date, a time without a zone stays without one, a month stays a month. What could be read
two ways ("03/04/2026") is left out unless the caller knows the order. No clock: words such as "yesterday"
need the caller's anchor. Pure.
"""

import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta

import msgspec

from schema.identity.date_forms import FORMS, Day, Precision, Reading, is_likely
from schema.identity.date_words import AMERICAN_ZONES, ZONES, zone_offset

_MAX_CHARS = 200_000
_TIME_AFTER = re.compile(
    r"(?:t|\s{0,3},?\s{1,3}|\s?[-\u2013|@]\s?)(?:at\s|um\s|alle\s|from\s)?"
    r"([0-9]{1,2})(?:[:h]([0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?)?(?:\s?([ap])\.?m\b\.?)?(?:\s?uhr\b)?"
)
_ZONE_AFTER = re.compile(
    r"\s{0,2}\(?(?:(?:utc|gmt)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?(?![0-9])|("
    + "|".join(sorted({*ZONES, *AMERICAN_ZONES}, key=len, reverse=True))
    + r")\b)"
)
_MAX_OFFSET_HOURS = 14
_HALF_DAY = 12


class FoundDate(msgspec.Struct, frozen=True, kw_only=True):
    """A date and where it stands. `day` is the first day of a coarser precision.

    `clock_time` is there for minute and second precision; `offset_minutes` when the text settles the zone.
    """

    start: int
    end: int
    day: date
    precision: Precision
    clock_time: time | None = None
    offset_minutes: int | None = None

    @property
    def instant(self) -> datetime | None:
        """The moment in UTC; None unless both the time and the zone were written."""
        if self.clock_time is None or self.offset_minutes is None:
            return None
        return datetime.combine(self.day, self.clock_time, UTC) - timedelta(minutes=self.offset_minutes)


def dates_in(text: str, *, anchor: date | None = None, day_first: bool | None = None) -> list[FoundDate]:
    """Every date in the order of the text.

    `anchor` is the day the text was written: with it "yesterday" and "August 20" become dates. `day_first`
    settles "03/04/2026"; without it such a date is left out. Years far from the anchor are left out.
    """
    plain = "".join(_plain_letter(letter) for letter in text[:_MAX_CHARS])
    reading = Reading(anchor=anchor, day_first=day_first)
    found: list[FoundDate] = []
    taken = bytearray(len(plain))
    for pattern, read in FORMS:
        for match in pattern.finditer(plain):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            # Also what cannot be settled is taken, so that no later form reads a piece of it.
            taken[start:end] = b"\x01" * (end - start)
            day = read(match, reading)
            if day is not None and is_likely(day.day, anchor):
                found.append(_with_time(plain, start, end, day))
    return sorted(found, key=lambda each: each.start)


def one_date(text: str, *, anchor: date | None = None, day_first: bool | None = None) -> FoundDate | None:
    """The only date in `text`; None when there is none or more than one."""
    found = dates_in(text, anchor=anchor, day_first=day_first)
    return found[0] if len(found) == 1 else None


def _plain_letter(letter: str) -> str:
    """Case and accents dropped letter by letter, so that every place in the text stays where it is."""
    if letter.isascii():
        return letter.lower()
    base = unicodedata.normalize("NFD", letter)[0].casefold()
    return base if len(base) == 1 else letter


def _with_time(plain: str, start: int, end: int, day: Day) -> FoundDate:
    match = _TIME_AFTER.match(plain, end) if day.precision == "day" else None
    clock_time = None if match is None else _clock_time(match)
    if match is None or clock_time is None:
        return FoundDate(start=start, end=end, day=day.day, precision=day.precision)
    zone = _ZONE_AFTER.match(plain, match.end())
    offset = None if zone is None else _offset(zone, day.day)
    return FoundDate(
        start=start,
        end=match.end() if zone is None else zone.end(),
        day=day.day,
        precision="second" if match[3] else "minute",
        clock_time=clock_time,
        offset_minutes=offset,
    )


def _clock_time(match: re.Match[str]) -> time | None:
    hour, half = int(match[1]), match[4]
    if match[2] is None and half is None:
        return None
    if half is not None:
        if not 1 <= hour <= _HALF_DAY:
            return None
        hour = hour % _HALF_DAY + (_HALF_DAY if half == "p" else 0)
    try:
        return time(hour, int(match[2] or 0), int(match[3] or 0))
    except ValueError:
        return None


def _offset(zone: re.Match[str], day: date) -> int | None:
    if zone[4] is not None:
        return zone_offset(zone[4], day)
    hours, minutes = int(zone[2]), int(zone[3] or 0)
    if hours > _MAX_OFFSET_HOURS or minutes > 59:  # noqa: PLR2004 - minutes of an hour
        return None
    return (hours * 60 + minutes) * (-1 if zone[1] == "-" else 1)
