"""A person asks for work: what is under way for it already, and the refusal that names the running task.

A page finds the work on its own subject here after a reload, by the key the work was asked for with.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from schema.db import Unit
from schema.errors import Refusal
from schema.ids import TaskId
from schema.live import TaskProgress
from schema.query import Query
from schema.queue import CLICKED, enqueue
from schema.tasks import Payload
from schema.vocabulary import TaskStatus

_TRIES = 3


class AlreadyUnderWay(Refusal):
    """What you ask for is being done already."""

    code = "already_under_way"
    kind = "conflict"

    def __init__(self, task_id: TaskId) -> None:
        super().__init__(f"Task {task_id} does what you ask for; nothing was added.")
        self.task_id = task_id


class UnderWay(msgspec.Struct, frozen=True, kw_only=True):
    """A task that has not ended. `not_before` is when it is tried again, while that lies ahead."""

    dedupe_key: str | None
    id: TaskId
    status: TaskStatus
    attempts: int
    max_attempts: int
    not_before: datetime | None
    progress_done: int | None
    progress_total: int | None
    progress_note: str | None
    progress_at: datetime | None

    @property
    def progress(self) -> TaskProgress | None:
        if self.progress_done is None:
            return None
        return TaskProgress(done=self.progress_done, total=self.progress_total, note=self.progress_note or "")


UNDER_WAY = Query(
    "queue.under_way",
    UnderWay,
    """SELECT dedupe_key, id, status, attempts, max_attempts,
         CASE WHEN NOT due THEN not_before END AS not_before,
         (progress->>'done')::bigint AS progress_done, (progress->>'total')::bigint AS progress_total,
         progress->>'note' AS progress_note, progress_at
       FROM tasks
       WHERE dedupe_key = ANY(%(keys)s::text[])
         AND (account_id = jobtrail_account() OR (account_id IS NULL AND jobtrail_account() IS NULL))
         AND status IN ('pending', 'running', 'waiting', 'awaiting_batch')""",
)


async def under_way(unit: Unit, dedupe_keys: Sequence[str]) -> dict[str, UnderWay]:
    """The unfinished task of each key that has one: the account's own, or in a fleet unit the fleet's."""
    rows = await unit.all(UNDER_WAY, keys=list(dedupe_keys))
    return {row.dedupe_key: row for row in rows if row.dedupe_key is not None}


async def request(unit: Unit, payload: Payload, *, dedupe_key: str) -> TaskId:
    """Ask for work somebody waits for. Raises `AlreadyUnderWay`, naming the task that does it already."""
    for _ in range(_TRIES):  # the one that was in the way may end between the two questions
        task_id = await enqueue(unit, payload, dedupe_key=dedupe_key, priority=CLICKED)
        if task_id is not None:
            return task_id
        if running := (await under_way(unit, [dedupe_key])).get(dedupe_key):
            raise AlreadyUnderWay(running.id)
    raise RuntimeError("a task that is in the way of another one was not found")
