"""How many run at the same time: caps of kinds, hosts and accounts hold exactly over all workers."""

import asyncio

import pytest
from fixtures.claimers import ROOMY, Capped, Hands, Hire, Hosted
from fixtures.worker import Echo, Tasks
from msgspec.structs import replace

from pipeline.worker.claims.types import Claimed, Ended
from schema.db import Database
from schema.ids import AccountId
from schema.queue import Wanted, enqueue_many
from schema.tasks import Payload

WORKERS = 8
THREE = replace(ROOMY, account_slots=3)


async def ask(database: Database, account: AccountId | None, *payloads: Payload) -> None:
    wanted = [Wanted(payload=payload) for payload in payloads]
    async with database.as_fleet() if account is None else database.as_account(account) as unit:
        await enqueue_many(unit, wanted)


async def most_at_once(hired: list[Hands], tasks: Tasks, scope: str, count: int) -> tuple[int, int]:
    """All workers claim and end at the same time until `count` tasks are done: the most that were running
    together in one scope, by the claims' and the ends' own order in the server, and how many were done."""
    running: dict[int, Claimed] = {}
    most = done = 0

    async def work(hands: Hands) -> None:
        nonlocal most, done
        mine: list[Claimed] = []
        while done < count:
            ended = [Ended(task, "done") for task in mine]
            for task in mine:
                del running[task.id]
            step = await hands.step(4, ended=ended)
            assert step.written == {task.id for task in mine}
            done += len(mine)
            mine = step.claimed
            running.update((task.id, task) for task in mine)
            found = await tasks.fetch(
                f"SELECT count(*) FROM tasks WHERE status = 'running' GROUP BY {scope} ORDER BY 1 DESC"
            )
            most = max([most, *(row[0] for row in found)])

    await asyncio.gather(*(work(hands) for hands in hired))
    return most, done


@pytest.mark.parametrize(
    ("payload", "scope", "cap"),
    [(Capped(), "kind", 2), (Hosted(), "host", 2), (Echo(), "account_id", 3)],
    ids=["kind", "host", "account"],
)
async def test_eight_workers_never_run_more_than_the_cap_and_reach_it(
    hire: Hire, database: Database, tasks: Tasks, account: AccountId, payload: Payload, scope: str, cap: int
):
    await ask(database, account, *[payload] * 36)
    hired = [await hire(settings=THREE) for _ in range(WORKERS)]
    assert await most_at_once(hired, tasks, scope, 36) == (cap, 36)


async def test_a_claim_fills_a_cap_and_stops_there(hire: Hire, database: Database, account: AccountId):
    await ask(database, account, *[Capped()] * 5)
    hands, other = await hire(), await hire()
    assert len(await hands.claim(10)) == 2
    assert await other.claim(10) == []


async def test_what_ended_makes_room(hire: Hire, database: Database, account: AccountId):
    await ask(database, account, *[Capped()] * 5)
    hands = await hire()
    ended = [Ended(task, "done") for task in await hands.claim(10)]
    both = await hands.step(10, ended=ended)
    assert both.written == {end.task.id for end in ended}
    assert len([*both.claimed, *await hands.claim(10)]) == 2


async def test_a_full_scope_keeps_nobody_else_waiting(
    hire: Hire, database: Database, account: AccountId, other_account: AccountId
):
    await ask(database, account, *[Capped()] * 5, *[Hosted()] * 5, *[Echo()] * 5)
    await ask(database, other_account, Hosted(site="open.example.org"), Echo())
    await ask(database, None, Echo())
    hands = await hire(settings=THREE)
    taken = [task for _ in range(4) for task in await hands.claim(20)]
    assert len([task for task in taken if task.account_id == account]) == 3
    assert {(task.account_id, task.kind) for task in taken if task.account_id != account} == {
        (other_account, Hosted.KIND),
        (other_account, Echo.KIND),
        (None, Echo.KIND),
    }


async def test_kinds_of_one_account_take_turns_at_its_cap(hire: Hire, database: Database, account: AccountId):
    await ask(database, account, *[Echo()] * 20, *[Capped()] * 20)
    hands = await hire(settings=replace(ROOMY, account_slots=1))
    kinds: list[str] = []
    ended: list[Ended] = []
    while len(kinds) < 8:
        claimed = (await hands.step(4, ended=ended)).claimed
        ended = [Ended(task, "done") for task in claimed]
        kinds += [task.kind for task in claimed]
    assert kinds.count(Echo.KIND) == kinds.count(Capped.KIND) == 4


async def test_a_scope_another_worker_claims_in_is_told_as_contended(
    hire: Hire, database: Database, account: AccountId
):
    await ask(database, account, Echo())
    hands, other = await hire(settings=THREE), await hire(settings=THREE)
    await other.claimer._survey()
    async with other.line.transaction():
        await other.claimer._room({lane: {f"account {account}": 3} for lane in other.claimer.lanes})
        step = await hands.step(4)
        assert (step.claimed, step.is_contended) == ([], True)
    assert len(await hands.claim(4)) == 1
