"""What an operator sees of the fleet, and of the work it cannot do."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from fixtures.queue_rows import KIND, KINDS, Rows
from fixtures.worker import Tasks

from pipeline.worker.operations.fleet import store
from schema.db import Database
from schema.ids import AccountId

UNHEARD = "test.unheard_of.v9"


async def test_workers_are_alive_silent_or_stopped(database: Database, rows: Rows):
    await rows.arrive("gone", seen="5 minutes", stopped=True)
    await rows.arrive("lost", seen="5 minutes")
    await rows.arrive("here")
    async with database.as_fleet() as unit:
        members = await store.fleet(unit)
    assert [(each.worker.name, each.worker.state) for each in members] == [
        ("here", "alive"),
        ("lost", "silent"),
        ("gone", "stopped"),
    ]
    worker = members[0].worker
    assert (worker.release, worker.digest, worker.egress_group) == ("1.2", "sha256:ab", "south")
    assert (worker.kinds, worker.slots) == ([KIND], 4)


async def test_each_worker_is_shown_with_what_it_runs(database: Database, rows: Rows):
    await rows.arrive("busy")
    await rows.arrive("idle")
    running = [await rows.insert("running") for _ in range(2)]
    await rows.insert("running", worker=UUID(int=9))
    async with database.as_fleet() as unit:
        hands = {each.worker.name: [task.id for task in each.tasks] for each in await store.fleet(unit)}
    assert hands == {"busy": running, "idle": []}


async def test_a_kind_is_held_open_by_every_account_and_state_that_has_work(
    database: Database, rows: Rows, account: AccountId, other_account: AccountId
):
    for _ in range(2):
        await rows.insert("pending", account_id=account)
    await rows.insert("pending", account_id=account, due=False, not_before="2100-01-01Z")
    for status in ("running", "waiting", "awaiting_batch", "failed"):
        await rows.insert(status, account_id=other_account)
    await rows.insert("failed")
    await rows.insert("done")
    await rows.insert("cancelled")
    await rows.insert("pending", kind="test.slow.v1")
    async with database.as_fleet() as unit:
        found = await store.retire_check(unit, KIND)
    assert [(each.account_id, each.state, each.count) for each in found] == [
        (None, "failed", 1),
        (account, "delayed", 1),
        (account, "pending", 2),
        (other_account, "failed", 1),
        (other_account, "parked", 1),
        (other_account, "running", 1),
        (other_account, "waiting", 1),
    ]


async def test_a_kind_of_which_only_good_ends_are_left_can_go(database: Database, rows: Rows):
    await rows.insert("done")
    await rows.insert("cancelled")
    async with database.as_fleet() as unit:
        assert await store.retire_check(unit, KIND) == []


async def test_unknown_kinds_are_counted_by_state_with_the_oldest_that_is_due(database: Database, rows: Rows):
    await rows.insert("pending", kind=UNHEARD, created_at="2026-03-01 10:00Z")
    await rows.insert("pending", kind=UNHEARD, created_at="2026-03-01 08:00Z", not_before="2026-03-01 09:00Z")
    await rows.insert("pending", kind=UNHEARD, due=False, not_before="2100-01-01Z")
    for status in ("running", "waiting", "awaiting_batch", "failed", "done"):
        await rows.insert(status, kind=UNHEARD)
        await rows.insert(status)
    await rows.insert("pending")
    async with database.as_fleet() as unit:
        found = await store.unsupported(unit, KINDS)
    assert [(each.kind, each.state, each.count) for each in found] == [
        (UNHEARD, "delayed", 1),
        (UNHEARD, "failed", 1),
        (UNHEARD, "parked", 1),
        (UNHEARD, "pending", 2),
        (UNHEARD, "running", 1),
        (UNHEARD, "waiting", 1),
    ]
    assert {each.due_since for each in found if each.state == "pending"} == {
        datetime(2026, 3, 1, 9, tzinfo=UTC)
    }
    assert {each.due_since for each in found if each.state != "pending"} == {None}


@pytest.mark.parametrize("kinds", [set[str](), {"a.a.v1"}, {"zzzz.z.v1"}, {"a.a.v1", "zzzz.z.v1", *KINDS}])
async def test_unknown_kinds_are_found_wherever_they_lie_between_the_known(
    database: Database, rows: Rows, kinds: set[str]
):
    stored = {"a.a.v1", "a.a.v2", "b.a.v1", "test.a.v1", KIND, "test.z.v1", "zzzz.z.v1", "zzzz.z.v2"}
    for kind in stored:
        await rows.insert("pending", kind=kind)
    async with database.as_fleet() as unit:
        assert {each.kind for each in await store.unsupported(unit, kinds)} == stored - kinds


async def test_counting_unknown_kinds_reads_no_known_backlog(database: Database, tasks: Tasks):
    await tasks.fetch(
        "INSERT INTO tasks (kind, payload, max_attempts)"
        " SELECT 'test.echo.v1', '{}', 3 FROM generate_series(1, 20000)"
    )
    await tasks.fetch("ANALYZE tasks")
    async with database.as_fleet() as unit:
        cursor = await unit.connection.execute(
            "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + store.UNKNOWN_WORK.sql, {"kinds": sorted(KINDS)}
        )
        plan = "\n".join(str(row[0]) for row in await cursor.fetchall())
    assert "Seq Scan" not in plan, plan
    assert "rows=20000" not in plan, plan
