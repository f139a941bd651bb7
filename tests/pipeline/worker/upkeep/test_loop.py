"""Upkeep runs beside a worker: each duty by its own clock, and none ends because another met trouble."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import psycopg
import pytest
from fixtures.cutting import CUT
from fixtures.people import FixedClock
from fixtures.queue_rows import Rows
from fixtures.worker import QUICK, Tasks, until
from msgspec.structs import replace
from structlog.testing import capture_logs

from pipeline.worker.upkeep import loop, store
from pipeline.worker.upkeep.loop import Upkeep
from pipeline.worker.upkeep.store import Changed
from schema.clock import Clock, SystemClock
from schema.db import Database
from schema.ids import TaskId
from schema.settings import DatabaseSettings, WorkerSettings

KINDS = ["test.echo.v1"]
SLEEPY = replace(QUICK, lease_seconds=3000, poll_seconds=1000)
"""Nothing happens by itself but at the start."""
LOST = {"lease_expires_at": "2001-01-01Z"}
OLD = {"created_at": "2025-01-01Z", "finished_at": "2025-01-01Z"}


@asynccontextmanager
async def keeping(
    database: Database, clock: Clock, settings: WorkerSettings = QUICK, told=lambda _: None
) -> AsyncGenerator[Upkeep]:
    upkeep = Upkeep(database, clock, settings, KINDS, lambda: 0.5, told)
    running = asyncio.create_task(upkeep.run())
    try:
        yield upkeep
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait_for(running, 10)


async def is_due(tasks: Tasks, task: TaskId) -> bool | None:
    return (await tasks.fetch("SELECT due FROM tasks WHERE id = %s", task))[0][0] or None


async def is_gone(tasks: Tasks, task: TaskId) -> bool | None:
    return not await tasks.fetch("SELECT id FROM tasks WHERE id = %s", task) or None


async def test_lost_tasks_are_taken_back_again_and_again_and_told(
    database: Database, clock: FixedClock, rows: Rows, tasks: Tasks
):
    told: list[Changed] = []
    async with keeping(database, clock, told=told.extend):
        for _ in range(2):
            await tasks.until(await rows.insert("running", **LOST), "pending")
    assert [change.status for change in told] == ["pending", "pending"]


async def test_a_moved_clock_is_noticed_at_the_next_poll(
    database: Database, clock: FixedClock, rows: Rows, tasks: Tasks
):
    later = await rows.insert("pending", due=False, not_before=clock.now() + timedelta(hours=1))
    async with keeping(database, clock) as upkeep:
        upkeep.nudge()
        assert await is_due(tasks, later) is None
        clock.move(hours=1)
        await until(lambda: is_due(tasks, later), 10, "the row is due")


async def test_the_loop_wakes_for_the_next_due_row_before_its_poll(
    database: Database, rows: Rows, tasks: Tasks
):
    clock = SystemClock()
    soon = await rows.insert("pending", due=False, not_before=clock.now() + timedelta(seconds=0.3))
    async with keeping(database, clock, SLEEPY):
        await until(lambda: is_due(tasks, soon), 10, "the row is due")


async def test_more_rows_than_one_batch_come_due_at_one_poll(
    database: Database, clock: FixedClock, tasks: Tasks
):
    await tasks.fetch(
        "INSERT INTO tasks (kind, payload, max_attempts, due, not_before)"
        " SELECT 'test.echo.v1', '{}', 3, false, '2001-01-01Z' FROM generate_series(1, 2500)"
    )

    async def all_due() -> bool | None:
        return await tasks.fetch("SELECT id FROM tasks WHERE NOT due") == [] or None

    async with keeping(database, clock, SLEEPY):
        await until(all_due, 10, "every row is due")


async def test_old_rows_go_at_the_start_and_again_each_hour(
    database: Database, clock: FixedClock, rows: Rows, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(loop, "HOUR_SECONDS", 0.05)
    async with keeping(database, clock, SLEEPY):
        for _ in range(2):
            old = await rows.insert("done", **OLD)
            await until(lambda old=old: is_gone(tasks, old), 10, "the row went")


async def test_a_nudge_makes_every_duty_look_again(
    database: Database, clock: FixedClock, rows: Rows, tasks: Tasks
):
    first = await rows.insert("running", **LOST)
    async with keeping(database, clock, SLEEPY) as upkeep:
        await tasks.until(first, "pending")
        lost = await rows.insert("running", **LOST)
        late = await rows.insert("pending", due=False, not_before=clock.now())
        old = await rows.insert("done", **OLD)
        upkeep.nudge()
        await tasks.until(lost, "pending")
        await until(lambda: is_due(tasks, late), 10, "the row is due")
        await until(lambda: is_gone(tasks, old), 10, "the row went")


@pytest.mark.parametrize("error", [ZeroDivisionError, psycopg.errors.QueryCanceled])
@pytest.mark.parametrize("broken", ["lost", "promote", "stretch", "forget_workers"])
async def test_trouble_in_one_duty_is_said_and_ends_neither_it_nor_the_others(
    broken: str,
    error: type[Exception],
    database: Database,
    clock: FixedClock,
    rows: Rows,
    tasks: Tasks,
    monkeypatch: pytest.MonkeyPatch,
):
    lost = await rows.insert("running", **LOST)
    late = await rows.insert("pending", due=False, not_before=clock.now())
    old = await rows.insert("done", **OLD)
    real = getattr(store, broken)
    failed = asyncio.Event()

    async def fails_once(*args: object) -> object:
        if failed.is_set():
            return await real(*args)
        failed.set()
        raise error

    monkeypatch.setattr(store, broken, fails_once)
    with capture_logs() as events:
        async with keeping(database, clock, SLEEPY) as upkeep:
            await asyncio.wait_for(failed.wait(), 10)
            upkeep.nudge()
            await tasks.until(lost, "pending")
            await until(lambda: is_due(tasks, late), 10, "the row is due")
            await until(lambda: is_gone(tasks, old), 10, "the row went")
    assert len([event for event in events if event.get("duty")]) == 1


async def test_it_goes_on_when_its_connections_were_cut(
    database: Database, clock: FixedClock, rows: Rows, tasks: Tasks
):
    async with keeping(database, clock):
        for _ in range(3):
            await tasks.fetch(CUT)
            await tasks.until(await rows.insert("running", **LOST), "pending")


async def test_a_stop_at_any_moment_of_its_start_ends_it(
    database_settings: DatabaseSettings, empty_database: None, clock: FixedClock
):
    # A pool that grows just then can take a cancellation for itself.
    for steps in range(100):
        async with Database.opened(database_settings) as database, keeping(database, clock, SLEEPY):
            for _ in range(steps):
                await asyncio.sleep(0)
