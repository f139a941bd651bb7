"""`tracker.apply.v1` and `tracker.undo.v1`: a long file applied and taken back in portions, with progress."""

from matcher.trackers import store
from matcher.trackers.importing import AlreadyApplied, Opened, apply_some, opened, undo_some
from pipeline.worker.types import Done, Permanent, TaskRun
from schema.errors import Missing
from schema.ids import TrackerImportId
from schema.plans import plan_afresh
from schema.tasks import ApplyTracker, UndoTracker

PORTION = 200
"""Rows in one transaction, during which nobody else changes the account's matches."""


async def apply_tracker(run: TaskRun, payload: ApplyTracker) -> Done:
    import_id = TrackerImportId(payload.import_id)
    found = await _opened(run, import_id)
    if found is None:
        return Done("applied_already")
    done: int | None = 0
    while done is not None:
        await run.progress(done, len(found.sheet.rows), "rows")
        async with run.db.as_account(run.owner) as unit:
            await plan_afresh(unit)
            done = await apply_some(unit, import_id, found, limit=PORTION)
    return Done("applied")


async def _opened(run: TaskRun, import_id: TrackerImportId) -> Opened | None:
    """None: the last try ended it and did not hear so."""
    try:
        async with run.db.as_account(run.owner) as unit:
            return await opened(unit, import_id)
    except AlreadyApplied:
        return None
    except Missing as error:
        raise Permanent("import_missing") from error


async def undo_tracker(run: TaskRun, payload: UndoTracker) -> Done:
    import_id = TrackerImportId(payload.import_id)
    async with run.db.as_account(run.owner) as unit:
        total = (await store.import_by_id(unit, import_id)).rows_total
    line: int | None = 0
    while line is not None:
        await run.progress(min(line, total), total, "rows")
        async with run.db.as_account(run.owner) as unit:
            await plan_afresh(unit)
            line = await undo_some(unit, import_id, after=line, limit=PORTION, now=run.clock.now())
    return Done("undone")
