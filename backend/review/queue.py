"""The queue narrowed for the list: by kind, by rank, or to the messages with one pattern. Reads only."""

from datetime import UTC, datetime

import msgspec

from backend.http.forms import ID_MAX
from matcher.resolutions.queue.store import waiting
from matcher.resolutions.types import Place, Rank, WaitingKind, WaitingPage
from schema.db import Unit
from schema.ids import MessageId
from schema.query import Query


class Narrowed(msgspec.Struct, frozen=True, kw_only=True):
    """Which part of the queue; None for all of it."""

    kind: WaitingKind | None = None
    rank: Rank | None = None


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """A waiting message of one pattern; `company` and `role` are the likeliest candidate's."""

    message_id: MessageId
    rank: int
    queued_at: datetime
    subject: str
    sender_name: str
    sender_address: str
    sent_at: datetime | None
    company: str | None
    role: str | None


class AlikePlace(msgspec.Struct, frozen=True, kw_only=True):
    rank: int
    at: datetime
    message_id: MessageId


_LATEST = datetime.max.replace(tzinfo=UTC)
ALIKE = Query(
    "review.alike",
    Alike,
    """SELECT m.message_id, m.rank::int AS rank, m.queued_at, g.subject, g.sender_name, g.sender_address,
         g.sent_at, a.company, a.role
       FROM matches m
       JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
       JOIN messages g ON g.account_id = m.account_id AND g.id = m.message_id
       LEFT JOIN LATERAL (SELECT e.application_id FROM evidence e
         WHERE e.account_id = m.account_id AND e.decision_id = m.decision_id ORDER BY e.rank LIMIT 1) c
         ON true
       LEFT JOIN applications a ON a.account_id = m.account_id AND a.id = c.application_id
       WHERE m.outcome = 'asks' AND d.pattern = %(pattern)s
         AND (m.rank::int, m.queued_at, m.message_id)
           < (%(rank)s::int, %(at)s::timestamptz, %(message_id)s::bigint)
       ORDER BY m.rank DESC, m.queued_at DESC, m.message_id DESC LIMIT %(limit)s""",
)


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


async def alike(unit: Unit, pattern: str, *, after: AlikePlace | None, limit: int) -> list[Alike]:
    """Waiting messages with this pattern, in the order of the queue."""
    return await unit.all(
        ALIKE,
        pattern=pattern,
        rank=after.rank if after else 9,
        at=after.at if after else _LATEST,
        message_id=after.message_id if after else 0,
        limit=limit,
    )


def _before_all(rank: Rank) -> Place:
    return Place(rank=rank, at=_LATEST, kind="message", first=ID_MAX)
