"""Workers that are gone and hosts that say nothing are forgotten after a week."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from fixtures.people import FixedClock
from fixtures.queue_rows import Rows
from fixtures.worker import Tasks

from pipeline.worker.upkeep.retention import forget_fleet
from schema.db import Database


async def worker(tasks: Tasks, seen: str, stopped: str | None = None) -> UUID:
    made = uuid4()
    await tasks.fetch(
        "INSERT INTO workers (id, name, release, kinds, last_seen_at, stopped_at)"
        " VALUES (%s, 'w', 'r', '{}', now() - %s::interval, now() - %s::interval)",
        made,
        seen,
        stopped,
    )
    return made


async def workers(tasks: Tasks) -> set[UUID]:
    return {row[0] for row in await tasks.fetch("SELECT id FROM workers")}


@pytest.mark.parametrize(("seen", "stopped"), [("169 hours", None), ("169 hours", "169 hours")])
async def test_a_worker_without_a_sign_for_a_week_is_forgotten(
    seen: str, stopped: str | None, database: Database, clock: FixedClock, tasks: Tasks
):
    await worker(tasks, seen, stopped)
    await forget_fleet(database, clock)
    assert await workers(tasks) == set()


@pytest.mark.parametrize(("seen", "stopped"), [("167 hours", None), ("169 hours", "167 hours")])
async def test_a_worker_seen_within_a_week_stays_whatever_the_process_clock_says(
    seen: str, stopped: str | None, database: Database, clock: FixedClock, tasks: Tasks
):
    kept = await worker(tasks, seen, stopped)
    clock.move(days=4_000)
    await forget_fleet(database, clock)
    assert await workers(tasks) == {kept}


async def test_a_worker_that_a_running_task_names_stays(
    database: Database, clock: FixedClock, tasks: Tasks, rows: Rows
):
    holder = await worker(tasks, "400 hours")
    await worker(tasks, "400 hours")
    await rows.insert("running", worker=holder)
    await forget_fleet(database, clock)
    assert await workers(tasks) == {holder}


async def test_more_than_one_batch_of_workers_goes(database: Database, clock: FixedClock, tasks: Tasks):
    await tasks.fetch(
        "INSERT INTO workers (id, name, release, kinds, last_seen_at)"
        " SELECT gen_random_uuid(), 'w', 'r', '{}', '2001-01-01Z' FROM generate_series(1, 201)"
    )
    await forget_fleet(database, clock)
    assert await workers(tasks) == set()


async def host(tasks: Tasks, clock: FixedClock, name: str, age_days: float, **columns: object) -> None:
    at = clock.now() - timedelta(days=age_days)
    values = {"spacing": "0", "refusals": 0, "next_at": at, "closed_until": "-infinity", **columns}
    await tasks.fetch(
        "INSERT INTO host_budgets (host, egress_group, spacing, refusals, next_at, closed_until)"
        " VALUES (%s, 'default', %s, %s, %s, %s)",
        name,
        *values.values(),
    )


async def test_only_hosts_that_say_nothing_are_forgotten(database: Database, clock: FixedClock, tasks: Tasks):
    await host(tasks, clock, "silent", 8)
    await host(tasks, clock, "never-paced", 8, next_at="-infinity")
    await host(tasks, clock, "paced", 8, spacing="2 seconds")
    await host(tasks, clock, "refusing", 8, refusals=1)
    await host(tasks, clock, "recent", 6)
    await host(tasks, clock, "closed-lately", 8, closed_until=clock.now() - timedelta(days=1))
    await forget_fleet(database, clock)
    assert [row[0] for row in await tasks.fetch("SELECT host FROM host_budgets ORDER BY host")] == [
        "closed-lately",
        "paced",
        "recent",
        "refusing",
    ]
