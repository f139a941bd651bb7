"""Cuts a connection that owes an answer. A line can be half open: what is sent goes out, and nothing returns.

Cancelling such a wait would ask the silent server to agree. A socket that is shut wakes whoever waits on it.
"""

import asyncio
import os
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

import psycopg

Connection = psycopg.Connection[tuple[object, ...]] | psycopg.AsyncConnection[tuple[object, ...]]


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
    cutting = asyncio.get_running_loop().call_later(seconds, cut, connection)
    try:
        yield
    finally:
        cutting.cancel()


@contextmanager
def answering_in_thread(connection: Connection, seconds: float) -> Generator[None, None, None]:
    """The same for a thread without a loop."""
    cutting = threading.Timer(seconds, cut, (connection,))
    cutting.daemon = True
    cutting.start()
    try:
        yield
    finally:
        cutting.cancel()
