"""A person's request for work runs once, and one that is under way is named."""

import asyncio

import pytest
from fixtures.worker import Tasks

from schema.db import Database
from schema.ids import AccountId
from schema.queue import enqueue
from schema.requests import AlreadyUnderWay, request, under_way
from schema.tasks import ImportMail, PullSource

KEY = "source:7"


async def test_a_request_for_work_under_way_names_the_task(database: Database):
    async with database.as_fleet() as unit:
        first = await request(unit, PullSource(source_id=7), dedupe_key=KEY)
    async with database.as_fleet() as unit:
        with pytest.raises(AlreadyUnderWay) as refused:
            await request(unit, PullSource(source_id=7), dedupe_key=KEY)
    assert refused.value.task_id == first
    assert str(first) in refused.value.detail


async def test_work_that_ended_is_in_nobodys_way(database: Database, tasks: Tasks):
    async with database.as_fleet() as unit:
        first = await request(unit, PullSource(source_id=7), dedupe_key=KEY)
    await tasks.fetch("UPDATE tasks SET status = 'done', outcome = 'done', finished_at = now()")
    async with database.as_fleet() as unit:
        assert await under_way(unit, [KEY]) == {}
        assert await request(unit, PullSource(source_id=7), dedupe_key=KEY) > first


async def test_of_many_requests_at_once_one_is_taken(database: Database, tasks: Tasks):
    async def ask() -> int:
        try:
            async with database.as_fleet() as unit:
                return await request(unit, PullSource(source_id=7), dedupe_key=KEY)
        except AlreadyUnderWay as refusal:
            return refusal.task_id

    assert len(set(await asyncio.gather(*(ask() for _ in range(12))))) == 1
    assert await tasks.fetch("SELECT count(*) FROM tasks") == [(1,)]


async def test_what_is_under_way_is_found_by_its_key_with_how_far_it_is(database: Database, tasks: Tasks):
    async with database.as_fleet() as unit:
        running = await enqueue(unit, PullSource(source_id=7), dedupe_key=KEY)
        await enqueue(unit, PullSource(source_id=8), dedupe_key="source:8")
    await tasks.fetch(
        "UPDATE tasks SET status = 'running', worker = gen_random_uuid(), lease_expires_at = now(),"
        " claim_seq = 1, attempts = 1, started_at = now(), progress_at = now(),"
        """ progress = '{"done": 3, "total": 10, "note": "postings"}' WHERE dedupe_key = %s""",
        KEY,
    )
    async with database.as_fleet() as unit:
        found = await under_way(unit, [KEY, "source:9"])
    assert list(found) == [KEY]
    assert (found[KEY].id, found[KEY].status, found[KEY].attempts) == (running, "running", 1)
    progress = found[KEY].progress
    assert progress
    assert (progress.done, progress.total, progress.note) == (3, 10, "postings")


async def test_one_accounts_work_is_not_found_by_another_nor_by_the_fleet(
    database: Database, account: AccountId, other_account: AccountId
):
    async with database.as_account(account) as unit:
        mine = await enqueue(unit, ImportMail(import_id=1), dedupe_key="one")
    for door in (database.as_account(other_account), database.as_fleet()):
        async with door as unit:
            assert await under_way(unit, ["one"]) == {}
    async with database.as_account(account) as unit:
        assert (await under_way(unit, ["one"]))["one"].id == mine
