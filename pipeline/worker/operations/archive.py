"""Archive: a lineage whose last word is spoken leaves the queue, so that its kind can be retired.

The children of each member and their lineages go with it, for nothing explains them without it. The archive
keeps every row whole, with its log, who archived it and why.
"""

from datetime import datetime

from pipeline.worker.operations import rules, store
from pipeline.worker.operations.bulk import each_failed
from pipeline.worker.operations.refusals import NoSuchTask, StillOpen
from pipeline.worker.operations.types import ArchivedLineage, BulkResult, Source
from schema.db import Database, Unit
from schema.ids import TaskId


async def archive(unit: Unit, task_id: TaskId, *, actor: str, reason: str) -> ArchivedLineage:
    """Move the lineage of this task, any member of it. Raises `NoSuchTask`, or `StillOpen` while one of those
    that would go, or a parent of one, has not ended; and `Invalid` for an empty actor or reason."""
    by = rules.signed(actor, reason)
    root_id = await _held_root(unit, task_id)
    return ArchivedLineage(lineage=root_id, tasks=await store.archive_family(unit, root_id, by))


async def archive_many(
    database: Database,
    *,
    actor: str,
    reason: str,
    kind: str | None = None,
    code: str | None = None,
    before: datetime | None = None,
    dry_run: bool = False,
) -> BulkResult:
    """Archive the lineage of every failed task that fits; counts lineages, not tasks."""
    by = rules.signed(actor, reason)
    seen: set[TaskId] = set()

    async def act(unit: Unit, source: Source) -> bool:
        if source.root_id in seen:
            return False
        seen.add(source.root_id)
        root_id = await _held_root(unit, source.id)
        if not dry_run:
            await store.archive_family(unit, root_id, by)
        return True

    return await each_failed(database, act, kind=kind, code=code, before=before)


async def _held_root(unit: Unit, task_id: TaskId) -> TaskId:
    """The original of the task's lineage, the whole family locked and found to have ended."""
    source = await store.source(unit, task_id, None)
    if source is None or not await store.hold_family(unit, source.root_id):
        raise NoSuchTask(f"there is no task {task_id} in the queue")
    if standing := await store.open_relative(unit, source.root_id):
        raise StillOpen(
            f"task {task_id} cannot be archived: task {standing.id} belongs to it and is {standing.status}",
            blocking_id=standing.id,
        )
    return source.root_id
