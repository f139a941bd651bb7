"""Hosts outside: a closed circuit, a trial, a pace, each for the workers of one network."""

from datetime import timedelta
from itertools import pairwise

from fixtures.claimers import ROOMY, Hands, Hire, Hosted
from fixtures.people import FixedClock
from fixtures.worker import Tasks
from msgspec.structs import replace

from pipeline.worker.claims.types import Claimed
from pipeline.worker.endings.rules import ENOUGH_REFUSALS, FIRST_PAUSE
from pipeline.worker.endings.settle import Settler
from pipeline.worker.endings.types import Again, Ending, Failed, Finished, Later
from schema.db import Database
from schema.ids import AccountId
from schema.queue import Wanted, enqueue_many

HOME, ABROAD = replace(ROOMY, egress_group="home"), replace(ROOMY, egress_group="abroad")
TROUBLE = Again("attempts_exhausted", is_passing=True)


async def ask(database: Database, account: AccountId, count: int, site: str = "jobs.example.org") -> None:
    async with database.as_account(account) as unit:
        await enqueue_many(unit, [Wanted(payload=Hosted(site=site))] * count)


async def end(
    database: Database, clock: FixedClock, hands: Hands, task: Claimed, ending: Ending, group: str = "home"
) -> None:
    await Settler(database, group).settle(task, hands.fence(task), ending, clock.now(), 0.0)


async def meet_trouble(database: Database, clock: FixedClock, hands: Hands, times: int) -> None:
    for _ in range(times):
        [task] = await hands.claim(1)
        await end(database, clock, hands, task, TROUBLE)


async def budget(tasks: Tasks) -> tuple[int, object]:
    rows = await tasks.fetch("SELECT refusals, nullif(closed_until, '-infinity') FROM host_budgets")
    return rows[0]


async def test_five_troubles_in_a_row_close_a_host(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 10)
    hands = await hire(settings=HOME)
    await meet_trouble(database, clock, hands, ENOUGH_REFUSALS - 1)
    assert await budget(tasks) == (4, None)
    await meet_trouble(database, clock, hands, 1)
    assert await budget(tasks) == (5, clock.now() + FIRST_PAUSE)
    assert await hands.claim(10) == []


async def test_a_good_end_between_them_counts_anew(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 12)
    hands = await hire(settings=HOME)
    await meet_trouble(database, clock, hands, ENOUGH_REFUSALS - 1)
    [task] = await hands.claim(1)
    await end(database, clock, hands, task, Finished("read"))
    await meet_trouble(database, clock, hands, ENOUGH_REFUSALS - 1)
    assert await budget(tasks) == (4, None)
    assert len(await hands.claim(1)) == 1


async def test_a_fault_of_our_own_says_nothing_about_the_host(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 8)
    hands = await hire(settings=HOME)
    for _ in range(ENOUGH_REFUSALS):
        [task] = await hands.claim(1)
        await end(database, clock, hands, task, Again("handler_error"))
    [task] = await hands.claim(1)
    await end(database, clock, hands, task, Failed("source_unreadable"))
    assert await tasks.fetch("SELECT 1 FROM host_budgets") == []


async def close_host(tasks: Tasks, clock: FixedClock, **columns: object) -> None:
    values = {"refusals": 5, "closed_until": clock.now() + timedelta(seconds=30)} | columns
    await tasks.fetch(
        f"INSERT INTO host_budgets (host, egress_group, {', '.join(values)})"
        f" VALUES ('jobs.example.org', 'home', {', '.join(['%s'] * len(values))})",
        *values.values(),
    )


async def test_a_closed_host_is_stepped_over_and_open_for_another_network(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 3)
    await ask(database, account, 3, site="open.example.org")
    await close_host(tasks, clock)
    home, abroad = await hire(settings=HOME), await hire(settings=ABROAD)
    assert [task.host for task in await home.claim(10)] == ["open.example.org"] * 2
    assert [task.host for task in await abroad.claim(10)] == ["jobs.example.org"] * 2


