"""Where a claim begins to look: above what was taken last, and soon again from the start."""

import psycopg
from fixtures.claimers import ROOMY, Hands, Hire
from fixtures.people import FixedClock
from fixtures.worker import Echo, Tasks
from msgspec.structs import replace

from pipeline.worker.claims.claimer import SURVEY_SECONDS
from pipeline.worker.claims.types import Ended
from pipeline.worker.endings.settle import Settler
from pipeline.worker.endings.types import Again, Later
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.queue import Wanted, enqueue_many

INSERT = "INSERT INTO tasks (kind, payload, max_attempts) VALUES ('test.echo.v1', '{}', 3) RETURNING id"


async def ask(database: Database, count: int, **options) -> list[TaskId]:
    async with database.as_fleet() as unit:
        return await enqueue_many(unit, [Wanted(payload=Echo(), **options)] * count)


async def claimed(hands: Hands, most: int, passing: float = 1.0) -> list[int]:
    return [task.id for task in await hands.claim(most, passing=passing)]


async def test_a_row_committed_late_with_a_lower_id_is_claimed_within_a_survey(
    hire: Hire, database: Database, owner_url: str
):
    hands = await hire()
    async with await psycopg.AsyncConnection.connect(owner_url) as slow:
        late = (await (await slow.execute(INSERT)).fetchone() or (0,))[0]
        later = await ask(database, 4)
        assert await claimed(hands, 2) == later[:2]
        await slow.commit()
    assert later[0] > late
    assert await claimed(hands, 1, passing=0.0) == [later[2]], "it looks above what it took last"
    assert await claimed(hands, 1, passing=SURVEY_SECONDS) == [late]


async def test_a_claim_that_was_not_filled_looks_everywhere_next_time(hire: Hire, database: Database):
    hands = await hire()
    first = await ask(database, 1)
    assert await claimed(hands, 2) == first
    second = await ask(database, 1)
    assert await claimed(hands, 2, passing=0.0) == second


async def test_a_try_that_came_back_is_claimed_again(
    hire: Hire, database: Database, clock: FixedClock, account: AccountId
):
    hands = await hire()
    ids = await ask(database, 3)
    [task] = await hands.claim(1)
    await Settler(database, "default").settle(task, hands.fence(task), Later(None), clock.now(), 0.0)
    assert await claimed(hands, 1, passing=SURVEY_SECONDS) == [ids[0]]


async def test_rows_whose_time_has_not_come_are_not_claimed(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks
):
    hands = await hire()
    soon = clock.now().replace(hour=12)
    await ask(database, 3, not_before=soon)
    assert await claimed(hands, 9) == []
    # a sweep of a process whose clock is ahead, or a hand that wrote into the table
    await tasks.fetch("UPDATE tasks SET due = true")
    assert await claimed(hands, 9) == []
    clock.at = soon
    assert len([*await claimed(hands, 9), *await claimed(hands, 9)]) == 3


async def test_a_retry_is_not_claimed_before_its_time(
    hire: Hire, database: Database, clock: FixedClock, tasks: Tasks
):
    hands = await hire()
    await ask(database, 1)
    [task] = await hands.claim(1)
    await Settler(database, "default").settle(
        task, hands.fence(task), Again("handler_error"), clock.now(), 0.0
    )
    await tasks.fetch("UPDATE tasks SET due = true")
    assert await claimed(hands, 9) == []
    clock.move(seconds=2)
    assert [*await claimed(hands, 9), *await claimed(hands, 9)] == [task.id]


async def test_a_row_somebody_holds_delays_nobody_elses(
    hire: Hire, database: Database, owner_url: str, account: AccountId
):
    """Not even where a cap leaves room for one."""
    hands = await hire(settings=replace(ROOMY, account_slots=1))
    async with database.as_account(account) as unit:
        ids = await enqueue_many(unit, [Wanted(payload=Echo())] * 3)
    async with await psycopg.AsyncConnection.connect(owner_url) as holder:
        await holder.execute("SELECT FROM tasks WHERE id = %s FOR UPDATE", (ids[0],))
        for _ in range(3):
            if taken := await hands.claim(4):
                break
        assert [task.id for task in taken] == [ids[1]]
    assert await claimed(hands, 4) == []
    assert await claimed(hands, 4) == []
    ended = [Ended(task, "done") for task in taken]
    await hands.step(0, ended=ended)
    assert await claimed(hands, 4) == [ids[0]]
