"""Hints from PostgreSQL to open pages: one LISTEN connection per process, fanned out by account.

A hint says that something changed, never what. A page that missed one (its queue was full, the connection
was cut) is told to look at everything. Nothing is kept: a page that was not open reads the truth later.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager

import msgspec
import psycopg

from schema.db import session_options, watched
from schema.faults import told
from schema.ids import AccountId
from schema.live import CHANNEL, Hint, heard
from schema.logs import logger
from schema.settings import DatabaseSettings

HEARTBEAT_SECONDS = 20.0
QUEUE_LENGTH = 32
_RECONNECT_SECONDS = 0.5
LOG = logger("live")


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What a page is told: a topic, or `everything` when hints may have been lost."""

    topic: str
    subject: int | None = None


EVERYTHING = Event(topic="everything")


class Listener:
    """One open page. Its queue is short: who falls behind is told to look at everything."""

    def __init__(self, account_id: AccountId, *, is_operator: bool) -> None:
        self.account_id = account_id
        self.is_operator = is_operator
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue(QUEUE_LENGTH)

    def tell(self, event: Event | None) -> None:
        try:
            self._queue.put_nowait(event)
        except asyncio.QueueFull:
            while not self._queue.empty():
                self._queue.get_nowait()
            self._queue.put_nowait(event and EVERYTHING)

    async def next(self) -> Event | None:
        """The next event; None at the end. Raises `TimeoutError` when it is time for a heartbeat."""
        return await asyncio.wait_for(self._queue.get(), HEARTBEAT_SECONDS)


class Live:
    """The hub of one process. `async with live.listening()` runs it for as long as the app runs."""

    def __init__(self, settings: DatabaseSettings) -> None:
        self._settings = settings
        self._listeners: set[Listener] = set()
        self._closed = False
        self.connected = False

    @property
    def count(self) -> int:
        return len(self._listeners)

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncGenerator[None, None]:
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            self.close()
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    @contextmanager
    def joined(self, account_id: AccountId, *, is_operator: bool) -> Generator[Listener, None, None]:
        listener = Listener(account_id, is_operator=is_operator)
        self._listeners.add(listener)
        if self._closed:
            listener.tell(None)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def close(self) -> None:
        """End every open stream, so that the server can stop at once."""
        self._closed = True
        for listener in self._listeners:
            listener.tell(None)

    def tell(self, hint: Hint) -> None:
        event = Event(topic=hint.topic, subject=hint.subject)
        for listener in self._listeners:
            if listener.is_operator if hint.account_id is None else listener.account_id == hint.account_id:
                listener.tell(event)

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except (psycopg.Error, OSError) as error:
                if self.connected:
                    LOG.warning("lost the connection that hears of changes; trying again", fault=told(error))
            self.connected = False
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen(self) -> None:
        connection = await psycopg.AsyncConnection.connect(
            watched(self._settings.url), autocommit=True, options=session_options(self._settings)
        )
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self.connected = True
            for listener in self._listeners:
                listener.tell(EVERYTHING)
            async for notify in connection.notifies():
                if isinstance(message := heard(notify.payload), Hint):
                    self.tell(message)
