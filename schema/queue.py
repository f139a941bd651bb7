"""Asking for work: one insert in the caller's own transaction. Claiming it is `pipeline/worker`'s part."""

from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from schema.db import Unit
from schema.ids import TaskId
from schema.query import Query, Statement
from schema.tasks import Payload

CLICKED = 10
ORDINARY = 100
SWEEP = 500
"""Priorities: a person waits for it; follows from something; can wait. Lower is sooner."""

WAKE_CHANNEL = "jobtrail_tasks"


class Inserted(msgspec.Struct, frozen=True, kw_only=True):
    id: int


INSERT = Query(
    "queue.insert",
    Inserted,
    """INSERT INTO tasks (kind, payload, dedupe_key, priority, max_attempts, not_before, host)
       VALUES (%(kind)s, %(payload)s, %(dedupe_key)s, %(priority)s, %(max_attempts)s,
               coalesce(%(not_before)s::timestamptz, '-infinity'), %(host)s)
       ON CONFLICT (account_id, dedupe_key)
         WHERE dedupe_key IS NOT NULL AND status IN ('pending', 'running', 'waiting', 'awaiting_batch')
         DO NOTHING
       RETURNING id""",
)
WAKE = Statement("queue.wake", "SELECT pg_notify('jobtrail_tasks', '')")


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
    no account. Raises `UnitMisused` outside a unit of work.
    """
    row = await unit.maybe(
        INSERT,
        kind=payload.KIND,
        payload=Jsonb(payload),
        dedupe_key=dedupe_key,
        priority=priority,
        max_attempts=payload.MAX_ATTEMPTS,
        not_before=not_before,
        host=payload.host(),
    )
    if row is None:
        return None
    await unit.run(WAKE)
    return TaskId(row.id)
