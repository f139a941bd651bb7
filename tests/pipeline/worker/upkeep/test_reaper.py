"""Tasks of silent workers: found by their lease, by the server's clock alone, and taken back once."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
import pytest
from fixtures.people import FixedClock
from fixtures.queue_rows import Rows
from fixtures.worker import Tasks
from structlog.testing import capture_logs

from pipeline.worker.endings.parents import settle_parents
from pipeline.worker.upkeep import reaper, store
from pipeline.worker.upkeep.reaper import reap
from pipeline.worker.upkeep.store import Changed, Fate
from schema.db import Database, Unit
from schema.ids import AccountId, TaskId

WORKER = "11111111-1111-1111-1111-111111111111"
LONG_AGO = "2001-01-01Z"


@pytest.fixture
def told() -> list[Changed]:
    return []


@pytest.fixture
def sweep(database: Database, clock: FixedClock, told: list[Changed]):
    async def run(jitter: float = 0.5) -> list[TaskId]:
        return [task.id for task in await reap(database, clock, lambda: jitter, told.extend)]

    return run


async def lost(rows: Rows, *, times: int = 0, **columns: object) -> TaskId:
    """A running task whose lease ran out, and that was lost `times` before."""
    columns = {"lease_expires_at": LONG_AGO, "attempts": times + 1, **columns}
    task = await rows.insert("running", **columns)
    for attempt in range(1, times + 1):
        await rows._tasks.fetch(
            "INSERT INTO task_events (task_id, event, attempt) VALUES (%s, 'lost', %s)", task, attempt
        )
    return task


async def log(tasks: Tasks, task: TaskId):
    return await tasks.fetch(
        "SELECT event, attempt, worker, code FROM task_events WHERE task_id = %s ORDER BY id", task
    )


async def test_a_task_that_was_lost_once_is_due_at_once(sweep, rows: Rows, tasks: Tasks, account: AccountId):
    task = await lost(rows, account_id=account)
    assert await sweep() == [task]
    row = await tasks.row(task)
    assert (row.status, row.attempts, row.worker) == ("pending", 1, None)
    assert await tasks.fetch("SELECT due, lease_expires_at FROM tasks") == [(True, None)]
    assert await log(tasks, task) == [("lost", 1, UUID(WORKER), None)]


async def test_a_task_that_was_lost_before_waits_apart_from_its_neighbours(
    database: Database, clock: FixedClock, rows: Rows, tasks: Tasks
):
    neighbours = [await lost(rows, times=1) for _ in range(4)]
    draws = iter([0.0, 0.25, 0.5, 0.75])
    await reap(database, clock, lambda: next(draws), lambda _: None)
    waits = await tasks.fetch("SELECT due, not_before - %s FROM tasks ORDER BY not_before", clock.now())
    assert [due for due, _ in waits] == [False] * len(neighbours)
    assert [wait for _, wait in waits] == [timedelta(seconds=seconds) for seconds in (2, 6.5, 11, 15.5)]


async def test_after_the_last_try_it_has_failed(sweep, rows: Rows, tasks: Tasks, told: list[Changed]):
    task = await lost(rows, times=2, max_attempts=3)
    await sweep()
    row = await tasks.row(task)
    assert (row.status, row.failure_code, row.attempts) == ("failed", "lease_expired", 3)
    assert (await log(tasks, task))[-1] == ("failed", 3, UUID(WORKER), "lease_expired")
    assert [(change.status, change.failure_code) for change in told] == [("failed", "lease_expired")]


async def test_a_task_that_kills_its_worker_each_time_comes_to_an_end(
    sweep, rows: Rows, tasks: Tasks, clock: FixedClock
):
    task = await rows.insert("pending", max_attempts=5)
    claims = 0
    while (await tasks.row(task)).status == "pending":
        claims += 1
        await tasks.fetch(
            "UPDATE tasks SET status = 'running', worker = %s, lease_expires_at = %s, started_at = now(),"
            " claim_seq = claim_seq + 1, attempts = attempts + 1",
            WORKER,
            LONG_AGO,
        )
        await sweep()
    assert claims == 5
    assert (await tasks.row(task)).failure_code == "lease_expired"


async def test_what_is_told_names_the_task_and_its_account_and_is_committed(
    database: Database, clock: FixedClock, rows: Rows, account: AccountId, owner_url: str
):
    task = await lost(rows, account_id=account)
    seen: list[tuple[object, ...]] = []

    def look(changes: Sequence[Changed]) -> None:
        with psycopg.connect(owner_url) as connection:
            status = connection.execute("SELECT status FROM tasks").fetchone()
        seen.extend((change.id, change.account_id, change.kind, change.status, status) for change in changes)

    await reap(database, clock, lambda: 0.5, look)
    assert seen == [(task, account, "test.echo.v1", "pending", ("pending",))]


@pytest.mark.parametrize("minutes_off", [-10, 0, 10], ids=["slow", "right", "fast"])
async def test_the_process_clock_has_no_say_in_what_is_lost(
    database: Database, rows: Rows, tasks: Tasks, minutes_off: int
):
    clock = FixedClock(datetime.now(UTC) + timedelta(minutes=minutes_off))
    [(just, soon)] = await tasks.fetch(
        "SELECT clock_timestamp() - interval '1 ms', clock_timestamp() + interval '2 minutes'"
    )
    gone, held = await lost(rows, lease_expires_at=just), await lost(rows, lease_expires_at=soon)
    assert [task.id for task in await reap(database, clock, lambda: 0.5, lambda _: None)] == [gone]
    assert (await tasks.row(held)).status == "running"


async def test_a_frozen_process_clock_does_not_keep_a_lease_alive(
    sweep, rows: Rows, tasks: Tasks, clock: FixedClock
):
    frozen_at = clock.now()
    task = await lost(rows, times=1)
    assert await sweep() == [task]
    assert clock.now() == frozen_at
    assert await tasks.fetch("SELECT not_before > %s FROM tasks", frozen_at) == [(True,)]


async def test_a_row_somebody_holds_is_passed_over_and_a_renewed_lease_is_kept(
    sweep, rows: Rows, tasks: Tasks, owner_url: str
):
    held, free = await lost(rows), await lost(rows)
    async with await psycopg.AsyncConnection.connect(owner_url) as beat:
        await beat.execute(
            "UPDATE tasks SET lease_expires_at = now() + interval '1 h' WHERE id = %s", (held,)
        )
        assert await sweep() == [free]
        await beat.commit()
    assert await sweep() == []
    assert (await tasks.row(held)).status == "running"


@pytest.mark.parametrize(
    "since",
    [
        "lease_expires_at = now() + interval '1 h'",
        "claim_seq = claim_seq + 1",
        "status = 'done', outcome = 'done', finished_at = now(), worker = NULL, lease_expires_at = NULL",
    ],
    ids=["renewed", "claimed anew", "finished"],
)
async def test_the_write_looks_again(database: Database, rows: Rows, tasks: Tasks, since: str):
    task = await lost(rows)
    async with database.as_fleet() as unit:
        found = await store.lost(unit, [])
    await tasks.fetch(f"UPDATE tasks SET {since}")
    before = await tasks.fetch("SELECT tasks::text FROM tasks")
    async with database.as_fleet() as unit:
        assert await store.take_back(unit, [Fate(lost=found[0], is_failed=False)]) == []
    assert await tasks.fetch("SELECT tasks::text FROM tasks") == before
    assert await log(tasks, task) == []


async def test_many_are_taken_back_a_hundred_at_a_time(
    sweep, rows: Rows, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    await lost(rows)
    await more(tasks, 249)
    sizes: list[int] = []
    real = store.take_back

    async def counted(unit: Unit, fates: Sequence[Fate]) -> list[Changed]:
        sizes.append(len(fates))
        return await real(unit, fates)

    monkeypatch.setattr(store, "take_back", counted)
    assert len(await sweep()) == 250
    assert sizes == [100, 100, 50]


async def more(tasks: Tasks, count: int) -> None:
    await tasks.fetch(
        "INSERT INTO tasks (kind, payload, max_attempts, status, worker, claim_seq, attempts, started_at,"
        " lease_expires_at) SELECT kind, payload, max_attempts, status, worker, claim_seq, attempts,"
        " started_at, lease_expires_at FROM tasks, generate_series(1, %s)",
        count,
    )


async def test_reapers_at_the_same_time_take_each_task_once(
    database: Database, clock: FixedClock, rows: Rows, tasks: Tasks
):
    await lost(rows)
    await more(tasks, 299)
    passes = await asyncio.gather(*(reap(database, clock, lambda: 0.5, lambda _: None) for _ in range(4)))
    taken = [task.id for changes in passes for task in changes]
    assert len(taken) == len(set(taken)) == 300
    assert await tasks.fetch("SELECT count(*), count(DISTINCT task_id) FROM task_events") == [(300, 300)]


async def test_a_row_that_cannot_be_written_strands_no_other(
    sweep, rows: Rows, tasks: Tasks, told: list[Changed], monkeypatch: pytest.MonkeyPatch
):
    parent = await rows.insert("waiting")
    last = {"parent_id": parent, "max_attempts": 1}
    good, bad = await lost(rows, **last), await lost(rows, **last)
    others = [await lost(rows) for _ in range(3)]

    async def settle(unit: Unit, child: int) -> list[TaskId]:
        if child == bad:
            raise ZeroDivisionError
        return await settle_parents(unit, child)

    monkeypatch.setattr(reaper, "settle_parents", settle)
    with capture_logs() as events:
        assert sorted(await sweep()) == sorted([good, *others])
    assert [(event["task"], event["log_level"]) for event in events] == [(bad, "error")]
    assert ((await tasks.row(bad)).status, await log(tasks, bad)) == ("running", [])
    assert bad not in [change.id for change in told]
    monkeypatch.setattr(reaper, "settle_parents", settle_parents)
    assert await sweep() == [bad, parent]


async def test_the_last_child_that_is_lost_fails_its_waiting_parents(
    sweep, rows: Rows, tasks: Tasks, told: list[Changed], account: AccountId
):
    grandparent = await rows.insert("waiting", account_id=account)
    parent = await rows.insert("waiting", account_id=account, parent_id=grandparent)
    await rows.insert("done", account_id=account, parent_id=parent)
    child = await lost(rows, account_id=account, parent_id=parent, max_attempts=1)
    assert sorted(await sweep()) == sorted([child, parent, grandparent])
    for task in (child, parent, grandparent):
        row = await tasks.row(task)
        assert (row.status, row.failure_code) == ("failed", "lease_expired")
    assert {(change.id, change.account_id, change.status, change.was_lost) for change in told} == {
        (task, account, "failed", task == child) for task in (child, parent, grandparent)
    }


async def test_a_parent_with_an_open_child_goes_on_waiting(sweep, rows: Rows, tasks: Tasks):
    parent = await rows.insert("waiting")
    child = await lost(rows, parent_id=parent, max_attempts=1)
    await rows.insert("pending", parent_id=parent)
    assert await sweep() == [child]
    assert (await tasks.row(parent)).status == "waiting"


async def test_trouble_of_the_database_is_not_taken_for_a_bad_row(
    sweep, rows: Rows, monkeypatch: pytest.MonkeyPatch
):
    await lost(rows)

    async def cut_off(*_: object) -> list[store.Lost]:
        raise psycopg.errors.QueryCanceled

    monkeypatch.setattr(store, "lost", cut_off)
    with pytest.raises(psycopg.errors.QueryCanceled):
        await sweep()