async def test_after_the_pause_one_task_tries_the_host_and_a_good_end_opens_it(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 6)
    await close_host(tasks, clock)
    hands, other = await hire(settings=HOME), await hire(settings=HOME)
    clock.move(seconds=30)
    [trial] = await hands.claim(10)
    assert [*await hands.claim(10), *await other.claim(10)] == []
    await end(database, clock, hands, trial, Finished("read"))
    assert await budget(tasks) == (0, None)
    assert len(await other.claim(10)) == 2


async def test_a_trial_that_fails_closes_the_host_for_twice_as_long(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 6)
    await close_host(tasks, clock)
    hands = await hire(settings=HOME)
    clock.move(seconds=30)
    [trial] = await hands.claim(10)
    await end(database, clock, hands, trial, TROUBLE)
    assert await budget(tasks) == (6, clock.now() + 2 * FIRST_PAUSE)
    assert await hands.claim(10) == []


async def test_no_trouble_closes_a_host_for_longer_than_half_an_hour(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 2)
    await close_host(tasks, clock, refusals=999)
    hands = await hire(settings=HOME)
    clock.move(seconds=30)
    for _ in range(2):
        clock.move(hours=1)
        [trial] = await hands.claim(10)
        await end(database, clock, hands, trial, TROUBLE)
        refusals, until = await budget(tasks)
        assert (refusals, until) == (1000, clock.now() + 64 * FIRST_PAUSE)


async def test_a_host_that_says_when_is_not_asked_before(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 4)
    hands = await hire(settings=HOME)
    [first] = await hands.claim(1)
    until = clock.now() + timedelta(hours=2)
    await end(database, clock, hands, first, Later(until, closes_host=True))
    clock.at = until - timedelta(microseconds=1)
    assert await hands.claim(10) == []
    clock.at = until
    assert len(await hands.claim(10)) == 1
    assert (await tasks.row(first.id)).attempts == 0


async def test_a_host_closed_after_the_survey_is_not_asked_either(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 4)
    hands = await hire(settings=HOME)
    [first] = await hands.claim(1)
    await end(database, clock, hands, first, Finished("read"))
    await close_host(tasks, clock)
    assert await hands.claim(1, passing=0.0) == []


async def test_a_host_is_believed_for_a_day_at_most(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 4)
    hands = await hire(settings=HOME)
    [first] = await hands.claim(1)
    await end(database, clock, hands, first, Later(clock.now() + timedelta(days=4000), closes_host=True))
    assert await budget(tasks) == (1, clock.now() + timedelta(days=1))
    clock.move(hours=23)
    assert await hands.claim(10) == []
    clock.move(hours=1)
    assert len(await hands.claim(10)) == 1


async def test_an_operator_can_close_a_host_for_good(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 2)
    hands = await hire(settings=HOME)
    [task] = await hands.claim(1)
    await close_host(tasks, clock, closed_until="infinity")
    await end(database, clock, hands, task, TROUBLE)
    assert await hands.claim(10) == []


async def test_what_a_wrong_clock_closed_is_open_and_can_be_closed_anew(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 6)
    ahead = clock.now() + timedelta(days=365)
    await close_host(tasks, clock, closed_until=ahead, next_at=ahead, spacing=timedelta(seconds=2))
    hands = await hire(settings=HOME)
    [trial] = await hands.claim(10)
    assert await tasks.fetch("SELECT next_at FROM host_budgets") == [(clock.now() + timedelta(seconds=2),)]
    await end(database, clock, hands, trial, TROUBLE)
    assert await budget(tasks) == (6, clock.now() + 2 * FIRST_PAUSE)
    clock.move(seconds=30)
    assert await hands.claim(10) == []


async def test_starts_keep_their_distance_over_all_workers(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks, account: AccountId
):
    await ask(database, account, 30)
    await close_host(tasks, clock, refusals=0, closed_until=clock.now(), spacing=timedelta(seconds=2))
    hired = [await hire(settings=HOME) for _ in range(2)]
    starts: list[float] = []
    began = clock.now()
    for _ in range(80):
        for hands in hired:
            for task in await hands.claim(1, passing=0.05):
                starts.append((clock.now() - began).total_seconds())
                await end(database, clock, hands, task, Finished("read"))
        clock.move(seconds=0.1)
    gaps = [later - sooner for sooner, later in pairwise(starts)]
    assert len(gaps) >= 3
    assert all(2 <= gap < 3 for gap in gaps), gaps
