"""Good ends that are written together: only by who holds the task, and holds it for long enough."""

import time
from uuid import UUID

import psycopg
import pytest
from fixtures.claimers import Hands, Hire
from fixtures.worker import Echo, Tasks

from pipeline.worker.claims.types import Claimed, Ended
from pipeline.worker.line import LONGEST_SECONDS
from schema.db import Database
from schema.queue import Wanted, enqueue_many

OTHER = UUID(int=2)
KEPT = {"lease": "clock_timestamp() + interval '1 minute'", "worker": "worker", "claim_seq": "claim_seq"}
LOST: dict[str, dict[str, str]] = {
    "expired": {"lease": "clock_timestamp()"},
    "shorter than a statement may take": {"lease": f"clock_timestamp() + interval '{LONGEST_SECONDS - 1} s'"},
    "claimed anew": {"claim_seq": "claim_seq + 1"},
    "another worker's": {"worker": f"'{OTHER}'"},
}


async def claim(database: Database, hands: Hands, count: int) -> list[Claimed]:
    async with database.as_fleet() as unit:
        await enqueue_many(unit, [Wanted(payload=Echo())] * count)
    return await hands.claim(count)


async def change(tasks: Tasks, task: Claimed, columns: dict[str, str]) -> None:
    values = KEPT | columns
    await tasks.fetch(
        f"UPDATE tasks SET lease_expires_at = {values['lease']}, worker = {values['worker']},"
        f" claim_seq = {values['claim_seq']} WHERE id = %s",
        task.id,
    )


async def test_what_is_held_is_written_with_its_word(hire: Hire, database: Database, tasks: Tasks):
    hands = await hire()
    taken = await claim(database, hands, 3)
    step = await hands.step(0, ended=[Ended(task, f"word{task.id}") for task in taken])
    assert step.written == {task.id for task in taken}
    rows = await tasks.fetch("SELECT id, status, outcome, worker, lease_expires_at FROM tasks ORDER BY id")
    assert rows == [(task.id, "done", f"word{task.id}", None, None) for task in taken]


@pytest.mark.parametrize("columns", LOST.values(), ids=LOST)
async def test_one_that_is_not_held_is_left_alone_and_holds_up_no_other(
    hire: Hire, database: Database, tasks: Tasks, columns: dict[str, str]
):
    hands = await hire()
    lost, held = await claim(database, hands, 2)
    await change(tasks, lost, columns)
    before = await tasks.fetch("SELECT to_jsonb(tasks)::text FROM tasks WHERE id = %s", lost.id)
    step = await hands.step(0, ended=[Ended(lost, "late"), Ended(held, "done")])
    assert step.written == {held.id}
    assert await tasks.fetch("SELECT to_jsonb(tasks)::text FROM tasks WHERE id = %s", lost.id) == before


async def test_an_older_claim_of_the_same_worker_ends_nothing(hire: Hire, database: Database, tasks: Tasks):
    hands = await hire()
    [first] = await claim(database, hands, 1)
    await tasks.fetch("UPDATE tasks SET status = 'pending', worker = NULL, lease_expires_at = NULL")
    [second] = await hands.claim(1)
    assert (await hands.step(0, ended=[Ended(first, "late")])).written == set()
    assert (await hands.step(0, ended=[Ended(second, "done")])).written == {second.id}


async def test_a_row_somebody_holds_is_not_waited_for_long(
    hire: Hire, database: Database, tasks: Tasks, owner_url: str
):
    hands = await hire()
    first, second = await claim(database, hands, 2)
    async with await psycopg.AsyncConnection.connect(owner_url) as holder:
        await holder.execute("SELECT FROM tasks WHERE id = %s FOR UPDATE", (first.id,))
        began = time.monotonic()
        with pytest.raises(psycopg.errors.LockNotAvailable):
            await hands.step(0, ended=[Ended(first, "done"), Ended(second, "done")])
        assert time.monotonic() - began < 1
    assert await tasks.fetch("SELECT DISTINCT status FROM tasks") == [("running",)]
    assert len((await hands.step(0, ended=[Ended(first, "done"), Ended(second, "done")])).written) == 2


async def test_a_cancelled_task_is_not_done(hire: Hire, database: Database, tasks: Tasks):
    hands = await hire()
    [task] = await claim(database, hands, 1)
    await tasks.fetch(
        "UPDATE tasks SET status = 'cancelled', worker = NULL, lease_expires_at = NULL, finished_at = now()"
    )
    assert (await hands.step(0, ended=[Ended(task, "done")])).written == set()
