"""Keeps the queue's gauges: asks at the start and within each 15 s, hands Prometheus the last answer.

An answer that could not be renewed is withdrawn: the samples vanish and `jobtrail_worker_gauges_stale` is 1,
so that a monitor sees a gap instead of a number that stands still. The labels are the registered kinds and
the four states; of kinds this release does not know only the number is told.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator
from typing import Literal, NoReturn

import msgspec
import psycopg
import structlog
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import GaugeMetricFamily

from pipeline.worker.gauges.store import Backlog, backlog
from schema.clock import Clock
from schema.db import Database
from schema.errors import Unavailable
from schema.faults import told
from schema.health import within

log = structlog.get_logger()

EVERY_SECONDS = 14.0
"""With the time the question takes, no count is older than 15 s."""
LONGEST_SECONDS = 10.0
OLDEST_SECONDS = 30.0
"""Age from which an answer is withdrawn, even when nobody noticed a failure: the loop itself may stand."""

State = Literal["pending", "running", "parked", "failed"]


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    by_kind: dict[str, Backlog]
    unsupported: Backlog
    at: float


class Gauges:
    """A collector of one registry; `run()` beside the worker's loop."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        kinds: Iterable[str],
        registry: CollectorRegistry,
        *,
        every_seconds: float = EVERY_SECONDS,
    ) -> None:
        self._db = db
        self._clock = clock
        self._kinds = tuple(sorted(kinds))
        self._every_seconds = every_seconds
        self._answer: _Answer | None = None
        self._is_failing = False
        self._open_unsupported = 0
        registry.register(self)

    async def run(self) -> NoReturn:
        while True:
            await self.ask()
            await asyncio.sleep(self._every_seconds)

    async def ask(self) -> None:
        """Renew the answer, or withdraw it."""
        try:
            rows = await within(LONGEST_SECONDS, self._rows())
        except (Unavailable, psycopg.Error, TimeoutError) as error:
            self._answer = None
            if not self._is_failing:
                log.warning("the queue could not be counted; its gauges are withdrawn", error=told(error))
            self._is_failing = True
            return
        self._is_failing = False
        self._answer = self._gathered(rows)
        self._tell_unsupported(self._answer.unsupported)

    async def _rows(self) -> list[Backlog]:
        async with self._db.as_fleet() as unit:
            return await backlog(unit, self._kinds, self._clock.now())

    def _gathered(self, rows: list[Backlog]) -> _Answer:
        by_kind = {row.kind: row for row in rows}
        return _Answer(
            by_kind={kind: by_kind.get(kind, Backlog(kind=kind)) for kind in self._kinds},
            unsupported=by_kind.get(None, Backlog(kind=None)),
            at=time.monotonic(),
        )

    def _tell_unsupported(self, found: Backlog) -> None:
        unfinished = found.pending + found.scheduled + found.running + found.parked
        if unfinished == self._open_unsupported:
            return
        self._open_unsupported = unfinished
        if unfinished:
            log.error("tasks of kinds this release does not know wait for another one", tasks=unfinished)
        else:
            log.warning("no task of a kind unknown to this release is left")

    def collect(self) -> Iterator[Metric]:
        """Called by the registry, in the thread of whoever asks for the numbers."""
        answer = self._answer
        is_stale = answer is None or time.monotonic() - answer.at > OLDEST_SECONDS
        stale = GaugeMetricFamily(
            "jobtrail_worker_gauges_stale", "1 while the queue's gauges are withdrawn.", value=int(is_stale)
        )
        yield stale
        if answer is not None and not is_stale:
            yield from _of_kinds(answer.by_kind)
            yield _of_unsupported(answer.unsupported)


_NUMBERS = (
    ("pending", "Tasks that may be claimed."),
    ("scheduled", "Tasks whose time has not come."),
    ("running", "Tasks that run, on any worker."),
    ("parked", "Tasks that wait for a batch or for their children."),
    ("failed", "Failed tasks kept."),
)
_AGES = (
    ("oldest_due_age_seconds", "How long the task due longest has been waiting; 0 without one."),
    ("oldest_progress_age_seconds", "How long the most silent running task made no progress; 0 without one."),
)


def _of_kinds(by_kind: dict[str, Backlog]) -> Iterator[Metric]:
    families = {name: _family(name, says, "kind") for name, says in (*_NUMBERS, *_AGES)}
    for kind, row in by_kind.items():
        values = (row.pending, row.scheduled, row.running, row.parked, row.failed)
        ages = (row.due_age_seconds or 0.0, row.progress_age_seconds or 0.0)
        for family, value in zip(families.values(), (*values, *ages), strict=True):
            family.add_metric([kind], value)
    yield from families.values()


def _of_unsupported(row: Backlog) -> Metric:
    family = _family("unsupported", "Tasks of kinds this release does not know.", "state")
    by_state: dict[State, int] = {
        "pending": row.pending + row.scheduled,
        "running": row.running,
        "parked": row.parked,
        "failed": row.failed,
    }
    for state, number in by_state.items():
        family.add_metric([state], number)
    return family


def _family(name: str, says: str, label: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"jobtrail_worker_{name}", says, labels=[label])
