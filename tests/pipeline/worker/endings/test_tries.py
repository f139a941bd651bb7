"""What a handler, its thread and its effect may do in one try, and how the task stands then."""

import asyncio
import threading
from datetime import datetime

import psycopg
import pytest
from fixtures.people import FixedClock
from fixtures.worker import QUICK, Echo, Slow, Tasks, until, working
from msgspec.structs import replace

from pipeline.worker.claims.types import Fence
from pipeline.worker.heartbeat import Heartbeat
from pipeline.worker.types import Deferred, Done, Parked, Permanent, Split, TaskRun, Transient
from schema.db import Database, Unit
from schema.ids import AccountId, TaskId
from schema.queue import Wanted, enqueue
from schema.tasks import Payload

ONE_SLOT = replace(QUICK, slots=1)


async def ask(database: Database, account: AccountId, payload: Payload | None = None) -> TaskId:
    async with database.as_account(account) as unit:
        task = await enqueue(unit, payload or Echo())
    assert task is not None
    return task


async def tried(tasks: Tasks, task: TaskId, times: int = 1) -> tuple[str, str | None]:
    """The status and the latest code in the log, once a try is over."""

    async def over():
        rows = await tasks.fetch(
            "SELECT status, coalesce(failure_code, (SELECT code FROM task_events WHERE task_id = tasks.id"
            " ORDER BY id DESC LIMIT 1)) FROM tasks WHERE id = %s AND status <> 'running' AND attempts >= %s",
            task,
            times,
        )
        return rows[0] if rows else None

    return await until(over, 10, "the try is over")


EFFECTS: dict[str, tuple[Exception, tuple[str, str | None]]] = {
    "passing": (Transient("unreachable"), ("pending", "unreachable")),
    "final": (Permanent("source_missing"), ("failed", "source_missing")),
    "fault": (ZeroDivisionError(), ("pending", "handler_error")),
    "refused": (psycopg.errors.UniqueViolation(), ("pending", "handler_error")),
    "cut off": (psycopg.errors.QueryCanceled(), ("pending", "database_trouble")),
}


@pytest.mark.parametrize(("error", "stands"), EFFECTS.values(), ids=EFFECTS)
async def test_an_effect_that_raises_ends_the_try_by_the_errors_type(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, error: Exception, stands
):
    async def effect(unit: Unit) -> None:
        await enqueue(unit, Slow())
        raise error

    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done("read", effect)

    task = await ask(database, account)
    async with working(database, clock, Echo=echo):
        assert await tried(tasks, task) == stands
    assert await tasks.fetch("SELECT count(*) FROM tasks") == [(1,)]


def test_a_task_is_put_off_until_a_time_that_means_one_thing():
    with pytest.raises(ValueError, match="zone"):
        Deferred(datetime(2026, 3, 1))  # noqa: DTZ001 - a time without a zone is what is refused


