"""A task that left the queue, read back from the rows its archive kept. Pure."""

from datetime import datetime

import msgspec

from pipeline.worker.operations.views.store import Archived
from schema.ids import AccountId, TaskId
from schema.vocabulary import TaskStatus


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What a page needs of the row as it was; columns that came later have a default."""

    id: TaskId
    account_id: AccountId | None
    kind: str
    status: TaskStatus
    attempts: int
    max_attempts: int
    payload: msgspec.Raw
    outcome: str | None = None
    failure_code: str | None = None
    replay_of_id: TaskId | None = None
    created_at: datetime
    finished_at: datetime | None = None


class LoggedEvent(msgspec.Struct, frozen=True, kw_only=True):
    at: datetime
    event: str
    attempt: int
    code: str | None = None
    actor: str | None = None
    reason: str | None = None
    worker_name: str | None = None


class ArchivedTask(msgspec.Struct, frozen=True, kw_only=True):
    row: Row
    events: list[LoggedEvent]
    lineage: TaskId
    archived_at: datetime
    actor: str
    reason: str

    @property
    def payload(self) -> str:
        return bytes(self.row.payload).decode()


def read_archived(kept: Archived) -> ArchivedTask:
    return ArchivedTask(
        row=msgspec.json.decode(kept.task, type=Row),
        events=msgspec.json.decode(kept.events, type=list[LoggedEvent]),
        lineage=kept.lineage,
        archived_at=kept.archived_at,
        actor=kept.actor,
        reason=kept.reason,
    )
