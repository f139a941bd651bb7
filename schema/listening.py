"""Hears one channel over a connection of its own, and notices when it has gone deaf.

A connection can die without a word, and a pooler can swallow notifications. So the listener calls itself now
and then over the very channel it listens on; when it does not hear itself it is deaf.
"""

from collections.abc import AsyncGenerator
from typing import LiteralString

import psycopg
from psycopg import sql

from schema.cut import answering

CALL_SECONDS = 5.0
"""Silence after which a listener calls itself, and how long it waits to hear it."""
_MYSELF = "myself"
_CALL: LiteralString = "SELECT pg_notify(%s, %s)"


class Deaf(OSError):
    """The line takes everything, and nothing comes back."""


async def heard(
    connection: psycopg.AsyncConnection[tuple[object, ...]], channel: str, call_seconds: float = CALL_SECONDS
) -> AsyncGenerator[str | None, None]:
    """What is said on `channel`, for ever; None first, once it listens.

    Raises `Deaf`, and what psycopg raises when the connection is lost.
    """
    listen = sql.SQL("LISTEN {}").format(sql.Identifier(channel))
    with answering(connection, call_seconds):
        await connection.execute(listen)
    yield None
    was_called = False
    while True:
        said = [each.payload async for each in connection.notifies(timeout=call_seconds, stop_after=1)]
        if not said and was_called:
            raise Deaf
        if was_called := not said:
            with answering(connection, call_seconds):
                await connection.execute(_CALL, (channel, _MYSELF))
        for payload in said:
            if payload != _MYSELF:
                yield payload
