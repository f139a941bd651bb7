"""Numbered SQL files, each applied once, in order, under a lock, by the role that owns the tables.

Refuses files that were edited after they were applied, files that are missing, and to migrate a database
newer than this program. The lock is polled: processes that wait for a blocking lock hold snapshots, and a
concurrent index build of the holder would wait for them for ever. A file whose first line is
`-- no transaction` holds exactly one statement. Files only move forward, and old code must run on the new
schema.
"""

import hashlib
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString, cast

import msgspec
import psycopg
from psycopg.rows import args_row

from schema.errors import Refusal

FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x6A6F6274  # "jobt"
_LOCK_WAIT_SECONDS = 120.0
_NO_TRANSACTION = "-- no transaction"
_LEDGER = """CREATE TABLE IF NOT EXISTS schema_migrations (
  number integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
GRANT SELECT ON schema_migrations TO PUBLIC"""


class SchemaRefused(Refusal):
    """The database and this program do not fit together."""

    code = "schema_refused"
    kind = "unavailable"


class Migration(msgspec.Struct, frozen=True):
    number: int
    name: str
    sha256: str
    sql: str


class Applied(msgspec.Struct, frozen=True):
    number: int
    name: str
    sha256: str


def files(folder: Path = FOLDER) -> list[Migration]:
    """The migrations of this program, numbered 1, 2, 3 without a gap."""
    found: list[Migration] = []
    for number, path in enumerate(sorted(folder.glob("*.sql")), start=1):
        if not path.name.startswith(f"{number:04d}_"):
            raise SchemaRefused(f"migration {number} should be called {number:04d}_*.sql, not {path.name}")
        data = path.read_bytes()
        found.append(Migration(number, path.name, hashlib.sha256(data).hexdigest(), data.decode()))
    return found


def migrate(owner_url: str, folder: Path = FOLDER) -> list[str]:
    """Bring the database up to this program; the names of the files applied now, none when up to date."""
    with psycopg.connect(owner_url, autocommit=True) as connection, _locked(connection):
        connection.execute(_LEDGER)
        pending = _pending(_ledger(connection), files(folder))
        for migration in pending:
            _apply(connection, migration)
        return [migration.name for migration in pending]


def require_current(url: str, folder: Path = FOLDER) -> None:
    """Raise `SchemaRefused` unless the database has all that this program expects.

    It may be newer: a migration only adds what the release before can live with, so that a process of that
    release can still start while the others are being changed.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        try:
            applied = _ledger(connection)
        except psycopg.errors.UndefinedTable as error:
            raise SchemaRefused("The database is empty; run `jobtrail migrate` first.") from error
        known = files(folder)
        if pending := _pending(applied[: len(known)], known):
            raise SchemaRefused(f"The database lacks {pending[0].name}; run `jobtrail migrate` first.")


@contextmanager
def _locked(connection: psycopg.Connection) -> Generator[None, None, None]:
    deadline = time.monotonic() + _LOCK_WAIT_SECONDS
    while not _truth(connection, "SELECT pg_try_advisory_lock(%s)"):
        if time.monotonic() > deadline:
            raise SchemaRefused("Another process has been migrating this database for two minutes.")
        time.sleep(0.1)
    try:
        yield
    finally:
        _truth(connection, "SELECT pg_advisory_unlock(%s)")


def _truth(connection: psycopg.Connection, sql: LiteralString) -> bool:
    row = connection.execute(sql, (_LOCK,)).fetchone()
    return bool(row and row[0])


def _ledger(connection: psycopg.Connection) -> list[Applied]:
    with connection.cursor(row_factory=args_row(Applied)) as cursor:
        cursor.execute("SELECT number, name, sha256 FROM schema_migrations ORDER BY number")
        return cursor.fetchall()


def _pending(applied: list[Applied], known: list[Migration]) -> list[Migration]:
    by_number = {migration.number: migration for migration in known}
    for row in applied:
        migration = by_number.get(row.number)
        if migration is None and row.number > len(known):
            raise SchemaRefused(f"The database has {row.name}, which is newer than this program; update it.")
        if migration is None or migration.name != row.name:
            raise SchemaRefused(f"{row.name} was applied to this database, but the file is missing.")
        if migration.sha256 != row.sha256:
            raise SchemaRefused(f"{row.name} was edited after it was applied; restore the file.")
    return [migration for migration in known if migration.number > len(applied)]


def _apply(connection: psycopg.Connection, migration: Migration) -> None:
    sql = cast("LiteralString", migration.sql)
    record: LiteralString = "INSERT INTO schema_migrations (number, name, sha256) VALUES (%s, %s, %s)"
    row = (migration.number, migration.name, migration.sha256)
    connection.execute("SET lock_timeout = '10s'")
    if migration.sql.startswith(_NO_TRANSACTION):
        connection.execute(sql)
        connection.execute(record, row)
        return
    with connection.transaction():
        connection.execute(sql)
        connection.execute(record, row)
