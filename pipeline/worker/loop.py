"""One worker: writes good ends and claims the next tasks in one step, fills its slots, and stops cleanly.

The claim path never waits for a handler; upkeep, the heartbeat and the listener never wait for the claim
path. A stop hands back at once what was not started, lets running handlers go on for the grace time, and then
hands those back too, their try given back.
"""

import asyncio
import contextlib
import os
import platform
import time
from collections.abc import Callable, Sequence
from uuid import UUID, uuid4

import psycopg
import structlog

from pipeline.worker import store
from pipeline.worker.announcer import Announcer
from pipeline.worker.beside import beside
from pipeline.worker.claims.claimer import Claimer, Step
from pipeline.worker.claims.types import Claimed, Ended, Fence
from pipeline.worker.endings.settle import Settler
from pipeline.worker.endings.types import Finished
from pipeline.worker.heartbeat import Heartbeat
from pipeline.worker.line import LONGEST_SECONDS, Line
from pipeline.worker.measures import Measures
from pipeline.worker.pace import Pace
from pipeline.worker.running import Runner
from pipeline.worker.slots import Held, Slots
from pipeline.worker.types import Handlers
from pipeline.worker.upkeep.loop import Upkeep
from pipeline.worker.upkeep.store import Changed
from pipeline.worker.wake import Wakeups
from schema.clock import Clock
from schema.db import Database
from schema.errors import Unavailable
from schema.faults import told
from schema.queue import WAKE_CHANNEL
from schema.settings import WorkerSettings

log = structlog.get_logger()

