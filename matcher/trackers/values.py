"""One cell read as a day, an address or a yes. Pure; nothing is guessed, and "2 weeks ago" is no day."""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta

import msgspec

from schema.identity.dates import one_date

_SERIAL = re.compile(r"(\d{5})(?:[.,]\d{1,12})?")
_SERIAL_ZERO = date(1899, 12, 30)
_SERIALS = range(32_874, 55_153)
"""1990 to 2050, as Excel and Sheets count days."""
_SLASHED = re.compile(r"\s*(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d)")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_URL = re.compile(r"https?://[^\s\"'<>|)\]]{3,2000}", re.IGNORECASE)
_BARE = re.compile(
    r"(?:www\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/\S{0,2000}|www\.\S{3,2000}", re.IGNORECASE
)
_YES = frozenset("yes y true 1 x ✓ ✔ ja wahr oui vrai si sí verdadero checked archived closed".split())  # noqa: SIM905
_NO = frozenset("no n false 0 nein falsch non faux falso unchecked open active".split())  # noqa: SIM905
_WORDED = re.compile(r"(\d{1,2})[-/. ]{1,2}([^\W\d_]{3,12})\.?[-/. ]{1,2}'?(\d{4}|\d{2})")
_DOTTED_SHORT = re.compile(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{2})")
_COUNTED = re.compile(r"(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日")
_MONTHS = {"ene": "jan", "ago": "aug", "set": "sep", "fév": "feb"}
"""Short months that mean something else, or nothing, in prose."""
_MAX_DATE_CHARS = 60
_LATEST_MONTH = 12


class ReadDay(msgspec.Struct, frozen=True, kw_only=True):
    """A day, or the instant when the cell tells time and zone. `has_time`: it told a time of unknown zone."""

    on: date
    at: datetime | None = None
    has_time: bool = False


def read_day(text: str, *, day_first: bool | None) -> ReadDay | None:
    """None for what is no single whole day, and for one that can be read two ways."""
    text = text.strip()
    if len(text) > _MAX_DATE_CHARS:
        return None
    if (counted := _serial(text)) is not None:
        return ReadDay(on=counted)
    found = one_date(_in_full(text), day_first=day_first)
    if found is None or found.precision in {"month", "week"}:
        return None
    at = found.instant
    midnight = found.clock_time is not None and not any(
        (found.clock_time.hour, found.clock_time.minute, found.clock_time.second)
    )
    return ReadDay(on=found.day, at=at, has_time=found.clock_time is not None and at is None and not midnight)


def _in_full(text: str) -> str:
    """A spelling that only tables use, in one that prose uses too: "5-Jan-26", "1.2.26", "20260105"."""
    if found := _COMPACT.fullmatch(text) or _COUNTED.fullmatch(text):
        return f"{found[1]}-{found[2]:0>2}-{found[3]:0>2}"
    if found := _WORDED.fullmatch(text):
        month = _MONTHS.get(found[2].casefold(), found[2])
        return f"{found[1]} {month} {f'20{found[3]}'[-4:]}"
    if found := _DOTTED_SHORT.fullmatch(text):
        return f"{found[1]}.{found[2]}.20{found[3]}"
    return text


def _serial(text: str) -> date | None:
    found = _SERIAL.fullmatch(text)
    number = int(found[1]) if found else 0
    return _SERIAL_ZERO + timedelta(days=number) if number in _SERIALS else None


def is_two_ways(text: str) -> bool:
    """Whether only the order of day and month is open."""
    return read_day(text, day_first=None) is None and read_day(text, day_first=True) is not None


def order_of(texts: Iterable[str]) -> bool | None:
    """Whether the day stands first, from the whole column; None: nothing settles it, or both orders occur."""
    votes: set[bool] = set()
    for text in texts:
        found = _SLASHED.match(text)
        if found:
            first, second = int(found[1]), int(found[3])
            if first > _LATEST_MONTH >= second:
                votes.add(True)
            elif second > _LATEST_MONTH >= first:
                votes.add(False)
    return votes.pop() if len(votes) == 1 else None


def read_url(text: str) -> str | None:
    """The one address in a cell, also inside a link formula; None when there is none or more than one."""
    found = list(dict.fromkeys(_URL.findall(text)))
    if len(found) == 1:
        return found[0]
    if not found and _BARE.fullmatch(text.strip()):
        return f"https://{text.strip()}"
    return None


def read_yes(text: str) -> bool | None:
    """None for a word that says neither; an empty cell says no."""
    word = text.strip().casefold()
    if not word or word in _NO:
        return False
    return True if word in _YES else None


_DEFUSED = re.compile(r"'+[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]")
_DANGEROUS = re.compile(r"'*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]")
"""Programs that are set to Japanese take the wide ones for the others."""


def defused(text: str) -> str:
    """`text` as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if _DANGEROUS.match(text) else text


def undefused(text: str) -> str:
    """`defused` taken back."""
    return text[1:] if _DEFUSED.match(text) else text
