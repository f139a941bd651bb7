"""Keeps this process's share of the mailboxes in step: takes turns that are due, several at a time.

Found by the fleet's table of turns, so nothing private is read to find work. A mailbox that another process
holds is left alone until its lease runs out.
"""

import asyncio
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

import structlog

from mailsync.gmail.client import GmailClient
from mailsync.gmail.connections import Connections
from mailsync.gmail.consent.client import ConsentClient
from mailsync.gmail.consent.grants import Grants
from mailsync.gmail.quota.store import forget_unused
from mailsync.gmail.sync.session import Surroundings
from mailsync.gmail.sync.turn import run_turn
from mailsync.gmail.turns.store import Turn, any_due, open_turns, take_turn, take_turns
from mailsync.gmail.types import Who
from mailsync.gmail.walks.load import queries_of
from schema.clock import Clock
from schema.db import Database
from schema.errors import Refusal, Unavailable
from schema.faults import told
from schema.secrets.keys import KeyRing, ensure
from schema.settings import Settings

log = structlog.get_logger()
_SHARE_SECONDS = 30.0
"""How long a mailbox is synced in one go while others wait: a first sync takes hours."""


class Keeper:
    """`look` is called again and again; each call starts what is due and returns at once."""

    def __init__(self, around: Surroundings, holder: UUID) -> None:
        self._around = around
        self._holder = holder
        self._name = socket.gethostname()[:200]
        self._turns: set[asyncio.Task[None]] = set()
        self._is_over = False
        self._others_wait = False

    async def look(self) -> int:
        """Start the turns that are due; how many mailboxes this installation keeps in step."""
        async with self._around.db.as_fleet() as unit:
            await forget_unused(unit)
            count = await open_turns(unit)
            free = self._around.settings.mailboxes - len(self._turns)
            turns: list[Turn] = []
            self._others_wait = free <= 0 and await any_due(unit)
            if free > 0 and count:
                turns = await take_turns(
                    unit, self._holder, self._name, lease=self._around.settings.lease_seconds, limit=free
                )
        for turn in turns:
            self._start(turn)
        return count

    async def once(self, who: Who) -> bool:
        """Sync one mailbox now, due or not, until it is in step; False when somebody else holds it."""
        async with self._around.db.as_fleet() as unit:
            turn = await take_turn(
                unit, who, self._holder, self._name, lease=self._around.settings.lease_seconds
            )
        if turn is None:
            return False
        await run_turn(self._around, turn, lambda: self._is_over)
        return True

    async def stop(self) -> None:
        """Let the present steps end and give every mailbox back."""
        self._is_over = True
        for task in self._turns:
            task.cancel()
        await asyncio.gather(*self._turns, return_exceptions=True)

    def _start(self, turn: Turn) -> None:
        task = asyncio.create_task(self._run(turn), name=f"sync of mailbox {turn.mailbox_id}")
        self._turns.add(task)
        task.add_done_callback(self._turns.discard)

    async def _run(self, turn: Turn) -> None:
        """No fault of one mailbox stops the others; the lease runs out by itself."""
        fair_until = time.monotonic() + _SHARE_SECONDS

        def is_over() -> bool:
            return self._is_over or (self._others_wait and time.monotonic() > fair_until)

        try:
            await run_turn(self._around, turn, is_over)
        except Unavailable:
            log.warning("the database went away during a sync", mailbox_id=turn.mailbox_id)
        except Exception as error:  # noqa: BLE001
            log.error("a fault in a sync", mailbox_id=turn.mailbox_id, fault=told(error))


@asynccontextmanager
async def keeping(
    db: Database, clock: Clock, settings: Settings, holder: UUID
) -> AsyncGenerator[Keeper | None, None]:
    """A keeper for as long as the block runs; None when what it needs cannot be used, which is logged."""
    try:
        ring = ensure(settings.home, clock)
        around = surroundings(db, clock, settings, ring)
    except Refusal as refusal:
        log.error("Gmail mailboxes are not synced", code=refusal.code, detail=refusal.detail)
        yield None
        return
    keeper = Keeper(around, holder)
    try:
        yield keeper
    finally:
        await keeper.stop()


def connections(db: Database, clock: Clock, settings: Settings, ring: KeyRing) -> Connections:
    """What pages and commands act with. Raises the refusal of a setting that cannot be used."""
    google = ConsentClient(settings.gmail)
    grants = Grants(db, ring, clock, settings.gmail, google)
    return Connections(db, clock, grants, google, settings.gmail)


def surroundings(db: Database, clock: Clock, settings: Settings, ring: KeyRing) -> Surroundings:
    """Raises the refusal of a setting that cannot be used."""
    gmail = settings.gmail
    return Surroundings(
        db=db,
        clock=clock,
        settings=gmail,
        grants=Grants(db, ring, clock, gmail, ConsentClient(gmail)),
        queries=queries_of(gmail.hiring_file),
        make_client=lambda: GmailClient(gmail.api_url, gmail.timeout_seconds, clock),
    )
