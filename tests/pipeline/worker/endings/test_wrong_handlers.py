"""Handlers that end as none should: the task ends by their fault, and no lease is kept for nobody."""

import asyncio
from typing import Any

import pytest
from fixtures.people import FixedClock
from fixtures.worker import Echo, Tasks, until, working

from pipeline.worker.types import Done, TaskRun
from schema.db import Database, Unit
from schema.ids import AccountId, TaskId
from schema.queue import enqueue


class Panic(BaseException):
    """As libraries written in another language raise it: no `Exception`."""


ERRORS = {"exit": SystemExit(3), "interrupt": KeyboardInterrupt(), "panic": Panic("x")}


async def ask(database: Database, account: AccountId, word: str = "echo") -> TaskId:
    async with database.as_account(account) as unit:
        task = await enqueue(unit, Echo(word=word))
    assert task is not None
    return task


async def tried(tasks: Tasks, task: TaskId) -> tuple[str, str]:
    """How the task stands and the code in its log, once the first try is over."""

    async def over():
        rows = await tasks.fetch(
            "SELECT tasks.status, code FROM tasks JOIN task_events ON task_id = tasks.id"
            " WHERE tasks.id = %s AND status <> 'running'",
            task,
        )
        return rows[0] if rows else None

    return await until(over, 10, "the try is over")


async def has_free_hands(worker: Any) -> bool:
    async def idle():
        return (worker._slots.in_hand == 0 and not worker._heartbeat.held_ids) or None

    return await until(idle, 10, "nothing is in hand")


def told(worker: Any) -> None:
    """Raises what would have ended the worker's telling of pages."""
    worker._announcer.flush()


def leave_refused_ends(worker: Any) -> None:
    """What the common statement refuses is not written singly either."""

    def ignore(_: object) -> None: ...

    worker._end_singly = ignore


@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
async def test_what_is_no_exception_is_the_handlers_fault_and_ends_no_worker(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, error: BaseException
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        if payload.word == "bad":
            raise error
        return Done()

    bad, good = await ask(database, account, "bad"), await ask(database, account)
    async with working(database, clock, Echo=echo) as worker:
        assert await tried(tasks, bad) == ("pending", "handler_error")
        await tasks.until(good, "done")
        assert await has_free_hands(worker)


@pytest.mark.parametrize("error", [*ERRORS.values(), asyncio.CancelledError()], ids=[*ERRORS, "cancellation"])
async def test_an_effect_that_raises_no_exception_ends_its_try(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, error: BaseException
):
    async def effect(unit: Unit) -> None:
        raise error

    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done("read", effect)

    task = await ask(database, account)
    async with working(database, clock, Echo=echo) as worker:
        assert await tried(tasks, task) == ("pending", "handler_error")
        assert await has_free_hands(worker)


async def test_a_stop_uses_up_no_try_whatever_a_handler_makes_of_it(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise RuntimeError("interrupted") from None
        return Done()

    task = await ask(database, account)
    async with working(database, clock, Echo=echo):
        await tasks.until(task, "running")
    row = await tasks.row(task)
    assert (row.status, row.attempts) == ("pending", 0)
    assert await tasks.fetch("SELECT 1 FROM task_events") == []


@pytest.mark.parametrize("outcome", [None, "done", Done, 3], ids=repr)
async def test_what_is_no_outcome_is_the_handlers_fault(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, outcome: Any
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        return outcome

    task = await ask(database, account)
    async with working(database, clock, Echo=echo):
        assert await tried(tasks, task) == ("pending", "handler_error")


@pytest.mark.parametrize("number", [1.5, 2**63, "x", None, True, float("nan")], ids=repr)
async def test_progress_that_is_no_whole_number_is_the_handlers_fault_and_never_kept(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, number: Any
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        await run.progress(number)
        return Done()

    task = await ask(database, account)
    async with working(database, clock, Echo=echo):
        assert await tried(tasks, task) == ("pending", "handler_error")
    assert await tasks.fetch("SELECT progress FROM tasks") == [(None,)]


UNREADABLE = {
    "deep": '{"word": ' + "[" * 2_000 + "]" * 2_000 + "}",
    "too large": '{"word": 1e9999}',
    "no id": '{"word": "x", "source_id": 99999999999999999999999}',
}


@pytest.mark.parametrize("payload", UNREADABLE.values(), ids=UNREADABLE)
async def test_a_payload_that_nothing_can_read_fails_at_once_and_pages_hear_on(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, payload: str
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        raise AssertionError("entered")

    task = await ask(database, account)
    await tasks.fetch("UPDATE tasks SET payload = %s::jsonb WHERE id = %s", payload, task)
    async with working(database, clock, Echo=echo) as worker:
        row = await tasks.until(task, "failed")
        assert (row.failure_code, row.attempts) == ("invalid_payload", 1)
        told(worker)


async def test_a_good_end_may_say_null(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done("null")

    task = await ask(database, account)
    async with working(database, clock, Echo=echo) as worker:
        leave_refused_ends(worker)
        assert (await tasks.until(task, "done")).outcome == "null"
