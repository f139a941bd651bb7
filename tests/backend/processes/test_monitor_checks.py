"""What makes a process not ready: its own probe, a loop that stands, and each thing a database can be."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager

import msgspec
import psycopg
import pytest
from fixtures.cutting import CUT_PROGRAMS
from fixtures.database import at
from fixtures.worker import until
from psycopg import sql

from backend.processes import monitor_checks
from backend.processes.monitor_checks import Check, DatabaseProbe, Pulse, Work
from schema.db import Database
from schema.settings import DatabaseSettings


@pytest.fixture(autouse=True)
def _anew_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor_checks, "FRESH_SECONDS", 0.0)


@pytest.fixture
async def probe(database_settings: DatabaseSettings) -> AsyncGenerator[DatabaseProbe]:
    async with probing(database_settings) as made:
        yield made


@asynccontextmanager
async def probing(settings: DatabaseSettings) -> AsyncGenerator[DatabaseProbe]:
    small = msgspec.structs.replace(settings, pool_size=2, pool_timeout_seconds=1.0)
    async with Database.opened(small) as db:
        yield DatabaseProbe(db)


def wrong(checks: list[Check]) -> set[str]:
    return {check.name for check in checks if not check.ok}


async def test_a_database_that_fits_is_well(probe: DatabaseProbe):
    checks = await probe.checks()
    assert [check.name for check in checks] == ["database", "role", "schema"]
    assert not wrong(checks)
    assert not [check.says for check in checks if check.says]


async def test_a_role_that_sees_past_row_security_is_not_ready(owner_url: str):
    async with probing(DatabaseSettings(url=owner_url)) as probe:
        assert wrong(await probe.checks()) == {"role"}


async def test_a_role_that_may_not_be_the_fleet_is_not_ready(owner_url: str, worker_id: str):
    name = f"stranger_{worker_id}"
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
        try:
            database = owner_url.partition("?")[0].rpartition("/")[2]
            async with probing(DatabaseSettings(url=at(owner_url, database, name))) as probe:
                assert wrong(await probe.checks()) == {"role"}
        finally:
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


async def test_a_database_that_lacks_a_migration_is_not_ready(probe: DatabaseProbe, owner_url: str):
    with psycopg.connect(owner_url, autocommit=True) as connection:
        last = "SELECT max(number) FROM schema_migrations"
        connection.execute(f"UPDATE schema_migrations SET number = -number WHERE number = ({last})")
        try:
            assert wrong(await probe.checks()) == {"schema"}
        finally:
            connection.execute("UPDATE schema_migrations SET number = -number WHERE number < 0")
    assert not wrong(await probe.checks())


async def test_a_database_without_tables_is_not_ready(server_url: str, scratch_database: str):
    async with probing(DatabaseSettings(url=at(server_url, scratch_database, "jobtrail"))) as probe:
        assert wrong(await probe.checks()) == {"schema"}


async def test_a_dead_database_is_told_within_its_second(tmp_path):
    began = time.monotonic()
    async with probing(DatabaseSettings(url=f"postgresql://jobtrail@/jobtrail?host={tmp_path}")) as probe:
        assert wrong(await probe.checks()) == {"database", "role", "schema"}
        assert time.monotonic() - began < 3


async def test_a_server_that_hangs_is_told_within_its_second_and_found_again(
    probe: DatabaseProbe, owner_url: str
):
    assert not wrong(await probe.checks())
    async with await psycopg.AsyncConnection.connect(owner_url) as blocker:
        await blocker.execute("LOCK schema_migrations")
        began = time.monotonic()
        assert wrong(await probe.checks()) == {"database", "role", "schema"}
        assert time.monotonic() - began < 3
    assert not wrong(await probe.checks())


class Wire:
    """A way to the test's server over TCP that can go silent without closing anything."""

    def __init__(self, target: str) -> None:
        self._target = target
        self.flows = asyncio.Event()
        self.flows.set()
        self.writers: list[asyncio.StreamWriter] = []

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, onward = await asyncio.open_unix_connection(self._target)
        self.writers += [writer, onward]
        await asyncio.gather(self._carry(reader, onward), self._carry(there, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            await self.flows.wait()
            writer.write(data)
        writer.close()


async def found_again(probe: DatabaseProbe) -> bool | None:
    return not wrong(await probe.checks()) or None


async def test_a_server_that_says_nothing_is_told_within_its_second_and_found_again(login_url: str):
    folder = psycopg.conninfo.conninfo_to_dict(login_url)["host"]
    wire = Wire(f"{folder}/.s.PGSQL.5432")
    server = await asyncio.start_server(wire.meet, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    url = psycopg.conninfo.make_conninfo(login_url, host=host, port=port)
    async with probing(DatabaseSettings(url=url)) as probe:
        assert not wrong(await probe.checks())
        wire.flows.clear()
        for _ in range(3):
            began = time.monotonic()
            assert wrong(await probe.checks()) == {"database", "role", "schema"}
            assert time.monotonic() - began < 2
        wire.flows.set()
        await until(lambda: found_again(probe), 5, "a server found again")
    server.close()
    for writer in wire.writers:
        writer.transport.abort()


async def test_killed_connections_are_made_anew(probe: DatabaseProbe, owner_url: str, login_url: str):
    assert not wrong(await probe.checks())
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(CUT_PROGRAMS)
    assert not wrong(await probe.checks())


async def test_probes_that_come_together_share_one_look(
    probe: DatabaseProbe, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(monitor_checks, "FRESH_SECONDS", 60.0)
    probe = DatabaseProbe(probe._db)
    first, *others = await asyncio.gather(*(probe.checks() for _ in range(20)))
    assert all(other is first for other in others)


@pytest.fixture
def other_loop() -> Generator[asyncio.AbstractEventLoop, None, None]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield loop
    if not loop.is_closed():
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def felt(pulse: Pulse, wanted: bool) -> bool:
    """Whether the pulse became `wanted` while it was asked for again and again."""
    deadline = time.monotonic() + 5
    while pulse.is_alive is not wanted and time.monotonic() < deadline:
        pulse.ask()
        threading.Event().wait(0.01)
    return pulse.is_alive is wanted


def test_a_loop_that_stands_is_felt_and_one_that_turns_again_too(
    other_loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(monitor_checks, "SILENCE_SECONDS", 0.2)
    pulse, release = Pulse(other_loop), threading.Event()
    assert felt(pulse, wanted=True)
    other_loop.call_soon_threadsafe(release.wait)
    assert felt(pulse, wanted=False)
    release.set()
    assert felt(pulse, wanted=True)


def test_a_closed_loop_has_no_pulse(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(monitor_checks, "SILENCE_SECONDS", 0.05)
    loop = asyncio.new_event_loop()
    pulse = Pulse(loop)
    loop.close()
    assert felt(pulse, wanted=False)


def test_the_work_says_in_its_own_words_what_is_wrong(other_loop: asyncio.AbstractEventLoop):
    said: list[str | None] = [None, "it is stopping"]
    work = Work(pulse=Pulse(other_loop), trouble=lambda: said.pop(0))
    assert wrong(work.checks()) == set()
    assert work.checks()[0] == Check(name="work", ok=False, says="it is stopping")
