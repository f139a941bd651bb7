"""Decides where to look for work, and takes it: surveys now and then, claims from the lanes it knows.

A survey finds lanes; between two surveys claims start above the last id taken from each, which a full look
each quarter of a second corrects (rows that were committed late, tries that came back). Lanes of one level
take turns from claim to claim: the one that waited longest for its turn goes first. Lanes that count in a
capped scope are claimed under that scope's lock, so that caps hold exactly over all workers.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from uuid import UUID

import msgspec

from pipeline.worker.claims import store
from pipeline.worker.claims.rules import allotted, budgeted, caps, portions
from pipeline.worker.claims.types import Budget, Claimed, Ended, Lane, LaneKey, Probe
from pipeline.worker.line import Line
from schema.clock import Clock
from schema.settings import WorkerSettings

SURVEY_SECONDS = 0.25
_LANES_A_SURVEY = 64
_TURN = 1 << 63


class Step(msgspec.Struct, frozen=True):
    """What one round trip brought: ends that are written, and tasks to run.

    `is_contended`: another worker was just claiming in a capped scope; asking again soon may bring more.
    """

    written: set[int]
    claimed: list[Claimed]
    is_contended: bool = False


class Claimer:
    """`turn` returns numbers in [0, 1): where each survey begins, so that every lane has its turn."""

    def __init__(
        self,
        line: Line,
        worker: UUID,
        kinds: list[str],
        settings: WorkerSettings,
        clock: Clock,
        *,
        turn: Callable[[], float],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._line = line
        self._worker = worker
        self._kinds = kinds
        self._settings = settings
        self._lease = timedelta(seconds=settings.lease_seconds)
        self._clock = clock
        self._turn = turn
        self._now = now
        self._lanes: list[Lane] = []
        self._after: dict[Lane, int] = {}
        self._steps = 0
        self._served: dict[LaneKey, int] = {}
        self._held_up: set[int] = set()
        self._surveyed_at = float("-inf")
        self._generation = line.generation

    def look_again(self) -> None:
        """Something may be due that no known lane has: survey before the next claim."""
        self._surveyed_at = float("-inf")

    @property
    def lanes(self) -> Sequence[Lane]:
        """The lanes of the last survey."""
        return self._lanes

    async def step(self, ended: Sequence[Ended], most: int) -> Step:
        """Write `ended` and claim up to `most` tasks. Raises `Unavailable` when the queue is away."""
        if most and self._now() - self._surveyed_at >= SURVEY_SECONDS:
            await self._survey()
        if not ended and not (most and self._lanes):
            return Step(set(), [])
        taken = await self._in_portions(ended, most)
        if len(taken.claimed) < most:
            self.look_again()
        return taken

    async def _in_portions(self, ended: Sequence[Ended], most: int) -> Step:
        """So many lanes at a time as could give all that is wanted, so that few scopes are locked at once."""
        self._lanes.sort(key=lambda lane: (lane.priority, self._served.get(lane.key, 0), lane.head))
        self._steps += 1
        self._held_up = set()
        scopes = [(lane, caps(lane, self._settings.account_slots)) for lane in self._lanes if most]
        taken = Step(set(), [])
        for place, portion in enumerate(portions(scopes, most) or [{}]):
            wanted = most - len(taken.claimed)
            claim = self._within_caps if any(portion.values()) else self._freely
            more = await claim(() if place else ended, portion, wanted)
            taken = Step(
                taken.written | more.written,
                taken.claimed + more.claimed,
                taken.is_contended or more.is_contended,
            )
            if len(taken.claimed) >= most:
                break
        return taken

    async def left_behind(self, known: list[int]) -> list[Claimed]:
        """After the line was opened anew: tasks of ours whose claim was never answered."""
        await self._line.open()
        if self._line.generation == self._generation:
            return []
        found = await store.left_with(self._line, self._worker, known, self._lease)
        self._generation = self._line.generation
        return found

    async def _survey(self) -> None:
        start = int((self._turn() - 0.5) * 2 * _TURN)
        self._lanes = await store.survey(
            self._line,
            self._kinds,
            self._settings.egress_group,
            self._clock.now(),
            start=start,
            most=_LANES_A_SURVEY,
        )
        # The first row of a lane that gave nothing may be locked: look behind it, and next time at it again.
        self._after = {lane: lane.head - (lane.head not in self._held_up) for lane in self._lanes}
        self._served = {lane.key: self._served.get(lane.key, 0) for lane in self._lanes}
        self._surveyed_at = self._now()

    async def _freely(self, ended: Sequence[Ended], scopes: dict[Lane, dict[str, int]], most: int) -> Step:
        return await self._take(ended, dict.fromkeys(scopes, most * 2), most)

    async def _within_caps(
        self, ended: Sequence[Ended], scopes: dict[Lane, dict[str, int]], most: int
    ) -> Step:
        async with self._line.transaction():
            room = await self._room(scopes)
            capped = [(lane, list(found)) for lane, found in scopes.items() if found]
            reaches = {lane: most * 2 for lane, found in scopes.items() if not found}
            reaches |= allotted(capped, room, most)
            taken = await self._take(ended, reaches, most)
            if hosts := sorted({task.host for task in taken.claimed if task.host is not None}):
                await store.pace(self._line, hosts, self._settings.egress_group, self._clock.now())
        elsewhere = [lane for lane, found in scopes.items() if any(scope not in room for scope in found)]
        # Another worker is at these just now: the next look begins with others.
        self._served.update((lane.key, self._steps) for lane in elsewhere)
        return msgspec.structs.replace(taken, is_contended=bool(elsewhere))

    async def _room(self, scopes: dict[Lane, dict[str, int]]) -> dict[str, int]:
        """How many more tasks each capped scope may run; a scope somebody else claims in is left out."""
        cap: dict[str, int] = {}
        for found in scopes.values():
            for scope, most in found.items():
                cap[scope] = min(most, cap.get(scope, most))
        held = await store.held_scopes(self._line, sorted(cap))
        running = await store.running_in(self._line, held)
        room = {scope: cap[scope] - running.get(scope, 0) for scope in held}
        for host, budget in (await self._budgets(scopes)).items():
            scope = f"host {host}"
            if scope in room:
                room[scope] = budgeted(room[scope], running.get(scope, 0), budget)
        return room

    async def _budgets(self, lanes: Iterable[Lane]) -> dict[str, Budget]:
        """Read under the locks of the hosts: since the survey another worker may have closed one."""
        hosts = sorted({lane.host for lane in lanes if lane.host is not None})
        if not hosts:
            return {}
        return await store.budgets_of(self._line, hosts, self._settings.egress_group, self._clock.now())

    async def _take(self, ended: Sequence[Ended], reaches: dict[Lane, int], most: int) -> Step:
        probes = [
            Probe(
                kind=lane.kind,
                priority=lane.priority,
                lane=lane.lane,
                after=self._after[lane],
                reach=reaches[lane],
            )
            for lane in self._lanes
            if lane in reaches
        ]
        written, claimed = await store.step(
            self._line, self._worker, ended, probes, most=most, lease=self._lease, now=self._clock.now()
        )
        self._follow(reaches, claimed)
        if len(claimed) < most:
            self._held_up |= {lane.head for lane in reaches if self._after[lane] < lane.head}
        return Step(written, claimed)

    def _follow(self, asked: Iterable[Lane], claimed: Sequence[Claimed]) -> None:
        last = {(task.kind, task.priority, task.lane): task.id for task in claimed}
        for lane in asked:
            if (id_ := last.get(lane.key)) is not None:
                self._after[lane] = max(self._after[lane], id_)
                self._served[lane.key] = self._steps
