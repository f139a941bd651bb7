"""The SQL of leases and of the fleet: who works, and what each worker still holds. Runs in fleet scope."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import msgspec

from pipeline.worker.claims.types import Fence
from schema.db import Unit
from schema.query import Query, Statement


class Kept(msgspec.Struct, frozen=True):
    """A task whose lease was renewed, or which was handed back."""

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
    Kept,
    """UPDATE tasks SET lease_expires_at = clock_timestamp() + %(lease)s
       FROM unnest(%(ids)s::bigint[], %(claim_seqs)s::bigint[]) AS held (id, claim_seq)
       WHERE tasks.id = held.id AND tasks.claim_seq = held.claim_seq AND worker = %(worker)s
         AND status = 'running' AND lease_expires_at > clock_timestamp()
       RETURNING tasks.id""",
)
RELEASE = Query(
    "queue.release",
    Kept,
    """UPDATE tasks SET status = 'pending', worker = NULL, lease_expires_at = NULL, attempts = attempts - 1,
         due = true
       FROM unnest(%(ids)s::bigint[], %(claim_seqs)s::bigint[]) AS held (id, claim_seq)
       WHERE tasks.id = held.id AND tasks.claim_seq = held.claim_seq AND worker = %(worker)s
         AND status = 'running'
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


async def release(unit: Unit, worker: UUID, held: Sequence[Fence]) -> int:
    """Hand claimed tasks back that were never started: claimable at once, and their try does not count."""
    return len(await unit.all(RELEASE, worker=worker, **_fences(held)))


async def leave(unit: Unit, worker: UUID) -> None:
    await unit.run(LEAVE, id=worker)


def _fences(held: Sequence[Fence]) -> dict[str, object]:
    return {"ids": [fence.id for fence in held], "claim_seqs": [fence.claim_seq for fence in held]}
