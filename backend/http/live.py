"""What PostgreSQL tells, to open pages: one LISTEN connection per process, fanned out by account.

A hint says that something changed, never what; a task's message says how it stands now. A page that missed
one (it was slow, the connection was cut) is told to look at everything. Nothing is kept: a page that was not
open reads the truth later.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager

import msgspec
import psycopg

from schema import listening
from schema.db import session_options, watched
from schema.faults import told
from schema.ids import AccountId
from schema.live import CHANNEL, Hint, Message, TaskProgress, TaskState, heard
from schema.logs import logger
from schema.settings import DatabaseSettings
from schema.vocabulary import TaskStatus

HEARTBEAT_SECONDS = 20.0
WAITING_MOST = 64
"""So many different things a page may be behind with before it is told to look at everything."""
_RECONNECT_SECONDS = 0.5
LOG = logger("live")


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What a page is told: a topic, or `everything` when hints may have been lost."""

    topic: str
    subject: int | None = None


class TaskEvent(msgspec.Struct, frozen=True, kw_only=True):
    """How a task stands, as a page is told; whose it is stays here."""

    id: int
    kind: str
    status: TaskStatus
    attempts: int
    progress: TaskProgress | None
    subjects: dict[str, int]

    @classmethod
    def of(cls, state: TaskState) -> "TaskEvent":
        return cls(
            id=state.id,
            kind=state.kind,
            status=state.status,
            attempts=state.attempts,
            progress=state.progress,
            subjects=state.subjects,
        )


Told = Event | TaskEvent
EVERYTHING = Event(topic="everything")


class Listener:
    """One open page. A slow one hears the latest of each thing; one that falls behind looks at everything."""

    def __init__(self, account_id: AccountId, *, is_operator: bool) -> None:
        self.account_id = account_id
        self.is_operator = is_operator
        self._waiting: dict[int | Event, Told] = {}
        self._is_over = False
        self._rung = asyncio.Event()

    def tell(self, told: Told) -> None:
        if EVERYTHING in self._waiting:
            return
        self._waiting[told.id if isinstance(told, TaskEvent) else told] = told
        if told == EVERYTHING or len(self._waiting) > WAITING_MOST:
            self._waiting = {EVERYTHING: EVERYTHING}
        self._rung.set()

    def end(self) -> None:
        self._is_over = True
        self._rung.set()

    async def next(self) -> Told | None:
        """What is next; None at the end. Raises `TimeoutError` when it is time for a heartbeat."""
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await self._rung.wait()
        if self._is_over:
            return None
        told = self._waiting.pop(next(iter(self._waiting)))
        if not self._waiting:
            self._rung.clear()
        return told


class Live:
    """The hub of one process. `async with live.listening()` runs it for as long as the app runs."""

    def __init__(self, settings: DatabaseSettings, *, call_seconds: float = listening.CALL_SECONDS) -> None:
        self._settings = settings
        self._call_seconds = call_seconds
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
            listener.end()
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def close(self) -> None:
        """End every open stream, so that the server can stop at once."""
        self._closed = True
        for listener in self._listeners:
            listener.end()

    def tell(self, message: Message) -> None:
        told = TaskEvent.of(message) if isinstance(message, TaskState) else _event(message)
        for listener in self._listeners:
            if _is_for(message, listener):
                listener.tell(told)

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
        async with asyncio.timeout(self._call_seconds):
            connection = await psycopg.AsyncConnection.connect(
                watched(self._settings.url), autocommit=True, options=session_options(self._settings)
            )
        async with connection, aclosing(listening.heard(connection, CHANNEL, self._call_seconds)) as said:
            async for payload in said:
                if payload is None:
                    self.connected = True
                    for listener in self._listeners:
                        listener.tell(EVERYTHING)
                elif (message := heard(payload)) is not None:
                    self.tell(message)


def _event(hint: Hint) -> Event:
    return Event(topic=hint.topic, subject=hint.subject)


def _is_for(message: Message, listener: Listener) -> bool:
    """An account's pages hear of what is its own; operators of the fleet, and of everybody's tasks."""
    of_tasks = isinstance(message, TaskState) or message.topic == "tasks"
    if listener.is_operator and (of_tasks or message.account_id is None):
        return True
    return message.account_id is not None and listener.account_id == message.account_id
