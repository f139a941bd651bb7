"""A split task ends with the last of its children, once, whoever of them ends last and however."""

import asyncio
from collections.abc import Sequence

import pytest
from fixtures.claimers import Hands, Hire
from fixtures.people import FixedClock
from fixtures.worker import Echo, Slow, Tasks

from pipeline.worker.claims.types import Claimed
from pipeline.worker.endings.settle import FenceLost, Settled, Settler
from pipeline.worker.endings.types import Again, Ending, Failed, Finished, IntoChildren
from pipeline.worker.operations.cancel import cancel
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.queue import Wanted, enqueue

GOOD = Finished("read")
ROUNDS = 20


class Family:
    """Splits tasks and ends their children."""

    def __init__(self, database: Database, clock: FixedClock, hands: Hands, account: AccountId) -> None:
        self._database = database
        self._clock = clock
        self._account = account
        self.hands = hands

    async def claim(self) -> Claimed:
        [task] = await self.hands.claim(1)
        return task

    async def end(self, task: Claimed, ending: Ending = GOOD) -> Settled:
        settler = Settler(self._database, "default")
        return await settler.settle(task, self.hands.fence(task), ending, self._clock.now(), 0.0)

    async def split(self, count: int, **options: object) -> tuple[Claimed, list[Claimed]]:
        """A parent that waits, and its claimed children."""
        async with self._database.as_account(self._account) as unit:
            await enqueue(unit, Slow())
        parent = await self.claim()
        return parent, await self.into(parent, count, **options)

    async def into(self, parent: Claimed, count: int) -> list[Claimed]:
        await self.end(parent, IntoChildren([Wanted(payload=Echo(word=str(n))) for n in range(count)]))
        return [await self.claim() for _ in range(count)]

    async def cancel(self, task: Claimed) -> None:
        async with self._database.as_fleet() as unit:
            await cancel(unit, TaskId(task.id), actor="ada", reason="not wanted")


@pytest.fixture
async def family(hire: Hire, database: Database, clock: FixedClock, account: AccountId) -> Family:
    return Family(database, clock, await hire(), account)


async def stands(tasks: Tasks, parent: Claimed) -> Sequence[object]:
    row = await tasks.row(parent.id)
    return row.status, row.outcome or row.failure_code


async def test_children_belong_to_the_account_and_to_their_parent(
    family: Family, tasks: Tasks, account: AccountId
):
    parent, children = await family.split(3)
    assert {(child.account_id, child.parent_id) for child in children} == {(account, parent.id)}


async def test_a_parent_waits_without_a_slot_until_the_last_child_has_ended(family: Family, tasks: Tasks):
    parent, (first, second) = await family.split(2)
    assert (await family.end(first)).parents == ()
    row = await tasks.row(parent.id)
    assert (row.status, row.worker) == ("waiting", None)
    assert (await family.end(second)).parents == (parent.id,)
    assert await stands(tasks, parent) == ("done", "children_done")


async def test_a_failed_child_fails_the_parent_with_its_code_once_all_have_ended(
    family: Family, tasks: Tasks
):
    parent, (first, second, third) = await family.split(3)
    await family.end(second, Failed("source_missing"))
    await family.end(first, Failed("import_missing"))
    assert await stands(tasks, parent) == ("waiting", None)
    await family.end(third)
    assert await stands(tasks, parent) == ("failed", "source_missing")


async def test_a_cancelled_child_fails_the_parent(family: Family, tasks: Tasks):
    parent, (first, second) = await family.split(2)
    await family.cancel(second)
    assert await stands(tasks, parent) == ("waiting", None)
    await family.end(first)
    assert await stands(tasks, parent) == ("failed", "child_cancelled")


async def test_a_cancelled_parent_is_left_alone_by_a_child_that_still_ran(family: Family, tasks: Tasks):
    parent, (first, second) = await family.split(2)
    await family.end(first)
    await family.cancel(parent)
    assert (await family.end(second)).parents == ()
    assert await stands(tasks, parent) == ("cancelled", None)


async def test_the_end_of_a_grandchild_ends_the_whole_line(family: Family, tasks: Tasks):
    parent, (child,) = await family.split(1)
    first, second = await family.into(child, 2)
    await family.end(first)
    assert await stands(tasks, parent) == ("waiting", None)
    assert (await family.end(second, Failed("source_missing"))).parents == (child.id, parent.id)
    assert await stands(tasks, parent) == await stands(tasks, child) == ("failed", "source_missing")


async def test_a_retry_of_a_child_keeps_the_parent_waiting(family: Family, tasks: Tasks, clock: FixedClock):
    parent, (child,) = await family.split(1)
    await family.end(child, Again("handler_error"))
    assert await stands(tasks, parent) == ("waiting", None)
    clock.move(seconds=2)
    await tasks.fetch("UPDATE tasks SET due = true")
    await family.end(await family.claim())
    assert await stands(tasks, parent) == ("done", "children_done")


async def test_two_last_children_that_end_at_the_same_moment_end_the_parent_once(
    family: Family, tasks: Tasks
):
    for _ in range(ROUNDS):
        parent, children = await family.split(2)
        settled = await asyncio.gather(*(family.end(child) for child in children))
        assert [ended for each in settled for ended in each.parents] == [parent.id]
        assert await stands(tasks, parent) == ("done", "children_done")


async def test_a_split_into_work_that_is_under_way_already_does_not_wait_for_ever(
    family: Family, tasks: Tasks, database: Database, account: AccountId
):
    """Each child's key is taken by another task, so that there is none to wait for."""
    async with database.as_account(account) as unit:
        await enqueue(unit, Slow())
        await enqueue(unit, Echo(), dedupe_key="same", priority=500)
    parent = await family.claim()
    settled = await family.end(parent, IntoChildren([Wanted(payload=Echo(), dedupe_key="same")] * 2))
    assert await stands(tasks, parent) == ("done", "children_done")
    assert (settled.status, settled.code) == ("done", None)


async def test_a_child_that_splits_into_nothing_ends_its_parent(
    family: Family, tasks: Tasks, database: Database, account: AccountId
):
    parent, children = await family.split(2)
    async with database.as_account(account) as unit:
        await enqueue(unit, Echo(), dedupe_key="same", priority=500)
    taken = IntoChildren([Wanted(payload=Echo(), dedupe_key="same")])
    for child, ending in zip(children, (IntoChildren([]), taken), strict=True):
        await family.end(child, ending)
    assert await stands(tasks, parent) == ("done", "children_done")


async def test_a_lost_parent_leaves_no_children_behind(family: Family, tasks: Tasks, database, account):
    async with database.as_account(account) as unit:
        await enqueue(unit, Slow())
    parent = await family.claim()
    await tasks.fetch("UPDATE tasks SET lease_expires_at = clock_timestamp()")
    with pytest.raises(FenceLost):
        await family.end(parent, IntoChildren([Wanted(payload=Echo())] * 3))
    assert await tasks.fetch("SELECT count(*) FROM tasks") == [(1,)]
