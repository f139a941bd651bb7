"""The SQL of sources and of their pulls: the only writer of `sources` and `pulls`.

Every function wants a fleet unit, except the readings for pages.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from pipeline.sources.types import BoardReading, Source, Validators
from schema.db import Unit
from schema.ids import PullId, SourceId, TaskId
from schema.query import Query, Statement


class Inserted(msgspec.Struct, frozen=True, kw_only=True):
    id: int


_COLUMNS = """SELECT id, platform, board, company, url, enabled, failures_in_a_row, blocked_until,
         last_pull_at, last_complete_at, etag, last_modified, read_whole_at,
         rests_until, off_since, off_reason,"""
_NEWEST = " (SELECT max(p.id) FROM pulls p WHERE p.source_id = s.id) AS newest_pull_id FROM sources s"
SOURCE = Query("sources.source", Source, _COLUMNS + _NEWEST + " WHERE id = %(source_id)s")
ALL = Query("sources.all", Source, _COLUMNS + _NEWEST + " ORDER BY platform, lower(board)")
ENABLED = Query(
    "sources.enabled",
    Source,
    _COLUMNS
    + " NULL::bigint AS newest_pull_id FROM sources WHERE enabled ORDER BY last_pull_at NULLS FIRST, id",
)
NAMED = Query(
    "sources.named",
    Inserted,
    "SELECT id FROM sources WHERE platform = %(platform)s AND lower(board) = lower(%(board)s)",
)
INSERT = Query(
    "sources.insert",
    Inserted,
    """INSERT INTO sources (platform, board, company, url, created_at)
       VALUES (%(platform)s, %(board)s, %(company)s, %(url)s, %(now)s)
       ON CONFLICT (platform, lower(board)) DO NOTHING RETURNING id""",
)
NAME = Query(
    "sources.name",
    Inserted,
    "UPDATE sources SET company = %(company)s WHERE id = %(source_id)s AND company IS NULL RETURNING id",
)
RENAME = Statement("sources.rename", "UPDATE sources SET company = %(company)s WHERE id = %(source_id)s")
LOCK = Query("sources.lock", Inserted, "SELECT id FROM sources WHERE id = %(source_id)s FOR UPDATE")
INSERT_PULL = Query(
    "sources.insert_pull",
    Inserted,
    """INSERT INTO pulls (source_id, task_id, started_at, finished_at, coverage, evidence, observed, refused,
         written)
       VALUES (%(source_id)s, %(task_id)s, %(started_at)s, %(finished_at)s, %(coverage)s, %(evidence)s,
         %(observed)s, %(refused)s, %(written)s) RETURNING id""",
)
PULL_OUTCOME = Statement(
    "sources.pull_outcome",
    "UPDATE pulls SET closed = %(closed)s, refused = refused + %(refused)s WHERE id = %(pull_id)s",
)
# What a host gave to ask again with is of one whole reading. Once another one was written that was not whole,
# "unchanged" would speak of a state that is no longer the one known here.
AFTER_PULL = Statement(
    "sources.after_pull",
    """UPDATE sources SET last_pull_at = %(now)s, failures_in_a_row = %(failures)s,
         blocked_until = %(blocked_until)s, rests_until = %(rests_until)s,
         last_complete_at = CASE WHEN %(complete)s THEN %(now)s::timestamptz ELSE last_complete_at END,
         read_whole_at = CASE WHEN %(whole)s THEN %(now)s::timestamptz ELSE read_whole_at END,
         etag = CASE WHEN %(keeps)s THEN etag ELSE %(etag)s END,
         last_modified = CASE WHEN %(keeps)s THEN last_modified ELSE %(last_modified)s END,
         enabled = enabled AND %(off_reason)s::text IS NULL,
         off_since = CASE WHEN %(off_reason)s::text IS NULL THEN off_since
           ELSE coalesce(off_since, %(now)s) END,
         off_reason = coalesce(%(off_reason)s, off_reason)
       WHERE id = %(source_id)s""",
)
SWITCH = Statement(
    "sources.switch",
    """UPDATE sources SET enabled = %(on)s, off_since = NULL, off_reason = NULL,
         failures_in_a_row = CASE WHEN %(on)s THEN 0 ELSE failures_in_a_row END,
         rests_until = CASE WHEN %(on)s THEN NULL ELSE rests_until END
       WHERE id = %(source_id)s""",
)


class Aftermath(msgspec.Struct, frozen=True, kw_only=True):
    """What one pull means for the next. `validators` count only with `is_whole`: every row was read now."""

    is_complete: bool
    is_whole: bool
    wrote_rows: bool
    validators: Validators | None
    failures: int
    blocked_until: datetime | None
    rests_until: datetime | None
    off_reason: str | None


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


async def name_source(unit: Unit, source_id: SourceId, company: str) -> bool:
    """False for a board whose employer has a name already."""
    return await unit.maybe(NAME, source_id=source_id, company=company) is not None


async def rename_source(unit: Unit, source_id: SourceId, company: str | None) -> None:
    await unit.run(RENAME, source_id=source_id, company=company)


async def locked_source(unit: Unit, source_id: SourceId) -> Source | None:
    """The source as it is now, and nobody else's to write until this unit ends."""
    await unit.maybe(LOCK, source_id=source_id)
    return await source_by_id(unit, source_id)


