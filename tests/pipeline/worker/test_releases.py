"""Workers of two releases, and of two networks, side by side on one queue."""

from datetime import timedelta

from fixtures.people import FixedClock
from fixtures.worker import QUICK, Echo, Slow, Tasks, until, working
from msgspec.structs import replace

from pipeline.worker.operations.fleet import store as fleet
from pipeline.worker.types import Done, HostClosed, TaskRun
from schema.db import Database
from schema.ids import AccountId
from schema.queue import Wanted, enqueue_many
from schema.tasks import Payload


class Outside(Payload, frozen=True, kw_only=True):
    """Work at one host of the tests."""

    KIND = "test.outside.v1"

    def host(self) -> str:
        return "board.example"


async def asked(database: Database, account: AccountId, *payloads: Payload) -> list[int]:
    async with database.as_account(account) as unit:
        return list(await enqueue_many(unit, [Wanted(payload=payload) for payload in payloads]))


async def test_an_old_release_leaves_a_new_kind_to_the_new_one(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    ran: list[tuple[str, str]] = []

    def by(release: str):
        async def handle(run: TaskRun, payload: Payload) -> Done:
            ran.append((release, payload.KIND))
            return Done()

        return handle

    async with working(database, clock, Echo=by("old")):
        first = await asked(database, account, Slow(), Echo(), Slow(), Echo())
        await tasks.until(first[3], "done")
        assert [(await tasks.row(task)).status for task in first] == ["pending", "done"] * 2
        async with database.as_fleet() as unit:
            unknown = await fleet.unsupported(unit, [Echo.KIND])
        assert [each.kind for each in unknown] == [Slow.KIND]
        async with working(database, clock, Echo=by("new"), Slow=by("new")):
            more = await asked(database, account, *[Echo(), Slow()] * 10)
            for task in first + more:
                await tasks.until(task, "done")
    assert {release for release, kind in ran if kind == Slow.KIND} == {"new"}
    assert await tasks.fetch("SELECT count(*) FROM tasks WHERE attempts <> 1 OR status <> 'done'") == [(0,)]


async def test_a_host_closed_to_one_network_is_open_to_another(
    database: Database, account: AccountId, clock: FixedClock, tasks: Tasks
):
    seen: list[str] = []

    async def refused(run: TaskRun, payload: Outside) -> Done:
        seen.append("home")
        raise HostClosed(clock.now() + timedelta(hours=6))

    async def answered(run: TaskRun, payload: Outside) -> Done:
        seen.append("office")
        return Done()

    home, office = replace(QUICK, egress_group="home", slots=1), replace(QUICK, egress_group="office")
    async with working(database, clock, home, Outside=refused):
        first, second = await asked(database, account, Outside(), Outside())
        await until(lambda: closed(tasks, clock), 10, "the host closed itself to the first network")
        async with working(database, clock, office, Outside=answered):
            await tasks.until(second, "done")
    assert seen == ["home", "office"]
    row = await tasks.row(first)
    assert (row.status, row.attempts) == ("pending", 0)


async def closed(tasks: Tasks, clock: FixedClock):
    rows = await tasks.fetch("SELECT egress_group FROM host_budgets WHERE closed_until > %s", clock.now())
    return rows or None
