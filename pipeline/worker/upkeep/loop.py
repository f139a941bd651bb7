"""Runs upkeep beside the claim path of one worker: each duty in a task of its own, by a clock of its own.

A duty that meets trouble says so and is tried again; the others do not notice.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import psycopg
import structlog

from pipeline.worker.beside import beside
from pipeline.worker.upkeep import store
from pipeline.worker.upkeep.reaper import Jitter, Told, reap
from pipeline.worker.upkeep.retention import Retention, forget_fleet
from pipeline.worker.upkeep.rules import nap_seconds
from pipeline.worker.upkeep.store import PROMOTED_AT_ONCE
from schema.clock import Clock
from schema.db import Database
from schema.errors import Unavailable
from schema.faults import told as described
from schema.settings import WorkerSettings

log = structlog.get_logger()

HOUR_SECONDS = 3600.0
_AFTER_TROUBLE_SECONDS = 60.0


@dataclass(frozen=True)
class _Duty:
    """`act` does what is to do now and answers with the seconds until the next time."""

    name: str
    act: Callable[[], Awaitable[float]]
    after_trouble_seconds: float = _AFTER_TROUBLE_SECONDS
    nudged: asyncio.Event = field(default_factory=asyncio.Event)


class Upkeep:
    """`await run()` until it is cancelled.

    `told` hears of tasks that were taken back, and of parents that ended by it, after the commit. `jitter`
    returns numbers in [0, 1).
    """

    def __init__(
        self,
        db: Database,
        clock: Clock,
        settings: WorkerSettings,
        kinds: Sequence[str],
        jitter: Jitter,
        told: Told,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db = db
        self._clock = clock
        self._settings = settings
        self._kinds = kinds
        self._jitter = jitter
        self._told = told
        self._retention = Retention(db, clock, monotonic=monotonic)
        self._duties = (
            _Duty("reap", self._reap, settings.lease_seconds / 3),
            _Duty("promote", self._promote, settings.poll_seconds),
            _Duty("forget tasks", self._forget_tasks),
            _Duty("forget fleet", self._forget_fleet),
        )

    async def run(self) -> None:
        async with beside(*(_for_ever(duty) for duty in self._duties)):
            await asyncio.Event().wait()

    def nudge(self) -> None:
        """Every duty looks again now."""
        for duty in self._duties:
            duty.nudged.set()

    async def _reap(self) -> float:
        reaped = await reap(self._db, self._clock, self._jitter, self._told)
        if reaped:
            log.warning(
                "tasks of silent workers were taken back", tasks=sum(task.was_lost for task in reaped)
            )
        return self._settings.lease_seconds / 3

    async def _promote(self) -> float:
        while True:
            now = self._clock.now()
            async with self._db.as_fleet() as unit:
                promoted = await store.promote(unit, self._kinds, now)
                next_due = await store.next_due(unit, self._kinds)
            if promoted < PROMOTED_AT_ONCE:
                return nap_seconds(next_due, now, self._settings.poll_seconds)

    async def _forget_tasks(self) -> float:
        await self._retention.run()
        return HOUR_SECONDS

    async def _forget_fleet(self) -> float:
        await forget_fleet(self._db, self._clock)
        return HOUR_SECONDS


async def _for_ever(duty: _Duty) -> None:
    while True:
        duty.nudged.clear()
        try:
            seconds = await duty.act()
        except (Unavailable, psycopg.Error) as error:
            log.warning("upkeep was refused by the queue", duty=duty.name, error=described(error))
            seconds = duty.after_trouble_seconds
        except Exception as error:  # noqa: BLE001 - a fault in one duty must not end the worker's others
            log.error("upkeep met a fault", duty=duty.name, error=described(error))
            seconds = duty.after_trouble_seconds
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await duty.nudged.wait()
