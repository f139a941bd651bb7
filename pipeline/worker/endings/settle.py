"""Writes one ending with all that hangs on it, in one transaction: the effect, children, parents, the host.

The fenced statement comes first. When it changes nothing the lease was lost, and the whole unit is rolled
back: an effect is committed with the task's end or not at all.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from msgspec import structs

from pipeline.worker.claims.types import Claimed, Fence
from pipeline.worker.endings import store
from pipeline.worker.endings.parents import settle_parents
from pipeline.worker.endings.rules import LONGEST_PAUSE, Verdict, troubles_host, verdict
from pipeline.worker.endings.types import Apart, Ending, Finished, IntoChildren, Later
from pipeline.worker.events.store import Noted, note
from schema.db import Database, Unit
from schema.ids import AccountId, TaskId
from schema.queue import enqueue_many
from schema.vocabulary import TaskStatus


class FenceLost(Exception):
    """The task is not this worker's any more, or somebody else holds its row at the moment."""


@dataclass(frozen=True)
class Settled:
    """How the task stands now, why when it did not end well, which parents ended with it, and how long it
    waits when it is tried again."""

    status: TaskStatus
    code: str | None
    parents: tuple[TaskId, ...]
    wait: timedelta | None = None


@dataclass(frozen=True)
class Settler:
    db: Database
    egress_group: str

    async def settle(
        self, task: Claimed, fence: Fence, ending: Ending, now: datetime, jitter: float
    ) -> Settled:
        """Write `ending`. Raises `FenceLost` with nothing written, `Unavailable` when the database is away,
        and whatever the effect raises."""
        wanted = verdict(task, ending, now, jitter)
        async with self._unit(task) as unit:
            async with unit.in_fleet():
                if not await _write(unit, fence, wanted):
                    raise FenceLost
            await _hang_on(unit, task, ending)
            async with unit.in_fleet():
                if wanted.status == "waiting" and await _waits_for_nobody(unit, task):
                    wanted = replace(wanted, status="done", event=None)
                parents = await self._follow(unit, task, fence, ending, wanted, now)
        wait = None if wanted.not_before is None else wanted.not_before - now
        return Settled(wanted.status, wanted.code, parents, wait)

    @asynccontextmanager
    async def _unit(self, task: Claimed) -> AsyncGenerator[Unit, None]:
        account = task.account_id
        opened = self.db.as_fleet() if account is None else self.db.as_account(AccountId(account))
        async with opened as unit:
            yield unit

    async def _follow(
        self, unit: Unit, task: Claimed, fence: Fence, ending: Ending, wanted: Verdict, now: datetime
    ) -> tuple[TaskId, ...]:
        if wanted.event is not None:
            code = wanted.why or wanted.code
            line = Noted(task_id=task.id, event=wanted.event, worker=fence.worker, code=code)
            await note(unit, [line])
        if task.host is not None:
            await self._tell_host(unit, task.host, ending, now)
        if task.parent_id is not None and wanted.status in ("done", "failed"):
            return tuple(await settle_parents(unit, task.id))
        return ()

    async def _tell_host(self, unit: Unit, host: str, ending: Ending, now: datetime) -> None:
        if troubles_host(ending):
            said = ending.until if isinstance(ending, Later) else None
            until = None if said is None else min(said, now + LONGEST_PAUSE)
            await store.host_refused(unit, host, self.egress_group, now, until)
        elif isinstance(ending, Finished):
            await store.host_answered(unit, host, self.egress_group)


async def _write(unit: Unit, fence: Fence, wanted: Verdict) -> bool:
    match wanted.status:
        case "done":
            return await store.finish(unit, fence, wanted.outcome)
        case "failed" if wanted.code is not None:
            return await store.fail(unit, fence, wanted.code)
        case "waiting":
            return await store.split(unit, fence)
        case "awaiting_batch":
            return await store.park(unit, fence)
        case _ if wanted.not_before is not None and not wanted.gives_back:
            return await store.retry(unit, fence, wanted.not_before)
        case _:
            return await store.give_back(unit, fence, wanted.not_before)


async def _hang_on(unit: Unit, task: Claimed, ending: Ending) -> None:
    """The writes that belong to the ending: the handler's effect, and the children."""
    if isinstance(ending, Finished | IntoChildren | Apart) and ending.effect is not None:
        await ending.effect(unit)
    if isinstance(ending, IntoChildren) and ending.children:
        parent = TaskId(task.id)
        await enqueue_many(unit, [structs.replace(child, parent_id=parent) for child in ending.children])


async def _waits_for_nobody(unit: Unit, task: Claimed) -> bool:
    """Ends a parent none of whose children had to be inserted: all that work is somebody else's already."""
    parent = TaskId(task.id)
    if (await store.children(unit, parent)).open:
        return False
    await store.end_parent(unit, parent, None)
    return True
