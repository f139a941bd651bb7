"""Limits on guessing, counted in PostgreSQL so that every process and restart knows them.

A generic cell rate: each bucket remembers when it is empty again, by the database's clock. Keys are hashed
before they are stored, so that the table names neither people nor addresses. Spend in a unit of its own:
an attempt counts also when what follows it is rolled back.
"""

import hashlib
import math

import msgspec

from schema.db import Unit
from schema.errors import Refusal
from schema.query import Query, Statement


class TooManyAttempts(Refusal):
    """There were too many attempts; wait a little and try again."""

    code = "too_many_attempts"
    kind = "too_many"


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """`burst` attempts at once, and one more each `seconds_each`. `name` is part of the bucket's key."""

    name: str
    burst: int
    seconds_each: float


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    allowed: bool


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    seconds: float


SPEND = Query(
    "throttle.spend",
    Spent,
    """INSERT INTO throttles AS t (bucket, full_at)
       VALUES (%(bucket)s, clock_timestamp() + make_interval(secs => %(each)s::float8))
       ON CONFLICT (bucket) DO UPDATE
         SET full_at = greatest(t.full_at, clock_timestamp()) + make_interval(secs => %(each)s::float8)
         WHERE greatest(t.full_at, clock_timestamp()) + make_interval(secs => %(each)s::float8)
               <= clock_timestamp() + make_interval(secs => %(whole)s::float8)
       RETURNING true AS allowed""",
)
WAIT = Query(
    "throttle.wait",
    Wait,
    """SELECT coalesce(max(extract(epoch FROM
                full_at + make_interval(secs => (%(each)s::float8 - %(whole)s::float8)) - clock_timestamp()
              )), 0)::float8 AS seconds
       FROM throttles WHERE bucket = %(bucket)s""",
)
FREE = Statement("throttle.free", "DELETE FROM throttles WHERE bucket = %(bucket)s")
FORGET_EMPTY = Statement(
    "throttle.forget_empty",
    # Rows that somebody spends from just now are left: waiting for them could deadlock with that attempt.
    """DELETE FROM throttles WHERE bucket IN (
         SELECT bucket FROM throttles WHERE full_at < clock_timestamp() FOR UPDATE SKIP LOCKED)""",
)


async def spend(unit: Unit, rate: Rate, key: str) -> None:
    """Count one attempt of `key`, or raise `TooManyAttempts` with the seconds to wait."""
    bucket = _bucket(rate, key)
    numbers = {"each": rate.seconds_each, "whole": rate.burst * rate.seconds_each}
    if await unit.maybe(SPEND, bucket=bucket, **numbers) is not None:
        return
    wait = await unit.one(WAIT, bucket=bucket, **numbers)
    raise TooManyAttempts(retry_after_seconds=max(1, math.ceil(wait.seconds)))


async def free(unit: Unit, rate: Rate, key: str) -> None:
    """Forget the attempts of `key`, after one succeeded."""
    await unit.run(FREE, bucket=_bucket(rate, key))


async def forget_empty(unit: Unit) -> int:
    """Drop the buckets that no longer limit anybody."""
    return await unit.run(FORGET_EMPTY)


def _bucket(rate: Rate, key: str) -> str:
    return f"{rate.name}:{hashlib.sha256(key.encode(errors='replace')).hexdigest()}"
