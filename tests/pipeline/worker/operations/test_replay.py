"""A failed task's work runs again as a new task: never twice at a time, never after it was done."""

import asyncio

import psycopg
import pytest
from fixtures.queue_rows import BY, KINDS, Rows
from fixtures.worker import Tasks
from msgspec.structs import replace

from pipeline.worker.operations.refusals import AlreadyReplayed, KeyInUse, LineageBlocked, NotReplayable
from pipeline.worker.operations.replay import replay
from schema.db import Database
from schema.errors import Invalid, Refusal
from schema.ids import AccountId, TaskId
from schema.settings import DatabaseSettings


async def replayed(database: Database, task_id: TaskId, account_id: AccountId | None = None) -> TaskId:
    async with database.as_fleet() as unit:
        return await replay(unit, task_id, kinds=KINDS, account_id=account_id, **BY)


async def refused(
    database: Database, rows: Rows, task_id: TaskId, refusal: type[Refusal], account: AccountId | None = None
) -> str:
    """The words of the refusal, after making sure that nothing was inserted."""
    before = await rows.count()
    with pytest.raises(refusal) as told:
        await replayed(database, task_id, account)
    assert await rows.count() == before
    assert await rows.log(task_id) == []
    return told.value.detail


async def test_a_replay_is_a_new_pending_task_with_the_same_work(
    database: Database, rows: Rows, tasks: Tasks, account: AccountId
):
    failed = await rows.insert(
        account_id=account,
        payload='{"word": "x"}',
        dedupe_key="k",
        priority=10,
        host="a.example",
        max_attempts=7,
    )
    again = await replayed(database, failed)
    columns = "account_id, kind, payload->>'word', dedupe_key, priority, host, max_attempts"
    old, new = [
        (await tasks.fetch(f"SELECT {columns} FROM tasks WHERE id = %s", each))[0] for each in (failed, again)
    ]
    assert old == new
    assert await tasks.fetch(
        "SELECT status, due, attempts, replay_of_id, root_id, actor, reason FROM tasks WHERE id = %s",
        again,
    ) == [("pending", True, 0, failed, failed, "ada", "the board is back")]
    assert (await tasks.row(failed)).status == "failed"
    assert await rows.log(failed) == [("replayed", "ada", "the board is back")]


async def test_a_replay_of_a_replay_keeps_the_original_as_its_root(
    database: Database, rows: Rows, tasks: Tasks
):
    first = await rows.insert()
    second = await rows.replay_of(first, "failed")
    third = await replayed(database, second)
    assert await tasks.fetch("SELECT replay_of_id, root_id FROM tasks WHERE id = %s", third) == [
        (second, first)
    ]


async def test_actor_and_reason_are_kept_trimmed(database: Database, rows: Rows, tasks: Tasks):
    failed = await rows.insert()
    async with database.as_fleet() as unit:
        again = await replay(unit, failed, actor="  ada\x00 ", reason=" why ", kinds=KINDS)
    assert await tasks.fetch("SELECT actor, reason FROM tasks WHERE id = %s", again) == [("ada", "why")]


@pytest.mark.parametrize(("actor", "reason", "field"), [(" ", "why", "actor"), ("ada", "x" * 501, "reason")])
async def test_an_act_without_a_name_or_with_a_book_is_invalid(
    database: Database, rows: Rows, actor: str, reason: str, field: str
):
    failed = await rows.insert()
    async with database.as_fleet() as unit:
        with pytest.raises(Invalid) as told:
            await replay(unit, failed, actor=actor, reason=reason, kinds=KINDS)
    assert told.value.field == field
    assert await rows.count() == 1


async def test_foreign_unknown_not_failed_and_of_an_unknown_kind_read_the_same(
    database: Database, rows: Rows, account: AccountId, other_account: AccountId
):
    told = {
        "foreign": await rows.insert(account_id=other_account),
        "of the fleet": await rows.insert(),
        "unknown": TaskId(999_999_999),
        "kind unknown": await rows.insert(account_id=account, kind="test.unheard_of.v9"),
    } | {
        status: await rows.insert(status, account_id=account)
        for status in ("pending", "running", "waiting", "awaiting_batch", "done", "cancelled")
    }
    words = {
        (await refused(database, rows, task_id, NotReplayable, account)).replace(str(task_id), "N")
        for task_id in told.values()
    }
    assert words == {"there is no failed task N of a kind this release knows"}


