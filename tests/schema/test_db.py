"""The door: scopes, isolation, and units that cannot be misused."""

import asyncio

import msgspec
import psycopg
import pytest
from fixtures.cutting import CUT, CUT_PROGRAMS
from psycopg import sql

from schema.db import Database, UnitMisused, UnstorableValue, watched
from schema.errors import Missing, Unavailable
from schema.ids import AccountId
from schema.query import REGISTRY, Query, Statement
from schema.settings import DatabaseSettings


class Note(msgspec.Struct, frozen=True):
    note: str


class Told(msgspec.Struct, frozen=True):
    note: str
    given: str


class Count(msgspec.Struct, frozen=True):
    count: int


def query(sql: str, row: type[msgspec.Struct] = Count) -> Query:
    """An unregistered query, so that the test's own SQL is not part of the product's register."""
    made = Query(f"test.{len(REGISTRY)}", row, sql)  # pyright: ignore
    del REGISTRY[made.name]
    return made


def statement(sql: str) -> Statement:
    made = Statement(f"test.{len(REGISTRY)}", sql)  # pyright: ignore
    del REGISTRY[made.name]
    return made


MAILBOXES = query("SELECT count(*) FROM mailboxes")
ADD_MAILBOX = statement("INSERT INTO mailboxes (door, created_at) VALUES ('archive', now())")


async def test_a_unit_sees_only_its_account(database: Database, account: AccountId, other_account: AccountId):
    async with database.as_account(account) as unit:
        await unit.run(ADD_MAILBOX)
    async with database.as_account(account) as unit:
        assert (await unit.one(MAILBOXES)).count == 1
    async with database.as_account(other_account) as unit:
        assert (await unit.one(MAILBOXES)).count == 0


async def test_a_visitor_reads_nothing_and_cannot_insert(database: Database, account: AccountId):
    async with database.as_account(account) as unit:
        await unit.run(ADD_MAILBOX)
    async with database.as_presenter("") as unit:
        assert (await unit.one(MAILBOXES)).count == 0
    with pytest.raises(psycopg.Error):
        async with database.as_presenter("") as unit:
            await unit.run(ADD_MAILBOX)


async def test_a_row_for_another_account_is_refused(
    database: Database, account: AccountId, other_account: AccountId
):
    forged = statement(
        "INSERT INTO mailboxes (account_id, door, created_at) VALUES (%(other)s, 'gmail', now())"
    )
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.as_account(account) as unit:
            await unit.run(forged, other=other_account)


async def test_the_fleet_reads_no_private_table(database: Database):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.as_fleet() as unit:
            await unit.all(MAILBOXES)


async def test_the_login_role_can_do_nothing_without_a_scope(login_url: str):
    async with await psycopg.AsyncConnection.connect(login_url) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute("SELECT count(*) FROM mailboxes")


async def test_the_scope_ends_with_the_transaction(database_settings: DatabaseSettings, account: AccountId):
    one = msgspec.structs.replace(database_settings, pool_size=1)
    async with Database.opened(one) as database:
        async with database.as_account(account) as unit:
            await unit.run(ADD_MAILBOX)
        async with database.as_presenter("") as unit:
            assert (await unit.one(MAILBOXES)).count == 0


async def test_units_do_not_nest(database: Database, account: AccountId):
    async with database.as_account(account):
        with pytest.raises(UnitMisused):
            async with database.as_fleet():
                pass


async def test_a_statement_by_itself_is_the_fleets_and_leaves_nothing_behind(
    database_settings: DatabaseSettings, account: AccountId, owner_url: str
):
    role = query("SELECT current_user::text AS note, %(x)s::text AS given", Told)
    settings = msgspec.structs.replace(database_settings, pool_size=1)
    async with Database.opened(settings) as alone:
        assert await alone.at_once(role, x="it's %s") == [Told(note="jobtrail_fleet", given="it's %s")]
        with pytest.raises(psycopg.Error):
            await alone.at_once(MAILBOXES)
        with psycopg.connect(owner_url, autocommit=True) as owner:
            owner.execute(CUT_PROGRAMS)
        assert len(await alone.at_once(role, x="")) == 1
        async with alone.as_account(account):
            with pytest.raises(UnitMisused):
                await alone.at_once(role, x="")


async def test_an_ended_unit_refuses_work(database: Database, account: AccountId):
    async with database.as_account(account) as unit:
        pass
    with pytest.raises(UnitMisused):
        await unit.run(ADD_MAILBOX)


