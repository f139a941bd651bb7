"""The worker on a real queue: endings, fences, leases, and a clean stop."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import psycopg
import pytest
from fixtures.cutting import CUT
from fixtures.people import FixedClock
from fixtures.worker import QUICK, Echo, Slow, Tasks, until, working

from pipeline.worker.claims import store as claims
from pipeline.worker.types import Deferred, Done, Permanent, TaskProgress, TaskRun, Transient
from pipeline.worker.upkeep import store as reaping
from schema.db import Database
from schema.ids import AccountId
from schema.queue import CLICKED, enqueue


async def ask(database: Database, account: AccountId, payload=None, **options) -> int:
    async with database.as_account(account) as unit:
        task_id = await enqueue(unit, payload or Echo(), **options)
    assert task_id is not None
    return task_id


async def test_a_finished_task_says_how(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        assert run.account_id == account
        return Done(payload.word)

    task_id = await ask(database, account, Echo(word="heard"))
    async with working(database, clock, Echo=echo):
        row = await tasks.until(task_id, "done")
    assert (row.outcome, row.attempts, row.worker) == ("heard", 1, None)


async def test_a_passing_trouble_is_tried_again_later_each_time_and_ends(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def trouble(run: TaskRun, payload: Echo) -> Done:
        raise Transient

    task_id = await ask(database, account)
    async with working(database, clock, Echo=trouble):
        row = await until(lambda: tried(tasks, task_id, 1), 10, "first try")
        assert row.status == "pending"
        clock.move(seconds=1)
        await asyncio.sleep(QUICK.poll_seconds * 3)  # a poll or three go by without a claim: it is not due
        assert (await tasks.row(task_id)).attempts == 1
        clock.move(seconds=1)
        await until(lambda: tried(tasks, task_id, 2), 10, "second try")
        clock.move(hours=1)
        row = await tasks.until(task_id, "failed")
    assert (row.failure_code, row.attempts) == ("attempts_exhausted", 3)


async def tried(tasks: Tasks, task_id: int, times: int):
    row = await tasks.row(task_id)
    return row if row.attempts == times and row.status == "pending" else None


@pytest.mark.parametrize(
    ("error", "code"),
    [(Permanent("archive_unreadable"), "archive_unreadable"), (KeyError("x"), None)],
    ids=["permanent", "fault"],
)
async def test_a_permanent_failure_is_not_tried_again_and_a_fault_is(
    database: Database,
    account: AccountId,
    clock: FixedClock,
    tasks: Tasks,
    error: Exception,
    code: str | None,
):
    async def fail(run: TaskRun, payload: Echo) -> Done:
        raise error

    task_id = await ask(database, account)
    async with working(database, clock, Echo=fail):
        if code:
            row = await tasks.until(task_id, "failed")
            assert (row.failure_code, row.attempts) == (code, 1)
        else:
            await until(lambda: tried(tasks, task_id, 1), 10, "first try")
            for _ in range(2):
                clock.move(hours=1)
                await asyncio.sleep(0)
            row = await until(lambda: moved_on(tasks, clock, task_id), 10, "failed")
            assert row.failure_code == "handler_error"


async def moved_on(tasks: Tasks, clock: FixedClock, task_id: int):
    clock.move(hours=1)
    row = await tasks.row(task_id)
    return row if row.status == "failed" else None


async def test_a_deferral_gives_the_try_back(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    seen: list[int] = []

    async def later(run: TaskRun, payload: Echo) -> Done:
        seen.append(run.attempt)
        if len(seen) == 1:
            raise Deferred(clock.now().replace(hour=23))
        return Done()

    task_id = await ask(database, account)
    async with working(database, clock, Echo=later):
        await until(lambda: deferred(tasks, task_id), 10, "deferred")
        clock.move(hours=15)
        await tasks.until(task_id, "done")
    assert seen == [1, 1]


async def deferred(tasks: Tasks, task_id: int):
    row = await tasks.row(task_id)
    return row if (row.status, row.claim_seq, row.attempts) == ("pending", 1, 0) else None


async def test_a_payload_that_does_not_fit_fails_without_entering_the_handler(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    entered: list[object] = []

    async def never(run: TaskRun, payload: Echo) -> Done:
        entered.append(payload)
        return Done()

    rows = await tasks.fetch(
        "INSERT INTO tasks (account_id, kind, payload, max_attempts)"
        " VALUES (%s, 'test.echo.v1', '{\"word\": 3, \"extra\": 1}', 3) RETURNING id",
        account,
    )
    async with working(database, clock, Echo=never):
        row = await tasks.until(rows[0][0], "failed")
    assert (row.failure_code, row.attempts, entered) == ("invalid_payload", 1, [])


async def test_a_handler_that_runs_too_long_is_stopped(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def forever(run: TaskRun, payload: Slow) -> Done:
        await asyncio.Event().wait()
        return Done()

    task_id = await ask(database, account, Slow())
    async with working(database, clock, Slow=forever):
        await until(lambda: tried(tasks, task_id, 1), 10, "first try")
        clock.move(hours=1)
        row = await tasks.until(task_id, "failed")
    assert row.failure_code == "deadline_exceeded"


async def test_an_unknown_kind_stays_pending(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done()

    unknown = await ask(database, account, Slow())
    known = await ask(database, account, Echo())
    async with working(database, clock, Echo=echo):
        await tasks.until(known, "done")
        assert (await tasks.row(unknown)).status == "pending"


async def test_one_unfinished_task_a_key_and_keys_belong_to_an_account(
    database: Database, account: AccountId, other_account: AccountId
):
    await ask(database, account, dedupe_key="k")
    async with database.as_account(account) as unit:
        assert await enqueue(unit, Echo(), dedupe_key="k") is None
    await ask(database, other_account, dedupe_key="k")
    async with database.as_fleet() as unit:
        assert await enqueue(unit, Echo(), dedupe_key="k") is not None
    async with database.as_fleet() as unit:
        assert await enqueue(unit, Echo(), dedupe_key="k") is None


async def test_what_a_person_waits_for_goes_first(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    order: list[str] = []

    async def note(run: TaskRun, payload: Echo) -> Done:
        order.append(payload.word)
        return Done()

    for number in range(5):
        await ask(database, account, Echo(word=f"ordinary{number}"))
    last = await ask(database, account, Echo(word="clicked"), priority=CLICKED)
    one_slot = type(QUICK)(slots=1, lease_seconds=1.5, poll_seconds=0.05)
    async with working(database, clock, one_slot, Echo=note):
        await tasks.until(last, "done")
    assert order[0] == "clicked"


async def test_a_handler_that_blocks_the_loop_for_three_leases_keeps_its_lease(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    runs: list[int] = []

    async def block(run: TaskRun, payload: Echo) -> Done:
        runs.append(run.attempt)
        time.sleep(QUICK.lease_seconds * 3)  # noqa: ASYNC251 - the fault this test is about
        return Done()

    task_id = await ask(database, account)
    async with working(database, clock, Echo=block):
        row = await tasks.until(task_id, "done", seconds=20)
    assert (runs, row.claim_seq) == ([1], 1)


async def test_a_lost_lease_cancels_the_handler_and_writes_nothing(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def wait(run: TaskRun, payload: Echo) -> Done:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return Done()

    task_id = await ask(database, account)
    async with working(database, clock, Echo=wait):
        await asyncio.wait_for(started.wait(), 10)
        # another worker took it over: the claim number moved on
        await tasks.fetch(
            "UPDATE tasks SET claim_seq = claim_seq + 1, worker = gen_random_uuid(),"
            " lease_expires_at = now() + interval '1 hour' WHERE id = %s",
            task_id,
        )
        await asyncio.wait_for(cancelled.wait(), 10)
    row = await tasks.row(task_id)
    assert (row.status, row.claim_seq, row.attempts) == ("running", 2, 1)


async def test_a_late_ending_is_refused_by_the_fence(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def overtaken(run: TaskRun, payload: Echo) -> Done:
        await tasks.fetch("UPDATE tasks SET lease_expires_at = now() WHERE id = %s", run.task_id)
        return Done("too_late")

    task_id = await ask(database, account)
    patient = type(QUICK)(slots=1, lease_seconds=30, poll_seconds=0.05)
    async with working(database, clock, patient, Echo=overtaken):
        await until(lambda: expired(tasks, task_id), 10, "the handler ran")
    row = await tasks.row(task_id)
    assert (row.status, row.outcome) == ("running", None)


async def expired(tasks: Tasks, task_id: int):
    rows = await tasks.fetch("SELECT 1 FROM tasks WHERE id = %s AND lease_expires_at <= now()", task_id)
    return rows or None


async def test_the_reaper_takes_back_what_a_silent_worker_held(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done()

    orphan = await ask(database, account)
    spent = await ask(database, account)
    await tasks.fetch(
        "UPDATE tasks SET status = 'running', worker = gen_random_uuid(), claim_seq = 1, started_at = now(),"
        " attempts = CASE WHEN id = %s THEN max_attempts ELSE 1 END,"
        " lease_expires_at = now() - interval '1 second'",
        spent,
    )
    async with working(database, clock, Echo=echo):
        assert (await tasks.until(orphan, "done")).attempts == 2
        assert (await tasks.until(spent, "failed")).failure_code == "lease_expired"


async def test_a_statement_that_was_cut_off_ends_neither_the_reaper_nor_the_claims(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done()

    cut = {"lost", "survey", "step", "take_back"}
    for module, name in [(reaping, "lost"), (reaping, "take_back"), (claims, "survey"), (claims, "step")]:
        monkeypatch.setattr(module, name, cut_off_once(getattr(module, name), name, cut))
    orphan = await ask(database, account)
    await tasks.fetch(
        "UPDATE tasks SET status = 'running', worker = gen_random_uuid(), claim_seq = 1, started_at = now(),"
        " attempts = 1, lease_expires_at = now() - interval '1 second'"
    )
    async with working(database, clock, Echo=echo):
        assert (await tasks.until(orphan, "done")).attempts == 2
    assert not cut


def cut_off_once(real: Callable[..., Awaitable[object]], name: str, cut: set[str]):
    async def statement(*args: object, **options: object) -> object:
        if name in cut:
            cut.discard(name)
            raise psycopg.errors.QueryCanceled
        return await real(*args, **options)

    return statement


async def test_a_stop_hands_running_work_back_with_its_try(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    started = asyncio.Event()

    async def wait(run: TaskRun, payload: Echo) -> Done:
        started.set()
        await asyncio.Event().wait()
        return Done()

    task_id = await ask(database, account)
    async with working(database, clock, Echo=wait):
        await asyncio.wait_for(started.wait(), 10)
    row = await tasks.row(task_id)
    assert (row.status, row.attempts, row.worker) == ("pending", 0, None)
    left = await tasks.fetch("SELECT count(*) FROM workers WHERE stopped_at IS NOT NULL")
    assert left == [(1,)]


async def test_progress_moves_its_time_only_when_it_moves(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    times: list[object] = []

    async def report(run: TaskRun, payload: Echo) -> Done:
        for done in (1, 1, 2):
            await run.report(TaskProgress(done=done, total=2))
            times.extend(await tasks.fetch("SELECT progress_at FROM tasks WHERE id = %s", run.task_id))
        return Done()

    task_id = await ask(database, account)
    async with working(database, clock, Echo=report):
        await tasks.until(task_id, "done")
    assert times[0] == times[1] != times[2]


async def test_cut_connections_lose_nothing(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    async def echo(run: TaskRun, payload: Echo) -> Done:
        return Done()

    async with working(database, clock, Echo=echo):
        for _ in range(5):
            await tasks.fetch(CUT)
            task_id = await ask(database, account)
            await tasks.until(task_id, "done")