@pytest.mark.parametrize("status", ["pending", "running", "waiting", "awaiting_batch", "done"])
async def test_a_lineage_with_a_run_under_way_or_done_is_refused_naming_it(
    database: Database, rows: Rows, status: str
):
    first = await rows.insert()
    second = await rows.replay_of(first, status)
    words = await refused(database, rows, first, LineageBlocked)
    assert f"task {second} of its lineage" in words


async def test_of_several_blocking_runs_the_done_one_is_named(database: Database, rows: Rows, tasks: Tasks):
    # Today's indexes allow no such lineage; one from before them is still told in the useful order.
    first = await rows.insert()
    second = await rows.replay_of(first, "failed")
    third = await rows.replay_of(second, "done", root=first)
    words = await refused(database, rows, first, LineageBlocked)
    assert f"task {third} of its lineage did the work" in words


async def test_a_task_that_was_replayed_names_the_newest_run_to_replay(database: Database, rows: Rows):
    first = await rows.insert()
    second = await rows.replay_of(first, "failed")
    third = await rows.replay_of(second, "failed", root=first)
    assert await refused(database, rows, first, AlreadyReplayed) == (
        f"task {first} was replayed already, as task {second}: replay {third}"
    )


async def test_a_cancelled_replay_is_said_to_end_its_lineage(database: Database, rows: Rows):
    first = await rows.insert()
    second = await rows.replay_of(first, "cancelled")
    assert f"{second} was cancelled; ask anew" in await refused(database, rows, first, AlreadyReplayed)


@pytest.mark.parametrize("owned", [True, False])
async def test_an_unfinished_task_with_the_same_key_is_named(
    database: Database, rows: Rows, account: AccountId, owned: bool
):
    whose = account if owned else None
    failed = await rows.insert(account_id=whose, dedupe_key="k")
    twin = await rows.insert("running", account_id=whose, dedupe_key="k")
    assert f"task {twin} is running" in await refused(database, rows, failed, KeyInUse)


async def test_another_accounts_key_blocks_nothing(
    database: Database, rows: Rows, account: AccountId, other_account: AccountId
):
    failed = await rows.insert(account_id=account, dedupe_key="k")
    await rows.insert("pending", account_id=other_account, dedupe_key="k")
    await rows.insert("pending", dedupe_key="k")
    await rows.insert("done", account_id=account, dedupe_key="k")
    assert await replayed(database, failed, account)


async def test_workers_are_woken_once_the_replay_is_committed(database: Database, rows: Rows, owner_url: str):
    failed = await rows.insert()
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as listening:
        await listening.execute("LISTEN jobtrail_tasks")
        again = await replayed(database, failed)
        heard = [note.channel async for note in listening.notifies(timeout=5, stop_after=1)]
    assert (heard, again > failed) == (["jobtrail_tasks"], True)


@pytest.mark.parametrize("key", ["k", None])
async def test_of_eight_replays_at_once_exactly_one_is_made_two_hundred_times_over(
    database_settings: DatabaseSettings, rows: Rows, empty_database: None, key: str | None
):
    sources = [await rows.insert(dedupe_key=key and f"{key}{n}") for n in range(200 if key is None else 50)]
    async with Database.opened(replace(database_settings, pool_size=8)) as database:
        for failed in sources:
            asked = [replayed(database, failed) for _ in range(8)]
            answers = await asyncio.gather(*asked, return_exceptions=True)
            made = [each for each in answers if isinstance(each, int)]
            refusals = [each for each in answers if isinstance(each, LineageBlocked)]
            assert (len(made), len(refusals)) == (1, 7), answers
            assert {each.blocking_id for each in refusals} == set(made)
    assert await rows.count() == 2 * len(sources)
