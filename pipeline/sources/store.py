"""The SQL of sources and of their pulls: the only writer of `sources` and `pulls`.

Every function wants a fleet unit, except the readings for pages.
"""

from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from pipeline.sources.types import BoardReading, Source
from schema.db import Unit
from schema.ids import PullId, SourceId, TaskId
from schema.query import Query, Statement


class Inserted(msgspec.Struct, frozen=True, kw_only=True):
    id: int


_COLUMNS = """SELECT id, platform, board, company, url, enabled, failures_in_a_row, blocked_until,
         last_pull_at, last_complete_at, etag, last_modified, off_since, off_reason,"""
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
LOCK = Query("sources.lock", Inserted, "SELECT id FROM sources WHERE id = %(source_id)s FOR UPDATE")
INSERT_PULL = Query(
    "sources.insert_pull",
    Inserted,
    """INSERT INTO pulls (source_id, task_id, started_at, finished_at, coverage, evidence, observed, refused,
         written)
       VALUES (%(source_id)s, %(task_id)s, %(started_at)s, %(finished_at)s, %(coverage)s, %(evidence)s,
         %(observed)s, %(refused)s, %(written)s) RETURNING id""",
)
PULL_CLOSED = Statement("sources.pull_closed", "UPDATE pulls SET closed = %(closed)s WHERE id = %(pull_id)s")
AFTER_PULL = Statement(
    "sources.after_pull",
    """UPDATE sources SET last_pull_at = %(now)s, failures_in_a_row = %(failures)s,
         blocked_until = %(blocked_until)s,
         last_complete_at = CASE WHEN %(complete)s THEN %(now)s::timestamptz ELSE last_complete_at END
       WHERE id = %(source_id)s""",
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


async def note_closed(unit: Unit, pull_id: PullId, closed: int) -> None:
    if closed:
        await unit.run(PULL_CLOSED, pull_id=pull_id, closed=closed)


async def note_pulled(
    unit: Unit,
    source_id: SourceId,
    *,
    is_complete: bool,
    failures: int,
    blocked_until: datetime | None,
    now: datetime,
) -> None:
    """What a pull leaves on its source: when it was read, and how well."""
    await unit.run(
        AFTER_PULL,
        source_id=source_id,
        now=now,
        failures=failures,
        blocked_until=blocked_until,
        complete=is_complete,
    )
