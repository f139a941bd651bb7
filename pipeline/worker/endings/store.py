"""The SQL of endings that are written one by one, and of what hangs on them. Runs in fleet scope.

The fence is (id, worker, claim_seq). A fenced statement first takes the row lock, passing over a row that
somebody else holds at the moment, and only then compares the lease with the database's clock: a write that
came late changes nothing.
"""

from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from pipeline.worker.claims.types import Fence
from pipeline.worker.endings.rules import ENOUGH_REFUSALS, FIRST_PAUSE
from pipeline.worker.events.store import Noted, note
from schema.db import Unit
from schema.ids import TaskId
from schema.live import NOTE_MAX, TaskProgress
from schema.query import Query, Statement
from schema.queue import WAKE_CHANNEL
from schema.text import clean, shorten


class Found(msgspec.Struct, frozen=True, kw_only=True):
    id: TaskId


class Parent(msgspec.Struct, frozen=True, kw_only=True):
    id: TaskId
    status: str


class Children(msgspec.Struct, frozen=True, kw_only=True):
    """How the children of a task stand: `code` is that of the first failed one."""

    open: bool
    code: str | None
    cancelled: bool


_HELD = """WITH held AS MATERIALIZED (
  SELECT id, lease_expires_at FROM tasks
  WHERE id = %(id)s AND worker = %(worker)s AND claim_seq = %(claim_seq)s AND status = 'running'
  FOR UPDATE SKIP LOCKED)
UPDATE tasks SET """
_STILL = " FROM held WHERE tasks.id = held.id AND held.lease_expires_at > clock_timestamp()"
_LET_GO = "worker = NULL, lease_expires_at = NULL, "

FINISH = Statement(
    "queue.finish",
    _HELD + _LET_GO + "status = 'done', outcome = %(outcome)s, finished_at = clock_timestamp()" + _STILL,
)
FAIL = Statement(
    "queue.fail",
    _HELD + _LET_GO + "status = 'failed', failure_code = %(code)s, finished_at = clock_timestamp()" + _STILL,
)
RETRY = Statement(
    "queue.retry",
    _HELD + _LET_GO + "status = 'pending', not_before = %(not_before)s, due = false" + _STILL,
)
GIVE_BACK = Statement(
    "queue.give_back",
    _HELD
    + _LET_GO
    + "status = 'pending', attempts = attempts - 1, due = %(not_before)s::timestamptz IS NULL,"
    + " not_before = coalesce(%(not_before)s::timestamptz, not_before)"
    + _STILL,
)
PARK = Statement(
    "queue.park", _HELD + _LET_GO + "status = 'awaiting_batch', attempts = attempts - 1" + _STILL
)
SPLIT = Statement("queue.split", _HELD + _LET_GO + "status = 'waiting'" + _STILL)
PROGRESS = Statement(
    "queue.progress",
    _HELD
    + "progress = %(progress)s, progress_at = clock_timestamp()"
    + _STILL
    + " AND progress IS DISTINCT FROM %(progress)s",
)
IS_HELD = Query(
    "queue.is_held",
    Found,
    """SELECT id FROM tasks WHERE id = %(id)s AND worker = %(worker)s AND claim_seq = %(claim_seq)s
       AND status = 'running' AND lease_expires_at > clock_timestamp()""",
)
RESUME = Statement(
    "queue.resume",
    """UPDATE tasks SET status = 'pending', due = true, not_before = '-infinity'
       WHERE id = %(id)s AND status = 'awaiting_batch'""",
)
LOCK_PARENT = Query(
    "queue.lock_parent",
    Parent,
    """SELECT id, status FROM tasks
       WHERE id = (SELECT parent_id FROM tasks WHERE id = %(child)s) FOR UPDATE""",
)
CHILDREN = Query(
    "queue.children",
    Children,
    """SELECT EXISTS (SELECT FROM tasks WHERE parent_id = %(id)s
                AND status IN ('pending', 'running', 'waiting', 'awaiting_batch')) AS open,
         (SELECT failure_code FROM tasks WHERE parent_id = %(id)s AND status = 'failed'
          ORDER BY finished_at, id LIMIT 1) AS code,
         EXISTS (SELECT FROM tasks WHERE parent_id = %(id)s AND status = 'cancelled') AS cancelled""",
)
END_PARENT = Statement(
    "queue.end_parent",
    """UPDATE tasks SET finished_at = clock_timestamp(), failure_code = %(code)s::text,
         status = CASE WHEN %(code)s::text IS NULL THEN 'done' ELSE 'failed' END,
         outcome = CASE WHEN %(code)s::text IS NULL THEN 'children_done' END
       WHERE id = %(id)s AND status = 'waiting'""",
)
REFUSED = Statement(
    "queue.host_refused",
    """INSERT INTO host_budgets AS b (host, egress_group, refusals, closed_until)
       VALUES (%(host)s, %(egress_group)s, 1, coalesce(%(until)s::timestamptz, '-infinity'::timestamptz))
       ON CONFLICT (host, egress_group) DO UPDATE SET refusals = least(b.refusals + 1, 1000),
         closed_until = greatest(%(until)s::timestamptz,
           CASE WHEN b.closed_until < %(now)s::timestamptz + interval '48 hours'
             OR b.closed_until = 'infinity' THEN b.closed_until ELSE '-infinity' END,
           CASE WHEN b.refusals + 1 >= %(enough)s::int
             THEN %(now)s::timestamptz
               + %(first_pause)s::interval * power(2, least(b.refusals + 1 - %(enough)s::int, 6)) END)""",
)
ANSWERED = Statement(
    "queue.host_answered",
    """UPDATE host_budgets SET refusals = 0, closed_until = '-infinity'
       WHERE host = %(host)s AND egress_group = %(egress_group)s
         AND (refusals > 0 OR closed_until > '-infinity')""",
)


