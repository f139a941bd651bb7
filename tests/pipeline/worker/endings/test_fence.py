"""Every write about a task is fenced: too late, out of date, or on a row that is held, it changes nothing."""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

import psycopg
import pytest
from fixtures.queue_rows import Rows
from fixtures.worker import Tasks

from pipeline.worker import store as leases
from pipeline.worker.claims.types import Fence
from pipeline.worker.endings import store
from pipeline.worker.types import TaskProgress
from schema.db import Database, Unit
from schema.ids import TaskId

WORKER, OTHER = UUID(int=1), UUID(int=2)
SOON = datetime(2026, 3, 3, tzinfo=UTC)
Write = Callable[[Unit, Fence], Awaitable[bool]]
WRITES: dict[str, Write] = {
    "finish": lambda unit, fence: store.finish(unit, fence, "done"),
    "fail": lambda unit, fence: store.fail(unit, fence, "handler_error"),
    "retry": lambda unit, fence: store.retry(unit, fence, SOON),
    "defer": lambda unit, fence: store.give_back(unit, fence, SOON),
    "hand back": lambda unit, fence: store.give_back(unit, fence, None),
    "park": store.park,
    "split": store.split,
    "progress": lambda unit, fence: store.progress(unit, fence, TaskProgress(done=1)),
}
LOST: tuple[dict[str, object], ...] = (
    {"lease_expires_at": "now"},
    {"claim_seq": 4},
    {"claim_seq": 2},
    {"worker": OTHER},
)
RESTING = ("pending", "waiting", "awaiting_batch", "done", "failed", "cancelled")
write = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)


async def running(rows: Rows, **columns: object) -> Fence:
    held = {"worker": WORKER, "claim_seq": 3} | columns
    return Fence(await rows.insert("running", **held), WORKER, 3)


async def whole(tasks: Tasks) -> list[tuple[object, ...]]:
    return await tasks.fetch("SELECT to_jsonb(tasks)::text FROM tasks ORDER BY id")


@asynccontextmanager
async def locked_by_another(owner_url: str, task_id: int) -> AsyncGenerator[None]:
    async with await psycopg.AsyncConnection.connect(owner_url) as holder:
        await holder.execute("SELECT FROM tasks WHERE id = %s FOR UPDATE", (task_id,))
        yield


@write
async def test_the_holder_writes(database: Database, rows: Rows, tasks: Tasks, write: Write):
    fence = await running(rows)
    before = await whole(tasks)
    async with database.as_fleet() as unit:
        assert await write(unit, fence)
    assert await whole(tasks) != before


@write
async def test_a_fence_that_does_not_hold_changes_nothing(
    database: Database, rows: Rows, tasks: Tasks, write: Write
):
    for columns in LOST:
        fence = await running(rows, **columns)
        before = await whole(tasks)
        async with database.as_fleet() as unit:
            assert not await write(unit, fence), columns
        assert await whole(tasks) == before, columns


@write
async def test_a_task_that_runs_no_more_is_left_as_it_is(
    database: Database, rows: Rows, tasks: Tasks, write: Write
):
    for status in RESTING:
        fence = Fence(await rows.insert(status, claim_seq=3), WORKER, 3)
        before = await whole(tasks)
        async with database.as_fleet() as unit:
            assert not await write(unit, fence), status
        assert await whole(tasks) == before, status


@write
async def test_a_row_somebody_holds_is_not_waited_for(
    database: Database, rows: Rows, tasks: Tasks, owner_url: str, write: Write
):
    fence = await running(rows)
    before = await whole(tasks)
    async with locked_by_another(owner_url, fence.id), database.as_fleet() as unit:
        began = time.monotonic()
        assert not await write(unit, fence)
        assert time.monotonic() - began < 1
    assert await whole(tasks) == before
    async with database.as_fleet() as unit:
        assert await store.is_held(unit, fence), "nothing is lost: the write may be tried again"


@write
async def test_the_lease_is_judged_by_the_servers_clock_after_the_lock(
    database: Database, rows: Rows, tasks: Tasks, write: Write
):
    """In a transaction that began while the lease was good, and that has stood still since."""
    fence = await running(rows)
    async with database.as_fleet() as unit:
        assert await store.is_held(unit, fence)
        await tasks.fetch("UPDATE tasks SET lease_expires_at = clock_timestamp()")
        assert not await write(unit, fence)
        assert not await store.is_held(unit, fence)


async def test_what_is_handed_back_is_what_is_held_and_locked_by_nobody(
    database: Database, rows: Rows, tasks: Tasks, owner_url: str
):
    """Not even the lease counts: whoever hands back only gives up."""
    held, locked = await running(rows), await running(rows)
    late = await running(rows, lease_expires_at="now")
    lost = [await running(rows, claim_seq=4), await running(rows, worker=OTHER)]
    async with locked_by_another(owner_url, locked.id), database.as_fleet() as unit:
        began = time.monotonic()
        released = await leases.release(unit, WORKER, [held, locked, late, *lost])
        assert time.monotonic() - began < 1
    assert released == {held.id, late.id}
    pending = await tasks.fetch("SELECT id, due, attempts FROM tasks WHERE status = 'pending' ORDER BY id")
    assert pending == [(held.id, True, 0), (late.id, True, 0)]


async def test_only_a_parked_task_resumes(database: Database, rows: Rows, tasks: Tasks):
    for status in {"running", *RESTING} - {"awaiting_batch"}:
        task = await rows.insert(status)
        before = await whole(tasks)
        async with database.as_fleet() as unit:
            assert not await store.resume(unit, task)
        assert await whole(tasks) == before
    assert await tasks.fetch("SELECT 1 FROM task_events") == []


async def test_a_parked_task_resumes_once_and_is_due_at_once(database: Database, rows: Rows, tasks: Tasks):
    task = await rows.insert("awaiting_batch", due=False, not_before="2030-01-01Z")
    async with database.as_fleet() as unit:
        assert [await store.resume(unit, task), await store.resume(unit, task)] == [True, False]
    assert await tasks.fetch("SELECT status, due, not_before = '-infinity' FROM tasks") == [
        ("pending", True, True)
    ]
    assert [event for event, *_ in await rows.log(TaskId(task))] == ["resumed"]
