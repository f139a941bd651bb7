"""The in-process clock: APScheduler fires, a tick asks for its work, and nothing else happens.

Any number of processes may tick. A cycle is a stretch of time that starts at a multiple of the tick's
period; the process that first notices a new one asks for its work in the same transaction. There is no job
store; what is due is decided by rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import psycopg
import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from pipeline.worker.upkeep.store import raise_cycle
from schema.clock import Clock
from schema.db import Database
from schema.errors import Unavailable
from schema.faults import told
from schema.ids import TaskId
from schema.queue import SWEEP, enqueue
from schema.tasks import Payload, PullDueSources, SweepMail, TidyCatalog

log = structlog.get_logger()

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FAR_SECONDS = 86_400
"""A cycle noted this far ahead came of a clock that was wrong, and must not silence the tick until then."""


@dataclass(frozen=True)
class Tick:
    payload: Payload
    every_seconds: int

    def cycle(self, now: datetime) -> int:
        """The second its cycle began, so that numbers go on rising when a release changes the period."""
        second = (now - _EPOCH) // timedelta(seconds=1)
        return second - second % self.every_seconds


TICKS: Sequence[Tick] = (
    Tick(PullDueSources(), every_seconds=600),
    Tick(SweepMail(), every_seconds=600),
    Tick(TidyCatalog(), every_seconds=3_600),
)


def scheduler(db: Database, clock: Clock, ticks: Sequence[Tick] = TICKS) -> AsyncIOScheduler:
    """Not started yet; `start()` needs a running loop. Fires at the start, then at each cycle's begin."""
    made = AsyncIOScheduler(
        timezone="UTC",
        # However late a busy process comes to it, the cycle decides whether there is something to ask for.
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
    )
    for tick in ticks:
        made.add_job(fire, args=[db, clock, tick])  # pyright: ignore[reportUnknownMemberType]
        made.add_job(  # pyright: ignore[reportUnknownMemberType] - the library carries no types
            fire, "interval", args=[db, clock, tick], seconds=tick.every_seconds, start_date=_EPOCH
        )
    return made


async def fire(db: Database, clock: Clock, tick: Tick) -> TaskId | None:
    """Ask for the work when this process is first to notice the cycle and no earlier work is unfinished."""
    kind = tick.payload.KIND
    try:
        async with db.as_fleet() as unit:
            if await raise_cycle(unit, kind, tick.cycle(clock.now()), _FAR_SECONDS):
                return await enqueue(unit, tick.payload, dedupe_key=kind, priority=SWEEP)
    except (Unavailable, psycopg.Error) as error:
        log.warning("a tick was missed: the queue did not take it", kind=kind, error=told(error))
    return None
