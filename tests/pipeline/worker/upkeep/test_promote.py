"""Scheduled rows come due when their time has passed, bounded and earliest first."""

from datetime import timedelta

import psycopg
import pytest
from fixtures.people import FixedClock
from fixtures.queue_rows import Rows
from fixtures.worker import Tasks

from pipeline.worker.upkeep import store
from schema.db import Database
from schema.ids import TaskId
from schema.queue import WAKE_CHANNEL

KINDS = ["test.echo.v1", "test.slow.v1"]


@pytest.fixture
def scheduled(rows: Rows, clock: FixedClock):
    async def insert(seconds: float, kind: str = "test.echo.v1") -> TaskId:
        at = clock.now() + timedelta(seconds=seconds)
        return await rows.insert("pending", kind=kind, due=False, not_before=at)

    return insert


@pytest.fixture
def promote(database: Database, clock: FixedClock):
    async def run(at_once: int = 1_000) -> int:
        async with database.as_fleet() as unit:
            return await store.promote(unit, KINDS, clock.now(), at_once)

    return run


@pytest.fixture
def next_due(database: Database):
    async def ask():
        async with database.as_fleet() as unit:
            return await store.next_due(unit, KINDS)

    return ask


async def due(tasks: Tasks) -> list[TaskId]:
    return [row[0] for row in await tasks.fetch("SELECT id FROM tasks WHERE due ORDER BY id")]


async def test_rows_come_due_at_their_instant_and_not_before(scheduled, promote, tasks: Tasks):
    past, now = await scheduled(-60), await scheduled(0)
    await scheduled(0.000_001)
    assert await promote() == 2
    assert await due(tasks) == [past, now]


async def test_rows_of_foreign_kinds_are_left_to_who_knows_them(scheduled, promote, tasks: Tasks):
    await scheduled(-60, "test.foreign.v1")
    assert await promote() == 0
    assert await due(tasks) == []


async def test_only_pending_rows_come_due(promote, rows: Rows, tasks: Tasks):
    for status in ("running", "waiting", "awaiting_batch", "done", "failed", "cancelled"):
        await rows.insert(status, due=False, not_before="2001-01-01Z")
    assert await promote() == 0


async def test_a_batch_takes_the_earliest_of_all_kinds(scheduled, promote, tasks: Tasks):
    made = [await scheduled(-60 + number, KINDS[number % 2]) for number in range(25)]
    assert await promote(10) == 10
    assert await due(tasks) == made[:10]
    assert [await promote(10), await promote(10)] == [10, 5]


async def test_locked_rows_are_passed_over(scheduled, promote, tasks: Tasks, owner_url: str):
    locked, free = await scheduled(-60), await scheduled(-60)
    async with await psycopg.AsyncConnection.connect(owner_url) as other:
        await other.execute("SELECT FROM tasks WHERE id = %s FOR UPDATE", (locked,))
        assert await promote() == 1
        assert await due(tasks) == [free]
    assert await promote() == 1


async def test_workers_are_woken_when_rows_came_due(scheduled, promote, owner_url: str):
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as listener:
        await listener.execute(f"LISTEN {WAKE_CHANNEL}")
        await scheduled(-1)
        await promote()
        heard = [note.channel async for note in listener.notifies(timeout=10, stop_after=1)]
    assert heard == [WAKE_CHANNEL]


async def test_the_next_due_row_is_the_earliest_scheduled_one(
    scheduled, promote, next_due, clock: FixedClock
):
    assert await next_due() is None
    await scheduled(7, "test.slow.v1")
    await scheduled(9)
    await scheduled(3, "test.foreign.v1")
    await scheduled(-1)
    await promote()
    assert await next_due() == clock.now() + timedelta(seconds=7)


async def test_a_row_that_never_comes_due_hides_no_other(next_due, rows: Rows, clock: FixedClock, scheduled):
    await rows.insert("pending", due=False, not_before="infinity")
    assert await next_due() is None
    await scheduled(5, "test.slow.v1")
    assert await next_due() == clock.now() + timedelta(seconds=5)
    await rows.insert("pending", due=False, not_before="-infinity")
    assert (await next_due()) < clock.now()
