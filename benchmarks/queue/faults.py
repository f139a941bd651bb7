"""Late finishes after every kind of fault: a worker that lost its tasks tries to end them all the same.

The faults are made in the table as they leave it: a lease that ran out, a task taken back, claimed by another
or by the same worker again, or finished by another. Between them stand tasks that were not harmed, whose end
has to be taken. Both ways to end a task are tried: the common step and the strict single end.
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import psycopg

from benchmarks.queue.drains import fill
from benchmarks.queue.payload import Nothing, as_login
from benchmarks.queue.server import Server
from benchmarks.queue.systems import System
from pipeline.worker.claims.claimer import Claimer
from pipeline.worker.claims.types import Claimed, Ended, Fence
from pipeline.worker.endings.settle import FenceLost, Settler
from pipeline.worker.endings.types import Finished
from pipeline.worker.line import Line
from schema.clock import SystemClock
from schema.db import Database
from schema.settings import DatabaseSettings, WorkerSettings

BATCH = 100
SEED = 3
FAULTS = (
    "lease_expires_at = clock_timestamp()",
    "status = 'pending', worker = NULL, lease_expires_at = NULL",
    "worker = gen_random_uuid(), claim_seq = claim_seq + 1",
    "claim_seq = claim_seq + 1",
    "status = 'done', outcome = 'done', finished_at = now(), worker = NULL, lease_expires_at = NULL",
)
UNHARMED_SHARE = 0.1
STRICT_SHARE = 0.1
CLEAR = """UPDATE tasks SET status = 'cancelled', worker = NULL, lease_expires_at = NULL, finished_at = now()
WHERE id = ANY (%s) AND status IN ('pending', 'running')"""


@dataclass
class Faults:
    """`stale` ends of harmed tasks that were taken, `refused` ones of unharmed tasks that were not."""

    made: int = 0
    stale: int = 0
    refused: int = 0


def faults(server: Server, system: System, count: int) -> Faults:
    fill(server, system, int(count / (1 - UNHARMED_SHARE)) + 10 * BATCH)
    with server.connect(system.database) as connection:
        return asyncio.run(_faults(connection, as_login(server.url(system.database)), count))


async def _faults(connection: psycopg.Connection[Any], url: str, count: int) -> Faults:
    chance, found, worker, line = random.Random(SEED), Faults(), uuid4(), Line(url)
    settings = WorkerSettings(account_slots=BATCH)
    claimer = Claimer(line, worker, [Nothing.KIND], settings, SystemClock(), turn=chance.random)
    async with Database.opened(DatabaseSettings(url=url)) as database:
        settler = Settler(database, settings.egress_group)
        while found.made < count:
            tasks = (await claimer.step([], BATCH)).claimed
            harmed = _harm(connection, tasks, chance)
            found.made += len(harmed)
            strict = [task for task in tasks if task.id in harmed and chance.random() < STRICT_SHARE]
            found.stale += sum([await _is_taken(settler, task, worker) for task in strict])
            written = (await claimer.step([Ended(task, "done") for task in tasks], 0)).written
            found.stale += len(written & harmed)
            found.refused += len({task.id for task in tasks} - harmed - written)
            connection.execute(CLEAR, ([task.id for task in tasks],))
    await line.close()
    return found


def _harm(connection: psycopg.Connection[Any], tasks: Sequence[Claimed], chance: random.Random) -> set[int]:
    harmed = [task.id for task in tasks if chance.random() >= UNHARMED_SHARE]
    kinds = {id_: chance.choice(FAULTS) for id_ in harmed}
    for fault in FAULTS:
        ids = [id_ for id_, kind in kinds.items() if kind == fault]
        connection.execute(f"UPDATE tasks SET {fault} WHERE id = ANY (%s)", (ids,))
    return set(harmed)


async def _is_taken(settler: Settler, task: Claimed, worker: UUID) -> bool:
    fence = Fence(task.id, worker, task.claim_seq)
    try:
        await settler.settle(task, fence, Finished("done", None), SystemClock().now(), 0.0)
    except FenceLost:
        return False
    return True
