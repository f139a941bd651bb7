import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fixtures.mail import mail
from fixtures.people import FixedClock

from mailsync.daemon import Daemon
from mailsync.drop_folder import DropFolder
from schema.db import Database
from schema.ids import AccountId
from schema.settings import DatabaseSettings

LETTER = mail("We received your application.")
Imports = Callable[[], list[tuple[object, ...]]]


async def until(condition: Callable[[], bool], seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not await asyncio.to_thread(condition):  # noqa: ASYNC110 - a table tells nobody that it changed
            await asyncio.sleep(0.01)


@pytest.fixture
def imports(rows) -> Imports:
    return lambda: rows("SELECT name, path, state FROM mail_imports ORDER BY id")


@pytest.fixture
def owned(owner_url: str, account: AccountId) -> AccountId:
    """The account owns the installation."""
    import psycopg

    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("UPDATE installation SET owner_account_id = %s", (account,))
    return account


def daemon(database: Database, clock: FixedClock, folder: Path) -> Daemon:
    return Daemon(database, clock, DropFolder(folder), poll_seconds=0.01)


async def running(made: Daemon, doing: Awaitable[None]) -> None:
    """The daemon runs while `doing` does, then is stopped in order."""
    stop = asyncio.Event()
    task = asyncio.create_task(made.run(stop))
    try:
        await doing
    finally:
        stop.set()
        await task


async def test_an_archive_in_the_drop_folder_is_imported_for_the_owner(
    database: Database, clock: FixedClock, owned: AccountId, tmp_path: Path, imports: Imports, rows
):
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "letter.eml").write_bytes(LETTER)
    (inbox / "notes.txt").write_text("left alone")
    await running(daemon(database, clock, inbox), until(lambda: bool(imports())))
    assert imports() == [("letter.eml", str(inbox / "taken" / "letter.eml"), "queued")]
    assert rows("SELECT account_id FROM mail_imports") == [(owned,)]
    assert rows("SELECT count(*) FROM tasks WHERE kind = 'mail.import.v1'") == [(1,)]
    assert sorted(path.name for path in inbox.iterdir()) == ["notes.txt", "taken"]


async def test_a_file_that_still_grows_is_not_taken(tmp_path: Path):
    folder = DropFolder(tmp_path)
    folder.prepare()
    path = tmp_path / "mail.mbox"
    for size in range(1, 4):
        path.write_bytes(b"x" * size)
        folder.take()
    assert folder.taken() == []
    folder.take()
    assert [taken.name for taken in folder.taken()] == ["mail.mbox"]


async def test_a_second_file_of_a_name_overwrites_nothing(tmp_path: Path):
    folder = DropFolder(tmp_path)
    folder.prepare()
    for content in (b"one", b"two"):
        (tmp_path / "a.eml").write_bytes(content)
        folder.take()
        folder.take()
    assert [(taken.name, taken.read_bytes()) for taken in folder.taken()] == [
        ("a (1).eml", b"two"),
        ("a.eml", b"one"),
    ]


async def test_a_file_moved_before_a_crash_is_asked_for_once(
    database: Database, clock: FixedClock, owned: AccountId, tmp_path: Path, imports: Imports
):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "a.eml").write_bytes(LETTER)
    both = [daemon(database, clock, tmp_path) for _ in range(2)]
    await running(both[0], running(both[1], until(lambda: bool(imports()))))
    await running(daemon(database, clock, tmp_path), asyncio.sleep(0.1))
    assert len(imports()) == 1


async def test_before_the_first_visit_files_stay_where_they_are(
    database: Database, clock: FixedClock, account: AccountId, tmp_path: Path, imports: Imports, rows
):
    (tmp_path / "a.eml").write_bytes(LETTER)
    seen = "SELECT last_seen_at > started_at FROM mail_daemons"
    await running(daemon(database, clock, tmp_path), until(lambda: rows(seen) == [(True,)]))
    assert imports() == []
    assert (tmp_path / "a.eml").read_bytes() == LETTER


async def test_the_daemon_is_known_while_it_runs_and_says_that_no_gmail_account_is_connected(
    database: Database, clock: FixedClock, tmp_path: Path, rows
):
    told = "SELECT gmail_accounts, stopped_at IS NULL FROM mail_daemons"
    await running(daemon(database, clock, tmp_path), until(lambda: rows(told) == [(0, True)]))
    assert rows(told) == [(0, False)]


PROGRAM = """
import asyncio, sys
from mailsync.daemon import serve_mailsync
from schema.settings import DatabaseSettings, HomeSettings, Settings
database = DatabaseSettings(url=sys.argv[1], pool_size=2)
asyncio.run(serve_mailsync(Settings(home=HomeSettings(home=sys.argv[2]), database=database)))
"""


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_the_process_stops_in_order_on_a_signal(
    database: Database, database_settings: DatabaseSettings, tmp_path: Path, rows, number: signal.Signals
):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM, database_settings.url, str(tmp_path)]
    process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=subprocess.PIPE)
    await until(lambda: bool(rows("SELECT id FROM mail_daemons")))
    process.send_signal(number)
    said, _ = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 0
    assert b"no Gmail account is connected" in said
    assert rows("SELECT stopped_at IS NOT NULL FROM mail_daemons") == [(True,)]
