"""The one connection a worker process claims and finishes trivial work on.

It stays open and acts as the fleet for all of its session, so that a statement is one round trip and one
commit. It is used by one coroutine at a time. Every statement is short: the server ends it after
`LONGEST_SECONDS`, and a line that gives no answer soon after that is cut and opened anew.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import psycopg
from psycopg.rows import class_row

from schema.db import watched
from schema.errors import Unavailable
from schema.query import Query, RowT, Statement

LONGEST_SECONDS = 5.0
"""The longest a statement on the line can take; an unlocked fence needs a lease that outlives it."""
_ANSWER_SECONDS = LONGEST_SECONDS + 1.0
_CONNECT_SECONDS = 5.0
_LOCK_MILLISECONDS = 500

_OPTIONS = " ".join(
    f"-c {name}={value}"
    for name, value in {
        "role": "jobtrail_fleet",
        "timezone": "UTC",
        "application_name": "jobtrail_worker",
        "statement_timeout": int(LONGEST_SECONDS * 1000),
        "lock_timeout": _LOCK_MILLISECONDS,
        # Every statement here probes indexes. A planner that was told of a backlog too late must not choose
        # another way, nor spend time on choosing.
        "plan_cache_mode": "force_generic_plan",
        "enable_seqscan": "off",
        "enable_bitmapscan": "off",
        "enable_hashjoin": "off",
        "enable_mergejoin": "off",
        "jit": "off",
    }.items()
)


class LineBroken(Unavailable):
    """The line to the queue gave no answer or was cut; what the last statement did is not known."""


class Line:
    """Opens itself at the first statement and after a break. `generation` counts the openings."""

    def __init__(self, url: str) -> None:
        self._url = watched(url)
        self._connection: psycopg.AsyncConnection[tuple[object, ...]] | None = None
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
        async with self._answering(), self._opened().transaction():
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
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self._open()
                yield self._opened()
        except (psycopg.OperationalError, psycopg.InterfaceError, OSError, TimeoutError) as error:
            if isinstance(error, psycopg.errors.LockNotAvailable):
                raise
            await self.close()
            raise LineBroken from error

    def _opened(self) -> psycopg.AsyncConnection[tuple[object, ...]]:
        if self._connection is None:
            raise LineBroken
        return self._connection

    async def _open(self) -> None:
        if self._connection is None or self._connection.closed:
            self._connection = await psycopg.AsyncConnection.connect(
                self._url, autocommit=True, options=_OPTIONS, connect_timeout=int(_CONNECT_SECONDS)
            )
            self.generation += 1
