"""The SQL of what boards showed: the only writer of `listings` and `descriptions`.

Every function wants a fleet unit. Postings are written before the listings that were admitted.
"""

from collections.abc import Sequence
from datetime import datetime

from psycopg.types.json import Jsonb

from pipeline.sources.descriptions import Description
from pipeline.sources.observed.types import KnownListing, ListingRow
from schema.db import Unit
from schema.ids import PullId, SourceId
from schema.query import Query, Statement

#: Rows of one statement; bounds memory and the size of one parameter.
_BATCH = 1_000
#: Counting goes no further: past any rule a row that stays missing is not rewritten by every pull.
_MOST_MISSED = 9

KNOWN = Query(
    "observed.known",
    KnownListing,
    """SELECT vendor_id, raw_hash, rule_version, verdict, missed FROM listings
       WHERE source_id = %(source_id)s""",
)
ADD_DESCRIPTIONS = Statement(
    "observed.add_descriptions",
    """INSERT INTO descriptions (content_hash, raw, html, text)
       SELECT content_hash, raw, html, text
       FROM jsonb_to_recordset(%(rows)s) AS r (content_hash text, raw text, html text, text text)
       ON CONFLICT (content_hash) DO NOTHING""",
)
WRITE = Statement(
    "observed.write",
    """INSERT INTO listings (source_id, vendor_id, raw_hash, raw, description_hash, posting_id, verdict, rule,
         rule_version, reason, judged_at, first_pull_id, changed_pull_id, first_seen_at)
       SELECT %(source_id)s, r.vendor_id, r.raw_hash, r.raw, r.description_hash,
         CASE WHEN r.verdict = 'admitted' THEN p.id END, r.verdict, r.rule, r.rule_version, r.reason, %(now)s,
         %(pull_id)s, %(pull_id)s, %(now)s
       FROM jsonb_to_recordset(%(rows)s) AS r (vendor_id text, raw_hash text, raw jsonb,
         description_hash text, verdict text, rule text, rule_version integer, reason text)
       LEFT JOIN postings p ON p.platform = %(platform)s AND p.vendor_id = r.vendor_id
       ON CONFLICT (source_id, vendor_id) DO UPDATE SET
         raw_hash = excluded.raw_hash, raw = excluded.raw, description_hash = excluded.description_hash,
         posting_id = excluded.posting_id, verdict = excluded.verdict, rule = excluded.rule,
         rule_version = excluded.rule_version, reason = excluded.reason, judged_at = excluded.judged_at,
         changed_pull_id = excluded.changed_pull_id, missed = 0, last_seen_at = NULL""",
)
SHOWN_AGAIN = Statement(
    "observed.shown_again",
    """UPDATE listings SET missed = 0, last_seen_at = NULL
       WHERE source_id = %(source_id)s AND vendor_id = ANY(%(vendor_ids)s::text[])""",
)
MISSED = Statement(
    "observed.missed",
    """UPDATE listings SET missed = missed + 1, last_seen_at = coalesce(last_seen_at, %(last_seen_at)s)
       WHERE source_id = %(source_id)s AND vendor_id = ANY(%(vendor_ids)s::text[]) AND missed < %(most)s""",
)


async def known_listings(unit: Unit, source_id: SourceId) -> list[KnownListing]:
    return await unit.all(KNOWN, source_id=source_id)


async def add_descriptions(unit: Unit, texts: Sequence[Description]) -> None:
    """Each text once, known by its content."""
    for start in range(0, len(texts), _BATCH):
        await unit.run(ADD_DESCRIPTIONS, rows=Jsonb(texts[start : start + _BATCH]))


async def write_listings(
    unit: Unit,
    platform: str,
    rows: Sequence[ListingRow],
    *,
    source_id: SourceId,
    pull_id: PullId,
    now: datetime,
) -> None:
    scope = {"platform": platform, "source_id": source_id, "pull_id": pull_id, "now": now}
    for start in range(0, len(rows), _BATCH):
        await unit.run(WRITE, rows=Jsonb(rows[start : start + _BATCH]), **scope)


async def show_again(unit: Unit, source_id: SourceId, vendor_ids: Sequence[str]) -> None:
    """They had been missed and are as they were."""
    if vendor_ids:
        await unit.run(SHOWN_AGAIN, source_id=source_id, vendor_ids=vendor_ids)


async def count_missed(
    unit: Unit, source_id: SourceId, vendor_ids: Sequence[str], *, last_seen_at: datetime
) -> None:
    """A complete reading did not show them; `last_seen_at` is when they were shown last."""
    if vendor_ids:
        await unit.run(
            MISSED,
            source_id=source_id,
            vendor_ids=vendor_ids,
            last_seen_at=last_seen_at,
            most=_MOST_MISSED,
        )
