"""What `/readyz` asks: does this process do its work now, and does the database let it.

Ready means: the work's own probe finds nothing, its event loop turns, PostgreSQL answers within a second, the
login role is held by row-level security, and the tables stand where this release expects them. Tasks that
fail, or an outside service that is away, change none of it.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Literal

import msgspec
import psycopg

from schema.db import Database
from schema.errors import Refusal
from schema.health import role_is_restricted, schema_is_current, within

DATABASE_SECONDS = 1.0
FRESH_SECONDS = 1.0
"""Probes that come closer together share one look at the database."""
SILENCE_SECONDS = 3.0
"""An event loop that took longer than this for the smallest thing does not turn."""

Name = Literal["work", "loop", "database", "role", "schema"]
Trouble = Callable[[], str | None]
"""What is wrong with the work of this process, in its own words, or None. Asked from another thread."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    name: Name
    ok: bool
    says: str = ""


class Pulse:
    """Whether an event loop turns, felt from another thread: `ask` often, then look at `is_alive`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._answered_at = time.monotonic()
        self._is_asked = False

    def ask(self) -> None:
        """One question at a time, so that a loop that stands finds no heap of them later."""
        if self._is_asked:
            return
        self._is_asked = True
        try:
            self._loop.call_soon_threadsafe(self._answer)
        except RuntimeError:
            return  # closed: it will not answer any more

    def _answer(self) -> None:
        self._answered_at = time.monotonic()
        self._is_asked = False

    @property
    def is_alive(self) -> bool:
        return time.monotonic() - self._answered_at <= SILENCE_SECONDS


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What a process does, as far as a monitor sees it."""

    pulse: Pulse
    trouble: Trouble

    def checks(self) -> list[Check]:
        says = self.trouble()
        alive = self.pulse.is_alive
        return [
            Check(name="work", ok=says is None, says=says or ""),
            Check(name="loop", ok=alive, says="" if alive else "the event loop does not turn"),
        ]


NOT_BEGUN = [
    Check(name="work", ok=False, says="not begun"),
    Check(name="loop", ok=False, says="not begun"),
]


class DatabaseProbe:
    """Asks on a connection that nothing else uses, so that busy work does not count as a dead database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._lock = asyncio.Lock()
        self._found: list[Check] = []
        self._found_at = -FRESH_SECONDS

    async def checks(self) -> list[Check]:
        async with self._lock:
            if time.monotonic() - self._found_at > FRESH_SECONDS:
                self._found = await self._ask()
                self._found_at = time.monotonic()
            return self._found

    async def _ask(self) -> list[Check]:
        try:
            current, restricted = await within(DATABASE_SECONDS, self._answers())
        except psycopg.errors.InsufficientPrivilege:
            return _database(role="the login role may not choose the group roles")
        except psycopg.errors.UndefinedTable:
            return _database(schema="there are no tables")
        except (TimeoutError, Refusal, psycopg.Error):
            return _database(database="does not answer within a second", role="unknown", schema="unknown")
        return _database(
            role="" if restricted else "the login role can see past row-level security",
            schema="" if current else "not at the migration this release expects",
        )

    async def _answers(self) -> tuple[bool, bool]:
        async with self._db.as_fleet() as unit:
            return await schema_is_current(unit), await role_is_restricted(unit)


def _database(*, database: str = "", role: str = "", schema: str = "") -> list[Check]:
    """`role` and `schema` say what is wrong; empty is well."""
    said: list[tuple[Name, str]] = [("database", database), ("role", role), ("schema", schema)]
    return [Check(name=name, ok=not says, says=says) for name, says in said]
