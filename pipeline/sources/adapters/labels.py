"""Labels employers choose for kinds of work, workplaces and pay, where they can mean one thing only. Pure.

For fields; what a title or a text says is not judged here.
"""

import re
from collections.abc import Iterable
from typing import TypeVar

from pipeline.sources.types import EmploymentType, PayInterval, Workplace

_EMPLOYMENT: tuple[tuple[re.Pattern[str], EmploymentType], ...] = (
    (re.compile(r"\bfull[ _-]?time\b", re.IGNORECASE), "full_time"),
    (re.compile(r"\bpart[ _-]?time\b", re.IGNORECASE), "part_time"),
    (re.compile(r"\b(?:contract(?:or)?|freelance(?:r)?)\b", re.IGNORECASE), "contract"),
    (re.compile(r"\b(?:temp|temporary|fixed[ _-]?term|seasonal)\b", re.IGNORECASE), "temporary"),
    (re.compile(r"\b(?:intern|internship)\b", re.IGNORECASE), "intern"),
)
_WORKPLACES: dict[str, Workplace] = {
    "onsite": "onsite",
    "inoffice": "onsite",
    "inperson": "onsite",
    "hybrid": "hybrid",
    "remote": "remote",
    "fullyremote": "remote",
}
_INTERVALS: tuple[tuple[re.Pattern[str], PayInterval], ...] = (
    (re.compile(r"\b(?:annual(?:ly|ized)?|year(?:ly)?|annum)\b", re.IGNORECASE), "year"),
    (re.compile(r"\bmonth(?:ly)?\b", re.IGNORECASE), "month"),
    (re.compile(r"\b(?:week(?:ly)?)\b", re.IGNORECASE), "week"),
    (re.compile(r"\b(?:day|daily)\b", re.IGNORECASE), "day"),
    (re.compile(r"\bhour(?:ly)?\b", re.IGNORECASE), "hour"),
)
_MAX_CHARS = 200
T = TypeVar("T")


def agreed(told: Iterable[T | None]) -> T | None:
    """The one thing that all who say something say."""
    named = {each for each in told if each is not None}
    return named.pop() if len(named) == 1 else None


def employment_called(label: str | None) -> EmploymentType | None:
    """`full_time` for "Full-Time"; None for a label that says nothing or two things."""
    text = (label or "")[:_MAX_CHARS]
    named: list[EmploymentType] = [kind for pattern, kind in _EMPLOYMENT if pattern.search(text)]
    return agreed(named)


def workplace_called(label: str | None) -> Workplace | None:
    """`onsite` for "On-Site"; None for a label with anything more in it, such as "Hybrid - 2 days"."""
    letters = "".join(letter for letter in (label or "")[:_MAX_CHARS].casefold() if letter.isalpha())
    return _WORKPLACES.get(letters)


def interval_called(label: str | None) -> PayInterval | None:
    """`hour` for "Hourly pay range"; None for a label that names no interval or two."""
    text = (label or "")[:_MAX_CHARS]
    named: list[PayInterval] = [interval for pattern, interval in _INTERVALS if pattern.search(text)]
    return agreed(named)
