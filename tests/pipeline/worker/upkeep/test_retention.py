"""What is forgotten, when, how much at a time, and what stays."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from fixtures.people import FixedClock
from fixtures.queue_rows import Rows
from fixtures.worker import Tasks
from structlog.testing import capture_logs

from pipeline.worker.upkeep import store
from pipeline.worker.upkeep.retention import Retention
from pipeline.worker.upkeep.rules import KEPT
from schema import db
from schema.db import Database, Unit
from schema.ids import TaskId
from schema.settings import DatabaseSettings

INSTANT = timedelta(microseconds=1)
LONG_AGO = {"created_at": "2025-01-01Z", "finished_at": "2025-01-01Z"}


@pytest.fixture
def retention(database: Database, clock: FixedClock) -> Retention:
    return Retention(database, clock)


async def left(tasks: Tasks) -> list[TaskId]:
    return [row[0] for row in await tasks.fetch("SELECT id FROM tasks ORDER BY id")]


async def many(tasks: Tasks, count: int, status: str = "done", at: str = "2025-01-01Z") -> None:
    await tasks.fetch(
        "INSERT INTO tasks"
        " (kind, payload, max_attempts, status, outcome, failure_code, created_at, finished_at)"
        " SELECT 'test.echo.v1', '{}', 3, %s, %s, %s, %s, %s FROM generate_series(1, %s)",
        status,
        "done" if status == "done" else None,
        "handler_error" if status == "failed" else None,
        at,
        at,
        count,
    )


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Europe/Berlin"])
async def test_the_ninetieth_day_is_exact_in_every_time_zone(
    zone: str,
    database_settings: DatabaseSettings,
    empty_database: None,
    rows: Rows,
    tasks: Tasks,
    monkeypatch: pytest.MonkeyPatch,
):
    real = db.session_options
    monkeypatch.setattr(db, "session_options", lambda s: real(s).replace("timezone=UTC", f"timezone={zone}"))
    clock = FixedClock(
        datetime(2026, 4, 15, 1, 30, tzinfo=UTC)
    )  # Berlin's clocks were put forward in between
    cutoff = clock.now() - timedelta(days=90)
    ages = [
        cutoff - timedelta(hours=1),
        cutoff - INSTANT,
        cutoff,
        cutoff + INSTANT,
        cutoff + timedelta(hours=1),
    ]
    made = [await rows.insert("done", created_at=age, finished_at=age) for age in ages]
    async with Database.opened(database_settings) as database:
        assert await Retention(database, clock).run() == 2
    assert await left(tasks) == made[2:]


async def test_old_rows_go_a_hundred_at_a_time(
    retention: Retention, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    await many(tasks, 250)
    sizes: list[int] = []
    real = store.forget

    async def counted(unit: Unit, ids: Sequence[TaskId], cutoff: datetime) -> int:
        sizes.append(len(ids))
        return await real(unit, ids, cutoff)

    monkeypatch.setattr(store, "forget", counted)
    assert await retention.run() == 250
    assert sizes == [100, 100, 50]
    assert await retention.run() == 0


async def test_locked_rows_are_passed_over_and_taken_the_next_time(
    retention: Retention, rows: Rows, tasks: Tasks, owner_url: str
):
    locked, free = await rows.insert("done", **LONG_AGO), await rows.insert("cancelled", **LONG_AGO)
    async with await psycopg.AsyncConnection.connect(owner_url) as other:
        await other.execute("SELECT FROM tasks WHERE id = %s FOR KEY SHARE", (locked,))
        assert await retention.run() == 1
        assert await left(tasks) == [locked]
    assert free not in await left(tasks)
    assert await retention.run() == 1


@pytest.mark.parametrize("status", ["pending", "running", "waiting", "awaiting_batch", "failed"])
async def test_what_did_not_end_well_stays(status: str, retention: Retention, rows: Rows, tasks: Tasks):
    task = await rows.insert(status, created_at="2025-01-01Z")
    assert await retention.run() == 0
    assert await left(tasks) == [task]


async def test_replayed_tasks_and_their_replays_stay(retention: Retention, rows: Rows, tasks: Tasks):
    failed = await rows.insert("failed", **LONG_AGO)
    await rows.replay_of(failed, "done")
    await tasks.fetch("UPDATE tasks SET created_at = '2025-01-01Z', finished_at = '2025-01-01Z'")
    assert await retention.run() == 0
    assert len(await left(tasks)) == 2


async def test_a_parent_goes_after_its_children(retention: Retention, rows: Rows, tasks: Tasks):
    parent = await rows.insert("done", **LONG_AGO)
    children = [await rows.insert("done", parent_id=parent, **LONG_AGO) for _ in range(2)]
    young = await rows.insert("done", parent_id=parent, created_at="2025-01-01Z")
    assert await retention.run() == len(children)
    assert await left(tasks) == [parent, young]
    await tasks.fetch("UPDATE tasks SET finished_at = '2025-01-01Z' WHERE id = %s", young)
    assert await retention.run() == 1
    assert await retention.run() == 1
    assert await left(tasks) == []


@pytest.mark.parametrize("status", ["pending", "running", "waiting", "awaiting_batch"])
async def test_a_child_stays_while_its_parent_is_unfinished(
    status: str, retention: Retention, rows: Rows, tasks: Tasks
):
    parent = await rows.insert(status, created_at="2025-01-01Z")
    child = await rows.insert("done", parent_id=parent, **LONG_AGO)
    assert await retention.run() == 0
    assert await left(tasks) == [parent, child]


async def test_what_the_log_says_of_a_task_goes_with_it(retention: Retention, rows: Rows, tasks: Tasks):
    task = await rows.insert("done", **LONG_AGO)
    await tasks.fetch("INSERT INTO task_events (task_id, event, attempt) VALUES (%s, 'retried', 1)", task)
    assert await retention.run() == 1
    assert await tasks.fetch("SELECT count(*) FROM task_events") == [(0,)]


def ticking(seconds: float) -> Callable[[], float]:
    """A monotonic clock that has moved on by `seconds` each time it is asked."""
    at = 0.0

    def now() -> float:
        nonlocal at
        at += seconds
        return at

    return now


async def test_a_run_ends_after_five_seconds_and_the_next_goes_on_from_there(
    database: Database, clock: FixedClock, tasks: Tasks
):
    await many(tasks, 900)
    retention = Retention(database, clock, monotonic=ticking(1.0))
    gone = [await retention.run()]
    while (after := await left(tasks)) and len(gone) < 20:
        gone.append(await retention.run())
        assert (await left(tasks))[:1] != after[:1]
    assert sum(gone) == 900
    assert max(gone) <= 200


async def test_rows_that_stay_starve_no_row_behind_them(database: Database, clock: FixedClock, tasks: Tasks):
    await many(tasks, 2_500, "failed")
    await many(tasks, 5)
    retention = Retention(database, clock, monotonic=ticking(2.0))
    gone = [await retention.run() for _ in range(4)]
    assert sum(gone) == 5


async def test_it_stops_at_the_first_rows_that_are_too_young_and_starts_anew(
    retention: Retention, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    await many(tasks, 1_000, "failed")
    await many(tasks, 4_000, at="2026-03-01Z")
    starts: list[int] = []
    real = store.stretch

    async def noted(unit: Unit, after: int, cutoff: datetime) -> store.Stretch:
        starts.append(after)
        return await real(unit, after, cutoff)

    monkeypatch.setattr(store, "stretch", noted)
    await retention.run()
    await retention.run()
    assert len(starts) == 4
    assert starts[0] == starts[2] == 0
    assert starts[1] == starts[3] > 0


async def test_a_row_that_cannot_be_deleted_strands_no_other(
    retention: Retention, rows: Rows, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    await many(tasks, 120)
    bad = (await left(tasks))[50]
    real = store.forget

    async def refused(unit: Unit, ids: Sequence[TaskId], cutoff: datetime) -> int:
        gone = await real(unit, ids, cutoff)
        if bad in ids:
            raise psycopg.errors.ForeignKeyViolation
        return gone

    monkeypatch.setattr(store, "forget", refused)
    with capture_logs() as events:
        assert await retention.run() == 119
    assert await left(tasks) == [bad]
    assert [event["task"] for event in events if event["log_level"] == "error"] == [bad]


async def test_no_statement_runs_longer_than_the_run(database: Database):
    async with database.as_fleet() as unit:
        await store.limit_time(unit, 0.05)
        with pytest.raises(psycopg.errors.QueryCanceled):
            await unit.connection.execute("SELECT pg_sleep(10)")


async def test_the_cutoff_is_ninety_times_a_day():
    assert timedelta(days=90) == KEPT
