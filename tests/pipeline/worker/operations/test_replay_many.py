"""Many failed tasks are replayed under the rule for one."""

from datetime import UTC, datetime

import pytest
from fixtures.queue_rows import BY, KIND, KINDS, Rows

from pipeline.worker.operations.replay import replay_many
from pipeline.worker.operations.types import BulkResult
from schema.db import Database
from schema.errors import Invalid
from schema.ids import AccountId


async def many(database: Database, *, dry_run: bool = False, **filters: object) -> BulkResult:
    return await replay_many(database, kinds=KINDS, dry_run=dry_run, **BY, **filters)  # pyright: ignore


async def replays(rows: Rows) -> int:
    return list((await rows.states()).values()).count("pending")


async def test_only_what_fits_kind_code_and_time_is_replayed(database: Database, rows: Rows):
    for _ in range(2):
        await rows.insert(failure_code="attempts_exhausted", finished_at="2026-03-01 10:00Z")
    await rows.insert(failure_code="attempts_exhausted", finished_at="2026-03-01 09:59:59Z")
    await rows.insert(failure_code="handler_error", finished_at="2026-03-01 10:00Z")
    await rows.insert(failure_code="attempts_exhausted", finished_at="2026-03-01 10:00Z", kind="test.slow.v1")
    await rows.insert("done", finished_at="2026-03-01 10:00Z")
    since = datetime(2026, 3, 1, 10, tzinfo=UTC)
    result = await many(database, kind=KIND, code="attempts_exhausted", since=since)
    assert (result.done, result.refused) == (2, [])
    assert await replays(rows) == 2


async def test_refusals_are_counted_by_their_code_with_an_example(
    database: Database, rows: Rows, account: AccountId
):
    done = await rows.insert()
    await rows.replay_of(done, "done")
    again = await rows.insert()
    newest = await rows.replay_of(again, "failed")
    await rows.insert(dedupe_key="k", account_id=account)
    await rows.insert("pending", dedupe_key="k", account_id=account)
    await rows.insert(kind="test.unheard_of.v9")
    result = await many(database)
    assert result.done == 1
    assert {each.code: each.count for each in result.refused} == {
        "task_lineage_blocked": 1,
        "task_already_replayed": 1,
        "task_key_in_use": 1,
        "task_not_replayable": 1,
    }
    assert f"replay {newest}" in next(
        each.example for each in result.refused if each.code == "task_already_replayed"
    )
    assert result.refused_count == 4


async def test_a_second_time_nothing_more_is_replayed(database: Database, rows: Rows):
    for _ in range(3):
        await rows.insert()
    assert (await many(database, kind=KIND)).done == 3
    result = await many(database, kind=KIND)
    assert (result.done, result.refused_count) == (0, 3)
    assert await rows.count() == 6


async def test_a_dry_run_changes_nothing_and_foretells_the_count(
    database: Database, rows: Rows, account: AccountId
):
    for key in ("k", "k", "other", None, None):
        await rows.insert(dedupe_key=key)
    await rows.insert(dedupe_key="k", account_id=account)
    planned = await many(database, dry_run=True)
    assert await rows.count() == 6
    result = await many(database)
    assert (planned.done, planned.refused_count) == (result.done, result.refused_count) == (5, 1)
    assert [each.code for each in planned.refused] == [each.code for each in result.refused]


async def test_more_than_one_page_is_read(database: Database, rows: Rows):
    await rows.insert_many(1001)
    assert (await many(database, dry_run=True)).done == 1001


async def test_nothing_is_replayed_unsigned(database: Database, rows: Rows):
    await rows.insert()
    with pytest.raises(Invalid):
        await replay_many(database, kinds=KINDS, actor="", reason="why")
    assert await replays(rows) == 0
