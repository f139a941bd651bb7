"""The ways people write a day: one pattern and one reader each, tried in order on folded text. Pure."""

import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Literal

import msgspec

from schema.identity.date_words import MONTHS, WEEKDAYS

Precision = Literal["month", "week", "day", "minute", "second"]

_EARLIEST = 1990
_LATEST = 2100
_YEARS_AHEAD = 2


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller knows: the day the text was written, and the order of slashed dates."""

    anchor: date | None
    day_first: bool | None


class Day(msgspec.Struct, frozen=True):
    day: date
    precision: Precision


def is_likely(day: date, anchor: date | None) -> bool:
    return _EARLIEST <= day.year <= (_LATEST if anchor is None else anchor.year + _YEARS_AHEAD)


def _any_of(words: Iterable[str]) -> str:
    return "(" + "|".join(sorted(words, key=len, reverse=True)) + ")"


_MONTH = rf"\b{_any_of(MONTHS)}\b\.?"
_WEEKDAY = rf"(?:\b{_any_of(WEEKDAYS)}\b\.?,?\s{{1,3}}(?:den\s)?)?"
_DAY = r"(?<![0-9.:/])([0-9]{1,2})(?:st|nd|rd|th|er|\.|º)?"
_YEAR = r"([0-9]{4})(?![0-9])"


def _day(year: int, month: int, day: int) -> Day | None:
    try:
        return Day(date(year, month, day), "day")
    except ValueError:
        return None


def _full_year(text: str) -> int:
    return int(text) if len(text) > 2 else 2000 + int(text)  # noqa: PLR2004 - two digits


def _year_first(match: re.Match[str], _: Reading) -> Day | None:
    return _day(int(match[1]), int(match[2]), int(match[3]))


def _day_month_year(match: re.Match[str], _: Reading) -> Day | None:
    return _day(int(match[4]), MONTHS[match[3]], int(match[2]))


def _month_day_year(match: re.Match[str], _: Reading) -> Day | None:
    return _day(int(match[4]), MONTHS[match[2]], int(match[3]))


def _dotted(match: re.Match[str], _: Reading) -> Day | None:
    return _day(_full_year(match[3]), int(match[2]), int(match[1]))


def _slashed(match: re.Match[str], reading: Reading) -> Day | None:
    first, second, year = int(match[1]), int(match[3]), _full_year(match[4])
    day_first, month_first = _day(year, second, first), _day(year, first, second)
    if day_first is None or month_first is None or day_first == month_first:
        return day_first or month_first
    return None if reading.day_first is None else (day_first if reading.day_first else month_first)


def _month_year(match: re.Match[str], _: Reading) -> Day | None:
    found = _day(int(match[2]), MONTHS[match[1]], 1)
    return None if found is None else Day(found.day, "month")


def _day_month(match: re.Match[str], reading: Reading) -> Day | None:
    return _nearest(MONTHS[match[3]], int(match[2]), match[1], reading.anchor)


def _month_day(match: re.Match[str], reading: Reading) -> Day | None:
    return _nearest(MONTHS[match[2]], int(match[3]), match[1], reading.anchor)


def _nearest(month: int, day: int, weekday: str | None, anchor: date | None) -> Day | None:
    """The year is the one that puts the day nearest to the anchor, and on the weekday if one is named."""
    if anchor is None:
        return None
    days = [found for year in (-1, 0, 1) if (found := _day(anchor.year + year, month, day))]
    fitting = [each for each in days if weekday is None or each.day.weekday() == WEEKDAYS[weekday]]
    return min(fitting, key=lambda each: abs(each.day - anchor), default=None)


def _named_day(match: re.Match[str], reading: Reading) -> Day | None:
    away = {"yesterday": -1, "today": 0, "tomorrow": 1}[match[1]]
    return None if reading.anchor is None else Day(reading.anchor + timedelta(days=away), "day")


_LENGTHS: dict[str, tuple[int, Precision]] = {"day": (1, "day"), "week": (7, "week"), "month": (30, "month")}


def _ago(match: re.Match[str], reading: Reading) -> Day | None:
    if reading.anchor is None or reading.anchor.year <= _EARLIEST:
        return None
    many = 1 if match[1] in {"a", "one"} else int(match[1])
    length, precision = _LENGTHS[match[2]]
    return Day(reading.anchor - timedelta(days=many * length), precision)


Form = tuple[re.Pattern[str], Callable[[re.Match[str], Reading], Day | None]]
#: Earlier forms win where two overlap. "30+ days ago" is a bound, not a date, and fits none.
FORMS: tuple[Form, ...] = (
    (re.compile(r"(?<![0-9-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9-])"), _year_first),
    (re.compile(r"(?<![0-9/.])([0-9]{4})[/.]([0-9]{1,2})[/.]([0-9]{1,2})(?![0-9/])"), _year_first),
    (
        re.compile(rf"{_WEEKDAY}{_DAY}\s{{1,3}}(?:of\s|de\s)?{_MONTH},?\s{{1,3}}(?:del?\s)?{_YEAR}"),
        _day_month_year,
    ),
    (re.compile(rf"{_WEEKDAY}{_MONTH}\s{{1,3}}{_DAY}(?:,|\s)\s{{0,3}}{_YEAR}"), _month_day_year),
    (re.compile(r"(?<![0-9.])([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})(?!\.?[0-9])"), _dotted),
    (re.compile(r"(?<![0-9.])([0-9]{2})\.([0-9]{2})\.([0-9]{2})(?![0-9.])"), _dotted),
    (re.compile(r"(?<![0-9/-])([0-9]{1,2})([/-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?![0-9/-])"), _slashed),
    (re.compile(rf"{_MONTH},?\s{{1,3}}(?:de\s)?{_YEAR}"), _month_year),
    (re.compile(rf"{_WEEKDAY}{_DAY}\s{{1,3}}(?:of\s|de\s)?{_MONTH}"), _day_month),
    (re.compile(rf"{_WEEKDAY}{_MONTH}\s{{1,3}}{_DAY}(?![0-9])"), _month_day),
    (re.compile(r"\b(yesterday|today|tomorrow)\b"), _named_day),
    (re.compile(r"(?<![0-9.])\b([0-9]{1,3}|a|one)\s{1,3}(day|week|month)s?\s{1,3}ago\b"), _ago),
)
