"""The only door to PostgreSQL: a pool, and units of work that each choose one scope for one transaction.

The login role can do nothing by itself. A unit takes `jobtrail_app` for one account (row-level security
shows only that account's rows), `jobtrail_fleet` for the installation's own work, or `jobtrail_app` with a
presented secret for a visitor who has no account yet. The scope ends with the transaction.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from typing import Literal, LiteralString

import msgspec
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import class_row
from psycopg.types.json import set_json_dumps, set_json_loads
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from schema.cut import AnsweringConnection, Watch
from schema.errors import Missing, Refusal, Unavailable
from schema.ids import AccountId
from schema.query import Query, RowT, Statement
from schema.settings import DatabaseSettings
from schema.teller import TELL, Message, Teller
from schema.text import clean


def _undecoded(data: str | bytes) -> bytes:
    """jsonb arrives as it is; the store that reads it decodes it into its own struct."""
    return data.encode() if isinstance(data, str) else bytes(data)


set_json_dumps(msgspec.json.encode)
set_json_loads(_undecoded)

Connection = psycopg.AsyncConnection[tuple[object, ...]]
Role = Literal["jobtrail_app", "jobtrail_fleet"]

# One message, one answer: a transaction and its scope.
_BEGIN = sql.SQL(
    "BEGIN {how}; SELECT set_config('role', {role}, true), set_config('jobtrail.account', {account}, true),"
    " set_config('jobtrail.presented', {presented}, true)"
)
_AT_ONCE = (
    "SELECT set_config('role', 'jobtrail_fleet', true), set_config('synchronous_commit', 'off', true); "
)
_PLAIN = sql.SQL("")
_STEADY = sql.SQL("ISOLATION LEVEL REPEATABLE READ READ ONLY")
_CLOSED = "This unit of work has ended; its writes are committed or rolled back already."

LINE_TROUBLES = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    # The server ended a unit that stood still: to the library a fault, to us a line that was cut.
    psycopg.errors.IdleInTransactionSessionTimeout,
)
_PREPARED_MAX = 500
"""More than a page or a task ever runs; what is over it is planned anew each time."""
_ANSWER_SHARE = 1.2
"""A connection that is silent for so much longer than a statement can take is dead."""

_current: ContextVar["Unit | None"] = ContextVar("unit", default=None)


class UnitMisused(RuntimeError):
    """A unit of work was nested, or used after its end."""


class Unit:
    """One transaction in one scope. Ends when its block ends; cancellation rolls back."""

    def __init__(self, connection: Connection, account_id: AccountId | None) -> None:
        self.connection = connection
        self.account_id = account_id
        self.is_open = True
        self.untold: list[Message] = []

    @property
    def owner(self) -> AccountId:
        """The account of this unit; a fleet unit has none and raises."""
        if self.account_id is None:
            raise UnitMisused("A unit of the fleet has no account.")
        return self.account_id

    async def all(self, query: Query[RowT], **params: object) -> list[RowT]:
        self.require_open()
        async with self.connection.cursor(row_factory=class_row(query.row)) as cursor:
            await cursor.execute(query.sql, params)
            return await cursor.fetchall()

    async def maybe(self, query: Query[RowT], **params: object) -> RowT | None:
        rows = await self.all(query, **params)
        return rows[0] if rows else None

    async def one(self, query: Query[RowT], **params: object) -> RowT:
        """The row, or `Missing`: another account's row and no row answer alike."""
        row = await self.maybe(query, **params)
        if row is None:
            raise Missing
        return row

    async def run(self, statement: Statement, **params: object) -> int:
        """The number of rows the statement touched."""
        self.require_open()
        cursor = await self.connection.execute(statement.sql, params)
        return cursor.rowcount

    async def run_many(self, statement: Statement, rows: list[dict[str, object]]) -> None:
        self.require_open()
        async with self.connection.cursor() as cursor:
            await cursor.executemany(statement.sql, rows)

    def tell(self, channel: str, payload: str) -> None:
        """Let other processes know after the commit; a unit that is rolled back tells nothing."""
        self.require_open()
        self.untold.append((channel, payload))

    @asynccontextmanager
    async def in_fleet(self) -> AsyncGenerator[None, None]:
        """The fleet's scope for a few statements of an account's unit: its task and its data end together."""
        if self.account_id is None:
            yield
            return
        await self._choose("jobtrail_fleet")
        yield
        await self._choose("jobtrail_app")

    async def _choose(self, role: Role) -> None:
        self.require_open()
        await self.connection.execute("SELECT set_config('role', %(role)s, true)", {"role": role})

    def require_open(self) -> None:
        if not self.is_open:
            raise UnitMisused(_CLOSED)

    def end(self) -> None:
        self.is_open = False


