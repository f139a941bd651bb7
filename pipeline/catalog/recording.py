"""Writes a posting that a person found on a page and no board that is read has shown. For fleet units."""

from datetime import datetime

import msgspec

from pipeline.catalog.types import FoundPosting
from schema.db import Unit
from schema.ids import PostingId
from schema.query import Query


class _Recorded(msgspec.Struct, frozen=True, kw_only=True):
    id: PostingId


# What a board says of a posting stands: somebody who found the same page adds nothing to it.
RECORD = Query(
    "catalog.record_found",
    _Recorded,
    """INSERT INTO postings AS p (platform, vendor_id, board, title, company, canonical_url, first_seen_at)
       VALUES (%(platform)s, %(vendor_id)s, %(board)s, %(title)s, %(company)s, %(canonical_url)s, %(now)s)
       ON CONFLICT (platform, vendor_id) DO UPDATE SET title = p.title
       RETURNING p.id""",
)


async def record_posting(unit: Unit, found: FoundPosting, *, now: datetime) -> PostingId:
    """The posting's id; the one that stands there already, unchanged, when the catalog has it."""
    recorded = await unit.one(
        RECORD,
        platform=found.platform,
        vendor_id=found.vendor_id,
        board=found.board,
        title=found.title,
        company=found.company,
        canonical_url=found.canonical_url,
        now=now,
    )
    return recorded.id
