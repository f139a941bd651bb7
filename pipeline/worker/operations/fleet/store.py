"""Reads the fleet: its workers and what they do, the work nobody here knows, what holds a kind open."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

import msgspec

from schema.db import Unit
from schema.ids import AccountId, TaskId
from schema.query import Query

WorkerState = Literal["alive", "silent", "stopped"]
OpenState = Literal["pending", "delayed", "running", "waiting", "parked", "failed"]

SILENT_AFTER = timedelta(seconds=30)
"""Two leases without a sign of life: its tasks have been taken over by then."""


class WorkerLine(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    name: str
    release: str
    digest: str
    egress_group: str
    kinds: list[str]
    slots: int
    started_at: datetime
    last_seen_at: datetime
    stopped_at: datetime | None
    state: WorkerState


class RunningTask(msgspec.Struct, frozen=True, kw_only=True):
    worker: UUID | None
    id: TaskId
    account_id: AccountId | None
    kind: str
    attempts: int
    started_at: datetime | None
    progress_at: datetime | None


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One worker and what it has in hand, oldest first."""

    worker: WorkerLine
    tasks: list[RunningTask]


class OpenWork(msgspec.Struct, frozen=True, kw_only=True):
    """Tasks of one account (None: of the fleet) that keep a kind from being retired."""

    account_id: AccountId | None
    state: OpenState
    count: int


class UnknownWork(msgspec.Struct, frozen=True, kw_only=True):
    """Tasks of a kind this release does not know; `due_since` is when the oldest pending one came due."""

    kind: str
    state: OpenState
    count: int
    due_since: datetime | None


WORKERS = Query(
    "operations.workers",
    WorkerLine,
    """SELECT id, name, release, digest, egress_group, kinds, slots, started_at, last_seen_at, stopped_at,
         state
       FROM workers CROSS JOIN LATERAL (SELECT CASE
         WHEN stopped_at IS NOT NULL THEN 'stopped'
         WHEN last_seen_at < clock_timestamp() - %(silent_after)s::interval THEN 'silent'
         ELSE 'alive' END AS state) AS judged
       ORDER BY state, coalesce(stopped_at, last_seen_at) DESC, name""",
)
RUNNING = Query(
    "operations.running",
    RunningTask,
    """SELECT worker, id, account_id, kind, attempts, started_at, progress_at FROM tasks
       WHERE status = 'running' ORDER BY started_at, id""",
)
OPEN_WORK = Query(
    "operations.open_work",
    OpenWork,
    """SELECT account_id, state, count(*) AS count FROM (
         SELECT account_id, 'pending' AS state FROM tasks WHERE status = 'pending' AND due AND kind = %(kind)s
         UNION ALL
         SELECT account_id, 'delayed' FROM tasks WHERE status = 'pending' AND NOT due AND kind = %(kind)s
         UNION ALL
         SELECT account_id, 'running' FROM tasks WHERE status = 'running' AND kind = %(kind)s
         UNION ALL
         SELECT account_id, CASE status WHEN 'waiting' THEN 'waiting' ELSE 'parked' END FROM tasks
         WHERE status IN ('waiting', 'awaiting_batch') AND kind = %(kind)s
         UNION ALL
         SELECT account_id, 'failed' FROM tasks WHERE status = 'failed' AND kind = %(kind)s) AS open
       GROUP BY account_id, state ORDER BY account_id NULLS FIRST, state""",
)
UNKNOWN_WORK = Query(
    "operations.unknown_work",
    UnknownWork,
    # Between two neighbours of the known kinds lie the unknown ones: each index is entered only there, so
    # that a million known tasks cost nothing.
    """WITH gap AS MATERIALIZED (
         SELECT coalesce(lag(kind) OVER (ORDER BY kind), '') AS low, kind AS high
         FROM unnest(%(kinds)s::text[] || repeat('z', 100)) AS known (kind))
       SELECT kind, state, count(*) AS count, min(due_at) AS due_since FROM (
         SELECT found.* FROM gap CROSS JOIN LATERAL (
           SELECT kind, 'pending' AS state, greatest(created_at, not_before) AS due_at FROM tasks
           WHERE status = 'pending' AND due AND kind > low AND kind < high
           UNION ALL
           SELECT kind, 'delayed', NULL FROM tasks
           WHERE status = 'pending' AND NOT due AND kind > low AND kind < high
           UNION ALL
           SELECT kind, CASE status WHEN 'waiting' THEN 'waiting' ELSE 'parked' END, NULL FROM tasks
           WHERE status IN ('waiting', 'awaiting_batch') AND kind > low AND kind < high
           UNION ALL
           SELECT kind, 'failed', NULL FROM tasks
           WHERE status = 'failed' AND kind > low AND kind < high) AS found
         UNION ALL
         SELECT kind, 'running', NULL FROM tasks
         WHERE status = 'running' AND kind <> ALL (%(kinds)s::text[])) AS unknown
       GROUP BY kind, state ORDER BY kind, state""",
)


async def fleet(unit: Unit) -> list[Member]:
    """Every worker the installation remembers, those that live first."""
    workers = await unit.all(WORKERS, silent_after=SILENT_AFTER)
    running = await unit.all(RUNNING)
    return [
        Member(worker=worker, tasks=[task for task in running if task.worker == worker.id])
        for worker in workers
    ]


async def retire_check(unit: Unit, kind: str) -> list[OpenWork]:
    """What keeps `kind` from being retired, over all accounts; empty when nothing does."""
    return await unit.all(OPEN_WORK, kind=kind)


async def unsupported(unit: Unit, kinds: Collection[str]) -> list[UnknownWork]:
    """Open and failed tasks whose kind is not among `kinds`, which this release knows."""
    return await unit.all(UNKNOWN_WORK, kinds=sorted(kinds))
