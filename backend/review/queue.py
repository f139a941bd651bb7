"""The queue narrowed for the list: by kind, by rank, or to the messages with one pattern. Reads only."""

from datetime import UTC, datetime

import msgspec

from backend.http.forms import ID_MAX
from matcher.resolutions.queue.store import waiting
from matcher.resolutions.types import Place, Rank, WaitingKind, WaitingPage
from schema.db import Unit


class Narrowed(msgspec.Struct, frozen=True, kw_only=True):
    """Which part of the queue; None for all of it."""

    kind: WaitingKind | None = None
    rank: Rank | None = None


_LATEST = datetime.max.replace(tzinfo=UTC)


async def narrowed(unit: Unit, want: Narrowed, *, after: Place | None, limit: int) -> WaitingPage:
    """One page of the queue. A rank is one stretch of it, since rank is the first thing it is sorted by."""
    if want.rank is None:
        return await waiting(unit, after=after, limit=limit, kind=want.kind)
    start = after if after and after.rank <= want.rank else _before_all(want.rank)
    page = await waiting(unit, after=start, limit=limit, kind=want.kind)
    lines = [line for line in page.lines if line.rank == want.rank]
    goes_on = page.next if len(lines) == len(page.lines) else None
    return msgspec.structs.replace(page, lines=lines, next=goes_on)


def counted(page: WaitingPage, want: Narrowed) -> int:
    """How many there are in this part of the queue."""
    return sum(
        entry.count
        for entry in page.counts
        if want.kind in {None, entry.kind} and want.rank in {None, entry.rank}
    )


def _before_all(rank: Rank) -> Place:
    return Place(rank=rank, at=_LATEST, kind="message", first=ID_MAX)
