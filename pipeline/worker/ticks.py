"""The in-process clock: APScheduler fires, each tick enqueues with a dedupe key, and nothing else happens.

Any number of processes may tick: one row results. There is no job store; what is due is decided by rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from schema.db import Database
from schema.errors import Unavailable
from schema.queue import SWEEP, enqueue
from schema.tasks import Payload, PullDueSources

log = structlog.get_logger()


@dataclass(frozen=True)
class Tick:
    payload: Payload
    every_seconds: int


TICKS: Sequence[Tick] = (Tick(PullDueSources(), every_seconds=600),)


def scheduler(db: Database, ticks: Sequence[Tick] = TICKS) -> AsyncIOScheduler:
    """Not started yet; `start()` needs a running loop."""
    made = AsyncIOScheduler(timezone="UTC")
    for tick in ticks:
        made.add_job(  # pyright: ignore[reportUnknownMemberType] - the library carries no types
            fire, "interval", args=[db, tick], seconds=tick.every_seconds, coalesce=True, max_instances=1
        )
    return made


async def fire(db: Database, tick: Tick) -> None:
    """Ask for the tick's work unless it is asked for already."""
    try:
        async with db.as_fleet() as unit:
            await enqueue(unit, tick.payload, dedupe_key=tick.payload.KIND, priority=SWEEP)
    except Unavailable:
        log.warning("a tick was missed: the queue cannot be reached", kind=tick.payload.KIND)
