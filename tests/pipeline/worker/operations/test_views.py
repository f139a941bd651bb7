"""What an operator sees of tasks."""

import json
from typing import Any

import pytest
from fixtures.queue_rows import KIND, Rows
from fixtures.worker import Tasks

from pipeline.worker.operations.views import store
from pipeline.worker.operations.views.store import TaskLine
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.live import TaskProgress
from schema.query import Query


async def listed(database: Database, **filters: Any) -> list[TaskId]:
    async with database.as_fleet() as unit:
        return [each.id for each in await store.tasks(unit, **filters)]


async def test_a_task_is_shown_whole(database: Database, rows: Rows, tasks: Tasks, account: AccountId):
    parent = await rows.insert("waiting")
    await tasks.fetch(
        "INSERT INTO workers (id, name, release, kinds)"
        " VALUES ('11111111-1111-1111-1111-111111111111', 'north', '1', '{}')"
    )
    task_id = await rows.insert(
        "running",
        account_id=account,
        payload='{"import_id": 5}',
        parent_id=parent,
        progress='{"done": 3, "total": 9, "note": "half"}',
        progress_at="2026-03-01 11:30Z",
        dedupe_key="k",
    )
    for status in ("pending", "awaiting_batch", "failed", "done"):
        await rows.insert(status, parent_id=task_id)
    async with database.as_fleet() as unit:
        task = await store.task(unit, task_id)
    assert task
    assert json.loads(task.payload) == {"import_id": 5}
    assert task.progress == TaskProgress(done=3, total=9, note="half")
    assert (task.parent_id, task.account_id, task.worker_name) == (parent, account, "north")
    assert (task.children, task.children_open, task.children_failed) == (4, 2, 1)
    assert (task.not_before, task.progress_at is not None, task.dedupe_key) == (None, True, "k")


async def test_a_task_without_progress_shows_none_and_one_that_is_gone_is_none(
    database: Database, rows: Rows
):
    task_id = await rows.insert("pending", not_before="infinity")
    async with database.as_fleet() as unit:
        task = await store.task(unit, task_id)
        assert task
        assert (task.progress, task.not_before, task.children) == (None, None, 0)
        assert await store.task(unit, TaskId(999_999_999)) is None
        assert await store.archived(unit, TaskId(999_999_999)) is None


async def test_failed_children_come_first_then_those_still_open(database: Database, rows: Rows):
    parent = await rows.insert("waiting")
    done, pending, failed = [
        await rows.insert(status, parent_id=parent) for status in ("done", "pending", "failed")
    ]
    async with database.as_fleet() as unit:
        assert [each.id for each in await store.children(unit, parent)] == [failed, pending, done]
        assert len(await store.children(unit, parent, limit=1)) == 1


async def test_a_lineage_is_told_oldest_to_newest_with_who_and_why(database: Database, rows: Rows):
    first = await rows.insert()
    second = await rows.replay_of(first, "failed")
    third = await rows.replay_of(second, "pending", root=first)
    await rows.insert()
    async with database.as_fleet() as unit:
        for member in (first, second, third):
            chain = await store.lineage(unit, member)
            assert [(each.id, each.actor, each.reason) for each in chain] == [
                (first, None, None),
                (second, "ben", "again"),
                (third, "ben", "again"),
            ]
        task = await store.task(unit, second)
    assert task
    assert (task.replayed_by_id, task.root_id, task.word) == (third, first, "handler_error")


async def test_events_come_oldest_first_with_the_workers_name_when_it_is_known(
    database: Database, rows: Rows, tasks: Tasks
):
    task_id = await rows.insert()
    await tasks.fetch(
        "INSERT INTO task_events (task_id, event, attempt, worker, code) VALUES"
        " (%(id)s, 'retried', 1, '11111111-1111-1111-1111-111111111111', 'attempts_exhausted'),"
        " (%(id)s, 'failed', 2, NULL, 'handler_error')".replace("%(id)s", str(task_id))
    )
    async with database.as_fleet() as unit:
        told = await store.events(unit, task_id)
    assert [(each.event, each.attempt, each.worker_name, each.code) for each in told] == [
        ("retried", 1, None, "attempts_exhausted"),
        ("failed", 2, None, "handler_error"),
    ]


