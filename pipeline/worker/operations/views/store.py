"""Reads tasks for operators, from the queue and from its archive. Runs in fleet units and writes nothing."""

from datetime import datetime
from uuid import UUID

import msgspec

from schema.db import Unit
from schema.ids import AccountId, TaskId
from schema.live import TaskProgress
from schema.query import Query
from schema.vocabulary import TaskStatus


class TaskLine(msgspec.Struct, frozen=True, kw_only=True):
    """One task in a list. `word` is how it ended; `due` False while its time has not come."""

    id: TaskId
    account_id: AccountId | None
    kind: str
    status: TaskStatus
    due: bool
    attempts: int
    max_attempts: int
    priority: int
    host: str | None
    parent_id: TaskId | None
    replay_of_id: TaskId | None
    word: str | None
    not_before: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress_done: int | None
    progress_total: int | None
    progress_note: str | None
    progress_at: datetime | None

    @property
    def progress(self) -> TaskProgress | None:
        if self.progress_done is None:
            return None
        return TaskProgress(done=self.progress_done, total=self.progress_total, note=self.progress_note or "")


class Task(TaskLine, frozen=True, kw_only=True):
    """The whole row. `payload` is JSON text; `children_open` counts those that have not ended."""

    payload: str
    dedupe_key: str | None
    root_id: TaskId | None
    replayed_by_id: TaskId | None
    claim_seq: int
    worker: UUID | None
    worker_name: str | None
    lease_expires_at: datetime | None
    actor: str | None
    reason: str | None
    children: int
    children_open: int
    children_failed: int


