"""The SQL of sources: what is read, what a pull observed, and the postings that come of it.

The only writer of sources, pulls, listings, descriptions and postings. Every function wants a fleet unit,
except the readings for pages.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from pipeline.sources.changes import Changes, KnownListing, Source
from pipeline.sources.types import BoardReading, FoundPosting
from schema.db import Unit
from schema.ids import PostingId, PullId, SourceId, TaskId
from schema.query import Query, Statement

#: Rows of one statement; bounds memory and the size of one parameter.
_BATCH = 2_000
#: Counting goes no further: past any rule a row that stays missing is not rewritten by every pull.
_MOST_MISSED = 9


class Inserted(msgspec.Struct, frozen=True, kw_only=True):
    id: int


class Due(msgspec.Struct, frozen=True, kw_only=True):
    id: SourceId


SOURCE = Query(
    "sources.source",
    Source,
    """SELECT id, platform, board, company, url, enabled, failures_in_a_row, blocked_until, last_pull_at,
         last_complete_at, (SELECT max(p.id) FROM pulls p WHERE p.source_id = s.id) AS newest_pull_id
       FROM sources s WHERE id = %(source_id)s""",
)
ALL = Query(
    "sources.all",
    Source,
    """SELECT id, platform, board, company, url, enabled, failures_in_a_row, blocked_until, last_pull_at,
         last_complete_at, (SELECT max(p.id) FROM pulls p WHERE p.source_id = s.id) AS newest_pull_id
       FROM sources s ORDER BY platform, lower(board)""",
)
NAMED = Query(
    "sources.named",
    Inserted,
    "SELECT id FROM sources WHERE platform = %(platform)s AND lower(board) = lower(%(board)s)",
)
ENABLED = Query(
    "sources.enabled",
    Source,
    """SELECT id, platform, board, company, url, enabled, failures_in_a_row, blocked_until, last_pull_at,
         last_complete_at, NULL::bigint AS newest_pull_id
       FROM sources WHERE enabled ORDER BY last_pull_at NULLS FIRST, id""",
)
INSERT = Query(
    "sources.insert",
    Inserted,
    """INSERT INTO sources (platform, board, company, url, created_at)
       VALUES (%(platform)s, %(board)s, %(company)s, %(url)s, %(now)s)
       ON CONFLICT (platform, lower(board)) DO NOTHING RETURNING id""",
)
LOCK = Query("sources.lock", Inserted, "SELECT id FROM sources WHERE id = %(source_id)s FOR UPDATE")
KNOWN = Query(
    "sources.known_listings",
    KnownListing,
    "SELECT vendor_id, raw_hash, rule_version, missed FROM listings WHERE source_id = %(source_id)s",
)
INSERT_PULL = Query(
    "sources.insert_pull",
    Inserted,
    """INSERT INTO pulls (source_id, task_id, started_at, finished_at, coverage, evidence, observed, refused,
         written)
       VALUES (%(source_id)s, %(task_id)s, %(started_at)s, %(finished_at)s, %(coverage)s, %(evidence)s,
         %(observed)s, %(refused)s, %(written)s) RETURNING id""",
)
AFTER_PULL = Statement(
    "sources.after_pull",
    """UPDATE sources SET last_pull_at = %(now)s, failures_in_a_row = %(failures)s,
         blocked_until = %(blocked_until)s,
         last_complete_at = CASE WHEN %(complete)s THEN %(now)s::timestamptz ELSE last_complete_at END
       WHERE id = %(source_id)s""",
)
ADD_DESCRIPTIONS = Statement(
    "sources.add_descriptions",
    """INSERT INTO descriptions (content_hash, raw, html, text)
       SELECT content_hash, raw, html, text
       FROM jsonb_to_recordset(%(rows)s) AS r (content_hash text, raw text, html text, text text)
       ON CONFLICT (content_hash) DO NOTHING""",
)
# A platform shows one posting on several boards; whichever board changed last describes it. A list without
# descriptions says nothing about the one that is stored.
WRITE_POSTINGS = Statement(
    "sources.write_postings",
    """INSERT INTO postings AS p (platform, vendor_id, board, requisition_id, title, company, locations,
         workplace, workplace_signals, employment_type, pay_min, pay_max, pay_currency, pay_interval,
         pay_source, posted_at, posted_on, posted_meaning, apply_url, canonical_url, language,
         description_state, description_hash, described_at, first_seen_at)
       SELECT %(platform)s, vendor_id, board, requisition_id, title, company, locations, workplace,
         workplace_signals, employment_type, pay_min, pay_max, pay_currency, pay_interval, pay_source,
         posted_at, posted_on, posted_meaning, apply_url, canonical_url, language, description_state,
         description_hash, CASE WHEN description_state <> 'not_fetched' THEN %(now)s::timestamptz END,
         %(now)s
       FROM jsonb_to_recordset(%(rows)s) AS r (vendor_id text, board text, requisition_id text, title text,
         company text, locations text[], workplace text, workplace_signals text[], employment_type text,
         pay_min numeric, pay_max numeric, pay_currency text, pay_interval text, pay_source text,
         posted_at timestamptz, posted_on date, posted_meaning text, apply_url text, canonical_url text,
         language text, description_state text, description_hash text)
       ON CONFLICT (platform, vendor_id) DO UPDATE SET
         board = excluded.board, requisition_id = excluded.requisition_id, title = excluded.title,
         company = excluded.company, locations = excluded.locations, workplace = excluded.workplace,
         workplace_signals = excluded.workplace_signals, employment_type = excluded.employment_type,
         pay_min = excluded.pay_min, pay_max = excluded.pay_max, pay_currency = excluded.pay_currency,
         pay_interval = excluded.pay_interval, pay_source = excluded.pay_source,
         posted_at = excluded.posted_at, posted_on = excluded.posted_on,
         posted_meaning = excluded.posted_meaning, apply_url = excluded.apply_url,
         canonical_url = excluded.canonical_url, language = excluded.language,
         description_state = CASE WHEN excluded.description_state = 'not_fetched' THEN p.description_state
           ELSE excluded.description_state END,
         description_hash = CASE WHEN excluded.description_state = 'not_fetched' THEN p.description_hash
           ELSE excluded.description_hash END,
         described_at = coalesce(excluded.described_at, p.described_at)
       WHERE (p.board, p.requisition_id, p.title, p.company, p.locations, p.workplace, p.workplace_signals,
           p.employment_type, p.pay_min, p.pay_max, p.pay_currency, p.pay_interval, p.pay_source, p.posted_at,
           p.posted_on, p.posted_meaning, p.apply_url, p.canonical_url, p.language)
         IS DISTINCT FROM (excluded.board, excluded.requisition_id, excluded.title, excluded.company,
           excluded.locations, excluded.workplace, excluded.workplace_signals, excluded.employment_type,
           excluded.pay_min, excluded.pay_max, excluded.pay_currency, excluded.pay_interval,
           excluded.pay_source, excluded.posted_at, excluded.posted_on, excluded.posted_meaning,
           excluded.apply_url, excluded.canonical_url, excluded.language)
         OR (excluded.description_state <> 'not_fetched'
           AND (p.description_state, p.description_hash)
             IS DISTINCT FROM (excluded.description_state, excluded.description_hash))""",
)
WRITE_LISTINGS = Statement(
    "sources.write_listings",
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
    "sources.shown_again",
    """UPDATE listings SET missed = 0, last_seen_at = NULL
       WHERE source_id = %(source_id)s AND vendor_id = ANY(%(vendor_ids)s::text[])""",
)
MISSED = Statement(
    "sources.missed",
    """UPDATE listings SET missed = missed + 1, last_seen_at = coalesce(last_seen_at, %(last_seen_at)s)
       WHERE source_id = %(source_id)s AND vendor_id = ANY(%(vendor_ids)s::text[]) AND missed < %(most)s""",
)


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    id: PostingId


# What a board says of a posting stands: somebody who found the same page adds nothing to it.
RECORD_FOUND = Query(
    "sources.record_found",
    Recorded,
    """INSERT INTO postings AS p (platform, vendor_id, board, title, company, canonical_url, first_seen_at)
       VALUES (%(platform)s, %(vendor_id)s, %(board)s, %(title)s, %(company)s, %(canonical_url)s, %(now)s)
       ON CONFLICT (platform, vendor_id) DO UPDATE SET title = p.title
       RETURNING p.id""",
)


async def source_by_id(unit: Unit, source_id: SourceId) -> Source | None:
    return await unit.maybe(SOURCE, source_id=source_id)


async def every_source(unit: Unit) -> list[Source]:
    return await unit.all(ALL)


async def enabled_sources(unit: Unit) -> list[Source]:
    """The longest unread first; without their newest pull, which nobody asks of so many."""
    return await unit.all(ENABLED)


async def source_called(unit: Unit, platform: str, board: str) -> SourceId | None:
    """By board in any case of its name."""
    row = await unit.maybe(NAMED, platform=platform, board=board)
    return None if row is None else SourceId(row.id)


async def insert_source(
    unit: Unit, *, platform: str, board: str, company: str | None, url: str, now: datetime
) -> SourceId | None:
    """None when somebody else added the board first."""
    row = await unit.maybe(INSERT, platform=platform, board=board, company=company, url=url, now=now)
    return None if row is None else SourceId(row.id)


async def known_listings(unit: Unit, source_id: SourceId) -> list[KnownListing]:
    return await unit.all(KNOWN, source_id=source_id)


async def locked_source(unit: Unit, source_id: SourceId) -> Source | None:
    """The source as it is now, and nobody else's to write until this unit ends."""
    await unit.maybe(LOCK, source_id=source_id)
    return await source_by_id(unit, source_id)


