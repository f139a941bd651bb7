"""Forgets tasks that ended well more than 90 days ago, workers that are gone, hosts that say nothing.

There is no index on `finished_at`: it would cost every task a write. The rows are walked by id instead, a
stretch at a time, on from where the last run stopped; so rows that stay stand in nobody's way.
"""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

import structlog

from pipeline.worker.upkeep import store
from pipeline.worker.upkeep.rules import HOST_KEPT, KEPT
from pipeline.worker.upkeep.store import AT_ONCE
from schema.clock import Clock
from schema.db import Database, Unit
from schema.errors import Unavailable
from schema.faults import told
from schema.ids import TaskId

log = structlog.get_logger()

BUDGET_SECONDS = 5.0


class Retention:
    """One per process: it remembers how far it came. `await run()` as often as one likes."""

    def __init__(
        self, db: Database, clock: Clock, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._db = db
        self._clock = clock
        self._monotonic = monotonic
        self._after = 0

    async def run(self) -> int:
        """Forget for at most five seconds, or up to the first rows too young; how many tasks went."""
        cutoff = self._clock.now() - KEPT
        ends_at = self._monotonic() + BUDGET_SECONDS
        gone = 0
        while self._monotonic() < ends_at:
            async with self._unit(ends_at) as unit:
                stretch = await store.stretch(unit, self._after, cutoff)
            if stretch.last is None or stretch.is_young:
                self._after = 0
                break
            gone += await self._forget(sorted(stretch.old), stretch.last, cutoff, ends_at)
        if gone:
            log.info("old tasks were forgotten", tasks=gone)
        return gone

    async def _forget(self, ids: Sequence[TaskId], last: TaskId, cutoff: datetime, ends_at: float) -> int:
        """Go through the old rows of the stretch that ends with `last`; remember how far time sufficed."""
        gone = 0
        for start in range(0, len(ids), AT_ONCE):
            batch = ids[start : start + AT_ONCE]
            gone += await self._forget_batch(batch, cutoff, ends_at)
            self._after = batch[-1]
            if self._monotonic() >= ends_at:
                return gone
        self._after = last
        return gone

    async def _forget_batch(self, ids: Sequence[TaskId], cutoff: datetime, ends_at: float) -> int:
        """One statement; when it fails, a row at a time, so that only the row at fault stays."""
        try:
            async with self._unit(ends_at) as unit:
                return await store.forget(unit, ids, cutoff)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - one row's trouble, whatever it is, is not the others'
            if len(ids) == 1:
                log.error("an old task could not be forgotten", task=ids[0], error=told(error))
                return 0
        return sum(
            [await self._forget_batch([task], cutoff, ends_at) for task in ids if self._monotonic() < ends_at]
        )

    @asynccontextmanager
    async def _unit(self, ends_at: float) -> AsyncGenerator[Unit]:
        async with self._db.as_fleet() as unit:
            await store.limit_time(unit, max(ends_at - self._monotonic(), 0.1))
            yield unit


async def forget_fleet(db: Database, clock: Clock) -> None:
    """Workers that gave no sign for a week, and hosts that have been open and unpaced for as long."""
    cutoff = clock.now() - HOST_KEPT

    async def forget_hosts(unit: Unit) -> int:
        return await store.forget_hosts(unit, cutoff)

    for forget in (store.forget_workers, forget_hosts):
        gone = AT_ONCE
        while gone == AT_ONCE:
            async with db.as_fleet() as unit:
                gone = await forget(unit)
