"""Titles with how one is employed behind them: "Baker - Full Time", "Koch, Voll- oder Teilzeit". Pure.

Mail and trackers write it or leave it out at will, so a title with the ordinary way is the one without.
Part time alone stays: a second opening may differ by nothing else.
"""

import re
from collections.abc import Iterable
from functools import cache

import msgspec

from mailsync.classify.languages.load import languages
from matcher.evidence.gendered import without_other_gender
from schema.identity.names import TitleParts, title_parts

Run = tuple[str, ...]
_JOINTS: frozenset[Run] = frozenset(
    {("or",), ("in",), ("and",), ("oder",), ("und",), ("ou",), ("et",), ("o",), ("y",)}
)
_PER_CENT = re.compile(r"\b\d{2,3}(?:\s?%?\s?[-\u2013/]\s?\d{2,3})?\s?%")


@cache
def _full() -> frozenset[Run]:
    return frozenset(run for language in languages() for run in language.titles.ways_of_working)


@cache
def _part() -> frozenset[Run]:
    return frozenset(run for language in languages() for run in language.titles.part_time)


@cache
def _longest() -> int:
    return max(len(run) for run in (*_full(), *_part()))


def titled(text: str) -> TitleParts:
    """A title as it is compared, taken apart; "80-100 %" says how much one works as well."""
    return without_way_of_working(title_parts(_PER_CENT.sub(" ", without_other_gender(text))))


def without_way_of_working(parts: TitleParts) -> TitleParts:
    """The same for what it returns."""
    role = _without_end(_without_front(parts.role))
    brackets = tuple(inside for inside in parts.brackets if not _says_nothing_else(inside.split()))
    return msgspec.structs.replace(parts, role=role, brackets=brackets)


def _says_nothing_else(words: Iterable[str]) -> bool:
    return not _without_end(("title", *words))[1:]


def _without_front(role: Run) -> Run:
    """ "Full-time Baker"; a single word in front may say something else: "Permanent Secretary"."""
    runs = (run for run in _full() if 1 < len(run) < len(role) and role[: len(run)] == run)
    return role[len(next(runs, ())) :]


def _without_end(role: Run) -> Run:
    """Everything behind the title that says how one is employed, when full time is among it."""
    rest, is_full = role, False
    while run := _last_run(rest):
        rest = rest[: -len(run)]
        is_full = is_full or run in _full()
    return rest if is_full else role


def _last_run(role: Run) -> Run:
    """The longest at the end, before which something is left."""
    for length in range(min(_longest(), len(role) - 1), 0, -1):
        run = role[-length:]
        if run in _full() or run in _part() or run in _JOINTS:
            return run
    return ()
