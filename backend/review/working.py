"""What was said of many messages at once and is still being done. Reads only."""

from datetime import datetime

import msgspec

from schema.db import Unit
from schema.ids import ActId, TaskId
from schema.live import TaskProgress
from schema.query import Query
from schema.vocabulary import TaskStatus


class Working(msgspec.Struct, frozen=True, kw_only=True):
    """An unfinished task for a whole pattern. `taking_back` when it was undone meanwhile."""

    id: TaskId
    act_id: ActId
    status: TaskStatus
    attempts: int
    not_before: datetime | None
    pattern: str | None
    messages: int
    taking_back: bool
    progress_done: int | None
    progress_total: int | None
    progress_note: str | None

    @property
    def progress(self) -> TaskProgress | None:
        if self.progress_done is None:
            return None
        return TaskProgress(done=self.progress_done, total=self.progress_total, note=self.progress_note or "")


UNDER_WAY = Query(
    "review.bulk_under_way",
    Working,
    """SELECT t.id, a.id AS act_id, t.status, t.attempts,
         CASE WHEN NOT t.due THEN t.not_before END AS not_before, a.pattern, a.messages,
         a.undone_at IS NOT NULL AS taking_back,
         (t.progress->>'done')::bigint AS progress_done, (t.progress->>'total')::bigint AS progress_total,
         t.progress->>'note' AS progress_note
       FROM tasks t JOIN acts a ON a.id = (t.payload->>'act_id')::bigint
       WHERE t.kind = 'match.bulk.v1' AND t.account_id = jobtrail_account()
         AND t.status IN ('pending', 'running', 'waiting', 'awaiting_batch')
       ORDER BY t.id LIMIT 5""",
)


async def bulk_under_way(unit: Unit) -> list[Working]:
    """The account's own, the oldest first."""
    return await unit.all(UNDER_WAY)