class Database:
    """The pool of one process. Use `async with Database.opened(settings) as database`."""

    def __init__(self, settings: DatabaseSettings) -> None:
        self.settings = settings
        self._watch = Watch(settings.statement_timeout_seconds * _ANSWER_SHARE)
        self._watching: asyncio.Task[None] | None = None
        self._pool: AsyncConnectionPool[AnsweringConnection] = AsyncConnectionPool(
            watched(settings.url),
            connection_class=AnsweringConnection,
            min_size=1,
            max_size=settings.pool_size,
            timeout=settings.pool_timeout_seconds,
            # Connections take turns, so each sees a statement seldom, and planning is half of what most cost.
            kwargs={"autocommit": True, "prepare_threshold": 1, "options": session_options(settings)},
            # Giving up early costs nothing, the next unit asks anew. Going on waits ever longer between
            # tries, and a database that is back again would wait for the end of such a pause.
            reconnect_timeout=settings.pool_timeout_seconds,
            configure=self._configured,
            open=False,
        )
        self.teller = Teller(self._tell)

    @classmethod
    @asynccontextmanager
    async def opened(cls, settings: DatabaseSettings) -> AsyncGenerator["Database", None]:
        database = cls(settings)
        async with database.running():
            yield database

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None, None]:
        """Open for as long as the block runs."""
        await self.open()
        try:
            yield
        finally:
            await self.close()

    async def _configured(self, connection: AnsweringConnection) -> None:
        connection.prepared_max = _PREPARED_MAX
        await self._watch.add(connection)

    async def open(self) -> None:
        await self._pool.open()
        self._watching = asyncio.create_task(self._watch.run(), name="watch over connections")

    async def close(self) -> None:
        await self.teller.close()
        await self._pool.close()
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)

    async def _tell(self, messages: list[Message]) -> None:
        channels, payloads = [channel for channel, _ in messages], [payload for _, payload in messages]
        async with self._begun_with(TELL, {"channels": channels, "payloads": payloads}):
            pass

    @asynccontextmanager
    async def as_account(self, account_id: AccountId, *, presented: str = "") -> AsyncGenerator[Unit, None]:
        """One account's scope; with `presented`, also the row a newcomer presents, as an invitation needs."""
        async with self._unit("jobtrail_app", account_id=account_id, presented=presented) as unit:
            yield unit

    @asynccontextmanager
    async def as_reader(self, account_id: AccountId) -> AsyncGenerator[Unit, None]:
        """One account's rows as they stand at one moment, however long it takes; nothing can be written."""
        async with self._unit("jobtrail_app", account_id=account_id, how=_STEADY) as unit:
            yield unit

    @asynccontextmanager
    async def as_fleet(self) -> AsyncGenerator[Unit, None]:
        async with self._unit("jobtrail_fleet") as unit:
            yield unit

    async def at_once(self, query: Query[RowT], **params: object) -> list[RowT]:
        """The rows of one statement of the fleet that is a transaction by itself, in one message: whatever it
        locks is free again when this process pauses. A line that died while idle is found out by the
        statement, which is then sent again: doing it twice must be harmless. Nobody waits for the disk: a
        server that crashes may forget the last moment.
        """
        if (outer := _current.get()) is not None and outer.is_open:
            raise UnitMisused("A statement by itself was asked for inside a unit of work.")
        with _refusals():
            async with self._pool.connection() as connection:
                try:
                    return await _at_once(connection, query, params)
                except psycopg.OperationalError:
                    if not connection.closed:
                        raise
            await self._pool.drain()
            async with self._pool.connection() as connection:
                return await _at_once(connection, query, params)

    @asynccontextmanager
    async def as_presenter(self, presented: str) -> AsyncGenerator[Unit, None]:
        """A visitor: sees only the row whose secret's hash, or whose e-mail address, is `presented`."""
        async with self._unit("jobtrail_app", presented=presented) as unit:
            yield unit

    @asynccontextmanager
    async def _unit(
        self,
        role: Role,
        *,
        account_id: AccountId | None = None,
        presented: str = "",
        how: sql.SQL = _PLAIN,
    ) -> AsyncGenerator[Unit, None]:
        if (outer := _current.get()) is not None and outer.is_open:
            raise UnitMisused("A unit of work was opened inside another one.")
        account = "" if account_id is None else str(account_id)
        scope = _BEGIN.format(how=how, role=role, account=account, presented=clean(presented))
        async with self._begun_with(scope) as connection:
            unit = Unit(connection, account_id)
            token = _current.set(unit)
            try:
                yield unit
            finally:
                unit.end()
                _current.reset(token)
        self.teller.tell(unit.untold)

    @asynccontextmanager
    async def _begun_with(
        self, first: sql.Composed | LiteralString, params: dict[str, object] | None = None
    ) -> AsyncGenerator[Connection, None]:
        """A connection on which `first` was run; what it began is committed at the end, or rolled back."""
        with _refusals():
            connection = await self._reached_by(first, params)
            try:
                yield connection
                await connection.commit()
            except BaseException:
                await _rolled_back(connection)
                raise
            finally:
                await self._pool.putconn(connection)

    async def _reached_by(
        self, first: sql.Composed | LiteralString, params: dict[str, object] | None
    ) -> AnsweringConnection:
        """A connection that answered to `first`. One that died while it was idle says so only now: then the
        others are suspect too, all are made anew at once, and nothing is lost but a moment.
        """
        is_new = False
        while True:
            connection = await self._pool.getconn()
            try:
                await connection.execute(first, params, prepare=False)
            except BaseException as error:
                await self._pool.putconn(connection)
                if is_new or not isinstance(error, psycopg.OperationalError) or not connection.closed:
                    raise
                await self._pool.drain()
                is_new = True
            else:
                return connection