async def record_pull(
    unit: Unit,
    source: Source,
    reading: BoardReading,
    found: Changes,
    *,
    task_id: TaskId | None,
    started_at: datetime,
    now: datetime,
    failures: int,
    blocked_until: datetime | None,
) -> PullId:
    """Write everything one pull found: the observations, what they amount to, and the pull itself."""
    pull = await unit.one(
        INSERT_PULL,
        source_id=source.id,
        task_id=task_id,
        started_at=started_at,
        finished_at=now,
        coverage=reading.coverage,
        evidence=Jsonb(reading.evidence),
        observed=len(reading.listings),
        refused=found.refused,
        written=len(found.listings),
    )
    await _write_changes(unit, source, found, PullId(pull.id), now)
    await _count_missed(unit, source, found, started_at)
    await unit.run(
        AFTER_PULL,
        source_id=source.id,
        now=now,
        failures=failures,
        blocked_until=blocked_until,
        complete=reading.coverage == "complete",
    )
    return PullId(pull.id)


async def _write_changes(unit: Unit, source: Source, found: Changes, pull_id: PullId, now: datetime) -> None:
    scope = {"platform": source.platform, "source_id": source.id, "pull_id": pull_id, "now": now}
    written: tuple[tuple[Statement, Sequence[msgspec.Struct]], ...] = (
        (ADD_DESCRIPTIONS, found.descriptions),
        (WRITE_POSTINGS, found.postings),
        (WRITE_LISTINGS, found.listings),
    )
    for statement, rows in written:
        for start in range(0, len(rows), _BATCH):
            await unit.run(statement, rows=Jsonb(rows[start : start + _BATCH]), **scope)


async def _count_missed(unit: Unit, source: Source, found: Changes, started_at: datetime) -> None:
    if found.shown_again:
        await unit.run(SHOWN_AGAIN, source_id=source.id, vendor_ids=found.shown_again)
    if found.missing:
        await unit.run(
            MISSED,
            source_id=source.id,
            vendor_ids=found.missing,
            last_seen_at=source.last_complete_at or source.last_pull_at or started_at,
            most=_MOST_MISSED,
        )


async def record_posting(unit: Unit, found: FoundPosting, *, now: datetime) -> PostingId:
    """The posting a person found on a page; one that stands there already is left as it is."""
    recorded = await unit.one(
        RECORD_FOUND,
        platform=found.platform,
        vendor_id=found.vendor_id,
        board=found.board,
        title=found.title,
        company=found.company,
        canonical_url=found.canonical_url,
        now=now,
    )
    return recorded.id