async def test_tasks_are_listed_newest_first_through_every_filter(
    database: Database, rows: Rows, account: AccountId
):
    failed = await rows.insert(account_id=account)
    other_code = await rows.insert(failure_code="lease_expired")
    other_kind = await rows.insert(kind="test.slow.v1")
    pending = await rows.insert("pending", account_id=account)
    assert await listed(database) == [pending, other_kind, other_code, failed]
    assert await listed(database, limit=2) == [pending, other_kind]
    assert await listed(database, before=other_kind) == [other_code, failed]
    assert await listed(database, status="failed") == [other_kind, other_code, failed]
    assert await listed(database, kind=KIND) == [pending, other_code, failed]
    assert await listed(database, code="handler_error") == [other_kind, failed]
    assert await listed(database, account_id=account) == [pending, failed]
    assert await listed(database, status="failed", kind=KIND, code="handler_error", account_id=account) == [
        failed
    ]


@pytest.fixture
async def full(tasks: Tasks, account: AccountId) -> None:
    """Finished rows in front, and a few of every other state far behind them."""
    await tasks.fetch(
        """INSERT INTO tasks (kind, payload, max_attempts, status, due, account_id, failure_code, outcome,
             finished_at, worker, lease_expires_at, claim_seq, started_at)
           SELECT 'test.k' || mod(n, 20) || '.v1', '{}', 3, s, mod(n, 2) = 0,
             CASE WHEN mod(n, 500) = 0 THEN %s END,
             CASE s WHEN 'failed' THEN 'handler_error' END, CASE s WHEN 'done' THEN 'done' END,
             CASE WHEN s IN ('done', 'failed') THEN now() END,
             CASE s WHEN 'running' THEN gen_random_uuid() END, CASE s WHEN 'running' THEN now() END, 1, now()
           FROM generate_series(1, 40000) n, LATERAL (
             SELECT CASE WHEN n > 1000 THEN 'done'
               ELSE (ARRAY['pending', 'running', 'waiting', 'failed'])[1 + mod(n, 4)] END AS s) AS at""",
        account,
    )
    await tasks.fetch("ANALYZE tasks")


GENERIC, CUSTOM = "force_generic_plan", "force_custom_plan"


@pytest.mark.parametrize(
    ("query", "planned", "index"),
    [
        (store.TASKS, GENERIC, "tasks_pkey"),
        (store.TASKS, CUSTOM, "tasks_pkey"),
        (store.TASKS_OF_ACCOUNT, CUSTOM, "tasks_account"),
        (store.TASKS_RUNNING, GENERIC, "tasks_leases"),
        (store.TASKS_RUNNING, CUSTOM, "tasks_leases"),
        (store.TASKS_FAILED, GENERIC, "tasks_failed"),
        (store.TASKS_FAILED, CUSTOM, "tasks_failed"),
        (store.TASKS_APART, GENERIC, "tasks_apart"),
        (store.TASKS_APART, CUSTOM, "tasks_apart"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
async def test_each_list_reads_its_own_index_also_when_it_is_planned_without_its_parameters(
    database: Database, account: AccountId, full: None, query: Query[TaskLine], planned: str, index: str
):
    whose = account if query is store.TASKS_OF_ACCOUNT else None
    asked = {"status": None, "kind": None, "code": None, "account_id": whose, "before": 2**62, "limit": 50}
    names = list(asked)
    types = {"status": "text", "kind": "text", "code": "text"}
    numbered = query.sql
    for place, name in enumerate(names, 1):
        numbered = numbered.replace(f"%({name})s", f"${place}")
    async with database.as_fleet() as unit:
        run = unit.connection.execute
        await run(f"SET LOCAL plan_cache_mode = {planned}")  # pyright: ignore
        kinds = ", ".join(types.get(name, "bigint") for name in names)
        await run(f"PREPARE listed ({kinds}) AS {numbered}")  # pyright: ignore
        values = ", ".join("NULL" if asked[name] is None else str(asked[name]) for name in names)
        cursor = await run(f"EXPLAIN EXECUTE listed ({values})")  # pyright: ignore
        plan = "\n".join(str(row[0]) for row in await cursor.fetchall())
        await run("DEALLOCATE listed")
    assert index in plan, plan
    assert "Seq Scan" not in plan, plan