async def finish(unit: Unit, fence: Fence, outcome: str) -> bool:
    return await unit.run(FINISH, outcome=outcome, **_fence(fence)) == 1


async def fail(unit: Unit, fence: Fence, code: str) -> bool:
    return await unit.run(FAIL, code=code, **_fence(fence)) == 1


async def retry(unit: Unit, fence: Fence, not_before: datetime) -> bool:
    return await unit.run(RETRY, not_before=not_before, **_fence(fence)) == 1


async def give_back(unit: Unit, fence: Fence, not_before: datetime | None) -> bool:
    """Release or defer: pending again, and the try does not count."""
    return await unit.run(GIVE_BACK, not_before=not_before, **_fence(fence)) == 1


async def park(unit: Unit, fence: Fence) -> bool:
    return await unit.run(PARK, **_fence(fence)) == 1


async def split(unit: Unit, fence: Fence) -> bool:
    """The task waits for its children, which the same unit inserts."""
    return await unit.run(SPLIT, **_fence(fence)) == 1


async def progress(unit: Unit, fence: Fence, value: TaskProgress) -> bool:
    """True when the value moved; `progress_at` stands still while it does not."""
    kept = msgspec.structs.replace(value, note=shorten(clean(value.note), NOTE_MAX))
    return await unit.run(PROGRESS, progress=Jsonb(kept), **_fence(fence)) == 1


async def is_held(unit: Unit, fence: Fence) -> bool:
    """Whether the task is still this worker's: what a fenced statement that changed nothing leaves open."""
    return await unit.maybe(IS_HELD, **_fence(fence)) is not None


async def resume(unit: Unit, task_id: TaskId) -> bool:
    """A parked task is due again, and workers are woken; False when it was not parked."""
    if await unit.run(RESUME, id=task_id) == 0:
        return False
    unit.tell(WAKE_CHANNEL, "")
    await note(unit, [Noted(task_id=task_id, event="resumed")])
    return True


async def locked_parent(unit: Unit, child: int) -> Parent | None:
    return await unit.maybe(LOCK_PARENT, child=child)


async def children(unit: Unit, parent: TaskId) -> Children:
    return await unit.one(CHILDREN, id=parent)


async def end_parent(unit: Unit, parent: TaskId, code: str | None) -> None:
    """Done, or failed with `code`."""
    await unit.run(END_PARENT, id=parent, code=code)


def _fence(fence: Fence) -> dict[str, object]:
    return {"id": fence.id, "worker": fence.worker, "claim_seq": fence.claim_seq}


async def host_refused(
    unit: Unit, host: str, egress_group: str, now: datetime, until: datetime | None
) -> None:
    """One more passing trouble; enough in a row, or the host's own word `until`, close its circuit."""
    await unit.run(
        REFUSED,
        host=host,
        egress_group=egress_group,
        now=now,
        until=until,
        enough=ENOUGH_REFUSALS,
        first_pause=FIRST_PAUSE,
    )


async def host_answered(unit: Unit, host: str, egress_group: str) -> None:
    """The circuit is open again; writes nothing when it was."""
    await unit.run(ANSWERED, host=host, egress_group=egress_group)