_AWAY = (Unavailable, psycopg.OperationalError)
_FLUSH_SECONDS = 0.005
_FIRST_PAUSE_SECONDS = 0.05
_CONTENDED_SECONDS = 0.02
_LAST_SECONDS = 2.0
"""What is left to write at a stop is tried for so long; so long a handler has to notice that it ends."""


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
        measures: Measures | None = None,
    ) -> None:
        self.id: UUID = uuid4()
        self.last_claim_at = 0.0
        self.is_stopping = False
        self.stuck = 0
        self._is_cut_off = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._db = db
        self._settings = settings
        self._jitter = jitter
        self._measures = measures or Measures()
        kinds = sorted(payload.KIND for payload in handlers)
        self._ended: dict[Held, Ended] = {}
        self._late: set[asyncio.Task[object]] = set()
        self._pace = Pace()
        longest = min(LONGEST_SECONDS, settings.lease_seconds / 3)
        self._line = Line(db.settings.url, longest_seconds=longest)
        self._claimer = Claimer(self._line, self.id, kinds, settings, clock, turn=jitter)
        self._wakeups = Wakeups(db.settings.url, self._claimer.look_again)
        self._announcer = Announcer(db.teller)
        self._heartbeat = Heartbeat(
            db.settings, self._row(release, kinds), settings.lease_seconds, self._lost
        )
        self._runner = Runner(
            db=db,
            clock=clock,
            handlers=handlers,
            settler=Settler(db, settings.egress_group),
            heartbeat=self._heartbeat,
            announcer=self._announcer,
            measures=self._measures,
            pace=self._pace,
            jitter=jitter,
            on_good_end=self._ends_well,
        )
        self._upkeep = Upkeep(db, clock, settings, kinds, jitter, self._taken_back)
        self._slots = Slots(settings.slots, self._runner.run, self._wakeups.wake)

    def _row(self, release: str, kinds: list[str]) -> store.WorkerRow:
        return store.WorkerRow(
            id=self.id,
            name=f"{platform.node()}:{os.getpid()}",
            release=release,
            digest=self._settings.image_digest,
            egress_group=self._settings.egress_group,
            kinds=kinds,
            slots=self._settings.slots,
        )

    async def run(self, stop: asyncio.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._heartbeat.start()
        duties = (
            self._wakeups.listen(),
            self._announcer.run(),
            self._upkeep.run(),
            self._wake_at(stop),
            self._lose_overdue(),
        )
        try:
            async with beside(*duties):
                await self._serve(stop)
                self.is_stopping = True
                await self._drain()
        finally:
            await asyncio.to_thread(self._heartbeat.stop)
            self._announcer.flush()
            await self._leave()

    async def _wake_at(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self.is_stopping = True
        self._wakeups.wake()

    async def _lose_overdue(self) -> None:
        while True:
            self._heartbeat.lose_overdue()
            await asyncio.sleep(self._settings.lease_seconds / 15)

    async def _serve(self, stop: asyncio.Event) -> None:
        pause = _FIRST_PAUSE_SECONDS
        while not stop.is_set():
            step = await self._step(self._wanted())
            if step is None or not (step.claimed or self._ended or step.is_contended):
                woken = await self._wakeups.wait(pause * (1 - self._jitter() / 4))
                pause = _FIRST_PAUSE_SECONDS if woken else min(pause * 2, self._settings.poll_seconds)
            elif step.claimed or self._ended:
                pause = _FIRST_PAUSE_SECONDS
                await self._until_worthwhile(stop)
            else:
                await asyncio.sleep(_CONTENDED_SECONDS * (1 + self._jitter()))

    def _wanted(self) -> int:
        return max(self._capacity() - self._slots.in_hand, 0)

    def _capacity(self) -> int:
        lanes = self._claimer.lanes
        is_trivial = bool(lanes) and self._pace.are_trivial({lane.kind for lane in lanes})
        return self._settings.slots + (self._settings.look_ahead if is_trivial else 0)

    async def _until_worthwhile(self, stop: asyncio.Event) -> None:
        """Until a step is worth its commit: slots are free, or good ends have waited long enough."""
        while not stop.is_set():
            capacity = self._capacity()
            enough = 1 if capacity == self._settings.slots else capacity // 2
            if self._wanted() >= enough:
                return
            patience = _FLUSH_SECONDS if self._ended else self._settings.poll_seconds
            if not await self._wakeups.wait(patience):
                return

    async def _step(self, most: int) -> Step | None:
        """One round trip; None when the queue is away. What could not be written is written next time."""
        ended = dict(self._ended)
        began = time.monotonic()
        try:
            await self._take(await self._claimer.left_behind(self._in_hand()), began)
            began = time.monotonic()
            step = await self._claimer.step(list(ended.values()), most)
        except psycopg.errors.LockNotAvailable:
            self._end_singly(ended)
            return Step(set(), [], is_contended=True)
        except _AWAY as error:
            self._not_reached(error)
            return None
        except psycopg.Error as error:
            log.error("a step was refused by the queue", error=told(error), ends=len(ended))
            self._end_singly(ended)
            return None
        self._reached()
        if most:
            self._measures.claimed(len(step.claimed), time.monotonic() - began)
        self._written(ended, step.written)
        await self._take(step.claimed, began)
        return step

    def _in_hand(self) -> list[int]:
        """Also what is lost, as long as its handler has not returned."""
        return list({*self._heartbeat.held_ids, *(held.task.id for held in self._slots.held())})

    async def _drain(self) -> None:
        """Hand back what was not started, give the rest its grace, write good ends, hand back the rest."""
        grace_ends_at = time.monotonic() + self._settings.grace_seconds
        await self._hand_back(self._slots.take_back_waiting())
        if self._slots.running:
            log.info("stopping", running=len(self._slots.running), grace_seconds=self._settings.grace_seconds)
        while self._slots.running and (left := grace_ends_at - time.monotonic()) > 0:
            if self._ended and await self._step(0) is None:
                await asyncio.sleep(_FIRST_PAUSE_SECONDS)
            await self._wakeups.wait(left)
        await self._cancel()
        await self._write_last()

    async def _cancel(self) -> None:
        """End handlers that did not end by themselves. One that waits for its thread is left to its lease."""
        running = self._slots.running
        for held, task in running.items():
            if not held.is_ending:
                task.cancel()
        if running:
            await asyncio.wait(running.values(), timeout=_LAST_SECONDS)
        self.stuck = len(self._slots.running)
        if self.stuck:
            log.warning(
                "handlers did not return: their tasks run again once the lease is over", tasks=self.stuck
            )
        await self._hand_back([held for held, task in running.items() if task.cancelled()])

    async def _write_last(self) -> None:
        ends_at = time.monotonic() + _LAST_SECONDS
        while self._ended and time.monotonic() < ends_at:
            if await self._step(0) is None:
                await asyncio.sleep(_FIRST_PAUSE_SECONDS)
        if self._late:
            await asyncio.wait(self._late, timeout=max(ends_at - time.monotonic(), 0.1))
        if left := len(self._ended) + len(self._late):
            log.warning("good ends could not be written: those tasks run again", tasks=left)

    async def _hand_back(self, held: Sequence[Held]) -> None:
        """What cannot be handed back in time, its row locked or the queue away, waits for its lease."""
        left = {each.fence: each for each in held if not each.is_lost}
        for fence in left:
            self._heartbeat.drop(fence)
        ends_at = time.monotonic() + _LAST_SECONDS
        while left and time.monotonic() < ends_at:
            released = await self._release(list(left))
            for fence in [fence for fence in left if fence.id in released]:
                task = left.pop(fence).task
                self._announcer.stands(task, "pending")
                self._measures.ended(task.kind, "released", None, 0.0)
            if left:
                await asyncio.sleep(_FIRST_PAUSE_SECONDS)

    async def _release(self, fences: Sequence[Fence]) -> set[int]:
        with contextlib.suppress(*_AWAY):
            async with self._db.as_fleet() as unit:
                unit.tell(WAKE_CHANNEL, "")
                return await store.release(unit, self.id, fences)
        return set()

    async def _leave(self) -> None:
        await self._line.close()
        with contextlib.suppress(*_AWAY):
            async with self._db.as_fleet() as unit:
                await store.leave(unit, self.id)

    async def _take(self, claimed: Sequence[Claimed], since: float) -> None:
        """Into the slots; a worker that stops begins nothing more, and hands it back."""
        held = [Held(task, Fence(task.id, self.id, task.claim_seq)) for task in claimed]
        self._heartbeat.hold([each.fence for each in held], since)
        if self.is_stopping:
            await self._hand_back(held)
        else:
            self._slots.add(held)

    def _ends_well(self, held: Held, ended: Ended) -> None:
        self._ended[held] = ended
        self._wakeups.wake()

    def _written(self, ended: dict[Held, Ended], written: set[int]) -> None:
        refused: dict[Held, Ended] = {}
        for held, end in ended.items():
            if held.task.id in written:
                del self._ended[held]
                self._heartbeat.drop(held.fence)
                self._announcer.stands(held.task, "done")
            else:
                refused[held] = end
        self._end_singly(refused)

    def _end_singly(self, ended: dict[Held, Ended]) -> None:
        """Ends that the common statement did not take: the strict one says whether they came too late."""
        for held, end in ended.items():
            self._ended.pop(held, None)
            ending = asyncio.create_task(self._runner.end(held, Finished(end.outcome)))
            self._late.add(ending)
            ending.add_done_callback(self._late.discard)

    def _lost(self, fence: Fence) -> None:
        """Called by the heartbeat's thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._lose, fence)

    def _lose(self, fence: Fence) -> None:
        if self._slots.lose(fence):
            log.warning("a lease was lost", task=fence.id)
            self._measures.lost()

    def _taken_back(self, changed: Sequence[Changed]) -> None:
        self._measures.reaped(sum(task.was_lost for task in changed))
        for task in changed:
            self._announcer.changed(task.account_id, task.id)

    def _reached(self) -> None:
        self.last_claim_at = asyncio.get_running_loop().time()
        if self._is_cut_off:
            log.warning("the queue is back")
        self._is_cut_off = False

    def _not_reached(self, error: Exception) -> None:
        if not self._is_cut_off:
            log.warning("the queue cannot be reached; trying again until it is back", error=told(error))
        self._is_cut_off = True
