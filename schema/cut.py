"""Connections that owe an answer in time. A line can be half open: what is sent goes out, nothing returns.

Cancelling such a wait would ask the silent server to agree. A socket that is shut wakes whoever waits on it.
"""

import asyncio
import os
import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from weakref import WeakSet

import psycopg
from psycopg.abc import RV, PQGen

Connection = psycopg.Connection[tuple[object, ...]] | psycopg.AsyncConnection[tuple[object, ...]]

_LATE_SECONDS = 0.1
"""A loop that was held up for so long hears first what arrived meanwhile."""


def cut(connection: Connection) -> None:
    """Who waits for an answer gets `psycopg.OperationalError` now. For any thread."""
    with (
        suppress(OSError, psycopg.OperationalError),
        socket.socket(fileno=os.dup(connection.fileno())) as own,
    ):
        own.shutdown(socket.SHUT_RDWR)


@contextmanager
def answering(connection: Connection, seconds: float) -> Generator[None, None, None]:
    """Cut `connection` when the block is not over in time. In an event loop."""
    loop = asyncio.get_running_loop()

    def is_late() -> None:
        nonlocal timer
        timer = loop.call_later(_LATE_SECONDS, cut, connection)

    timer = loop.call_later(seconds, is_late)
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def answering_in_thread(connection: Connection, seconds: float) -> Generator[None, None, None]:
    """The same for a thread without a loop."""
    timer = threading.Timer(seconds, cut, (connection,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class AnsweringConnection(psycopg.AsyncConnection[tuple[object, ...]]):
    """Remembers since when the server owes it an answer; a timer for each wait would cost more."""

    asked_at: float | None = None

    async def wait(
        self,
        gen: PQGen[RV],
        interval: float = 0.1,
        timeout: float | None = None,  # noqa: ASYNC109 - as the library declares it
    ) -> RV:
        self.asked_at = time.monotonic()
        try:
            if timeout is None:
                return await super().wait(gen, interval)
            return await super().wait(gen, interval, timeout)
        finally:
            self.asked_at = None


class Watch:
    """Cuts those of its connections that wait for an answer for longer than `seconds`, while `run` runs."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._connections: WeakSet[AnsweringConnection] = WeakSet()

    async def add(self, connection: AnsweringConnection) -> None:
        self._connections.add(connection)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._seconds / 10)
            if late := self._late():
                await asyncio.sleep(_LATE_SECONDS)
                for connection in late & self._late():
                    cut(connection)

    def _late(self) -> set[AnsweringConnection]:
        oldest = time.monotonic() - self._seconds
        return {each for each in self._connections if each.asked_at is not None and each.asked_at < oldest}
