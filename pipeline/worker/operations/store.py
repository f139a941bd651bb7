"""The SQL of what operators do to tasks: replay, cancel, archive. Runs in fleet units.

Whoever locks several rows locks the younger before the older (a child before its parent, a replay before its
original), as the endings of running tasks do: so no two of them wait for each other.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from pipeline.worker.operations.rules import Signed
from pipeline.worker.operations.types import Relative, Source
from schema.db import Unit
from schema.ids import AccountId, TaskId
from schema.query import Query
from schema.vocabulary import TaskStatus


class Touched(msgspec.Struct, frozen=True, kw_only=True):
    """A task that was cancelled, whose pages are told, and the worker that had it."""

    id: TaskId
    account_id: AccountId | None
    worker: UUID | None


class Found(msgspec.Struct, frozen=True, kw_only=True):
    id: TaskId


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    id: TaskId
    status: TaskStatus


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    count: int


SOURCE = Query(
    "operations.source",
    Source,
    """SELECT id, account_id, kind, status, coalesce(root_id, id) AS root_id, dedupe_key FROM tasks
       WHERE id = %(id)s AND (%(account_id)s::bigint IS NULL OR account_id = %(account_id)s)""",
)
HOLD = Query(
    "operations.hold",
    Found,
    """SELECT id FROM tasks WHERE id IN (%(id)s, %(root_id)s) ORDER BY id DESC FOR KEY SHARE""",
)
MEMBERS = Query(
    "operations.members",
    Relative,
    """SELECT id, status, replay_of_id FROM tasks WHERE id = %(root_id)s OR root_id = %(root_id)s
       ORDER BY id""",
)
KEY_HOLDER = Query(
    "operations.key_holder",
    Relative,
    """SELECT id, status, replay_of_id FROM tasks
       WHERE (account_id = %(account_id)s OR (%(account_id)s::bigint IS NULL AND account_id IS NULL))
         AND dedupe_key = %(dedupe_key)s AND status IN ('pending', 'running', 'waiting', 'awaiting_batch')""",
)
REPLAY = Query(
    "operations.replay",
    Found,
    """INSERT INTO tasks (account_id, kind, payload, dedupe_key, priority, max_attempts, host,
                          replay_of_id, root_id, actor, reason)
       SELECT account_id, kind, payload, dedupe_key, priority, max_attempts, host,
              id, coalesce(root_id, id), %(actor)s, %(reason)s
       FROM tasks WHERE id = %(id)s AND status = 'failed'
       ON CONFLICT DO NOTHING RETURNING id""",
)
FAILED = Query(
    "operations.failed",
    Source,
    """SELECT id, account_id, kind, status, coalesce(root_id, id) AS root_id, dedupe_key FROM tasks
       WHERE status = 'failed' AND id > %(after)s AND (%(kind)s::text IS NULL OR kind = %(kind)s)
         AND (%(code)s::text IS NULL OR failure_code = %(code)s)
         AND (%(since)s::timestamptz IS NULL OR finished_at >= %(since)s)
         AND (%(before)s::timestamptz IS NULL OR finished_at < %(before)s)
       ORDER BY id LIMIT 500""",
)

_UNSTARTED = """WITH RECURSIVE family AS (
  SELECT id FROM tasks WHERE id = %(id)s
  UNION ALL
  SELECT child.id FROM family JOIN tasks child ON child.parent_id = family.id
  WHERE child.status IN ('pending', 'waiting', 'awaiting_batch'))"""

_HOLD_UNSTARTED = """ SELECT id, status FROM tasks WHERE id IN (SELECT id FROM family)
    ORDER BY id DESC FOR NO KEY UPDATE"""
HOLD_UNSTARTED = Query("operations.hold_unstarted", Standing, _UNSTARTED + _HOLD_UNSTARTED)
_CANCEL = """, held AS MATERIALIZED (
      SELECT id, worker FROM tasks
      WHERE id IN (SELECT id FROM family)
        AND (status IN ('pending', 'waiting', 'awaiting_batch') OR (status = 'running' AND id = %(id)s))
      ORDER BY id DESC FOR NO KEY UPDATE),
    ended AS (
      UPDATE tasks SET status = 'cancelled', worker = NULL, lease_expires_at = NULL,
        finished_at = clock_timestamp()
      FROM held WHERE tasks.id = held.id
      RETURNING tasks.id, tasks.account_id, held.worker)
    SELECT id, account_id, worker FROM ended ORDER BY id"""
CANCEL = Query("operations.cancel", Touched, _UNSTARTED + _CANCEL)

_FAMILY = """WITH RECURSIVE family AS (
  SELECT %(root_id)s::bigint AS id
  UNION
  SELECT related.id FROM family CROSS JOIN LATERAL (
    SELECT id FROM tasks WHERE parent_id = family.id
    UNION ALL SELECT id FROM tasks WHERE root_id = family.id) AS related)"""

_HOLD_FAMILY = " SELECT id FROM tasks WHERE id IN (SELECT id FROM family) ORDER BY id DESC FOR UPDATE"
HOLD_FAMILY = Query("operations.hold_family", Found, _FAMILY + _HOLD_FAMILY)
_OPEN_RELATIVE = """ SELECT t.id, t.status FROM tasks t
    WHERE t.status IN ('pending', 'running', 'waiting', 'awaiting_batch')
      AND t.id IN (SELECT id FROM family UNION ALL
                   SELECT parent_id FROM tasks WHERE id IN (SELECT id FROM family))
    ORDER BY t.id LIMIT 1"""
OPEN_RELATIVE = Query("operations.open_relative", Standing, _FAMILY + _OPEN_RELATIVE)
_ARCHIVE = """, kept AS (
      INSERT INTO task_archive (id, account_id, kind, lineage, task, events, actor, reason)
      SELECT t.id, t.account_id, t.kind, coalesce(t.root_id, t.id), to_jsonb(t) - 'lane' - 'due',
        coalesce((SELECT jsonb_agg(to_jsonb(e) - 'task_id' ORDER BY e.id) FROM task_events e
                  WHERE e.task_id = t.id), '[]'),
        %(actor)s, %(reason)s
      FROM tasks t WHERE t.id IN (SELECT id FROM family) RETURNING id),
    gone AS (DELETE FROM tasks WHERE id IN (SELECT id FROM kept) RETURNING id)
    SELECT count(*) AS count FROM gone"""
ARCHIVE = Query("operations.archive", Counted, _FAMILY + _ARCHIVE)


async def source(unit: Unit, task_id: TaskId, account_id: AccountId | None) -> Source | None:
    """The task, when it is this account's; None means any account's."""
    return await unit.maybe(SOURCE, id=task_id, account_id=account_id)


async def hold(unit: Unit, source: Source) -> bool:
    """Keep the task and its original from being archived while this unit lasts; False when one is gone."""
    held = await unit.all(HOLD, id=source.id, root_id=source.root_id)
    return len(held) == len({source.id, source.root_id})


async def members(unit: Unit, root_id: TaskId) -> list[Relative]:
    """The lineage of this original, oldest first."""
    return await unit.all(MEMBERS, root_id=root_id)


async def key_holder(unit: Unit, source: Source) -> Relative | None:
    """The unfinished task that has the same dedupe key."""
    if source.dedupe_key is None:
        return None
    return await unit.maybe(KEY_HOLDER, account_id=source.account_id, dedupe_key=source.dedupe_key)


async def insert_replay(unit: Unit, source: Source, by: Signed) -> TaskId | None:
    """The new task; None when a unique index says that somebody was first."""
    found = await unit.maybe(REPLAY, id=source.id, actor=by.actor, reason=by.reason)
    return found.id if found else None


async def failed(
    unit: Unit,
    *,
    after: TaskId,
    kind: str | None,
    code: str | None,
    since: datetime | None = None,
    before: datetime | None = None,
) -> list[Source]:
    """The next 500 failed tasks above the id `after` that fit, oldest first."""
    return await unit.all(FAILED, after=after, kind=kind, code=code, since=since, before=before)


async def hold_unstarted(unit: Unit, task_id: TaskId) -> TaskStatus | None:
    """Lock the task and everything below it that was not started; the task's status, None without one."""
    held = await unit.all(HOLD_UNSTARTED, id=task_id)
    return next((each.status for each in held if each.id == task_id), None)


async def cancel(unit: Unit, task_id: TaskId) -> list[Touched]:
    """Cancel the task and what was not started below it, oldest first."""
    return await unit.all(CANCEL, id=task_id)


async def hold_family(unit: Unit, root_id: TaskId) -> int:
    """Lock a lineage with its children and their lineages; how many there are."""
    return len(await unit.all(HOLD_FAMILY, root_id=root_id))


async def open_relative(unit: Unit, root_id: TaskId) -> Standing | None:
    """A task of this family, or a parent of one, that has not ended."""
    return await unit.maybe(OPEN_RELATIVE, root_id=root_id)


async def archive_family(unit: Unit, root_id: TaskId, by: Signed) -> int:
    """Move the family out of the queue; how many tasks went."""
    return (await unit.one(ARCHIVE, root_id=root_id, actor=by.actor, reason=by.reason)).count
