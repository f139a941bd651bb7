"""Each way a try can end, as it stands in the queue afterwards; and what is committed together with it."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import psycopg
import pytest
from fixtures.claimers import Hands, Hire, Hosted
from fixtures.people import FixedClock
from fixtures.queue_rows import Rows
from fixtures.worker import Echo, Tasks

from pipeline.worker.claims.types import Claimed
from pipeline.worker.endings import store
from pipeline.worker.endings.settle import FenceLost, Settled, Settler
from pipeline.worker.endings.types import Again, Apart, Ending, Failed, Finished, IntoChildren, Later
from pipeline.worker.types import Permanent
from schema.db import Database, Unit
from schema.ids import AccountId
from schema.queue import Wanted, enqueue
from schema.tasks import Payload

Settle = Callable[..., Awaitable[Settled]]
SETTLED = "SELECT status, due, attempts, claim_seq, worker, outcome, failure_code FROM tasks WHERE id = %s"
CHILD = Wanted(payload=Echo(word="child"))


@pytest.fixture
async def hands(hire: Hire) -> Hands:
    return await hire()


@pytest.fixture
def take(database: Database, hands: Hands):
    """Asks for a task and claims it."""

    async def ask_and_claim(account: AccountId | None, payload: Payload | None = None) -> Claimed:
        async with database.as_fleet() if account is None else database.as_account(account) as unit:
            await enqueue(unit, payload or Echo())
        [task] = await hands.claim(1)
        return task

    return ask_and_claim


@pytest.fixture
def settle(database: Database, clock: FixedClock, hands: Hands) -> Settle:
    async def end(task: Claimed, ending: Ending, jitter: float = 0.0) -> Settled:
        settler = Settler(database, "default")
        return await settler.settle(task, hands.fence(task), ending, clock.now(), jitter)

    return end


@pytest.mark.parametrize(
    ("ending", "stands", "log"),
    [
        (Finished("read"), ("done", True, 1, 1, None, "read", None), []),
        (Failed("source_missing"), ("failed", True, 1, 1, None, None, "source_missing"), ["failed"]),
        (Again("handler_error"), ("pending", False, 1, 1, None, None, None), ["retried"]),
        (Later(None), ("pending", True, 0, 1, None, None, None), []),
        (Apart(), ("awaiting_batch", True, 0, 1, None, None, None), ["parked"]),
        (IntoChildren([CHILD]), ("waiting", True, 1, 1, None, None, None), ["split"]),
        (IntoChildren([]), ("done", True, 1, 1, None, "no_children", None), []),
    ],
    ids=["done", "failed", "again", "later", "parked", "split", "split into nothing"],
)
async def test_how_a_task_stands_after_each_ending(
    take, settle: Settle, tasks: Tasks, rows: Rows, account: AccountId, ending: Ending, stands, log
):
    task = await take(account)
    settled = await settle(task, ending)
    assert await tasks.fetch(SETTLED, task.id) == [stands]
    assert (settled.status, settled.code) == (stands[0], getattr(ending, "code", None))
    assert [event for event, *_ in await rows.log(task.id)] == log


async def test_the_log_names_the_try_who_had_it_and_why_it_ended(
    take, settle: Settle, hands: Hands, tasks: Tasks, account: AccountId
):
    await settle(await take(account), Again("deadline_exceeded"))
    lines = await tasks.fetch("SELECT event, attempt, worker, code, actor FROM task_events")
    assert lines == [("retried", 1, hands.id, "deadline_exceeded", None)]


async def test_each_retry_waits_longer_and_the_last_try_fails_with_its_code(
    take, settle: Settle, hands: Hands, clock: FixedClock, tasks: Tasks, account: AccountId
):
    task = await take(account)
    waits: list[timedelta] = []
    while (await settle(task, Again("deadline_exceeded"))).status == "pending":
        [(not_before,)] = await tasks.fetch("SELECT not_before FROM tasks")
        waits.append(not_before - clock.now())
        clock.at = not_before
        await tasks.fetch("UPDATE tasks SET due = true")
        [task] = await hands.claim(1)
    assert waits == [timedelta(seconds=2), timedelta(seconds=4)]
    row = await tasks.row(task.id)
    assert (row.status, row.failure_code, row.attempts) == ("failed", "deadline_exceeded", 3)


async def test_a_deferral_waits_for_its_time_and_uses_up_no_try(
    take, settle: Settle, clock: FixedClock, tasks: Tasks, account: AccountId
):
    until = clock.now() + timedelta(days=2)
    await settle(await take(account), Later(until))
    assert await tasks.fetch("SELECT due, not_before, attempts, claim_seq FROM tasks") == [
        (False, until, 0, 1)
    ]


def follow_up(word: str):
    async def effect(unit: Unit) -> None:
        await enqueue(unit, Echo(word=word))

    return effect


words = "SELECT payload->>'word', account_id, parent_id IS NOT NULL FROM tasks ORDER BY id"


@pytest.mark.parametrize(
    "made",
    [
        lambda effect: Finished("read", effect),
        lambda effect: IntoChildren([CHILD], effect),
        lambda effect: IntoChildren([], effect),
        Apart,
    ],
    ids=["done", "split", "split into nothing", "parked"],
)
async def test_an_effect_is_committed_with_its_end_or_not_at_all(
    take, settle: Settle, tasks: Tasks, account: AccountId, made
):
    task = await take(account)
    await tasks.fetch("UPDATE tasks SET lease_expires_at = clock_timestamp()")
    with pytest.raises(FenceLost):
        await settle(task, made(follow_up("effect")))
    assert await tasks.fetch(words) == [("echo", account, False)]
    await tasks.fetch("UPDATE tasks SET lease_expires_at = clock_timestamp() + interval '1 hour'")
    await settle(task, made(follow_up("effect")))
    assert ("effect", account, False) in await tasks.fetch(words)


async def test_an_effect_that_raises_leaves_the_task_to_its_holder(
    take, settle: Settle, tasks: Tasks, account: AccountId
):
    async def half_done(unit: Unit) -> None:
        await enqueue(unit, Echo(word="effect"))
        raise Permanent("source_missing")

    task = await take(account)
    with pytest.raises(Permanent):
        await settle(task, Finished("read", half_done))
    assert await tasks.fetch(words) == [("echo", account, False)]
    assert (await tasks.row(task.id)).status == "running"
    assert (await settle(task, Failed("source_missing"))).status == "failed"


async def test_an_effect_acts_for_its_account_only(
    take, settle: Settle, database: Database, rows: Rows, tasks: Tasks, account: AccountId, other_account
):
    theirs = await rows.insert("pending", account_id=other_account, not_before="2030-01-01Z", due=False)
    seen: list[object] = []

    async def look(unit: Unit) -> None:
        cursor = await unit.connection.execute(
            "SELECT current_user, count(*), min(account_id), max(account_id) FROM tasks"
        )
        seen.extend(await cursor.fetchall())

    async def meddle(unit: Unit) -> None:
        await unit.connection.execute("UPDATE tasks SET priority = 0")

    task = await take(account)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await settle(task, Finished("read", meddle))
    await settle(task, Finished("read", look))
    assert seen == [("jobtrail_app", 1, account, account)]
    assert await tasks.fetch("SELECT priority FROM tasks WHERE id = %s", theirs) == [(100,)]


async def test_an_effect_of_the_fleets_task_acts_for_the_fleet(take, settle: Settle, tasks: Tasks):
    await settle(await take(None), Finished("read", follow_up("effect")))
    assert await tasks.fetch(words) == [("echo", None, False), ("effect", None, False)]


async def test_an_end_is_written_once(take, settle: Settle, tasks: Tasks, account: AccountId):
    task = await take(account)
    await settle(task, Finished("read", follow_up("effect")))
    with pytest.raises(FenceLost):
        await settle(task, Finished("read", follow_up("effect")))
    assert len(await tasks.fetch(words)) == 2


async def test_parking_and_resuming_uses_up_no_try(
    take, settle: Settle, hands: Hands, database: Database, account: AccountId
):
    task = await take(account, Hosted())
    for claim in range(1, 5):
        assert (task.attempts, task.claim_seq) == (1, claim)
        await settle(task, Apart())
        assert await hands.claim(1) == []
        async with database.as_fleet() as unit:
            await store.resume(unit, task.id)
        [task] = await hands.claim(1)
