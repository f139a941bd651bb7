"""The one connection a worker process claims and finishes trivial work on.

It stays open and acts as the fleet for all of its session, so that a statement is one round trip and one
commit. It is used by one coroutine at a time. Every statement is short: the server ends it after the line's
`longest`, and a line that gives no answer soon after that is cut and opened anew.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import psycopg
from psycopg.rows import class_row

from schema.cut import answering
from schema.db import LINE_TROUBLES, watched
from schema.errors import Unavailable
from schema.query import Query, RowT, Statement

LONGEST_SECONDS = 5.0
"""The longest a statement can take, on a line of which nothing else is asked."""
_ANSWER_SHARE = 1.2
"""A line that is silent for so much longer than a statement can take is dead."""
_LOCK_MILLISECONDS = 100
"""Somebody else's lock on a row that ends here holds up the next claim for so long, once."""


class LineBroken(Unavailable):
    """The line to the queue gave no answer or was cut; what the last statement did is not known."""


class Line:
    """Opens itself at the first statement and after a break. `generation` counts the openings.

    `longest` is how long a statement can take at most: an unlocked fence needs a lease that outlives it.
    """

    def __init__(self, url: str, *, longest_seconds: float = LONGEST_SECONDS) -> None:
        self._url = watched(url)
        self._options = _options(round(longest_seconds * 1000))
        self._connection: psycopg.AsyncConnection[tuple[object, ...]] | None = None
        self.longest = timedelta(seconds=longest_seconds)
        self.generation = 0

    async def all(self, query: Query[RowT], **params: object) -> list[RowT]:
        async with (
            self._answering() as connection,
            connection.cursor(row_factory=class_row(query.row)) as cursor,
        ):
            await cursor.execute(query.sql, params, prepare=True)
            return await cursor.fetchall()

    async def run(self, statement: Statement, **params: object) -> int:
        async with self._answering() as connection:
            return (await connection.execute(statement.sql, params, prepare=True)).rowcount

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[None, None]:
        """Several statements in one transaction, where a lock has to be held before the next one looks."""
        async with self._answering() as connection, connection.transaction():
            yield

    async def open(self) -> None:
        async with self._answering():
            pass

    async def close(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                await self._connection.close()
            self._connection = None

    @asynccontextmanager
    async def _answering(self) -> AsyncGenerator[psycopg.AsyncConnection[tuple[object, ...]], None]:
        """Raises `LineBroken` for a line that is dead or silent; other refusals pass through."""
        try:
            connection = await self._opened()
            with answering(connection, self.longest.total_seconds() * _ANSWER_SHARE):
                yield connection
        except (*LINE_TROUBLES, OSError, TimeoutError) as error:
            if isinstance(error, psycopg.errors.LockNotAvailable):
                raise
            await self.close()
            raise LineBroken from error

    async def _opened(self) -> psycopg.AsyncConnection[tuple[object, ...]]:
        if self._connection is None or self._connection.closed:
            async with asyncio.timeout(self.longest.total_seconds()):
                self._connection = await psycopg.AsyncConnection.connect(
                    self._url, autocommit=True, options=self._options
                )
            self.generation += 1
        return self._connection


def _options(longest_milliseconds: int) -> str:
    settings = {
        "role": "jobtrail_fleet",
        "timezone": "UTC",
        "application_name": "jobtrail_worker",
        "statement_timeout": longest_milliseconds,
        "lock_timeout": min(_LOCK_MILLISECONDS, longest_milliseconds),
        # A process that is frozen between two statements must not keep what it locked from the others.
        "idle_in_transaction_session_timeout": longest_milliseconds,
        # Every statement here probes indexes. A planner that was told of a backlog too late must not choose
        # another way, nor spend time on choosing.
        "plan_cache_mode": "force_generic_plan",
        "enable_seqscan": "off",
        "enable_bitmapscan": "off",
        "enable_hashjoin": "off",
        "enable_mergejoin": "off",
        "jit": "off",
    }
    return " ".join(f"-c {name}={value}" for name, value in settings.items())
