"""What `jobtrail mail import` does: ask for it, follow it, and do the work here when no worker lives."""

import asyncio
import random
import sys
import time
from importlib.metadata import version
from pathlib import Path

from backend.cli import store
from backend.handlers import handlers
from mailsync.archive.store import Import, import_by_id
from mailsync.imports import require_archive, start_import
from pipeline.worker.loop import Worker
from schema.clock import SystemClock
from schema.db import Database
from schema.errors import Missing, Refusal, Unavailable
from schema.ids import AccountId, ImportId
from schema.settings import Settings

_POLL_SECONDS = 0.2
_PATIENCE_SECONDS = 60.0


class ImportFailed(Refusal):
    """The import ended without reading the whole archive."""

    code = "import_failed"


class ImportCutOff(Refusal):
    """The database has not been reached for a minute; what was read is kept, and the import goes on later."""

    code = "import_cut_off"
    kind = "unavailable"


class SpareWorker:
    """A worker in this very process, started only when no other has been seen for a minute."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._stop = asyncio.Event()
        self._run: asyncio.Task[None] | None = None

    async def start_unless_another_lives(self) -> None:
        if self._run is None and not await store.a_worker_lives(self._database):
            jitter = random.Random().random  # noqa: S311 - spreads retries, guards nothing
            worker = Worker(
                self._database,
                SystemClock(),
                handlers(self._settings),
                self._settings.worker,
                release=version("jobtrail"),
                jitter=jitter,
            )
            self._run = asyncio.create_task(worker.run(self._stop))

    async def end(self, account_id: AccountId, *, finish: bool) -> None:
        """Stop it; with `finish` after the work that the import asked for, such as matching, is done."""
        if self._run is None:
            return
        # The queue is a table: there is no event of ours to wait for.
        while finish and await store.has_work(self._database, account_id):  # noqa: ASYNC110
            await asyncio.sleep(_POLL_SECONDS)
        self._stop.set()
        await self._run


async def import_mail(database: Database, settings: Settings, path: Path, email: str) -> Import:
    """The import once it is done. Raises `ImportFailed`, or the refusal of a file that is no archive."""
    account_id = await store.account_named(database, email)
    size_bytes = await asyncio.to_thread(require_archive, path)
    async with database.as_account(account_id) as unit:
        import_id = await start_import(unit, path, now=SystemClock().now(), size_bytes=size_bytes)
    spare = SpareWorker(database, settings)
    ended = False
    try:
        found = await _followed(database, account_id, import_id, spare)
        ended = True
    finally:
        await spare.end(account_id, finish=ended)
    if found.state == "failed":
        raise ImportFailed(f"{path}: {found.failure_detail or found.failure_code}")
    return found


async def _followed(
    database: Database, account_id: AccountId, import_id: ImportId, spare: SpareWorker
) -> Import:
    """Look until it ends. A database that is away is waited for: what was read so far is kept there."""
    heard = time.monotonic()
    while True:
        try:
            async with database.as_account(account_id) as unit:
                found = await import_by_id(unit, import_id)
            heard = time.monotonic()
        except Unavailable as error:
            if time.monotonic() - heard > _PATIENCE_SECONDS:
                raise ImportCutOff from error
            await asyncio.sleep(_POLL_SECONDS)
            continue
        if found is None:
            raise Missing("the import was deleted while it ran.")
        _show(found)
        if found.state in {"done", "failed"}:
            return found
        await spare.start_unless_another_lives()
        await asyncio.sleep(_POLL_SECONDS)


def _show(found: Import) -> None:
    """How far it is, in one line that is written over, for a person at a terminal only."""
    if sys.stderr.isatty():
        part = f", {100 * found.bytes_done // found.bytes_total} %" if found.bytes_total else ""
        end = "\n" if found.state in {"done", "failed"} else ""
        sys.stderr.write(f"\r{found.state}: {found.seen} read{part}    {end}")
        sys.stderr.flush()
