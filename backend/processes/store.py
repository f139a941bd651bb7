"""What the process side asks a database server: is it ours, is it ready for the tables, what time has it.

Uses plain synchronous connections of the owner; nothing here reads a person's data.
"""

from datetime import datetime
from pathlib import Path
from typing import LiteralString, cast
from urllib.parse import quote

import msgspec
import psycopg
from psycopg import sql
from psycopg.rows import args_row

OWNER = "jobtrail_owner"
LOGIN = "jobtrail"
DATABASE = "jobtrail"
GROUPS = ("jobtrail_app", "jobtrail_fleet")
_PORT = 5432
_CONNECT_SECONDS = 5


_LOGIN_ROLE: LiteralString = """SELECT rolname::text,
  (SELECT bool_or(rolsuper OR rolbypassrls
     OR EXISTS (SELECT FROM pg_class WHERE relname = 'accounts' AND relowner = chosen.oid))
   FROM pg_roles AS chosen WHERE pg_has_role(chosen.oid, 'MEMBER')),
  ARRAY(SELECT wanted FROM unnest(%s::text[]) AS wanted WHERE NOT EXISTS (SELECT FROM pg_auth_members
    JOIN pg_roles AS granted ON granted.oid = roleid
    WHERE granted.rolname = wanted AND member = pg_roles.oid))
  FROM pg_roles WHERE rolname = current_user"""


class LoginRole(msgspec.Struct, frozen=True):
    name: str
    unbound: bool
    missing: list[str]


class NotYet(Exception):
    """A server answers at that socket, but lets nobody in: it is starting, recovering or stopping."""


def server_url(socket: Path, role: str, database: str = DATABASE) -> str:
    return f"postgresql://{role}@/{database}?host={quote(str(socket), safe='')}&port={_PORT}"


def data_directory(socket: Path) -> Path | None:
    """The data folder of the server that answers at `socket`; None when nothing does. Raises `NotYet`."""
    try:
        with _connected(socket, "postgres") as connection:
            row = connection.execute("SHOW data_directory").fetchone()
    except psycopg.errors.CannotConnectNow as error:
        raise NotYet from error
    except psycopg.OperationalError as error:
        # libpq does not always hand the state of a refused start over.
        if "database system is" in str(error) or "not yet accepting" in str(error):
            raise NotYet from error
        return None
    return Path(str(row[0])) if row else None


def make_database(socket: Path) -> None:
    """Make the database and its login role, where they are missing. Safe to repeat."""
    with _connected(socket, "postgres") as connection:
        if not _exists(connection, "SELECT FROM pg_roles WHERE rolname = %s", LOGIN):
            connection.execute(_filled("CREATE ROLE {} LOGIN NOINHERIT", LOGIN))
        if not _exists(connection, "SELECT FROM pg_database WHERE datname = %s", DATABASE):
            connection.execute(_filled("CREATE DATABASE {} OWNER {}", DATABASE, OWNER))


def grant_groups(socket: Path) -> None:
    """Let the login role choose the group roles that the migrations made. Safe to repeat."""
    with _connected(socket, "postgres") as connection:
        for group in GROUPS:
            connection.execute(_filled("GRANT {} TO {}", group, LOGIN))


def database_time(url: str) -> datetime:
    """The database's clock. Raises `psycopg.OperationalError` when it cannot be reached."""
    with psycopg.connect(url, connect_timeout=_CONNECT_SECONDS, autocommit=True) as connection:
        row = connection.execute("SELECT clock_timestamp()").fetchone()
    return cast("tuple[datetime]", row)[0]


def server_version(url: str) -> int:
    """The server's version as a number: 150018 is 15.18."""
    with psycopg.connect(url, connect_timeout=_CONNECT_SECONDS, autocommit=True) as connection:
        return connection.info.server_version


def login_role(url: str) -> LoginRole:
    """Who one is at `url`, whether row-level security binds that role, and which groups it cannot choose."""
    with (
        psycopg.connect(url, connect_timeout=_CONNECT_SECONDS, autocommit=True) as connection,
        connection.cursor(row_factory=args_row(LoginRole)) as cursor,
    ):
        cursor.execute(_LOGIN_ROLE, (list(GROUPS),))
        return cursor.fetchall()[0]


def _connected(socket: Path, database: str) -> psycopg.Connection:
    url = server_url(socket, OWNER, database)
    return psycopg.connect(url, connect_timeout=_CONNECT_SECONDS, autocommit=True)


def _exists(connection: psycopg.Connection, question: LiteralString, name: str) -> bool:
    return connection.execute(question, (name,)).fetchone() is not None


def _filled(statement: LiteralString, *names: str) -> sql.Composed:
    return sql.SQL(statement).format(*(sql.Identifier(name) for name in names))
