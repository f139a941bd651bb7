"""Cancelling ends a task that has not ended, and what was not started below it."""

import asyncio

import msgspec
import pytest
from fixtures.queue_rows import BY, Rows
from fixtures.worker import Tasks
from msgspec.structs import replace

from pipeline.worker.operations.cancel import cancel
from pipeline.worker.operations.refusals import AlreadyEnded, NoSuchTask
from pipeline.worker.operations.types import Cancelled
from schema.db import Database
from schema.errors import Refusal
from schema.ids import AccountId, TaskId
from schema.live import Hint
from schema.settings import DatabaseSettings

OPEN = ("pending", "running", "waiting", "awaiting_batch")


async def cancelled(database: Database, task_id: TaskId) -> Cancelled:
    async with database.as_fleet() as unit:
        return await cancel(unit, task_id, **BY)


@pytest.mark.parametrize("status", OPEN)
async def test_whatever_has_not_ended_ends_now(database: Database, rows: Rows, tasks: Tasks, status: str):
    task_id = await rows.insert(status)
    assert await cancelled(database, task_id) == Cancelled(task_id=task_id, below=0)
    row = await tasks.row(task_id)
    assert (row.status, row.worker, row.outcome, row.failure_code) == ("cancelled", None, None, None)
    assert await rows.log(task_id) == [("cancelled", "ada", "the board is back")]


async def test_the_log_says_which_worker_had_it_and_at_which_try(
    database: Database, rows: Rows, tasks: Tasks
):
    task_id = await rows.insert("running", attempts=2)
    await cancelled(database, task_id)
    sql = "SELECT attempt, worker::text FROM task_events WHERE task_id = %s"
    assert await tasks.fetch(sql, task_id) == [(2, "11111111-1111-1111-1111-111111111111")]


@pytest.mark.parametrize("status", ["done", "failed", "cancelled"])
async def test_what_has_ended_is_refused_and_stays(database: Database, rows: Rows, tasks: Tasks, status: str):
    task_id = await rows.insert(status)
    with pytest.raises(AlreadyEnded, match=f"task {task_id} is {status} already"):
        await cancelled(database, task_id)
    assert (await tasks.row(task_id)).status == status
    assert await rows.log(task_id) == []


async def test_an_unknown_number_is_refused(database: Database):
    with pytest.raises(NoSuchTask, match="there is no task 999999999"):
        await cancelled(database, TaskId(999_999_999))


async def test_children_not_yet_started_go_too_at_any_depth_and_others_go_on(database: Database, rows: Rows):
    parent = await rows.insert("waiting")
    started = {
        status: await rows.insert(status, parent_id=parent)
        for status in ("running", "done", "failed", "cancelled")
    }
    below_running = await rows.insert("pending", parent_id=started["running"])
    waiting = await rows.insert("waiting", parent_id=parent)
    grandchild_runs = await rows.insert("running", parent_id=waiting)
    going = [await rows.insert(status, parent_id=parent) for status in ("pending", "awaiting_batch")]
    going += [waiting, await rows.insert("pending", parent_id=waiting)]
    stranger = await rows.insert("pending")

    assert (await cancelled(database, parent)).below == len(going)
    states = await rows.states()
    assert {states[each] for each in going} == {"cancelled"}
    assert {status: states[each] for status, each in started.items()} == {each: each for each in started}
    assert states[below_running] == "pending"
    assert states[grandchild_runs] == "running"
    assert states[stranger] == "pending"
    assert [len(await rows.log(each)) for each in going] == [1] * len(going)


async def test_cancelling_a_child_leaves_its_parent_waiting_for_the_others(database: Database, rows: Rows):
    parent = await rows.insert("waiting")
    child, _ = await rows.insert("pending", parent_id=parent), await rows.insert("running", parent_id=parent)
    await cancelled(database, child)
    assert (await rows.states())[parent] == "waiting"


async def test_a_parent_fails_when_the_last_child_it_waited_for_is_cancelled(
    database: Database, rows: Rows, tasks: Tasks
):
    grandparent = await rows.insert("waiting")
    parent = await rows.insert("waiting", parent_id=grandparent)
    await rows.insert("done", parent_id=parent)
    await cancelled(database, await rows.insert("running", parent_id=parent))
    told = [await tasks.row(each) for each in (parent, grandparent)]
    assert [(row.status, row.failure_code) for row in told] == [("failed", "child_cancelled")] * 2


async def test_a_cancelled_task_frees_its_key(database: Database, rows: Rows):
    await cancelled(database, await rows.insert("pending", dedupe_key="k"))
    assert await rows.insert("pending", dedupe_key="k")


async def test_of_two_who_cancel_at_once_one_is_told_it_has_ended(database: Database, rows: Rows):
    task_id = await rows.insert("running")
    answers = await asyncio.gather(*(cancelled(database, task_id) for _ in range(2)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in answers) == ["AlreadyEnded", "Cancelled"]
    assert len(await rows.log(task_id)) == 1


async def test_nothing_is_left_half_done_when_the_act_is_not_signed(database: Database, rows: Rows):
    task_id = await rows.insert("pending")
    async with database.as_fleet() as unit:
        with pytest.raises(Refusal, match="the reason has 1 to 500 characters"):
            await cancel(unit, task_id, actor="ada", reason="")
    assert (await rows.states())[task_id] == "pending"


async def test_pages_are_told_of_each_task_and_of_very_many_once(
    database: Database, rows: Rows, account: AccountId
):
    few = await rows.insert("waiting", account_id=account)
    child = await rows.insert("pending", account_id=account, parent_id=few)
    many = await rows.insert("waiting", account_id=account)
    for _ in range(51):
        await rows.insert("pending", account_id=account, parent_id=many)
    told: list[list[int | None]] = []
    for task_id in (few, many):
        async with database.as_fleet() as unit:
            await cancel(unit, task_id, **BY)
            hints = [msgspec.json.decode(payload, type=Hint) for _, payload in unit.untold]
        assert {(hint.account_id, hint.topic) for hint in hints} == {(account, "tasks")}
        told.append([hint.subject for hint in hints])
    assert told == [[few, child], [None]]


async def test_a_family_cancelled_from_all_sides_at_once_ends_without_anyone_waiting_for_another(
    database_settings: DatabaseSettings, rows: Rows, empty_database: None
):
    async with Database.opened(replace(database_settings, pool_size=8)) as database:
        for _ in range(25):
            grandparent = await rows.insert("waiting")
            parent = await rows.insert("waiting", parent_id=grandparent)
            children = [
                await rows.insert(status, parent_id=parent)
                for status in ("running", "pending", "running", "awaiting_batch", "pending")
            ]
            everyone = [children[0], parent, *children[1:], grandparent]
            answers = await asyncio.gather(
                *(cancelled(database, each) for each in everyone), return_exceptions=True
            )
            assert all(isinstance(each, Cancelled | AlreadyEnded) for each in answers), answers
            assert set((await rows.states()).values()) <= {"cancelled", "failed"}
            await rows.forget()
