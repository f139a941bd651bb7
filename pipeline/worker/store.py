"""The SQL of leases and of the fleet: who works, and what each worker still holds. Runs in fleet scope."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import msgspec

from pipeline.worker.claims.types import Fence
from schema.db import Unit
from schema.query import Query, Statement


class Renewed(msgspec.Struct, frozen=True):
    """A task this worker still holds. `is_renewed` False: somebody has its row locked just now."""

    id: int
    is_renewed: bool


class Released(msgspec.Struct, frozen=True):
    id: int


class WorkerRow(msgspec.Struct, frozen=True, kw_only=True):
    """How a worker appears in the fleet."""

    id: UUID
    name: str
    release: str
    digest: str
    egress_group: str
    kinds: list[str]
    slots: int


RENEW = Query(
    "queue.renew",
    Renewed,
    """WITH held AS (
         SELECT * FROM unnest(%(ids)s::bigint[], %(claim_seqs)s::bigint[]) AS held (id, claim_seq)),
       mine AS MATERIALIZED (
         SELECT tasks.id, tasks.lease_expires_at FROM held JOIN tasks USING (id, claim_seq)
         WHERE worker = %(worker)s AND status = 'running' FOR NO KEY UPDATE OF tasks SKIP LOCKED),
       renewed AS (
         UPDATE tasks SET lease_expires_at = clock_timestamp() + %(lease)s
         FROM mine WHERE tasks.id = mine.id AND mine.lease_expires_at > clock_timestamp()
         RETURNING tasks.id)
       SELECT id, true AS is_renewed FROM renewed
       UNION ALL
       SELECT tasks.id, false FROM held JOIN tasks USING (id, claim_seq)
       WHERE worker = %(worker)s AND status = 'running' AND tasks.id NOT IN (SELECT id FROM mine)""",
)
"""What is locked is passed over, here and at a release: an end with a long effect holds up neither the leases
of its neighbours nor a stop, and no two statements of one worker wait for each other in a ring."""
RELEASE = Query(
    "queue.release",
    Released,
    """WITH mine AS MATERIALIZED (
         SELECT tasks.id
         FROM unnest(%(ids)s::bigint[], %(claim_seqs)s::bigint[]) AS held (id, claim_seq)
         JOIN tasks USING (id, claim_seq)
         WHERE worker = %(worker)s AND status = 'running' FOR NO KEY UPDATE OF tasks SKIP LOCKED)
       UPDATE tasks SET status = 'pending', worker = NULL, lease_expires_at = NULL, attempts = attempts - 1,
         due = true
       FROM mine WHERE tasks.id = mine.id
       RETURNING tasks.id""",
)
SEEN = Statement(
    "fleet.seen",
    """INSERT INTO workers (id, name, release, digest, egress_group, kinds, slots)
       VALUES (%(id)s, %(name)s, %(release)s, %(digest)s, %(egress_group)s, %(kinds)s, %(slots)s)
       ON CONFLICT (id) DO UPDATE SET last_seen_at = clock_timestamp()""",
)
LEAVE = Statement("fleet.leave", "UPDATE workers SET stopped_at = clock_timestamp() WHERE id = %(id)s")


def renewal(worker: UUID, held: Sequence[Fence], lease: timedelta) -> dict[str, object]:
    """The parameters of `RENEW`, which the heartbeat runs on a connection of its own."""
    return {"worker": worker, "lease": lease, **_fences(held)}


async def release(unit: Unit, worker: UUID, held: Sequence[Fence]) -> set[int]:
    """Hand claimed tasks back that were never started: claimable at once, and their try does not count. The
    ids of those that were; a row that somebody has locked just now is not."""
    return {row.id for row in await unit.all(RELEASE, worker=worker, **_fences(held))}


async def leave(unit: Unit, worker: UUID) -> None:
    await unit.run(LEAVE, id=worker)


def _fences(held: Sequence[Fence]) -> dict[str, object]:
    return {"ids": [fence.id for fence in held], "claim_seqs": [fence.claim_seq for fence in held]}