async def _at_once(connection: Connection, query: Query[RowT], params: dict[str, object]) -> list[RowT]:
    async with psycopg.AsyncClientCursor(connection, row_factory=class_row(query.row)) as cursor:
        await cursor.execute(_AT_ONCE + query.sql, params)
        cursor.nextset()
        return await cursor.fetchall()


async def _rolled_back(connection: Connection) -> None:
    """Undo; a connection that cannot is broken, and the pool throws it away."""
    with suppress(psycopg.Error):
        await connection.rollback()


@contextmanager
def _refusals() -> Generator[None, None, None]:
    """What the server and the line to it can refuse, by our names."""
    try:
        yield
    except (PoolTimeout, *LINE_TROUBLES) as error:
        if isinstance(error, psycopg.errors.QueryCanceled):
            raise
        raise Unavailable from error
    except (psycopg.DataError, UnicodeEncodeError) as error:
        # The net under `clean`: a value no column can hold is the caller's, never a crash.
        raise UnstorableValue from error


class UnstorableValue(Refusal):
    """A value cannot be stored: it is out of range or holds a character a text cannot have."""

    code = "unstorable_value"


_WATCH = {
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}


def watched(url: str) -> str:
    """`url` with what notices within half a minute that a line died without a word; sockets do not care."""
    return make_conninfo("", **{**_WATCH, **conninfo_to_dict(url)})


def session_options(settings: DatabaseSettings) -> str:
    """A unit pauses between two statements no longer than one may take: a process that stands still must not
    keep what it locked from the others."""
    longest = settings.statement_timeout_seconds * 1000
    return (
        f"-c statement_timeout={longest} -c idle_in_transaction_session_timeout={longest}"
        " -c timezone=UTC -c application_name=jobtrail"
    )