async def test_an_effect_may_put_the_task_off(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def later(unit: Unit) -> None:
        raise Deferred(clock.now().replace(hour=23))

    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done("read", later)

    task = await ask(database, account)
    async with working(database, clock, Echo=echo):
        assert await tried(tasks, task, times=0) == ("pending", None)


@pytest.mark.parametrize("word", ["All good!", "", "x" * 101])
async def test_a_word_the_queue_cannot_keep_is_the_handlers_fault_and_stops_nobody_else(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, word: str
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done(payload.word)

    bad, good = await ask(database, account, Echo(word=word)), await ask(database, account)
    async with working(database, clock, ONE_SLOT, Echo=echo):
        assert await tried(tasks, bad) == ("pending", "handler_error")
        await tasks.until(good, "done")


async def test_a_cancellation_nobody_asked_for_is_the_handlers_fault(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        inner = asyncio.ensure_future(asyncio.sleep(60))
        inner.cancel()
        await inner
        return Done()

    task = await ask(database, account)
    async with working(database, clock, Echo=echo):
        assert await tried(tasks, task) == ("pending", "handler_error")


async def test_a_note_of_progress_may_hold_any_text(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        await run.progress(1, 2, "a\x00b\ud800c" + "x" * 10_000)
        return Done()

    task = await ask(database, account)
    async with working(database, clock, Echo=echo):
        await tasks.until(task, "done")
    [(note,)] = await tasks.fetch("SELECT progress->>'note' FROM tasks")
    assert note.startswith("abcx")
    assert len(note) <= 500


async def test_a_lowered_number_of_tries_is_met_without_entering_the_handler(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    entered: list[int] = []

    async def echo(run: TaskRun, payload: Echo) -> Done:
        entered.append(run.attempt)
        return Done()

    task = await ask(database, account)
    await tasks.fetch("UPDATE tasks SET attempts = 3, max_attempts = 2")
    async with working(database, clock, Echo=echo):
        assert (await tasks.until(task, "failed")).failure_code == "attempts_exhausted"
    assert entered == []


async def test_a_task_whose_lease_is_nearly_over_is_not_started(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    entered: list[int] = []
    unsafe: list[int] = []
    real = Heartbeat.is_safe

    def is_safe(self: Heartbeat, fence: Fence) -> bool:
        if unsafe:
            return real(self, fence)
        unsafe.append(fence.id)
        return False

    async def echo(run: TaskRun, payload: Echo) -> Done:
        entered.append(run.attempt)
        return Done()

    monkeypatch.setattr(Heartbeat, "is_safe", is_safe)
    task = await ask(database, account)
    async with working(database, clock, Echo=echo):
        assert (await tasks.until(task, "done")).attempts == 2
    assert (unsafe, entered) == ([task], [2])


async def test_a_good_end_after_the_time_was_over_is_too_late(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def stubborn(run: TaskRun, payload: Slow) -> Done:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return Done("after_all")
        return Done()

    task = await ask(database, account, Slow())
    async with working(database, clock, Slow=stubborn):
        assert await tried(tasks, task) == ("pending", "deadline_exceeded")


async def test_a_thread_that_outlives_its_time_keeps_its_slot_and_its_lease(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    go_on, began = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    ran: list[str] = []

    def work() -> None:
        loop.call_soon_threadsafe(began.set)
        go_on.wait(20)
        ran.append("thread")

    async def slow(run: TaskRun, payload: Slow) -> Done:
        await run.thread(work)
        return Done()

    async def echo(run: TaskRun, payload: Echo) -> Done:
        ran.append("neighbour")
        return Done()

    task, neighbour = await ask(database, account, Slow()), await ask(database, account)
    async with working(database, clock, ONE_SLOT, Slow=slow, Echo=echo):
        await asyncio.wait_for(began.wait(), 10)
        await until(lambda: renewed(tasks, task), 10, "the lease lives on past three of its own length")
        assert (await tasks.row(neighbour)).status == "pending"
        assert (await tasks.row(task)).status == "running"
        go_on.set()
        assert await tried(tasks, task) == ("pending", "deadline_exceeded")
        await tasks.until(neighbour, "done")
    assert ran == ["thread", "neighbour"]


async def renewed(tasks: Tasks, task: TaskId):
    rows = await tasks.fetch(
        "SELECT 1 FROM tasks WHERE id = %s AND lease_expires_at > started_at + %s * interval '1 second'",
        task,
        QUICK.lease_seconds * 3,
    )
    return rows or None


async def test_a_thread_of_a_lost_task_runs_out_before_the_next_try_starts_here(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    go_on, began = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    side_by_side: list[int] = []
    inside = 0

    def work() -> None:
        nonlocal inside
        inside += 1
        side_by_side.append(inside)
        loop.call_soon_threadsafe(began.set)
        go_on.wait(20)
        inside -= 1

    async def slow(run: TaskRun, payload: Echo) -> Done:
        await run.thread(work)
        return Done("read")

    task = await ask(database, account)
    async with working(database, clock, ONE_SLOT, Echo=slow) as worker:
        await asyncio.wait_for(began.wait(), 10)
        await tasks.fetch("UPDATE tasks SET lease_expires_at = clock_timestamp() - interval '1 second'")
        await until(lambda: lost(worker), 10, "the worker knows that it lost the task")
        go_on.set()
        assert (await tasks.until(task, "done")).attempts == 2
    assert side_by_side == [1, 1]


async def lost(worker):
    return any(held.is_lost for held in worker._slots.held()) or None


async def test_an_end_that_was_overtaken_is_not_written(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    """The lease is lost while the effect runs: the effect is rolled back, the new holder's row stays."""

    async def effect(unit: Unit) -> None:
        await enqueue(unit, Slow())
        assert await tasks.fetch("SELECT 1 FROM tasks WHERE kind = 'test.slow.v1'") == []

    async def overtaken(run: TaskRun, payload: Echo) -> Done:
        await tasks.fetch(
            "UPDATE tasks SET claim_seq = claim_seq + 1, worker = gen_random_uuid(),"
            " lease_expires_at = now() + interval '1 hour'"
        )
        ended.set()
        return Done("read", effect)

    ended = asyncio.Event()
    task = await ask(database, account)
    async with working(database, clock, Echo=overtaken) as worker:
        await asyncio.wait_for(ended.wait(), 10)
        await until(lambda: idle(worker), 10, "the worker let go of it")
    assert await tasks.fetch("SELECT status, claim_seq, outcome FROM tasks") == [("running", 2, None)]
    assert (await tasks.row(task)).attempts == 1


async def idle(worker):
    return (worker._slots.in_hand == 0 and not worker._heartbeat.held_ids) or None


async def test_a_handler_can_split_and_park(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def divide(run: TaskRun, payload: Slow) -> Split:
        return Split([Wanted(payload=Echo(word="a")), Wanted(payload=Echo(word="b"))])

    async def echo(run: TaskRun, payload: Echo) -> Done | Parked:
        return Parked() if payload.word == "echo" else Done(payload.word)

    whole, parked = await ask(database, account, Slow()), await ask(database, account)
    async with working(database, clock, Slow=divide, Echo=echo):
        assert (await tasks.until(whole, "done")).outcome == "children_done"
        assert (await tasks.until(parked, "awaiting_batch")).attempts == 0
