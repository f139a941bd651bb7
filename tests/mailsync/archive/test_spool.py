import asyncio
import os
from datetime import timedelta
from pathlib import Path

import pytest
from fixtures.mail import mail, mbox
from fixtures.people import FixedClock

from mailsync.archive.spool import KEPT_FOR, sweep_spool
from mailsync.archive.store import fail_import
from mailsync.daemon import Daemon
from mailsync.drop_folder import DropFolder
from schema.db import Database


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    folder = tmp_path / "spool"
    folder.mkdir()
    return folder


def uploaded(folder: Path, name: str, clock: FixedClock, age: timedelta) -> Path:
    path = folder / name
    path.write_bytes(mbox([mail("We received your application.")]))
    moment = (clock.now() - age).timestamp()
    os.utime(path, (moment, moment))
    return path


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_an_upload_no_import_asks_for_goes_after_a_day(
    database: Database, clock: FixedClock, spool: Path
):
    uploaded(spool, "upload-orphan", clock, KEPT_FOR + timedelta(hours=1))
    uploaded(spool, "upload-half.part", clock, KEPT_FOR + timedelta(hours=1))
    uploaded(spool, "upload-fresh", clock, KEPT_FOR - timedelta(hours=1))
    uploaded(spool, "letters.mbox", clock, KEPT_FOR * 9)
    assert await sweep_spool(database, clock, spool) == 2
    assert left(spool) == ["letters.mbox", "upload-fresh"]


async def test_an_upload_stays_as_long_as_anybodys_import_waits_for_it(
    importer, other_account, database: Database, clock: FixedClock, spool: Path
):
    importer.account = other_account
    path = uploaded(spool, "upload-waits", clock, KEPT_FOR * 30)
    import_id = await importer.ask(path, spooled=True)
    assert await sweep_spool(database, clock, spool) == 0
    async with database.as_account(other_account) as unit:
        await fail_import(unit, import_id, "import_stopped", "", now=clock.now())
    assert await sweep_spool(database, clock, spool) == 1
    assert left(spool) == []


async def test_a_link_is_no_upload_and_no_folder_is_no_trouble(
    database: Database, clock: FixedClock, spool: Path, tmp_path: Path
):
    kept = uploaded(tmp_path, "mine.mbox", clock, KEPT_FOR * 2)
    (spool / "upload-link").symlink_to(kept)
    assert await sweep_spool(database, clock, spool) == 0
    assert await sweep_spool(database, clock, tmp_path / "never made") == 0
    assert left(tmp_path) == ["mine.mbox", "spool"]


async def test_the_daemon_sweeps_at_its_start_and_every_hour(
    database: Database, clock: FixedClock, spool: Path, tmp_path: Path
):
    stop = asyncio.Event()
    made = Daemon(database, clock, DropFolder(tmp_path / "inbox"), poll_seconds=0.01, spool=spool)
    uploaded(spool, "upload-one", clock, KEPT_FOR * 2)
    running = asyncio.create_task(made.run(stop))
    async with asyncio.timeout(30):
        await gone(spool)
        uploaded(spool, "upload-two", clock, KEPT_FOR * 2)
        clock.move(hours=1)
        await gone(spool)
    stop.set()
    await running


async def gone(folder: Path) -> None:
    while await asyncio.to_thread(left, folder):  # noqa: ASYNC110 - a folder tells nobody that it changed
        await asyncio.sleep(0.01)
