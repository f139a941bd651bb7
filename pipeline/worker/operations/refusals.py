"""Why an operator's act on a task is refused. Each names the task that stands in the way."""

from typing import ClassVar

from schema.errors import Kind, Refusal
from schema.ids import TaskId


class TaskRefused(Refusal):
    """This cannot be done to the task; nothing was changed."""

    code = "task_refused"
    kind: ClassVar[Kind] = "conflict"

    def __init__(self, detail: str, *, blocking_id: TaskId | None = None) -> None:
        super().__init__(detail)
        self.blocking_id = blocking_id


class NotReplayable(TaskRefused):
    """There is no failed task of a known kind under that number."""

    code = "task_not_replayable"
    kind = "missing"


class LineageBlocked(TaskRefused):
    """Another run of the same work is under way or done."""

    code = "task_lineage_blocked"


class AlreadyReplayed(TaskRefused):
    """This task was replayed already; its newest run is the one to replay."""

    code = "task_already_replayed"


class KeyInUse(TaskRefused):
    """Another task for the same work has not ended yet."""

    code = "task_key_in_use"


class AlreadyEnded(TaskRefused):
    """The task has ended; there is nothing to cancel."""

    code = "task_already_ended"


class StillOpen(TaskRefused):
    """A task that belongs to it has not ended yet."""

    code = "task_still_open"


class NoSuchTask(TaskRefused):
    """There is no task under that number."""

    code = "task_unknown"
    kind = "missing"
