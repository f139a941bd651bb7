"""Questions about the database itself: does it fit this program, and is our role held by its rules."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

import msgspec

from schema.db import Unit
from schema.migrate import files
from schema.query import Query

T = TypeVar("T")

_given_up: set[asyncio.Task[object]] = set()


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    number: int


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the role we logged in by, or any it can choose, could see past row-level security."""

    unbound: bool


STANDING = Query(
    "health.standing", Standing, "SELECT coalesce(max(number), 0)::int AS number FROM schema_migrations"
)
POWER = Query(
    "health.power",
    Power,
    """SELECT coalesce(bool_or(
              r.rolsuper OR r.rolbypassrls OR EXISTS (
                SELECT FROM pg_class c WHERE c.relowner = r.oid AND c.relnamespace = 'public'::regnamespace)
            ), true) AS unbound
       FROM pg_roles r WHERE pg_has_role(session_user, r.oid, 'MEMBER')""",
)


async def schema_is_current(unit: Unit) -> bool:
    """Whether the database has all that this program expects; a newer one has, too (`schema.migrate`)."""
    return (await unit.one(STANDING)).number >= len(files())


async def role_is_restricted(unit: Unit) -> bool:
    return not (await unit.one(POWER)).unbound


async def within(seconds: float, question: Coroutine[object, object, T]) -> T:
    """The answer, or `TimeoutError` once the time is up.

    Not `asyncio.timeout`: that waits until the driver has let go of a server that says nothing, ten seconds.
    """
    asking = asyncio.ensure_future(question)
    done, _ = await asyncio.wait({asking}, timeout=seconds)
    if done:
        return asking.result()
    _given_up.add(asking)
    asking.add_done_callback(_forget)
    asking.cancel()
    raise TimeoutError


def _forget(asking: asyncio.Task[object]) -> None:
    _given_up.discard(asking)
    if not asking.cancelled():
        asking.exception()  # looked at, so that nobody is told of it
