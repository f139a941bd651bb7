"""Finding drift in the catalog and mending it, whatever made rows contradict each other.

Nothing is deleted. Mending again finds nothing to mend.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec

from pipeline.keeping.rules import PORTION
from pipeline.keeping.store import Mislinked, Untold, mislinked, shown_but_closed, unshown, untold
from pipeline.postings.store import close_postings, reopen_postings, tell_events
from pipeline.sources.observed.store import read_anew, relink
from schema.clock import Clock
from schema.db import Database, Unit
from schema.ids import PostingId

RowT = TypeVar("RowT")
Find = Callable[[Unit, int], Awaitable[list[RowT]]]
Mend = Callable[[Unit, Sequence[RowT]], Awaitable[None]]


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows of each kind contradicted others. `mislinked`: listings that stand at another posting;
    `unshown`: open postings of no board; `shown_but_closed`: closed ones a board shows; `untold`: postings
    whose events say something else."""

    mislinked: int
    unshown: int
    shown_but_closed: int
    untold: int

    @property
    def total(self) -> int:
        return self.mislinked + self.unshown + self.shown_but_closed + self.untold


async def reconcile(db: Database, clock: Clock, *, mends: bool) -> Drift:
    """Look at the whole catalog in portions; with `mends`, mend each portion in its own transaction."""
    now = clock.now()

    async def close(unit: Unit, ids: Sequence[PostingId]) -> None:
        await close_postings(unit, ids, "board_removed", now=now)

    async def reopen(unit: Unit, ids: Sequence[PostingId]) -> None:
        await reopen_postings(unit, ids, "listed_again", now=now)

    async def tell(unit: Unit, rows: Sequence[Untold]) -> None:
        await _tell(unit, rows, now)

    return Drift(
        mislinked=await _walked(db, _mislinked, _relink, lambda row: row.id, mends=mends),
        unshown=await _walked(db, _unshown, close, int, mends=mends),
        shown_but_closed=await _walked(db, _shown_but_closed, reopen, int, mends=mends),
        untold=await _walked(db, _untold, tell, lambda row: row.id, mends=mends),
    )


async def _walked(
    db: Database, find: Find[RowT], mend: Mend[RowT], id_of: Callable[[RowT], int], *, mends: bool
) -> int:
    total = after = 0
    while True:
        async with db.as_fleet() as unit:
            rows = await find(unit, after)
            if rows and mends:
                await mend(unit, rows)
        total += len(rows)
        if len(rows) < PORTION:
            return total
        after = id_of(rows[-1])


async def _mislinked(unit: Unit, after: int) -> list[Mislinked]:
    return await mislinked(unit, after, most=PORTION)


async def _relink(unit: Unit, rows: Sequence[Mislinked]) -> None:
    """To the posting they show; where there is none, the next whole reading makes it."""
    for row in rows:
        if row.right_id is None:
            await read_anew(unit, row.source_id, row.vendor_id)
        else:
            await relink(unit, row.source_id, row.vendor_id, row.right_id)


async def _unshown(unit: Unit, after: int) -> list[PostingId]:
    return await unshown(unit, after, most=PORTION)


async def _shown_but_closed(unit: Unit, after: int) -> list[PostingId]:
    return await shown_but_closed(unit, after, most=PORTION)


async def _untold(unit: Unit, after: int) -> list[Untold]:
    return await untold(unit, after, most=PORTION)


async def _tell(unit: Unit, rows: Sequence[Untold], now: datetime) -> None:
    """The events that the rows themselves tell of, at their times."""
    opened: list[tuple[PostingId, datetime, str]] = [
        (row.id, row.first_seen_at, "first shown") for row in rows if not row.has_opened
    ]
    closed: list[tuple[PostingId, datetime, str]] = [
        (row.id, row.closed_at, row.closed_reason)
        for row in rows
        if row.closed_at is not None and row.closed_reason is not None and not row.ends_closed
    ]
    reopened = [(row.id, now, "found open") for row in rows if row.closed_at is None and row.ends_closed]
    await tell_events(unit, "opened", opened)
    await tell_events(unit, "closed", closed)
    await tell_events(unit, "reopened", reopened)
