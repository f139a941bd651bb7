"""Wakes the claim path early: a LISTEN connection of its own. Polling alone would work, only slower.

A connection can die without a word, and a pooler can swallow notifications. So the listener calls itself now
and then over the very channel it listens on; when it does not hear itself it opens anew.
"""

import asyncio
from collections.abc import Callable

import psycopg
import structlog

from schema.cut import answering
from schema.db import watched
from schema.faults import told
from schema.queue import WAKE_CHANNEL

log = structlog.get_logger()

CALL_SECONDS = 5.0
"""Silence after which the listener calls itself, and how long it waits to hear it."""
_AGAIN_SECONDS = 1.0
_MYSELF = "myself"


class Wakeups:
    """`listen()` runs beside the worker; `on_work` is called when somebody asked for work."""

    def __init__(
        self, url: str, on_work: Callable[[], object], *, call_seconds: float = CALL_SECONDS
    ) -> None:
        self._url = watched(url)
        self._on_work = on_work
        self._call_seconds = call_seconds
        self._woken = asyncio.Event()
        self.is_listening = False

    def wake(self) -> None:
        self._woken.set()

    async def wait(self, seconds: float) -> bool:
        """True when woken within `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True

    async def listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except (psycopg.Error, OSError, TimeoutError) as error:
                if self.is_listening:
                    log.info("the wake-up connection was lost; polling meanwhile", error=told(error))
            self.is_listening = False
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _listen_once(self) -> None:
        async with asyncio.timeout(self._call_seconds):
            connection = await psycopg.AsyncConnection.connect(
                self._url, autocommit=True, application_name="jobtrail_listener"
            )
        try:
            with answering(connection, self._call_seconds):
                await connection.execute(f"LISTEN {WAKE_CHANNEL}")
            self.is_listening = True
            self.look()
            while True:
                await self._hear(connection)
        finally:
            await connection.close()

    async def _hear(self, connection: psycopg.AsyncConnection) -> None:
        if not await self._next(connection):
            with answering(connection, self._call_seconds):
                await connection.execute(f"NOTIFY {WAKE_CHANNEL}, '{_MYSELF}'")
            if not await self._next(connection):
                raise TimeoutError

    async def _next(self, connection: psycopg.AsyncConnection) -> bool:
        """Whether anything at all was heard in time."""
        heard = [each async for each in connection.notifies(timeout=self._call_seconds, stop_after=1)]
        if any(each.payload != _MYSELF for each in heard):
            self.look()
        return bool(heard)

    def look(self) -> None:
        """There may be work: look for it now."""
        self._on_work()
        self._woken.set()
