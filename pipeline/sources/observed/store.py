"""The SQL of what boards showed: the only writer of `listings` and `descriptions`.

Every function wants a fleet unit. Postings are written before the listings that were admitted.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from pipeline.sources.descriptions import Description
from pipeline.sources.observed.types import JudgedRow, KnownListing, ListingRow, Refused
from pipeline.sources.types import Listing
from schema.db import Unit
from schema.ids import PostingId, PullId, SourceId
from schema.query import Query, Statement

#: Rows of one statement; bounds memory and the size of one parameter.
_BATCH = 1_000
_LISTING = msgspec.json.Decoder(Listing)


class Waits(msgspec.Struct, frozen=True, kw_only=True):
    waits: bool


class OfSource(msgspec.Struct, frozen=True, kw_only=True):
    source_id: SourceId


class RefusedRow(msgspec.Struct, frozen=True, kw_only=True):
    read_as: bytes | None
    content_hash: str | None
    raw: str | None
    html: str | None
    text: str | None


KNOWN = Query(
    "observed.known",
    KnownListing,
    """SELECT vendor_id, raw_hash, rule_version, verdict, missed FROM listings
       WHERE source_id = %(source_id)s""",
)
# In binary, which costs a fifth of what escaping costs. One that is stored already counts as stored now:
# nothing lets it go while a pull is about to use it.
ADD_DESCRIPTIONS = Statement(
    "observed.add_descriptions",
    """INSERT INTO descriptions AS d (content_hash, raw, html, text, added_at)
       SELECT content_hash, raw, html, text, %(now)s
       FROM unnest(%(hashes)b::text[], %(raws)b::text[], %(htmls)b::text[], %(texts)b::text[])
         AS r (content_hash, raw, html, text)
       ON CONFLICT (content_hash) DO UPDATE SET added_at = excluded.added_at
         WHERE d.added_at < excluded.added_at - interval '1 day'""",
)
WRITE = Statement(
    "observed.write",
    """INSERT INTO listings (source_id, vendor_id, raw_hash, raw, read_as, description_hash, posting_id,
         verdict, rule, rule_version, reason, judged_at, first_pull_id, changed_pull_id, first_seen_at)
       SELECT %(source_id)s, r.vendor_id, r.raw_hash, r.raw, r.read_as, r.description_hash,
         CASE WHEN r.verdict = 'admitted' THEN p.id END, r.verdict, r.rule, r.rule_version, r.reason, %(now)s,
         %(pull_id)s, %(pull_id)s, %(now)s
       FROM jsonb_to_recordset(%(rows)s) AS r (vendor_id text, raw_hash text, raw jsonb, read_as jsonb,
         description_hash text, verdict text, rule text, rule_version integer, reason text)
       LEFT JOIN postings p ON p.platform = %(platform)s AND p.vendor_id = r.vendor_id
       ON CONFLICT (source_id, vendor_id) DO UPDATE SET
         raw_hash = excluded.raw_hash, raw = excluded.raw, read_as = excluded.read_as,
         raw_expired_at = NULL, description_hash = excluded.description_hash,
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
    """UPDATE listings SET missed = %(missed)s, last_seen_at = coalesce(last_seen_at, %(last_seen_at)s)
       WHERE source_id = %(source_id)s AND vendor_id = ANY(%(vendor_ids)s::text[])""",
)
# What is shown no longer is not judged again: nobody could look at what came of it.
HAS_OLDER = Query(
    "observed.has_older_refusals",
    Waits,
    """SELECT EXISTS (SELECT FROM listings WHERE verdict = 'refused' AND read_as IS NOT NULL AND missed = 0
         AND rule_version < %(version)s) AS waits""",
)
OLDEST = Query(
    "observed.oldest_refusal",
    OfSource,
    """SELECT source_id FROM listings
       WHERE verdict = 'refused' AND read_as IS NOT NULL AND missed = 0 AND rule_version < %(version)s
       ORDER BY rule_version, id LIMIT 1""",
)
OLDER = Query(
    "observed.older_refusals",
    RefusedRow,
    """SELECT l.read_as, d.content_hash, d.raw, d.html, d.text
       FROM listings l LEFT JOIN descriptions d ON d.content_hash = l.description_hash
       WHERE l.source_id = %(source_id)s AND l.verdict = 'refused' AND l.read_as IS NOT NULL AND l.missed = 0
         AND l.rule_version < %(version)s
       ORDER BY l.vendor_id LIMIT %(limit)s""",
)
JUDGE = Statement(
    "observed.judge",
    """UPDATE listings l SET verdict = r.verdict, rule = r.rule, rule_version = r.rule_version,
         reason = r.reason, judged_at = %(now)s,
         read_as = CASE WHEN r.verdict = 'refused' THEN l.read_as END,
         posting_id = CASE WHEN r.verdict = 'admitted' THEN p.id END
       FROM jsonb_to_recordset(%(rows)s) AS r (vendor_id text, verdict text, rule text, rule_version integer,
         reason text)
       LEFT JOIN postings p ON p.platform = %(platform)s AND p.vendor_id = r.vendor_id
       WHERE l.source_id = %(source_id)s AND l.vendor_id = r.vendor_id""",
)


async def known_listings(unit: Unit, source_id: SourceId) -> list[KnownListing]:
    return await unit.all(KNOWN, source_id=source_id)


