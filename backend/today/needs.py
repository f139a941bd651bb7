"""What needs the person: questions by kind, what employers wait for, and who has been silent unusually long.

Silence is told as days beside what this person is used to; it is never read as an answer.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlencode

import msgspec

from matcher.asks.store import open_asks
from matcher.listing.store import applications
from matcher.listing.types import Lens, ListedApplication
from matcher.resolutions.asks.store import ask_items
from matcher.resolutions.types import AskItem
from matcher.silence.store import pace
from schema.db import Unit

ASKS = 8
SILENT_ROWS = 3
LONG = 2
"""So many times the usual wait is told of on Today; on its own page every silence is."""
LEAST_DAYS = 14
"""Nobody has to be told of a week, however fast others answer."""


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """Something an employer waits for; `is_past` once its date is gone by."""

    item: AskItem
    is_past: bool


class Silent(msgspec.Struct, frozen=True, kw_only=True):
    """Applications without news for `days` or more, which is far beyond `usual_days`; `total` of them."""

    rows: list[ListedApplication]
    total: int
    days: int
    usual_days: int

    @property
    def link(self) -> str:
        return "/applications?" + urlencode({"silent": self.days, "sort": "silence"})


async def asks(unit: Unit, *, now: datetime) -> list[Ask]:
    """The first open asks, the earliest due before the others."""
    rows = await open_asks(unit, limit=ASKS)
    found = await ask_items(unit, [row.ask_id for row in rows])
    return [
        Ask(item=item, is_past=is_past(item, now))
        for row in rows
        if (item := found.get(row.ask_id)) is not None
    ]


def is_past(ask: AskItem, now: datetime) -> bool:
    """A plain day is past when it is over wherever one may be."""
    if ask.due_at is not None:
        return ask.due_at < now
    return ask.due_on is not None and ask.due_on < (now - timedelta(days=1)).date()


async def silent(unit: Unit, *, now: datetime) -> Silent | None:
    """None while nobody knows what is usual, and when nobody is silent for so long."""
    usual = (await pace(unit)).usual_days
    if usual is None:
        return None
    days = max(LONG * usual, LEAST_DAYS)
    lens = Lens(silent_since=now - timedelta(days=days), sort="silence")
    page = await applications(unit, lens, limit=SILENT_ROWS)
    return _silent(page.rows, sum(entry.count for entry in page.counts), days, usual)


def _silent(rows: Sequence[ListedApplication], total: int, days: int, usual_days: int) -> Silent | None:
    if not rows:
        return None
    return Silent(rows=list(rows), total=total, days=days, usual_days=usual_days)