async def insert_pull(
    unit: Unit,
    source_id: SourceId,
    reading: BoardReading,
    *,
    task_id: TaskId | None,
    started_at: datetime,
    finished_at: datetime,
    observed: int,
    refused: int,
    written: int,
) -> PullId:
    pull = await unit.one(
        INSERT_PULL,
        source_id=source_id,
        task_id=task_id,
        started_at=started_at,
        finished_at=finished_at,
        coverage=reading.coverage,
        evidence=Jsonb(reading.evidence),
        observed=observed,
        refused=refused,
        written=written,
    )
    return PullId(pull.id)


async def note_outcome(unit: Unit, pull_id: PullId, *, closed: int, refused: int) -> None:
    """What is known when the rows are written; `refused` besides those that were refused before."""
    if closed or refused:
        await unit.run(PULL_OUTCOME, pull_id=pull_id, closed=closed, refused=refused)


async def note_pulled(unit: Unit, source_id: SourceId, after: Aftermath, *, now: datetime) -> None:
    """What a pull leaves on its source: when it was read, how well, and what to ask with next time."""
    given = after.validators if after.is_whole else None
    await unit.run(
        AFTER_PULL,
        source_id=source_id,
        now=now,
        failures=after.failures,
        blocked_until=after.blocked_until,
        rests_until=after.rests_until,
        complete=after.is_complete,
        whole=after.is_whole,
        keeps=not after.is_whole and not after.wrote_rows,
        etag=None if given is None else given.etag,
        last_modified=None if given is None else given.last_modified,
        off_reason=after.off_reason,
    )


async def switch_on(unit: Unit, source_id: SourceId) -> bool:
    """A person wants the board read, whatever happened before; False when there is no such source."""
    return bool(await unit.run(SWITCH, source_id=source_id, on=True))


async def switch_off(unit: Unit, source_id: SourceId) -> bool:
    """A person wants the board left alone; False when there is no such source."""
    return bool(await unit.run(SWITCH, source_id=source_id, on=False))


class OldPull(msgspec.Struct, frozen=True, kw_only=True):
    id: PullId


OLD_PULLS = Query(
    "sources.old_pulls",
    OldPull,
    """SELECT id FROM pulls WHERE id > %(after)s AND finished_at < %(finished_before)s
       ORDER BY id LIMIT %(most)s""",
)
FORGET_PULLS = Statement(
    "sources.forget_pulls",
    """DELETE FROM pulls p WHERE p.id = ANY(%(ids)s::bigint[])
         AND EXISTS (SELECT FROM pulls n WHERE n.source_id = p.source_id AND n.id > p.id
           ORDER BY n.id OFFSET %(newest_kept)s - 1)""",
)


async def next_pulls(unit: Unit, after: int, *, finished_before: datetime, most: int) -> list[PullId]:
    found = await unit.all(OLD_PULLS, after=after, finished_before=finished_before, most=most)
    return [each.id for each in found]


async def forget_pulls(unit: Unit, ids: Sequence[PullId], *, newest_kept: int) -> int:
    """All but the newest of each source."""
    return await unit.run(FORGET_PULLS, ids=list(ids), newest_kept=newest_kept) if ids else 0
