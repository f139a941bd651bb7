"""The mail daemon: keeps an installation's mail in step until it is told to stop.

It syncs the Gmail mailboxes that are due and that no other daemon holds, and watches the drop folder for
archives, whose import it asks for on behalf of the installation's owner; the worker reads those.
"""

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import structlog

from mailsync.archive.spool import sweep_spool
from mailsync.archive.store import installation_owner, paths_without_import
from mailsync.drop_folder import DropFolder
from mailsync.gmail.keeper import Keeper, keeping
from mailsync.imports import start_import
from mailsync.presence.store import beat, forget_old, stopped
from schema.clock import Clock, SystemClock
from schema.db import Database
from schema.errors import Unavailable
from schema.ids import AccountId
from schema.settings import Settings

log = structlog.get_logger()

POLL_SECONDS = 3.0
"""Time between two looks at the drop folder, and between two signs of life."""

SWEEP_EVERY = timedelta(hours=1)
"""Time between two looks for uploads that nobody reads any more."""


async def serve_mailsync(
    settings: Settings, *, begun: Callable[[asyncio.Event], None] = lambda _: None
) -> None:
    """Work until SIGTERM or SIGINT. A database that is away for a while is waited for.

    `begun` is called once in the running loop, with what is set when a stop was asked for.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    inbox = DropFolder(settings.home.folder() / "inbox")
    clock = SystemClock()
    daemon_id = uuid4()
    async with (
        Database.opened(settings.database) as db,
        keeping(db, clock, settings, daemon_id) as keeper,
    ):
        begun(stop)
        spool = settings.home.folder() / "spool"
        await Daemon(db, clock, inbox, keeper=keeper, daemon_id=daemon_id, spool=spool).run(stop)


class Daemon:
    """One loop; every round is safe to repeat."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        inbox: DropFolder,
        *,
        keeper: Keeper | None = None,
        daemon_id: UUID | None = None,
        poll_seconds: float = POLL_SECONDS,
        spool: Path | None = None,
    ) -> None:
        self.id: UUID = daemon_id or uuid4()
        self._keeper = keeper
        self._mailboxes: int | None = None
        self._db = db
        self._clock = clock
        self._inbox = inbox
        self._poll_seconds = poll_seconds
        self._spool = spool
        self._sweep_at = clock.now()
        self._asked: set[Path] = set()
        self._reachable = True
        self._readable = True

    async def run(self, stop: asyncio.Event) -> None:
        log.info("the mail daemon is running", drop_folder=str(self._inbox.folder))
        while not stop.is_set():
            await self._round()
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self._poll_seconds)
        with suppress(Unavailable):
            async with self._db.as_fleet() as unit:
                await stopped(unit, self.id)
        log.info("the mail daemon has stopped")

    async def _round(self) -> None:
        try:
            await self._sync()
            await self._show_up()
            await self._look_into_inbox()
            await self._sweep()
        except Unavailable:
            if self._reachable:
                log.warning("the database cannot be reached; the mail daemon waits for it")
            self._reachable = False
        else:
            self._reachable = True

    async def _sync(self) -> None:
        count = await self._keeper.look() if self._keeper else 0
        if count != self._mailboxes:
            words = f"{count} Gmail mailboxes are connected" if count else "no Gmail account is connected"
            log.info(words, gmail_accounts=count)
        self._mailboxes = count

    async def _sweep(self) -> None:
        if self._spool is None or self._clock.now() < self._sweep_at:
            return
        self._sweep_at = self._clock.now() + SWEEP_EVERY
        try:
            count = await sweep_spool(self._db, self._clock, self._spool)
        except OSError as error:
            log.warning("the folder of uploads cannot be swept", error=type(error).__name__)
            return
        if count:
            log.info("uploads nobody reads any more were removed", files=count)

    async def _show_up(self) -> None:
        async with self._db.as_fleet() as unit:
            await beat(unit, self.id, name=socket.gethostname(), gmail_accounts=self._mailboxes or 0)
            await forget_old(unit)

    async def _look_into_inbox(self) -> None:
        async with self._db.as_fleet() as unit:
            owner = await installation_owner(unit)
        if owner is None:
            return
        try:
            taken = await asyncio.to_thread(self._taken)
        except OSError as error:
            if self._readable:
                log.warning("the drop folder cannot be used", error=type(error).__name__)
            self._readable = False
            return
        self._readable = True
        await self._ask(owner, [path for path in taken if path not in self._asked])

    def _taken(self) -> list[Path]:
        self._inbox.prepare()
        self._inbox.take()
        return self._inbox.taken()

    async def _ask(self, owner: AccountId, paths: list[Path]) -> None:
        """An import for each taken file that has none; one killed between moving and asking has none yet."""
        if not paths:
            return
        async with self._db.as_account(owner) as unit:
            for path in await paths_without_import(unit, paths):
                import_id = await start_import(unit, path, now=self._clock.now())
                log.info("an archive in the drop folder will be imported", import_id=import_id)
        self._asked.update(paths)
