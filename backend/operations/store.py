"""The SQL of the operator's pages: how much work of each kind stands where. Reads only, in fleet units.

Each figure is one partial index and stops counting at `MOST`, so that the page costs the same whatever the
backlog is.
"""

from collections.abc import Collection
from datetime import datetime

import msgspec

from schema.db import Unit
from schema.query import Query

MOST = 5_000
"""Counting stops above it; a page then says `more than`."""


class KindCounts(msgspec.Struct, frozen=True, kw_only=True):
    """One kind's work by where it stands. `ready_since` is when the longest waiting of those counted came
    due, `next_at` when the first of those that wait for their time does."""

    kind: str
    running: int
    ready: int
    ready_since: datetime | None
    later: int
    next_at: datetime | None
    apart: int
    failed: int

    @property
    def is_idle(self) -> bool:
        return not (self.running or self.ready or self.later or self.apart or self.failed)


class OpenKind(msgspec.Struct, frozen=True, kw_only=True):
    kind: str | None


# From one kind to the next in each index, never over the rows of one.
OPEN_KINDS = Query(
    "operations.open_kinds",
    OpenKind,
    """WITH RECURSIVE ready AS (
         SELECT min(kind) AS kind FROM tasks WHERE status = 'pending' AND due
         UNION ALL
         SELECT (SELECT min(t.kind) FROM tasks t WHERE status = 'pending' AND due AND t.kind > ready.kind)
         FROM ready WHERE ready.kind IS NOT NULL),
       later AS (
         SELECT min(kind) AS kind FROM tasks WHERE status = 'pending' AND NOT due
         UNION ALL
         SELECT (SELECT min(t.kind) FROM tasks t WHERE status = 'pending' AND NOT due AND t.kind > later.kind)
         FROM later WHERE later.kind IS NOT NULL),
       apart AS (
         SELECT min(kind) AS kind FROM tasks WHERE status IN ('waiting', 'awaiting_batch')
         UNION ALL
         SELECT (SELECT min(t.kind) FROM tasks t
                 WHERE status IN ('waiting', 'awaiting_batch') AND t.kind > apart.kind)
         FROM apart WHERE apart.kind IS NOT NULL),
       failed AS (
         SELECT min(kind) AS kind FROM tasks WHERE status = 'failed'
         UNION ALL
         SELECT (SELECT min(t.kind) FROM tasks t WHERE status = 'failed' AND t.kind > failed.kind)
         FROM failed WHERE failed.kind IS NOT NULL)
       SELECT kind FROM ready UNION SELECT kind FROM later UNION SELECT kind FROM apart
       UNION SELECT kind FROM failed UNION SELECT kind FROM tasks WHERE status = 'running'""",
)
KIND_COUNTS = Query(
    "operations.kind_counts",
    KindCounts,
    """SELECT known.kind, running.number AS running, ready.number AS ready, ready.since AS ready_since,
         later.number AS later, later.next_at, apart.number AS apart, failed.number AS failed
       FROM unnest(%(kinds)s::text[]) AS known (kind)
       CROSS JOIN LATERAL (
         SELECT count(*) AS number FROM tasks WHERE status = 'running' AND kind = known.kind) AS running
       CROSS JOIN LATERAL (
         SELECT count(*) AS number, min(greatest(created_at, not_before)) AS since FROM (
           SELECT created_at, not_before FROM tasks
           WHERE status = 'pending' AND due AND kind = known.kind
           ORDER BY kind, priority, lane, id LIMIT %(most)s + 1) AS counted) AS ready
       CROSS JOIN LATERAL (
         SELECT count(*) AS number, (
           SELECT min(not_before) FROM tasks
           WHERE status = 'pending' AND NOT due AND kind = known.kind) AS next_at
         FROM (SELECT FROM tasks
               WHERE status = 'pending' AND NOT due AND kind = known.kind LIMIT %(most)s + 1) AS counted
         ) AS later
       CROSS JOIN LATERAL (
         SELECT count(*) AS number FROM (
           SELECT FROM tasks WHERE status IN ('waiting', 'awaiting_batch') AND kind = known.kind
           LIMIT %(most)s + 1) AS counted) AS apart
       CROSS JOIN LATERAL (
         SELECT count(*) AS number FROM (
           SELECT FROM tasks WHERE status = 'failed' AND kind = known.kind
           LIMIT %(most)s + 1) AS counted) AS failed
       ORDER BY known.kind""",
)


async def open_kinds(unit: Unit) -> set[str]:
    """The kinds with work that has not ended, or that failed."""
    return {row.kind for row in await unit.all(OPEN_KINDS) if row.kind is not None}


async def kind_counts(unit: Unit, kinds: Collection[str]) -> list[KindCounts]:
    """One row for each of `kinds`; a number above `MOST` means that many and more."""
    return await unit.all(KIND_COUNTS, kinds=list(kinds), most=MOST)
