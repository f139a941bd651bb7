"""The SQL of upkeep. Each statement is bounded and skips locked rows; all of it runs in fleet units.

What is lost or may go is named first and written in a second statement, which looks again under the row
lock, so that one row that cannot be written holds up no other.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from schema.db import Unit
from schema.ids import AccountId, TaskId
from schema.query import Query, Statement
from schema.queue import WAKE_CHANNEL
from schema.vocabulary import TaskStatus

AT_ONCE = 100
"""Rows that one statement takes back or deletes."""
PROMOTED_AT_ONCE = 1_000


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """A running task whose lease ran out, its row locked. `losses` counts how often that happened before."""

    id: TaskId
    claim_seq: int
    worker: UUID | None
    attempts: int
    max_attempts: int
    losses: int


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a lost task: failed, or pending again, due at `not_before` or at once."""

    lost: Lost
    is_failed: bool
    not_before: datetime | None = None


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """A task that upkeep moved, as pages are told of it: a lost one, or a parent that ended with it."""

    id: TaskId
    account_id: AccountId | None
    parent_id: TaskId | None
    kind: str
    status: TaskStatus
    attempts: int
    failure_code: str | None
    was_lost: bool


LOST = Query(
    "upkeep.lost",
    Lost,
    # The statement's timestamp, not the clock's: only a stable bound can enter the index.
    """SELECT id, claim_seq, worker, attempts, max_attempts,
         (SELECT count(*) FROM task_events WHERE task_id = tasks.id AND event = 'lost') AS losses
       FROM tasks
       WHERE status = 'running' AND lease_expires_at <= statement_timestamp()
         AND id <> ALL(%(passed_over)s::bigint[])
       ORDER BY lease_expires_at LIMIT %(at_once)s FOR UPDATE SKIP LOCKED""",
)
TAKE_BACK = Query(
    "upkeep.take_back",
    Changed,
    """UPDATE tasks SET worker = NULL, lease_expires_at = NULL,
         status = CASE WHEN is_failed THEN 'failed' ELSE 'pending' END,
         failure_code = CASE WHEN is_failed THEN 'lease_expired' END,
         finished_at = CASE WHEN is_failed THEN clock_timestamp() END,
         not_before = coalesce(fate.not_before, tasks.not_before),
         due = fate.not_before IS NULL
       FROM unnest(%(ids)s::bigint[], %(claim_seqs)s::bigint[], %(failed)s::boolean[],
                   %(not_before)s::timestamptz[]) AS fate (id, claim_seq, is_failed, not_before)
       WHERE tasks.id = fate.id AND tasks.claim_seq = fate.claim_seq
         AND status = 'running' AND lease_expires_at <= clock_timestamp()
       RETURNING tasks.id, account_id, parent_id, kind, status, attempts, failure_code, true AS was_lost""",
)
CHANGED = Query(
    "upkeep.changed",
    Changed,
    """SELECT id, account_id, parent_id, kind, status, attempts, failure_code, false AS was_lost FROM tasks
       WHERE id = ANY(%(ids)s::bigint[])""",
)
IN_ORDER = Statement(
    # Expecting few rows, the planner would gather all that passed and sort them; after an outage it is many.
    "upkeep.in_order",
    "SELECT set_config('enable_bitmapscan', 'off', true)",
)
PROMOTE = Statement(
    "upkeep.promote",
    """WITH passed AS MATERIALIZED (
         SELECT probe.id FROM unnest(%(kinds)s::text[]) AS known (kind)
         CROSS JOIN LATERAL (
           SELECT id, not_before FROM tasks
           WHERE kind = known.kind AND status = 'pending' AND NOT due AND not_before <= %(now)s
           ORDER BY not_before LIMIT %(at_once)s) AS probe
         ORDER BY probe.not_before LIMIT %(at_once)s),
       taken AS MATERIALIZED (
         SELECT id FROM tasks
         WHERE id = ANY(ARRAY(SELECT id FROM passed))
           AND status = 'pending' AND NOT due AND not_before <= %(now)s
         FOR UPDATE SKIP LOCKED)
       UPDATE tasks SET due = true FROM taken WHERE tasks.id = taken.id""",
)


class NextDue(msgspec.Struct, frozen=True):
    at: datetime | None


