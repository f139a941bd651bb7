"""A lineage that has ended leaves the queue whole, and is still explained."""

import asyncio
import json
from datetime import UTC, datetime

import pytest
from fixtures.queue_rows import BY, KIND, KINDS, Rows

from pipeline.worker.operations.archive import archive, archive_many
from pipeline.worker.operations.fleet.store import retire_check
from pipeline.worker.operations.refusals import LineageBlocked, NoSuchTask, NotReplayable, StillOpen
from pipeline.worker.operations.replay import replay
from pipeline.worker.operations.types import ArchivedLineage, BulkResult
from pipeline.worker.operations.views import store as views
from schema.db import Database
from schema.ids import AccountId, TaskId

OPEN = ("pending", "running", "waiting", "awaiting_batch")


async def archived(database: Database, task_id: TaskId) -> ArchivedLineage:
    async with database.as_fleet() as unit:
        return await archive(unit, task_id, **BY)


async def many(database: Database, *, dry_run: bool = False, **filters: object) -> BulkResult:
    return await archive_many(database, dry_run=dry_run, **BY, **filters)  # pyright: ignore


@pytest.mark.parametrize("member", [0, 1, 2])
async def test_any_member_takes_the_whole_lineage_along(database: Database, rows: Rows, member: int):
    first = await rows.insert()
    second = await rows.replay_of(first, "failed")
    third = await rows.replay_of(second, "done", root=first)
    other = await rows.insert()
    done = await archived(database, (first, second, third)[member])
    assert done == ArchivedLineage(lineage=first, tasks=3)
    assert set(await rows.states()) == {other}


async def test_the_archive_keeps_the_rows_their_log_who_and_why(
    database: Database, rows: Rows, account: AccountId
):
    failed = await rows.insert(account_id=account, payload='{"word": "x"}')
    async with database.as_fleet() as unit:
        again = await replay(unit, failed, actor="ben", reason="try", kinds=KINDS)
    await rows.end(again, "failed")
    await archived(database, again)
    async with database.as_fleet() as unit:
        kept = [await views.archived(unit, each) for each in (failed, again)]
    assert all(kept)
    first, second = [each for each in kept if each]
    assert (first.account_id, first.kind, first.lineage) == (account, KIND, failed)
    assert (first.actor, first.reason) == ("ada", "the board is back")
    row = json.loads(first.task)
    assert (row["payload"], row["failure_code"], row["attempts"]) == ({"word": "x"}, "handler_error", 1)
    assert [(each["event"], each["actor"]) for each in json.loads(first.events)] == [("replayed", "ben")]
    assert (second.lineage, json.loads(second.task)["reason"], second.events) == (failed, "try", "[]")


@pytest.mark.parametrize("status", OPEN)
async def test_an_unfinished_member_is_named_and_everything_stays(
    database: Database, rows: Rows, status: str
):
    first = await rows.insert()
    second = await rows.replay_of(first, status)
    with pytest.raises(StillOpen, match=f"task {second} belongs to it and is {status}"):
        await archived(database, first)
    assert await rows.count() == 2


async def test_children_and_their_own_lineages_go_along(database: Database, rows: Rows):
    parent = await rows.insert(failure_code="handler_error")
    child = await rows.insert(parent_id=parent)
    again = await rows.replay_of(child, "done")
    await rows.insert("done", parent_id=again)
    await rows.insert("cancelled", parent_id=parent)
    assert (await archived(database, parent)).tasks == 5
    assert await rows.count() == 0


async def test_an_unfinished_replay_of_a_child_keeps_its_parent(database: Database, rows: Rows):
    parent = await rows.insert()
    child = await rows.insert(parent_id=parent)
    again = await rows.replay_of(child, "pending")
    with pytest.raises(StillOpen) as told:
        await archived(database, parent)
    assert told.value.blocking_id == again


