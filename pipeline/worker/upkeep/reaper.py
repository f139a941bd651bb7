"""Takes back what silent workers held: to `pending` within the attempts, else `failed`.

Never judges by the process's clock whether a lease ran out; only when a task may run again is business time.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

import structlog

from pipeline.worker.endings.parents import settle_parents
from pipeline.worker.events.store import Noted, note
from pipeline.worker.upkeep import store
from pipeline.worker.upkeep.rules import try_again_at
from pipeline.worker.upkeep.store import AT_ONCE, Changed, Fate, Lost
from schema.clock import Clock
from schema.db import Database, Unit
from schema.faults import told as described
from schema.ids import TaskId
from schema.queue import WAKE_CHANNEL

log = structlog.get_logger()

Jitter = Callable[[], float]
Told = Callable[[Sequence[Changed]], object]


async def reap(db: Database, clock: Clock, jitter: Jitter, told: Told) -> list[Changed]:
    """One pass over every lost task; `told` hears of each batch once it is committed.

    A batch that cannot be written is gone through row by row, and only rows at fault wait for the next pass.
    """
    changed: list[Changed] = []
    passed_over: list[TaskId] = []
    at_once = AT_ONCE
    while True:
        lost: list[Lost] = []
        try:
            async with db.as_fleet() as unit:
                lost = await store.lost(unit, passed_over, at_once)
                batch = await take_back(unit, lost, clock.now(), jitter)
        except Exception as error:
            if not lost:
                raise
            if len(lost) == 1:
                passed_over.append(lost[0].id)
                log.error("a lost task could not be taken back", task=lost[0].id, error=described(error))
            at_once = 1
            continue
        if batch:
            told(batch)
            changed += batch
        if len(lost) < at_once:
            return changed


async def take_back(unit: Unit, lost: Sequence[Lost], now: datetime, jitter: Jitter) -> list[Changed]:
    """Write the fate of tasks that `store.lost` locked in this unit; end parents of those that failed."""
    if not lost:
        return []
    parents: list[TaskId] = []
    changed = await store.take_back(unit, [_fate(task, now, jitter()) for task in lost])
    holders = {task.id: task.worker for task in lost}
    await note(unit, [_line(task, holders[task.id]) for task in changed])
    unit.tell(WAKE_CHANNEL, "")
    failed = [task for task in changed if task.status == "failed" and task.parent_id is not None]
    # Youngest parent first, as everybody who locks several rows does: so nobody waits in a ring.
    for child in sorted(failed, key=lambda task: -(task.parent_id or 0)):
        parents += await settle_parents(unit, child.id)
    return changed + await store.changed(unit, parents) if parents else changed


def _fate(task: Lost, now: datetime, jitter: float) -> Fate:
    if task.attempts >= task.max_attempts:
        return Fate(lost=task, is_failed=True)
    return Fate(lost=task, is_failed=False, not_before=try_again_at(task.losses, now, jitter))


def _line(task: Changed, holder: UUID | None) -> Noted:
    event = "failed" if task.status == "failed" else "lost"
    return Noted(task_id=task.id, event=event, worker=holder, code=task.failure_code)