NEXT_DUE = Query(
    "upkeep.next_due",
    NextDue,
    # An infinite time has no place in a datetime: a row that never comes due is none, one always due is old.
    """SELECT min(greatest(probe.not_before, 'epoch')) AS at FROM unnest(%(kinds)s::text[]) AS known (kind)
       CROSS JOIN LATERAL (
         SELECT not_before FROM tasks
         WHERE kind = known.kind AND status = 'pending' AND NOT due AND not_before < 'infinity'
         ORDER BY not_before LIMIT 1) AS probe""",
)


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive rows: those that look old enough, the last id, whether all were made after the cutoff."""

    old: list[TaskId]
    last: TaskId | None
    is_young: bool


STRETCH = Query(
    "upkeep.stretch",
    Stretch,
    """SELECT coalesce(array_agg(id) FILTER (WHERE is_old), '{}') AS old, max(id) AS last,
              coalesce(bool_and(created_at >= %(cutoff)s), true) AS is_young
       FROM (SELECT id, created_at, status IN ('done', 'cancelled') AND finished_at < %(cutoff)s AS is_old
             FROM tasks WHERE id > %(after)s ORDER BY id LIMIT 1000) AS stretch""",
)
FORGET = Statement(
    "upkeep.forget",
    """WITH going AS MATERIALIZED (
         SELECT id FROM tasks AS old
         WHERE id = ANY(%(ids)s::bigint[]) AND status IN ('done', 'cancelled') AND finished_at < %(cutoff)s
           AND replay_of_id IS NULL
           AND NOT EXISTS (SELECT FROM tasks AS replay WHERE replay.replay_of_id = old.id)
           AND NOT EXISTS (SELECT FROM tasks AS replay WHERE replay.root_id = old.id)
           AND NOT EXISTS (SELECT FROM tasks AS child WHERE child.parent_id = old.id)
           AND NOT EXISTS (SELECT FROM tasks AS parent WHERE parent.id = old.parent_id
                           AND parent.status IN ('pending', 'running', 'waiting', 'awaiting_batch'))
         FOR UPDATE SKIP LOCKED)
       DELETE FROM tasks USING going WHERE tasks.id = going.id""",
)
FORGET_WORKERS = Statement(
    "upkeep.forget_workers",
    # By the database's clock, which wrote these times: a clock that is off ends no live worker's row.
    """WITH going AS MATERIALIZED (
         SELECT id FROM workers
         WHERE greatest(last_seen_at, stopped_at) < clock_timestamp() - interval '168 hours'
           AND NOT EXISTS (SELECT FROM tasks WHERE status = 'running' AND worker = workers.id)
         LIMIT 100 FOR UPDATE SKIP LOCKED)
       DELETE FROM workers USING going WHERE workers.id = going.id""",
)
FORGET_HOSTS = Statement(
    "upkeep.forget_hosts",
    """WITH going AS MATERIALIZED (
         SELECT host, egress_group FROM host_budgets
         WHERE spacing = '0' AND refusals = 0 AND greatest(next_at, closed_until) < %(cutoff)s
         LIMIT 100 FOR UPDATE SKIP LOCKED)
       DELETE FROM host_budgets USING going
       WHERE (host_budgets.host, host_budgets.egress_group) = (going.host, going.egress_group)""",
)
LIMIT_TIME = Statement(
    "upkeep.limit_time", "SELECT set_config('statement_timeout', %(milliseconds)s::text, true)"
)
RAISE_CYCLE = Statement(
    "upkeep.raise_cycle",
    """INSERT INTO task_ticks (kind, cycle) VALUES (%(kind)s, %(cycle)s)
       ON CONFLICT (kind) DO UPDATE SET cycle = excluded.cycle
         WHERE task_ticks.cycle < excluded.cycle OR task_ticks.cycle > excluded.cycle + %(far)s""",
)


async def lost(unit: Unit, passed_over: Sequence[TaskId], at_once: int = AT_ONCE) -> list[Lost]:
    """Tasks whose lease ran out, longest ago first, locked until the unit ends."""
    return await unit.all(LOST, passed_over=list(passed_over), at_once=at_once)


async def take_back(unit: Unit, fates: Sequence[Fate]) -> list[Changed]:
    """Write what becomes of tasks that `lost` named in this unit; those that were still lost."""
    return await unit.all(
        TAKE_BACK,
        ids=[fate.lost.id for fate in fates],
        claim_seqs=[fate.lost.claim_seq for fate in fates],
        failed=[fate.is_failed for fate in fates],
        not_before=[fate.not_before for fate in fates],
    )


async def changed(unit: Unit, ids: Sequence[TaskId]) -> list[Changed]:
    """These tasks as they stand now."""
    return await unit.all(CHANGED, ids=list(ids))


async def promote(unit: Unit, kinds: Sequence[str], now: datetime, at_once: int = PROMOTED_AT_ONCE) -> int:
    """Make scheduled rows due whose time has passed, earliest first; how many. Workers are woken."""
    await unit.run(IN_ORDER)
    promoted = await unit.run(PROMOTE, kinds=list(kinds), now=now, at_once=at_once)
    if promoted:
        unit.tell(WAKE_CHANNEL, "")
    return promoted


async def next_due(unit: Unit, kinds: Sequence[str]) -> datetime | None:
    """When the next scheduled row comes due."""
    return (await unit.one(NEXT_DUE, kinds=list(kinds))).at


async def stretch(unit: Unit, after: int, cutoff: datetime) -> Stretch:
    """The next thousand rows by id, and which of them ended well before the cutoff."""
    return await unit.one(STRETCH, after=after, cutoff=cutoff)


async def forget(unit: Unit, ids: Sequence[TaskId], cutoff: datetime) -> int:
    """Delete those of `ids` that nothing needs any more; how many."""
    return await unit.run(FORGET, ids=list(ids), cutoff=cutoff)


async def forget_workers(unit: Unit) -> int:
    """Delete up to 100 workers that gave no sign for a week and hold no task."""
    return await unit.run(FORGET_WORKERS)


async def forget_hosts(unit: Unit, cutoff: datetime) -> int:
    """Delete up to 100 hosts that are open, unpaced, and were last heard of before the cutoff."""
    return await unit.run(FORGET_HOSTS, cutoff=cutoff)


async def limit_time(unit: Unit, seconds: float) -> None:
    """No later statement of this unit runs longer."""
    await unit.run(LIMIT_TIME, milliseconds=str(round(seconds * 1000)))


async def raise_cycle(unit: Unit, kind: str, cycle: int, far: int) -> bool:
    """Whether this unit is the one to ask for the cycle. A noted one `far` ahead came of a wrong clock."""
    return await unit.run(RAISE_CYCLE, kind=kind, cycle=cycle, far=far) == 1
