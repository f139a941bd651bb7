"""The queue's SQL: claim, fenced endings, leases, the fleet. All of it runs in fleet units.

The fence is (id, worker, claim_seq). A fenced statement first takes the row lock and only then compares the
lease with the database's clock, so that a write which waited behind another cannot finish a lost task.
"""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from psycopg.types.json import Jsonb

from pipeline.worker.types import Progress
from schema.db import Unit
from schema.query import Query, Statement


class Claimed(msgspec.Struct, frozen=True, kw_only=True):
    """One claimed task; `payload` is JSON text as stored."""

    id: int
    account_id: int | None
    kind: str
    payload: bytes
    attempts: int
    max_attempts: int
    claim_seq: int


class Fence(msgspec.Struct, frozen=True):
    """Who may write about a task: the worker that holds it, by the claim it holds it with."""

    id: int
    worker: UUID
    claim_seq: int


CLAIM = Query(
    "queue.claim",
    Claimed,
    """WITH candidates AS MATERIALIZED (
         SELECT probe.id FROM unnest(%(kinds)s::text[]) AS known (kind)
         CROSS JOIN LATERAL (
           SELECT id, priority FROM tasks
           WHERE kind = known.kind AND status = 'pending' AND not_before <= %(now)s
           ORDER BY priority, id LIMIT %(look_ahead)s) AS probe
         ORDER BY probe.priority, probe.id LIMIT %(look_ahead)s),
       taken AS MATERIALIZED (
         SELECT id FROM tasks
         WHERE id IN (SELECT id FROM candidates) AND status = 'pending'
         ORDER BY priority, id LIMIT %(slots)s FOR UPDATE SKIP LOCKED)
       UPDATE tasks SET status = 'running', worker = %(worker)s, claim_seq = claim_seq + 1,
         attempts = attempts + 1, started_at = clock_timestamp(),
         lease_expires_at = clock_timestamp() + %(lease)s
       FROM taken WHERE tasks.id = taken.id
       RETURNING tasks.id, account_id, kind, payload, attempts, max_attempts, claim_seq""",
)

_HELD = """WITH held AS MATERIALIZED (
  SELECT id, lease_expires_at FROM tasks
  WHERE id = %(id)s AND worker = %(worker)s AND claim_seq = %(claim_seq)s AND status = 'running'
  FOR UPDATE)
UPDATE tasks SET """
_STILL = " FROM held WHERE tasks.id = held.id AND held.lease_expires_at > clock_timestamp()"
_LET_GO = "worker = NULL, lease_expires_at = NULL, "

FINISH = Statement(
    "queue.finish",
    _HELD + _LET_GO + "status = 'done', outcome = %(outcome)s, finished_at = clock_timestamp()" + _STILL,
)
FAIL = Statement(
    "queue.fail",
    _HELD + _LET_GO + "status = 'failed', failure_code = %(code)s, finished_at = clock_timestamp()" + _STILL,
)
RETRY = Statement("queue.retry", _HELD + _LET_GO + "status = 'pending', not_before = %(not_before)s" + _STILL)
GIVE_BACK = Statement(
    "queue.give_back",
    _HELD
    + _LET_GO
    + "status = 'pending', attempts = attempts - 1,"
    + " not_before = coalesce(%(not_before)s::timestamptz, not_before)"
    + _STILL,
)
PROGRESS = Statement(
    "queue.progress",
    _HELD
    + "progress = %(progress)s, progress_at = clock_timestamp()"
    + _STILL
    + " AND progress IS DISTINCT FROM %(progress)s",
)


class Renewed(msgspec.Struct, frozen=True):
    id: int


RENEW = Query(
    "queue.renew",
    Renewed,
    """UPDATE tasks SET lease_expires_at = clock_timestamp() + %(lease)s
       FROM unnest(%(ids)s::bigint[], %(claim_seqs)s::bigint[]) AS held (id, claim_seq)
       WHERE tasks.id = held.id AND tasks.claim_seq = held.claim_seq AND worker = %(worker)s
         AND status = 'running' AND lease_expires_at > clock_timestamp()
       RETURNING tasks.id""",
)
REAP = Statement(
    "queue.reap",
    """WITH expired AS MATERIALIZED (
         SELECT id FROM tasks WHERE status = 'running' AND lease_expires_at <= clock_timestamp()
         ORDER BY lease_expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
       UPDATE tasks SET worker = NULL, lease_expires_at = NULL,
         status = CASE WHEN attempts < max_attempts THEN 'pending' ELSE 'failed' END,
         failure_code = CASE WHEN attempts < max_attempts THEN NULL ELSE 'lease_expired' END,
         finished_at = CASE WHEN attempts < max_attempts THEN NULL ELSE clock_timestamp() END
       FROM expired WHERE tasks.id = expired.id""",
)
ARRIVE = Statement(
    "fleet.arrive",
    """INSERT INTO workers (id, name, release, egress_group, kinds)
       VALUES (%(id)s, %(name)s, %(release)s, %(egress_group)s, %(kinds)s)""",
)
SEEN = Statement("fleet.seen", "UPDATE workers SET last_seen_at = clock_timestamp() WHERE id = %(id)s")
LEAVE = Statement("fleet.leave", "UPDATE workers SET stopped_at = clock_timestamp() WHERE id = %(id)s")


async def claim(
    unit: Unit, worker: UUID, kinds: list[str], slots: int, lease: timedelta, now: datetime
) -> list[Claimed]:
    """Up to `slots` tasks of these kinds, now running under this worker, most urgent first."""
    return await unit.all(
        CLAIM, worker=worker, kinds=kinds, slots=slots, look_ahead=slots * 2, lease=lease, now=now
    )


async def finish(unit: Unit, fence: Fence, outcome: str) -> bool:
    return await unit.run(FINISH, outcome=outcome, **_fence(fence)) == 1


async def fail(unit: Unit, fence: Fence, code: str) -> bool:
    return await unit.run(FAIL, code=code, **_fence(fence)) == 1


async def retry(unit: Unit, fence: Fence, not_before: datetime) -> bool:
    return await unit.run(RETRY, not_before=not_before, **_fence(fence)) == 1


async def give_back(unit: Unit, fence: Fence, not_before: datetime | None) -> bool:
    """Release or defer: pending again, and the try does not count."""
    return await unit.run(GIVE_BACK, not_before=not_before, **_fence(fence)) == 1


async def progress(unit: Unit, fence: Fence, value: Progress) -> bool:
    """True when the value moved; `progress_at` stands still while it does not."""
    return await unit.run(PROGRESS, progress=Jsonb(value), **_fence(fence)) == 1


async def reap(unit: Unit) -> int:
    """Take back up to 100 tasks whose lease ran out; the number taken."""
    return await unit.run(REAP)


async def arrive(
    unit: Unit, worker: UUID, name: str, release: str, egress_group: str, kinds: list[str]
) -> None:
    await unit.run(ARRIVE, id=worker, name=name, release=release, egress_group=egress_group, kinds=kinds)


async def leave(unit: Unit, worker: UUID) -> None:
    await unit.run(LEAVE, id=worker)


def _fence(fence: Fence) -> dict[str, object]:
    return {"id": fence.id, "worker": fence.worker, "claim_seq": fence.claim_seq}
