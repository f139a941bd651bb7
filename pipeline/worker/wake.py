"""Wakes the claim path early: a LISTEN connection of its own. Polling alone would work, only slower."""

import asyncio

import psycopg
import structlog

from schema.db import watched
from schema.queue import WAKE_CHANNEL

log = structlog.get_logger()


class Wakeups:
    """`listen()` runs beside the worker; `wait()` ends at a wake-up, at the stop, or in time."""

    def __init__(self, url: str) -> None:
        self._url = watched(url)
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except (psycopg.Error, OSError) as error:
                log.info("the wake-up connection was lost; polling meanwhile", error=type(error).__name__)
                await asyncio.sleep(1)

    async def _listen_once(self) -> None:
        async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
            await connection.execute(f"LISTEN {WAKE_CHANNEL}")
            self._woken.set()
            async for _ in connection.notifies():
                self._woken.set()

    async def wait(self, seconds: float, stop: asyncio.Event) -> None:
        waits = [asyncio.create_task(event.wait()) for event in (self._woken, stop)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            self._woken.clear()