class LineageMember(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a lineage; `actor` and `reason` say who asked for this replay and why."""

    id: TaskId
    status: TaskStatus
    word: str | None
    attempts: int
    max_attempts: int
    replay_of_id: TaskId | None
    actor: str | None
    reason: str | None
    created_at: datetime
    finished_at: datetime | None


class Event(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    at: datetime
    event: str
    attempt: int
    worker: UUID | None
    worker_name: str | None
    code: str | None
    actor: str | None
    reason: str | None


class Archived(msgspec.Struct, frozen=True, kw_only=True):
    """A task that was moved out of the queue; `task` and `events` are its rows as JSON text."""

    id: TaskId
    account_id: AccountId | None
    kind: str
    lineage: TaskId
    task: str
    events: str
    archived_at: datetime
    actor: str
    reason: str


_ABOVE_ALL = TaskId(2**63 - 1)

_LINE = """SELECT t.id, t.account_id, t.kind, t.status, t.due, t.attempts, t.max_attempts, t.priority, t.host,
  t.parent_id, t.replay_of_id, coalesce(t.failure_code, t.outcome) AS word,
  CASE WHEN isfinite(t.not_before) THEN t.not_before END AS not_before,
  t.created_at, t.started_at, t.finished_at,
  (t.progress->>'done')::bigint AS progress_done, (t.progress->>'total')::bigint AS progress_total,
  t.progress->>'note' AS progress_note, t.progress_at"""

_WHOLE = """, t.payload::text AS payload, t.dedupe_key, t.root_id,
      (SELECT r.id FROM tasks r WHERE r.replay_of_id = t.id) AS replayed_by_id,
      t.claim_seq, t.worker, workers.name AS worker_name, t.lease_expires_at, t.actor, t.reason,
      below.children, below.children_open, below.children_failed
    FROM tasks t LEFT JOIN workers ON workers.id = t.worker
    CROSS JOIN LATERAL (
      SELECT count(*) AS children,
        count(*) FILTER (WHERE finished_at IS NULL) AS children_open,
        count(*) FILTER (WHERE status = 'failed') AS children_failed
      FROM tasks WHERE parent_id = t.id) AS below
    WHERE t.id = %(id)s"""
TASK = Query(
    "operations.task",
    Task,
    _LINE + _WHOLE,
)
_FITS = """ (%(status)s::text IS NULL OR t.status = %(status)s)
  AND (%(kind)s::text IS NULL OR t.kind = %(kind)s)
  AND (%(code)s::text IS NULL OR (t.status = 'failed' AND t.failure_code = %(code)s))
  AND (%(account_id)s::bigint IS NULL OR t.account_id = %(account_id)s)
  AND t.id < %(before)s"""
_NEWEST = " ORDER BY t.id DESC LIMIT %(limit)s"

# A prepared statement may be planned without its parameters. So each of these names the index it needs by a
# condition of its own, and finds the newest rows of its state even when a million finished ones are newer.
_ANY = " FROM tasks t WHERE"
_OF_ACCOUNT = " FROM tasks t WHERE t.account_id = %(account_id)s AND"
_RUNNING = " FROM tasks t WHERE t.status = 'running' AND"
_FAILED_KINDS = """WITH RECURSIVE kinds AS (
  (SELECT kind FROM tasks WHERE status = 'failed' AND kind >= coalesce(%(kind)s, '') ORDER BY kind LIMIT 1)
  UNION ALL
  SELECT (SELECT t.kind FROM tasks t
          WHERE t.status = 'failed' AND t.kind > kinds.kind ORDER BY t.kind LIMIT 1)
  FROM kinds WHERE kinds.kind IS NOT NULL AND %(kind)s::text IS NULL) """
_FAILED = """ FROM kinds CROSS JOIN LATERAL (
  SELECT * FROM tasks t WHERE t.status = 'failed' AND t.kind = kinds.kind AND"""
_APART_KINDS = """WITH RECURSIVE kinds AS (
  (SELECT kind FROM tasks
   WHERE status IN ('waiting', 'awaiting_batch') AND kind >= coalesce(%(kind)s, '') ORDER BY kind LIMIT 1)
  UNION ALL
  SELECT (SELECT t.kind FROM tasks t
          WHERE t.status IN ('waiting', 'awaiting_batch') AND t.kind > kinds.kind ORDER BY t.kind LIMIT 1)
  FROM kinds WHERE kinds.kind IS NOT NULL AND %(kind)s::text IS NULL) """
_APART = """ FROM kinds CROSS JOIN LATERAL (
  SELECT * FROM tasks t WHERE t.status IN ('waiting', 'awaiting_batch') AND t.kind = kinds.kind AND"""
_END = ") AS t"

TASKS = Query("operations.tasks", TaskLine, _LINE + _ANY + _FITS + _NEWEST)
TASKS_OF_ACCOUNT = Query("operations.tasks_of_account", TaskLine, _LINE + _OF_ACCOUNT + _FITS + _NEWEST)
TASKS_RUNNING = Query("operations.tasks_running", TaskLine, _LINE + _RUNNING + _FITS + _NEWEST)
TASKS_FAILED = Query(
    "operations.tasks_failed",
    TaskLine,
    _FAILED_KINDS + _LINE + _FAILED + _FITS + _NEWEST + _END + _NEWEST,
)
TASKS_APART = Query(
    "operations.tasks_apart",
    TaskLine,
    _APART_KINDS + _LINE + _APART + _FITS + _NEWEST + _END + _NEWEST,
)
CHILDREN = Query(
    "operations.children",
    TaskLine,
    _LINE
    + """ FROM tasks t WHERE t.parent_id = %(id)s
    ORDER BY t.status = 'failed' DESC, t.finished_at IS NULL DESC, t.id LIMIT %(limit)s""",
)
LINEAGE = Query(
    "operations.lineage",
    LineageMember,
    """WITH root AS (SELECT coalesce(root_id, id) AS id FROM tasks WHERE id = %(id)s)
       SELECT t.id, t.status, coalesce(t.failure_code, t.outcome) AS word, t.attempts, t.max_attempts,
         t.replay_of_id, t.actor, t.reason, t.created_at, t.finished_at
       FROM tasks t
       WHERE t.id = (SELECT id FROM root) OR t.root_id = (SELECT id FROM root) ORDER BY t.id""",
)
EVENTS = Query(
    "operations.events",
    Event,
    """SELECT e.id, e.at, e.event, e.attempt, e.worker, workers.name AS worker_name, e.code, e.actor, e.reason
       FROM task_events e LEFT JOIN workers ON workers.id = e.worker
       WHERE e.task_id = %(id)s ORDER BY e.id""",
)
ARCHIVED = Query(
    "operations.archived",
    Archived,
    """SELECT id, account_id, kind, lineage, task::text AS task, events::text AS events, archived_at,
         actor, reason
       FROM task_archive WHERE id = %(id)s""",
)


async def task(unit: Unit, task_id: TaskId) -> Task | None:
    return await unit.maybe(TASK, id=task_id)


async def children(unit: Unit, task_id: TaskId, *, limit: int = 50) -> list[TaskLine]:
    """The direct children: failed ones first, then those that have not ended, then oldest first."""
    return await unit.all(CHILDREN, id=task_id, limit=limit)


async def lineage(unit: Unit, task_id: TaskId) -> list[LineageMember]:
    """The original and all its replays, oldest to newest; one row when nothing was replayed."""
    return await unit.all(LINEAGE, id=task_id)


async def events(unit: Unit, task_id: TaskId) -> list[Event]:
    """What happened to the task beside its own columns, oldest first."""
    return await unit.all(EVENTS, id=task_id)


async def archived(unit: Unit, task_id: TaskId) -> Archived | None:
    return await unit.maybe(ARCHIVED, id=task_id)


async def tasks(
    unit: Unit,
    *,
    status: TaskStatus | None = None,
    kind: str | None = None,
    code: str | None = None,
    account_id: AccountId | None = None,
    before: TaskId | None = None,
    limit: int = 50,
) -> list[TaskLine]:
    """Tasks that fit every filter given, newest first; `before` goes on below the last id of a page."""
    return await unit.all(
        _listing(status, code, account_id),
        status=status,
        kind=kind,
        code=code,
        account_id=account_id,
        before=_ABOVE_ALL if before is None else before,
        limit=limit,
    )


def _listing(status: TaskStatus | None, code: str | None, account_id: AccountId | None) -> Query[TaskLine]:
    """The statement whose index holds the fewest rows that do not fit."""
    if status == "failed" or (status is None and code is not None):
        return TASKS_FAILED
    if status in {"waiting", "awaiting_batch"}:
        return TASKS_APART
    if status == "running":
        return TASKS_RUNNING
    return TASKS if account_id is None else TASKS_OF_ACCOUNT
