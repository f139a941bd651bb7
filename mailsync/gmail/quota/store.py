"""Token buckets in PostgreSQL, by its clock: units come back at the bucket's rate, up to its capacity.

A take is one statement over all buckets it needs: all have enough and all pay, or none does and the answer is
how long to wait. A refusal by Google halves the rate and closes the bucket for a while; the rate recovers
within ten minutes. Names of buckets are hashes.
"""

import hashlib
from collections.abc import Sequence

import msgspec

from schema.db import Unit
from schema.query import Query, Statement

_BURST_SECONDS = 5.0
_MINUTE = 60.0
_LEAST_SHARE = 16.0
_RECOVERY_SECONDS = 600.0


class Bucket(msgspec.Struct, frozen=True, kw_only=True):
    """Never more than `units_minute` in any minute: the burst and the rate together stay below it."""

    key: str
    units_minute: float

    @property
    def capacity(self) -> float:
        return self.units_minute * _BURST_SECONDS / _MINUTE

    @property
    def rate(self) -> float:
        return (self.units_minute - self.capacity) / _MINUTE


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """`wait` is 0 when the units were taken, else the seconds after which it is worth asking again."""

    wait: float


class Refusals(msgspec.Struct, frozen=True, kw_only=True):
    refusals: int


MAKE = Statement(
    "gmail_quota.make",
    """INSERT INTO gmail_quota AS q (bucket, units, capacity, rate, full_rate)
       SELECT bucket, capacity, capacity, rate, rate
       FROM unnest(%(buckets)s::text[], %(capacities)s::float8[], %(rates)s::float8[])
         AS wanted (bucket, capacity, rate)
       ORDER BY bucket
       ON CONFLICT (bucket) DO UPDATE SET capacity = excluded.capacity, full_rate = excluded.full_rate,
         rate = least(q.rate * excluded.full_rate / q.full_rate, excluded.full_rate),
         units = least(q.units, excluded.capacity)
         WHERE (q.capacity, q.full_rate) <> (excluded.capacity, excluded.full_rate)""",
)
TAKE = Query(
    "gmail_quota.take",
    Taken,
    """WITH held AS (
         SELECT bucket, units, capacity, rate, full_rate, paused_until, updated_at
         FROM gmail_quota WHERE bucket = ANY(%(buckets)s::text[]) ORDER BY bucket FOR UPDATE),
       passed AS (
         SELECT held.*, greatest(extract(epoch FROM clock_timestamp() - updated_at)::float8, 0) AS seconds
         FROM held),
       recovered AS (
         SELECT passed.*, least(full_rate, rate + full_rate * seconds / %(recovery)s::float8) AS rate_now
         FROM passed),
       full_again AS (
         SELECT recovered.*, least(capacity, units + seconds * rate_now) AS units_now FROM recovered),
       answer AS (
         SELECT max(greatest(
           least(extract(epoch FROM paused_until - clock_timestamp())::float8, 86400),
           (least(%(cost)s::float8, capacity) - units_now) / rate_now, 0)) AS wait
         FROM full_again),
       paid AS (
         UPDATE gmail_quota q SET updated_at = clock_timestamp(), rate = f.rate_now,
           units = f.units_now - CASE WHEN a.wait = 0 THEN %(cost)s::float8 ELSE 0 END
         FROM full_again f, answer a WHERE q.bucket = f.bucket)
       SELECT coalesce(wait, 0)::float8 AS wait FROM answer""",
)
REFUSED = Query(
    "gmail_quota.refused",
    Taken,
    """UPDATE gmail_quota SET
         refusals = CASE WHEN refused_at > clock_timestamp() - interval '10 minutes'
                         THEN refusals + 1 ELSE 1 END,
         refused_at = clock_timestamp(), units = least(units, 0), updated_at = clock_timestamp(),
         rate = greatest(rate / 2, full_rate / %(least_share)s::float8),
         paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs =>
           CASE WHEN %(asked)s::float8 IS NOT NULL THEN %(asked)s::float8 + %(jitter)s::float8
                ELSE least(300, 2 ^ CASE WHEN refused_at > clock_timestamp() - interval '10 minutes'
                                         THEN least(refusals + 1, 10) ELSE 1 END)
                     * (0.5 + %(jitter)s::float8 / 2)
           END))
       WHERE bucket = %(bucket)s
       RETURNING greatest(extract(epoch FROM paused_until - clock_timestamp())::float8, 0) AS wait""",
)
RECENT = Query(
    "gmail_quota.recent_refusals",
    Refusals,
    """SELECT refusals FROM gmail_quota
       WHERE bucket = %(bucket)s AND refused_at > clock_timestamp() - interval '10 minutes'""",
)
FORGET_UNUSED = Statement(
    "gmail_quota.forget_unused",
    """DELETE FROM gmail_quota WHERE bucket IN (
         SELECT bucket FROM gmail_quota WHERE updated_at < clock_timestamp() - interval '7 days'
           AND paused_until < clock_timestamp() FOR UPDATE SKIP LOCKED)""",
)


def buckets(client_id: str, address: str, *, user_minute: float, project_minute: float) -> list[Bucket]:
    """The bucket of the person first, then that of the Google project."""
    return [
        Bucket(key=f"user:{_hashed(client_id, address)}", units_minute=user_minute),
        Bucket(key=f"project:{_hashed(client_id)}", units_minute=project_minute),
    ]


async def make(unit: Unit, wanted: Sequence[Bucket]) -> None:
    """Have these buckets, with today's limits; in a unit of the fleet."""
    await unit.run(
        MAKE,
        buckets=[bucket.key for bucket in wanted],
        capacities=[bucket.capacity for bucket in wanted],
        rates=[bucket.rate for bucket in wanted],
    )


async def take(unit: Unit, wanted: Sequence[Bucket], cost: float) -> float:
    """Pay `cost` from each; 0, or the seconds to wait before asking again, and nothing was paid."""
    keys = [bucket.key for bucket in wanted]
    return (await unit.one(TAKE, buckets=keys, cost=cost, recovery=_RECOVERY_SECONDS)).wait


async def refused(unit: Unit, bucket: Bucket, *, asked: float | None, jitter: float) -> float:
    """Google refused for its rate: close the bucket for as long as it asks, else longer each time.

    `jitter` in [0, 1) spreads who comes back. The seconds until it opens again.
    """
    row = await unit.one(REFUSED, bucket=bucket.key, asked=asked, jitter=jitter, least_share=_LEAST_SHARE)
    return row.wait


async def recent_refusals(unit: Unit, bucket: Bucket) -> int:
    """How often in a row Google refused within the last ten minutes."""
    row = await unit.maybe(RECENT, bucket=bucket.key)
    return row.refusals if row else 0


async def forget_unused(unit: Unit) -> None:
    await unit.run(FORGET_UNUSED)


def _hashed(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()
