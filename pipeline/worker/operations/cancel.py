"""Cancel: a task that has not ended ends now. What was not started below it is cancelled with it.

A running one loses its lease: its worker's next heartbeat finds that and stops the handler, whose writes are
fenced off. Children that run go on; nothing waits for them any more. A parent
that waited for the task ends when it was the last one.
"""

from pipeline.worker.endings.parents import settle_parents
from pipeline.worker.events.store import Noted, note
from pipeline.worker.operations import rules, store
from pipeline.worker.operations.refusals import AlreadyEnded, NoSuchTask
from pipeline.worker.operations.rules import Signed
from pipeline.worker.operations.store import Touched
from pipeline.worker.operations.types import Cancelled
from schema.db import Unit
from schema.ids import AccountId, TaskId
from schema.live import announce

_MOST_TOLD = 50


async def cancel(unit: Unit, task_id: TaskId, *, actor: str, reason: str) -> Cancelled:
    """Raises `NoSuchTask` or `AlreadyEnded`, and `Invalid` for an empty actor or reason."""
    by = rules.signed(actor, reason)
    status = await store.hold_unstarted(unit, task_id)
    if status is None:
        raise NoSuchTask(f"there is no task {task_id}")
    if status not in rules.UNFINISHED:
        raise AlreadyEnded(f"task {task_id} is {status} already", blocking_id=task_id)
    touched = await store.cancel(unit, task_id)
    await note(unit, [_line(task, by) for task in touched])
    parents = await settle_parents(unit, task_id)
    _tell(unit, [*(task.id for task in touched), *parents], touched[0].account_id)
    return Cancelled(task_id=task_id, below=len(touched) - 1)


def _line(task: Touched, by: Signed) -> Noted:
    return Noted(task_id=task.id, event="cancelled", worker=task.worker, actor=by.actor, reason=by.reason)


def _tell(unit: Unit, changed: list[TaskId], account_id: AccountId | None) -> None:
    """Pages read what changed; of very many tasks they are told once. A family belongs to one account."""
    subjects = changed if len(changed) <= _MOST_TOLD else [None]
    for subject in subjects:
        announce(unit, "tasks", subject, account_id=account_id)
