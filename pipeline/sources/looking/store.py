"""The SQL of looking: which postings' own pages are to be asked, and what is known of them. Only reads."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from pipeline.sources.looking.types import Present
from schema.db import Unit
from schema.ids import PostingId, SourceId
from schema.query import Query


class Due(msgspec.Struct, frozen=True, kw_only=True):
    id: PostingId


# A list that carries texts has hashed one. Of several boards that show a posting the one that describes it
# has it looked at, so that they do not in turns; another one when nobody reads that board now. A row that
# changed since the last look is another version of the posting.
_WANTS = """(l.description_hash IS NULL AND l.missed = 0 AND p.closed_at IS NULL
         AND (s.board = p.board OR NOT EXISTS (SELECT FROM sources o
           WHERE o.platform = s.platform AND lower(o.board) = lower(p.board) AND o.enabled))
         AND p.details_tried < %(most_tries)s
         AND (p.looked_at IS NULL OR p.looked_at < %(looked_before)s)
         AND (p.description_state IN ('not_fetched', 'expired')
           OR p.looked_at IS NOT NULL AND (p.details_tried > 0 OR p.looked_at < c.finished_at)))"""
# From each listing to its one posting and its one pull, whatever the server believes of tables that a first
# pull has just filled: joined by their boards, twenty thousand rows meet twenty thousand others.
DUE = Query(
    "looking.due",
    Due,
    f"""SELECT p.id FROM sources s
         CROSS JOIN LATERAL (SELECT posting_id, description_hash, missed, changed_pull_id FROM listings
           WHERE source_id = s.id AND posting_id IS NOT NULL AND description_hash IS NULL AND missed = 0
           OFFSET 0) l
         CROSS JOIN LATERAL (SELECT id, board, closed_at, details_tried, looked_at, description_state
           FROM postings WHERE id = l.posting_id OFFSET 0) p
         LEFT JOIN LATERAL (SELECT finished_at FROM pulls WHERE id = l.changed_pull_id OFFSET 0) c ON true
       WHERE s.id = %(source_id)s AND {_WANTS}
       ORDER BY p.details_tried, p.id LIMIT %(limit)s""",  # noqa: S608 - our own constants
)
PRESENT = Query(
    "looking.present",
    Present,
    f"""SELECT p.id, p.vendor_id, p.board, p.canonical_url, p.apply_url, p.title, p.requisition_id, p.company,
         p.locations, p.places, p.workplace_signals, p.employment_type, p.posted_at, p.posted_on,
         p.posted_meaning, p.language, p.description_state, p.details_tried,
         coalesce({_WANTS}, false) AS wants_text
       FROM postings p LEFT JOIN listings l ON l.posting_id = p.id AND l.source_id = %(source_id)s
         LEFT JOIN sources s ON s.id = l.source_id LEFT JOIN pulls c ON c.id = l.changed_pull_id
       WHERE p.id = ANY(%(ids)s::bigint[]) AND p.platform = %(platform)s
       ORDER BY array_position(%(ids)s::bigint[], p.id)""",  # noqa: S608 - our own constants
)


async def postings_due(
    unit: Unit, source_id: SourceId, *, looked_before: datetime, most_tries: int, limit: int
) -> list[PostingId]:
    """Open postings of this board whose own page may tell a text; the least tried first."""
    rows = await unit.all(
        DUE, source_id=source_id, looked_before=looked_before, most_tries=most_tries, limit=limit
    )
    return [row.id for row in rows]


async def postings_as_they_are(
    unit: Unit,
    source_id: SourceId,
    platform: str,
    ids: Sequence[PostingId],
    *,
    looked_before: datetime,
    most_tries: int,
) -> list[Present]:
    """In the order of `ids`, without those that are no postings of this platform."""
    return await unit.all(
        PRESENT,
        source_id=source_id,
        platform=platform,
        ids=list(ids),
        looked_before=looked_before,
        most_tries=most_tries,
    )
