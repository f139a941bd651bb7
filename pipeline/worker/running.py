"""Takes one claimed task through its try to its written end, inside one slot.

A good end on which nothing else hangs goes to `on_good_end`, to be written together with others; every other
end is written here, and written again until the queue took it or the lease is lost.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

import psycopg
import structlog

from pipeline.worker.announcer import Announcer
from pipeline.worker.attempt import attempt, is_asked_to_stop, troubled
from pipeline.worker.claims.types import Ended
from pipeline.worker.endings import store
from pipeline.worker.endings.settle import FenceLost, Settled, Settler
from pipeline.worker.endings.telling import tell
from pipeline.worker.endings.types import Ending, Finished, Later, has_effect
from pipeline.worker.heartbeat import Heartbeat
from pipeline.worker.measures import How, Measures
from pipeline.worker.pace import Pace
from pipeline.worker.slots import Held
from pipeline.worker.types import Handlers, TaskRun
from schema.clock import Clock
from schema.db import Database
from schema.errors import Unavailable
from schema.faults import told
from schema.ids import AccountId, TaskId
from schema.live import TaskProgress

log = structlog.get_logger()

_AGAIN_SECONDS = 0.1
_AWAY = (Unavailable, psycopg.OperationalError)


@dataclass(frozen=True)
class Runner:
    db: Database
    clock: Clock
    handlers: Handlers
    settler: Settler
    heartbeat: Heartbeat
    announcer: Announcer
    measures: Measures
    pace: Pace
    jitter: Callable[[], float]
    on_good_end: Callable[[Held, Ended], None]

    async def run(self, held: Held) -> None:
        """Never raises but when it is cancelled: by a stop, which hands the task back, or a lost lease."""
        if not self.heartbeat.is_safe(held.fence):
            log.warning("a task was not started: too little of its lease was left", task=held.task.id)
            self.heartbeat.drop(held.fence)
            return
        self.announcer.stands(held.task, "running")
        started = time.monotonic()
        ending = await attempt(self.handlers, held.task, self._try(held))
        held.is_ending = True
        seconds = time.monotonic() - started
        self.pace.ran(held.task.kind, seconds)
        task = held.task
        if isinstance(ending, Finished) and ending.effect is None and task.host is None is task.parent_id:
            self.measures.ended(task.kind, "done", None, seconds)
            self.on_good_end(held, Ended(task, ending.outcome))
        else:
            settled = await self.end(held, ending)
            if settled is not None:
                self.measures.ended(task.kind, _how(ending, settled), settled.code, seconds)

    async def end(self, held: Held, ending: Ending) -> Settled | None:
        """Write the end; None when the lease was lost first."""
        following: Ending | None = ending
        while following is not None and not held.is_lost:
            try:
                settled = await self.settler.settle(
                    held.task, held.fence, following, self.clock.now(), self.jitter()
                )
            except FenceLost:
                if await self._is_gone(held):
                    break
            except BaseException as error:
                if is_asked_to_stop(error):
                    raise
                following = _instead(held, following, error)
            else:
                self._is_written(held, settled)
                tell(held.task, following, settled)
                return settled
            await asyncio.sleep(_AGAIN_SECONDS)
        log.warning("an end came too late and was not written", task=held.task.id, kind=held.task.kind)
        self.heartbeat.drop(held.fence)
        return None

    def _is_written(self, held: Held, settled: Settled) -> None:
        self.heartbeat.drop(held.fence)
        self.announcer.stands(held.task, settled.status)
        for parent in settled.parents:
            self.announcer.changed(held.task.account_id, parent)

    async def _is_gone(self, held: Held) -> bool:
        """Whether a refused end came too late, and not just while somebody else held the row."""
        try:
            async with self.db.as_fleet() as unit:
                return not await store.is_held(unit, held.fence)
        except _AWAY:
            return False

    def _try(self, held: Held) -> TaskRun:
        async def report(progress: TaskProgress) -> None:
            async with self.db.as_fleet() as unit:
                moved = await store.progress(unit, held.fence, progress)
            if moved:
                self.announcer.stands(held.task, "running", progress)

        task = held.task
        return TaskRun(
            db=self.db,
            clock=self.clock,
            task_id=TaskId(task.id),
            account_id=None if task.account_id is None else AccountId(task.account_id),
            attempt=task.attempts,
            report=report,
        )


def _instead(held: Held, ending: Ending, error: BaseException) -> Ending | None:
    """What to write after `error` met the write of `ending`: the same, or what an effect's fault means."""
    if _is_worth_waiting(error, ending):
        log.warning("an end could not be written yet", task=held.task.id, error=told(error))
        return ending
    if has_effect(ending):
        return troubled(held.task, error)
    log.error("an end could not be written", task=held.task.id, error=told(error))
    return None


def _is_worth_waiting(error: BaseException, ending: Ending) -> bool:
    """Whether the same write may succeed later: not one that was cut off for the time its effect takes."""
    if isinstance(error, psycopg.errors.QueryCanceled):
        return not has_effect(ending)
    return isinstance(error, _AWAY)


def _how(ending: Ending, settled: Settled) -> How:
    if settled.status == "pending":
        return "deferred" if isinstance(ending, Later) else "retried"
    words: dict[str, How] = {"done": "done", "waiting": "split", "awaiting_batch": "parked"}
    return words.get(settled.status, "failed")
