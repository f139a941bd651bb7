"""Wakes the claim path early: a LISTEN connection of its own. Polling alone would work, only slower."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import psycopg
import structlog

from schema.db import watched
from schema.faults import told
from schema.listening import CALL_SECONDS, heard
from schema.queue import WAKE_CHANNEL

log = structlog.get_logger()

_AGAIN_SECONDS = 1.0


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
            except (psycopg.Error, OSError) as error:
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
            async with aclosing(heard(connection, WAKE_CHANNEL, self._call_seconds)) as said:
                async for _ in said:
                    self.is_listening = True
                    self.look()
        finally:
            await connection.close()

    def look(self) -> None:
        """There may be work: look for it now."""
        self._on_work()
        self._woken.set()