async def add_descriptions(unit: Unit, texts: Sequence[Description], *, now: datetime) -> None:
    """Each text once, known by its content; `texts` in the order of their hashes."""
    if texts:
        await unit.run(
            ADD_DESCRIPTIONS,
            hashes=[each.content_hash for each in texts],
            raws=[each.raw for each in texts],
            htmls=[each.html for each in texts],
            texts=[each.text for each in texts],
            now=now,
        )


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
        await unit.run(SHOWN_AGAIN, source_id=source_id, vendor_ids=list(vendor_ids))


async def set_missed(
    unit: Unit, source_id: SourceId, vendor_ids: Sequence[str], missed: int, *, last_seen_at: datetime
) -> None:
    """So many readings in a row did not show them; `last_seen_at` is when they were shown last."""
    await unit.run(
        MISSED, source_id=source_id, vendor_ids=list(vendor_ids), missed=missed, last_seen_at=last_seen_at
    )


async def has_older_refusals(unit: Unit, version: int) -> bool:
    """Whether something shown was refused by rules before `version` and can be judged as it is stored."""
    return (await unit.one(HAS_OLDER, version=version)).waits


async def source_with_older_refusals(unit: Unit, version: int) -> SourceId | None:
    row = await unit.maybe(OLDEST, version=version)
    return None if row is None else row.source_id


async def older_refusals(unit: Unit, source_id: SourceId, version: int, *, limit: int) -> list[Refused]:
    """What rules before `version` refused of a board's listings, as the adapter read it."""
    rows = await unit.all(OLDER, source_id=source_id, version=version, limit=limit)
    return [Refused(listing=_LISTING.decode(each.read_as or b"{}"), text=_text(each)) for each in rows]


def _text(row: RefusedRow) -> Description | None:
    if row.content_hash is None or row.raw is None or row.html is None or row.text is None:
        return None
    return Description(content_hash=row.content_hash, raw=row.raw, html=row.html, text=row.text)


async def judge_listings(
    unit: Unit, platform: str, verdicts: Sequence[JudgedRow], *, source_id: SourceId, now: datetime
) -> None:
    """Write new verdicts on what is stored; the postings of the admitted are written before."""
    await unit.run(JUDGE, rows=Jsonb(verdicts), platform=platform, source_id=source_id, now=now)


# Its hash goes with it, so that it counts as new when it is shown again. A pull that knew the hash before
# shows it again without a row; the one after that writes it.
LET_RAW_GO = Statement(
    "observed.let_raw_go",
    """UPDATE listings SET raw = '{}', raw_hash = repeat('0', 64), read_as = NULL, description_hash = NULL,
         raw_expired_at = %(now)s
       WHERE id IN (SELECT id FROM listings WHERE last_seen_at < %(seen_before)s AND raw_expired_at IS NULL
         ORDER BY last_seen_at, id LIMIT %(most)s FOR UPDATE SKIP LOCKED)""",
)


class Hash(msgspec.Struct, frozen=True, kw_only=True):
    content_hash: str


TEXTS = Query(
    "observed.texts",
    Hash,
    """SELECT content_hash FROM descriptions WHERE content_hash > %(after)s
       ORDER BY content_hash LIMIT %(most)s""",
)
FORGET_TEXTS = Statement(
    "observed.forget_texts",
    """DELETE FROM descriptions d WHERE d.content_hash = ANY(%(hashes)s::text[])
         AND d.added_at < %(stored_before)s
         AND NOT EXISTS (SELECT FROM postings p WHERE p.description_hash = d.content_hash)
         AND NOT EXISTS (SELECT FROM listings l WHERE l.description_hash = d.content_hash)""",
)


async def let_raw_go(unit: Unit, *, seen_before: datetime, most: int, now: datetime) -> int:
    """Of listings that no longer show up; their verdicts stay."""
    return await unit.run(LET_RAW_GO, seen_before=seen_before, most=most, now=now)


async def next_texts(unit: Unit, after: str, *, most: int) -> list[str]:
    return [each.content_hash for each in await unit.all(TEXTS, after=after, most=most)]


async def forget_unused_texts(unit: Unit, hashes: Sequence[str], *, stored_before: datetime) -> int:
    return await unit.run(FORGET_TEXTS, hashes=list(hashes), stored_before=stored_before) if hashes else 0


RELINK = Statement(
    "observed.relink",
    """UPDATE listings SET posting_id = %(posting_id)s
       WHERE source_id = %(source_id)s AND vendor_id = %(vendor_id)s AND verdict = 'admitted'""",
)
READ_ANEW = Statement(
    "observed.read_anew",
    """UPDATE listings SET raw_hash = repeat('0', 64)
       WHERE source_id = %(source_id)s AND vendor_id = %(vendor_id)s""",
)


async def relink(unit: Unit, source_id: SourceId, vendor_id: str, posting_id: PostingId) -> None:
    """To the posting that it shows."""
    await unit.run(RELINK, source_id=source_id, vendor_id=vendor_id, posting_id=posting_id)


async def read_anew(unit: Unit, source_id: SourceId, vendor_id: str) -> None:
    """The next whole reading takes it for changed."""
    await unit.run(READ_ANEW, source_id=source_id, vendor_id=vendor_id)
