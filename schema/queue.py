"""Asking for work: one insert in the caller's own transaction. Claiming it is `pipeline/worker`'s part."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from schema.db import Unit
from schema.ids import TaskId
from schema.query import Query
from schema.tasks import Payload

CLICKED = 10
ORDINARY = 100
SWEEP = 500
"""Priorities: a person waits for it; follows from something; can wait. Lower is sooner."""

WAKE_CHANNEL = "jobtrail_tasks"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One task to ask for. Without `not_before` it may start at once."""

    payload: Payload
    dedupe_key: str | None = None
    priority: int = ORDINARY
    not_before: datetime | None = None
    parent_id: TaskId | None = None


class Inserted(msgspec.Struct, frozen=True, kw_only=True):
    id: TaskId


INSERT = Query(
    "queue.insert",
    Inserted,
    """INSERT INTO tasks (kind, payload, dedupe_key, priority, max_attempts, not_before, due, host, parent_id)
       SELECT kind, payload::jsonb, dedupe_key, priority, max_attempts,
              coalesce(not_before, '-infinity'), not_before IS NULL, host, parent_id
       FROM unnest(%(kinds)s::text[], %(payloads)s::text[], %(dedupe_keys)s::text[],
                   %(priorities)s::smallint[], %(max_attempts)s::smallint[], %(not_befores)s::timestamptz[],
                   %(hosts)s::text[], %(parent_ids)s::bigint[])
         WITH ORDINALITY AS wanted
           (kind, payload, dedupe_key, priority, max_attempts, not_before, host, parent_id, place)
       WHERE dedupe_key IS NULL OR NOT EXISTS (
         SELECT FROM tasks t WHERE t.dedupe_key = wanted.dedupe_key AND t.account_id = jobtrail_account()
           AND t.status IN ('pending', 'running', 'waiting', 'awaiting_batch'))
       ORDER BY place
       ON CONFLICT (account_id, dedupe_key)
         WHERE dedupe_key IS NOT NULL AND status IN ('pending', 'running', 'waiting', 'awaiting_batch')
         DO NOTHING
       RETURNING id""",
)
"""The anti-join spares known duplicates their row version and their id; the index decides every race."""


async def enqueue(
    unit: Unit,
    payload: Payload,
    *,
    dedupe_key: str | None = None,
    priority: int = ORDINARY,
    not_before: datetime | None = None,
) -> TaskId | None:
    """Insert a task into the caller's transaction; None when one with this key is unfinished already.

    Keys belong to an account: one account's key never blocks another's. A task of a fleet unit belongs to
    no account. Workers are woken after the commit. Raises `UnitMisused` outside a unit of work.
    """
    wanted = Wanted(payload=payload, dedupe_key=dedupe_key, priority=priority, not_before=not_before)
    inserted = await enqueue_many(unit, [wanted])
    return inserted[0] if inserted else None


async def enqueue_many(unit: Unit, wanted: Sequence[Wanted]) -> list[TaskId]:
    """Insert these tasks in one statement; the ids of those whose key was free, in the order asked."""
    rows = await unit.all(
        INSERT,
        kinds=[each.payload.KIND for each in wanted],
        payloads=[msgspec.json.encode(each.payload).decode() for each in wanted],
        dedupe_keys=[each.dedupe_key for each in wanted],
        priorities=[each.priority for each in wanted],
        max_attempts=[each.payload.MAX_ATTEMPTS for each in wanted],
        not_befores=[each.not_before for each in wanted],
        hosts=[each.payload.host() for each in wanted],
        parent_ids=[each.parent_id for each in wanted],
    )
    if rows:
        unit.tell(WAKE_CHANNEL, "")
    return [row.id for row in rows]
