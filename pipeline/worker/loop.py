"""One worker: claims into free slots, runs handlers, writes their endings behind the fence, reaps.

The claim path never waits for a handler; the reaper and the heartbeat never wait for the claim path. A
stop lets running handlers go on for the grace time, then releases them with their try given back.
"""

import asyncio
import contextlib
import os
import platform
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import structlog

from pipeline.worker import store
from pipeline.worker.attempt import Again, Ending, Failed, Finished, Later, attempt
from pipeline.worker.heartbeat import Heartbeat
from pipeline.worker.store import Claimed, Fence
from pipeline.worker.types import Handlers
from pipeline.worker.wake import Wakeups
from schema.clock import Clock
from schema.db import Database, Unit
from schema.errors import Unavailable
from schema.faults import told
from schema.ids import AccountId
from schema.live import announce
from schema.retries import backoff
from schema.settings import WorkerSettings
from schema.tasks import CATALOGUE

log = structlog.get_logger()

_AWAY = (Unavailable, psycopg.Error)
"""The queue did not take a statement. What runs goes on; what was not written is found by its lease."""


class Worker:
    """`await run(stop)` until `stop` is set. `jitter` returns numbers in [0, 1); tests hand in their own."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        handlers: Handlers,
        settings: WorkerSettings,
        *,
        release: str,
        jitter: Callable[[], float],
    ) -> None:
        self.id: UUID = uuid4()
        self.last_claim_at = 0.0
        self._is_cut_off = False
        self._db = db
        self._clock = clock
        self._handlers = handlers
        self._kinds = sorted(payload.KIND for payload in handlers)
        self._settings = settings
        self._release = release
        self._jitter = jitter
        self._running: dict[int, asyncio.Task[None]] = {}
        self._lost: set[Fence] = set()
        self._wakeups = Wakeups(db.settings.url)

    async def run(self, stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        heartbeat = Heartbeat(
            self._db.settings,
            self.id,
            self._settings.lease_seconds,
            lambda fence: loop.call_soon_threadsafe(self._lose, fence),
        )
        heartbeat.start()
        upkeep = [asyncio.create_task(self._reap_for_ever()), asyncio.create_task(self._wakeups.listen())]
        try:
            await self._claim_until(stop, heartbeat)
            await self._drain()
        finally:
            for task in upkeep:
                task.cancel()
            await asyncio.gather(*upkeep, return_exceptions=True)
            await asyncio.to_thread(heartbeat.stop)
            await self._leave()

    async def _claim_until(self, stop: asyncio.Event, heartbeat: Heartbeat) -> None:
        arrived = False
        while not stop.is_set():
            claimed: list[Claimed] = []
            try:
                arrived = arrived or await self._arrive()
                claimed = await self._claim()
                self._reached()
            except _AWAY as error:
                self._not_reached(error)
            for task in claimed:
                self._start(task, heartbeat)
            if not claimed:
                await self._wakeups.wait(self._settings.poll_seconds, stop)

    def _reached(self) -> None:
        self.last_claim_at = asyncio.get_running_loop().time()
        if self._is_cut_off:
            log.warning("the queue is back")
        self._is_cut_off = False

    def _not_reached(self, error: Exception) -> None:
        if not self._is_cut_off:
            log.warning("the queue cannot be reached; trying again until it is back", error=told(error))
        self._is_cut_off = True

    async def _arrive(self) -> bool:
        name = f"{platform.node()}:{os.getpid()}"
        async with self._db.as_fleet() as unit:
            await store.arrive(unit, self.id, name, self._release, self._settings.egress_group, self._kinds)
        return True

    async def _leave(self) -> None:
        with contextlib.suppress(*_AWAY):
            async with self._db.as_fleet() as unit:
                await store.leave(unit, self.id)

    async def _claim(self) -> list[Claimed]:
        free = self._settings.slots - len(self._running)
        if free <= 0:
            return []
        lease = timedelta(seconds=self._settings.lease_seconds)
        async with self._db.as_fleet() as unit:
            return await store.claim(unit, self.id, self._kinds, free, lease, self._clock.now())

    def _start(self, task: Claimed, heartbeat: Heartbeat) -> None:
        fence = Fence(task.id, self.id, task.claim_seq)
        heartbeat.hold(fence)
        running = asyncio.create_task(self._work(task, fence), name=f"task {task.id}")
        self._running[task.id] = running

        def ended(_: asyncio.Task[None]) -> None:
            heartbeat.drop(fence)
            self._running.pop(task.id, None)
            self._wakeups.wake()

        running.add_done_callback(ended)

    async def _work(self, task: Claimed, fence: Fence) -> None:
        try:
            ending = await attempt(self._db, self._clock, self._handlers, task, fence)
        except asyncio.CancelledError:
            if fence in self._lost:
                self._lost.discard(fence)  # somebody else's task by now: nothing is written
            else:
                await self._hand_back(fence)
            return
        await self._settle(task, fence, ending)

    async def _settle(self, task: Claimed, fence: Fence, ending: Ending) -> None:
        """Write the ending. When the database is away the lease runs out and the task is tried again."""
        account = None if task.account_id is None else AccountId(task.account_id)
        try:
            async with self._db.as_fleet() as unit:
                if not await self._write(unit, task, fence, ending):
                    log.warning("an ending came too late and was not written", task=task.id)
                announce(unit, "tasks", task.id, account_id=account)
        except _AWAY as error:
            log.warning("an ending could not be written", task=task.id, error=told(error))

    async def _write(self, unit: Unit, task: Claimed, fence: Fence, ending: Ending) -> bool:
        match ending:
            case Finished():
                return await store.finish(unit, fence, ending.outcome)
            case Failed():
                return await store.fail(unit, fence, ending.code)
            case Later():
                return await store.give_back(unit, fence, ending.until)
            case Again() if task.attempts >= task.max_attempts:
                return await store.fail(unit, fence, ending.code)
            case Again():
                wait = backoff(task.attempts, CATALOGUE[task.kind].BACKOFF_SECONDS, self._jitter())
                return await store.retry(unit, fence, self._clock.now() + wait)

    async def _hand_back(self, fence: Fence) -> None:
        with contextlib.suppress(*_AWAY):
            async with self._db.as_fleet() as unit:
                await store.give_back(unit, fence, None)

    def _lose(self, fence: Fence) -> None:
        if (running := self._running.get(fence.id)) is not None:
            self._lost.add(fence)
            running.cancel()

    async def _drain(self) -> None:
        if not self._running:
            return
        log.info("stopping", running=len(self._running), grace_seconds=self._settings.grace_seconds)
        await asyncio.wait(self._running.values(), timeout=self._settings.grace_seconds)
        remaining = list(self._running.values())
        for task in remaining:
            task.cancel()
        await asyncio.gather(*remaining, return_exceptions=True)

    async def _reap_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._settings.lease_seconds / 2)
            try:
                async with self._db.as_fleet() as unit:
                    reaped = await store.reap(unit)
            except _AWAY as error:
                log.warning("silent workers could not be looked for", error=told(error))
                continue
            if reaped:
                log.warning("tasks of silent workers were taken back", tasks=reaped)
