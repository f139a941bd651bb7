"""Who gets the next free slot: the most urgent work, and among equals each account, host and kind in turn."""

import itertools

import pytest
from fixtures.claimers import Foreign, Hands, Hire
from fixtures.worker import Echo, Slow, Tasks

from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.queue import CLICKED, SWEEP, Wanted, enqueue, enqueue_many

PLENTY = 10_000


async def many(tasks: Tasks, account: AccountId | None, count: int = PLENTY, kind: str = Echo.KIND) -> None:
    await tasks.fetch(
        "INSERT INTO tasks (account_id, kind, payload, max_attempts)"
        " SELECT %s, %s, '{}', 3 FROM generate_series(1, %s)",
        account,
        kind,
        count,
    )


async def one(database: Database, account: AccountId, payload=None, **options) -> TaskId:
    async with database.as_account(account) as unit:
        task = await enqueue(unit, payload or Echo(), **options)
    assert task is not None
    return task


async def claims_until(hands: Hands, task: TaskId, most: int) -> int:
    """How many claims it takes until `task` is among them, each slot being free again at once."""
    for count in itertools.count(1):
        claimed = await hands.claim(most)
        if task in {each.id for each in claimed}:
            return count
        assert count < 200, "its turn never came"
    raise AssertionError


@pytest.mark.parametrize("most", [1, 2, 4, 20])
async def test_ten_thousand_tasks_of_one_account_keep_no_other_waiting(
    hire: Hire, database: Database, tasks: Tasks, account: AccountId, other_account: AccountId, most: int
):
    hands = await hire()
    await many(tasks, account)
    await hands.claim(most)
    single = await one(database, other_account)
    assert await claims_until(hands, single, most) <= 2


@pytest.mark.parametrize("most", [1, 4])
async def test_ten_thousand_tasks_of_the_fleet_keep_no_account_waiting(
    hire: Hire, database: Database, tasks: Tasks, account: AccountId, most: int
):
    hands = await hire()
    await many(tasks, None)
    await hands.claim(most)
    single = await one(database, account)
    assert await claims_until(hands, single, most) <= 2


async def test_kinds_take_turns(hire: Hire, database: Database, tasks: Tasks, account: AccountId):
    hands = await hire()
    await many(tasks, account)
    other = await one(database, account, Slow())
    assert await claims_until(hands, other, 1) <= 2


async def test_a_click_overtakes_what_waits(hire: Hire, database: Database, tasks: Tasks, account: AccountId):
    hands = await hire()
    await many(tasks, account, 100)
    clicked = await one(database, account, priority=CLICKED)
    assert [task.id for task in await hands.claim(1)] == [clicked]


async def test_the_most_urgent_level_is_emptied_before_the_next(
    hire: Hire, database: Database, account: AccountId, other_account: AccountId
):
    levels = [SWEEP, CLICKED, 100] * 4
    for owner in (account, other_account):
        async with database.as_account(owner) as unit:
            await enqueue_many(unit, [Wanted(payload=Echo(), priority=level) for level in levels])
    hands = await hire()
    taken = [task.priority for _ in range(8) for task in await hands.claim(3)]
    assert taken == sorted(levels * 2)


async def test_within_a_lane_the_oldest_goes_first(hire: Hire, database: Database, account: AccountId):
    asked = [await one(database, account) for _ in range(6)]
    hands = await hire()
    assert [task.id for _ in range(6) for task in await hands.claim(1)] == asked


async def test_each_of_more_lanes_than_one_survey_visits_is_served(hire: Hire, tasks: Tasks, owner_url: str):
    """Every lane is refilled as it is served, so none is reached by the emptying of others."""
    await tasks.fetch(
        "INSERT INTO accounts (email, display_name, password_hash, is_operator, created_at)"
        " SELECT 'p' || i || '@example.org', 'P', 'not a hash', false, now() FROM generate_series(1, 400) i"
    )
    await tasks.fetch(
        "INSERT INTO tasks (account_id, kind, payload, max_attempts)"
        " SELECT id, 'test.echo.v1', '{}', 3 FROM accounts, generate_series(1, 20)"
    )
    turns = iter(range(1_000_000))
    hands = await hire(turn=lambda: (next(turns) * 0.618034) % 1)
    served: set[int | None] = set()
    for _ in range(30):
        served |= {task.account_id for task in await hands.claim(130)}
    assert len(served) == 400


async def test_a_kind_of_another_release_stays_untouched(
    hire: Hire, database: Database, tasks: Tasks, account: AccountId
):
    unknown = await one(database, account, Foreign(), priority=CLICKED)
    known = await one(database, account)
    hands = await hire()
    assert [task.id for task in await hands.claim(10)] == [known]
    row = await tasks.row(unknown)
    assert (row.status, row.attempts, row.claim_seq) == ("pending", 0, 0)


async def test_no_more_is_claimed_than_asked_for(hire: Hire, tasks: Tasks, account: AccountId):
    await many(tasks, account, 200)
    hands = await hire()
    for most in (0, 1, 7, 33):
        assert len(await hands.claim(most)) == most
    running = await tasks.fetch("SELECT count(*) FROM tasks WHERE status = 'running'")
    assert running == [(41,)]