async def test_a_child_stays_while_its_parent_waits_for_the_others(database: Database, rows: Rows):
    parent = await rows.insert("waiting")
    child = await rows.insert(parent_id=parent)
    with pytest.raises(StillOpen) as told:
        await archived(database, child)
    assert told.value.blocking_id == parent


async def test_a_child_of_an_ended_parent_goes_alone(database: Database, rows: Rows):
    parent = await rows.insert()
    child = await rows.insert(parent_id=parent)
    assert (await archived(database, child)).tasks == 1
    assert set(await rows.states()) == {parent}


async def test_what_is_not_in_the_queue_is_refused(database: Database, rows: Rows):
    failed = await rows.insert()
    await archived(database, failed)
    for task_id in (failed, TaskId(999_999_999)):
        with pytest.raises(NoSuchTask, match=f"there is no task {task_id} in the queue"):
            await archived(database, task_id)


async def test_archiving_lets_a_kind_be_retired(database: Database, rows: Rows, account: AccountId):
    first = await rows.insert(account_id=account)
    await rows.replay_of(first, "done")
    async with database.as_fleet() as unit:
        assert [(each.state, each.count) for each in await retire_check(unit, KIND)] == [("failed", 1)]
    await archived(database, first)
    async with database.as_fleet() as unit:
        assert await retire_check(unit, KIND) == []


async def test_many_are_archived_by_kind_code_and_time(database: Database, rows: Rows):
    old = {"failure_code": "lease_expired", "finished_at": "2026-02-01 12:00Z"}
    first = await rows.insert(**old)
    await rows.replay_of(first, "done")
    twice = await rows.insert(**old)
    await rows.insert(**old, replay_of_id=twice, root_id=twice, actor="ben", reason="again")
    blocked = await rows.insert(**old)
    running = await rows.replay_of(blocked, "running")
    kept = [
        await rows.insert(**old | {"kind": "test.slow.v1"}),
        await rows.insert(**old | {"failure_code": "handler_error"}),
        await rows.insert(**old | {"finished_at": "2026-03-01 00:00Z"}),
        await rows.insert("done", finished_at="2026-02-01 12:00Z"),
    ]
    chosen = {"kind": KIND, "code": "lease_expired", "before": datetime(2026, 3, 1, tzinfo=UTC)}
    planned = await many(database, dry_run=True, **chosen)
    assert await rows.count() == 10
    result = await many(database, **chosen)
    assert planned == result
    assert (result.done, [(each.code, each.count) for each in result.refused]) == (
        2,
        [("task_still_open", 1)],
    )
    assert set(await rows.states()) == {blocked, running, *kept}
    async with database.as_fleet() as unit:
        assert await views.archived(unit, first)


async def test_a_replay_and_an_archiving_at_once_leave_one_whole_result(database: Database, rows: Rows):
    """Either the lineage went, and there was nothing to replay; or it runs again, and stays."""

    async def again(task_id: TaskId) -> TaskId:
        async with database.as_fleet() as unit:
            return await replay(unit, task_id, kinds=KINDS, **BY)

    for _ in range(30):
        first = await rows.insert()
        second = await rows.replay_of(first, "failed")
        answers = await asyncio.gather(again(second), archived(database, first), return_exceptions=True)
        match answers:
            case [NotReplayable(), ArchivedLineage()]:
                assert await rows.count() == 0
            case [int(), StillOpen()]:
                assert await rows.count() == 3
            case _:
                pytest.fail(f"{answers}")
        await rows.forget()


async def test_a_lineage_with_a_good_end_stays_closed_for_replays_until_it_is_archived(
    database: Database, rows: Rows
):
    first = await rows.insert()
    await rows.replay_of(first, "done")
    async with database.as_fleet() as unit:
        with pytest.raises(LineageBlocked):
            await replay(unit, first, kinds=KINDS, **BY)
    await archived(database, first)
    async with database.as_fleet() as unit:
        with pytest.raises(NotReplayable):
            await replay(unit, first, kinds=KINDS, **BY)
