"""The SQL that finds drift in the catalog: rows that contradict each other. Only reads; their writers mend.

Every function wants a fleet unit and walks by id, a portion at a time.
"""

from datetime import datetime

import msgspec

from schema.db import Unit
from schema.ids import PostingId, SourceId
from schema.query import Query


class Drifted(msgspec.Struct, frozen=True, kw_only=True):
    id: PostingId


class Mislinked(msgspec.Struct, frozen=True, kw_only=True):
    """`id` of the listing; `right_id` is the posting it shows, when there is one."""

    id: int
    source_id: SourceId
    vendor_id: str
    right_id: PostingId | None


class Untold(msgspec.Struct, frozen=True, kw_only=True):
    id: PostingId
    first_seen_at: datetime
    closed_at: datetime | None
    closed_reason: str | None
    has_opened: bool
    ends_closed: bool


UNSHOWN = Query(
    "keeping.unshown",
    Drifted,
    """SELECT p.id FROM postings p
       WHERE p.closed_at IS NULL AND p.id > %(after)s
         AND NOT EXISTS (SELECT FROM listings l WHERE l.posting_id = p.id)
       ORDER BY p.id LIMIT %(most)s""",
)
SHOWN_BUT_CLOSED = Query(
    "keeping.shown_but_closed",
    Drifted,
    """SELECT p.id FROM postings p
       WHERE p.closed_at IS NOT NULL AND p.id > %(after)s
         AND EXISTS (SELECT FROM listings l JOIN sources s ON s.id = l.source_id
           WHERE l.posting_id = p.id AND l.missed = 0 AND s.enabled AND s.last_complete_at > p.closed_at)
       ORDER BY p.id LIMIT %(most)s""",
)
MISLINKED = Query(
    "keeping.mislinked",
    Mislinked,
    """SELECT l.id, l.source_id, l.vendor_id,
         (SELECT r.id FROM postings r WHERE r.platform = s.platform AND r.vendor_id = l.vendor_id) AS right_id
       FROM listings l JOIN sources s ON s.id = l.source_id JOIN postings p ON p.id = l.posting_id
       WHERE l.id > %(after)s AND (p.platform, p.vendor_id) IS DISTINCT FROM (s.platform, l.vendor_id)
       ORDER BY l.id LIMIT %(most)s""",
)
# Postings of releases that kept no events, and closes that were written past the product.
UNTOLD = Query(
    "keeping.untold",
    Untold,
    """SELECT p.id, p.first_seen_at, p.closed_at, p.closed_reason, e.has_opened, e.ends_closed
       FROM postings p CROSS JOIN LATERAL (
         SELECT coalesce(bool_or(event = 'opened'), false) AS has_opened,
           coalesce((array_agg(event ORDER BY at DESC, id DESC))[1] = 'closed', false) AS ends_closed
         FROM posting_events WHERE posting_id = p.id) e
       WHERE p.id > %(after)s AND (NOT e.has_opened OR e.ends_closed <> (p.closed_at IS NOT NULL))
       ORDER BY p.id LIMIT %(most)s""",
)


async def unshown(unit: Unit, after: int, *, most: int) -> list[PostingId]:
    """Open postings that no board ever showed, or whose boards were removed."""
    return [each.id for each in await unit.all(UNSHOWN, after=after, most=most)]


async def shown_but_closed(unit: Unit, after: int, *, most: int) -> list[PostingId]:
    """Closed ones that a whole reading after the close showed."""
    return [each.id for each in await unit.all(SHOWN_BUT_CLOSED, after=after, most=most)]


async def mislinked(unit: Unit, after: int, *, most: int) -> list[Mislinked]:
    return await unit.all(MISLINKED, after=after, most=most)


async def untold(unit: Unit, after: int, *, most: int) -> list[Untold]:
    return await unit.all(UNTOLD, after=after, most=most)