async def test_cancellation_rolls_back(database: Database, account: AccountId):
    written = asyncio.Event()

    async def write_and_wait() -> None:
        async with database.as_account(account) as unit:
            await unit.run(ADD_MAILBOX)
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_and_wait())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with database.as_account(account) as unit:
        assert (await unit.one(MAILBOXES)).count == 0


async def test_a_missing_row_is_named_missing(database: Database, account: AccountId):
    async with database.as_account(account) as unit:
        with pytest.raises(Missing):
            await unit.one(query("SELECT note FROM user_jobs WHERE posting_id = 0", Note))


@pytest.mark.parametrize("text", ["a\x00b", "a\udcffb"], ids=["nul", "surrogate"])
async def test_what_no_text_can_hold_is_the_callers_fault_not_a_crash(
    database: Database, account: AccountId, text: str
):
    with pytest.raises(UnstorableValue):
        async with database.as_account(account) as unit:
            await unit.all(query("SELECT count(*) FROM mailboxes WHERE address = %(text)s"), text=text)


async def test_a_cut_connection_is_unavailable_then_heals(
    database: Database, account: AccountId, owner_url: str
):
    with psycopg.connect(owner_url, autocommit=True) as owner, pytest.raises(Unavailable):
        async with database.as_account(account) as unit:
            owner.execute(CUT)
            await unit.run(ADD_MAILBOX)
    async with database.as_account(account) as unit:
        assert (await unit.one(MAILBOXES)).count == 0


async def test_an_unreachable_server_is_unavailable_in_time(database_settings: DatabaseSettings):
    nowhere = msgspec.structs.replace(
        database_settings, url="postgresql://jobtrail@127.0.0.1:1/jobtrail", pool_timeout_seconds=0.3
    )
    async with Database.opened(nowhere) as database:
        with pytest.raises(Unavailable):
            async with database.as_fleet():
                pass


async def test_a_restarted_database_costs_the_next_unit_nothing(
    database_settings: DatabaseSettings, owner_url: str, empty_database: None
):
    settings = msgspec.structs.replace(database_settings, pool_timeout_seconds=2.0)
    async with Database.opened(settings) as database:
        await fill(database, settings.pool_size)
        cut_every_line(owner_url)
        async with database.as_fleet() as unit:
            assert (await unit.one(query("SELECT count(*) FROM workers"))).count == 0


async def test_a_database_that_is_back_is_found_at_once(
    database_settings: DatabaseSettings, database_name: str, owner_url: str, empty_database: None
):
    async def works(database: Database) -> bool:
        try:
            async with database.as_fleet():
                return True
        except Unavailable:
            return False

    settings = msgspec.structs.replace(database_settings, pool_size=1, pool_timeout_seconds=0.3)
    doors = sql.SQL("ALTER DATABASE {} CONNECTION LIMIT {}")
    async with Database.opened(settings) as database:
        await fill(database, settings.pool_size)
        with psycopg.connect(owner_url, autocommit=True) as owner:
            owner.execute(doors.format(sql.Identifier(database_name), sql.Literal(0)))
            try:
                cut_every_line(owner_url)
                assert [await works(database) for _ in range(5)] == [False] * 5
            finally:
                owner.execute(doors.format(sql.Identifier(database_name), sql.Literal(-1)))
        assert any([await works(database) for _ in range(2)])


async def fill(database: Database, lines: int) -> None:
    """Let the pool open that many connections."""
    together = asyncio.Barrier(lines)

    async def hold() -> None:
        async with database.as_fleet():
            await together.wait()

    async with asyncio.timeout(10):
        await asyncio.gather(*(hold() for _ in range(lines)))


def cut_every_line(owner_url: str) -> None:
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(CUT_PROGRAMS)


async def test_an_installation_keeps_its_owner(database: Database, account: AccountId, owner_url: str):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE installation SET owner_account_id = %s", (account,))
    with pytest.raises(psycopg.errors.CheckViolation):
        async with database.as_account(account) as unit:
            await unit.run(statement("UPDATE installation SET owner_account_id = NULL"))


def test_a_line_that_died_is_noticed_unless_the_url_says_otherwise():
    assert "tcp_user_timeout=20000" in watched("postgresql://jobtrail@db.example/jobtrail")
    assert "tcp_user_timeout=5" in watched("postgresql://jobtrail@db.example/jobtrail?tcp_user_timeout=5")
