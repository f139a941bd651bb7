"""The worker process: one database pool, one worker, one in-process clock, stopped by SIGTERM or SIGINT."""

import asyncio
import random
import signal

from pipeline.worker.loop import Worker
from pipeline.worker.ticks import scheduler
from pipeline.worker.types import Handlers
from schema.clock import SystemClock
from schema.db import Database
from schema.settings import Settings


async def serve_worker(settings: Settings, handlers: Handlers, *, release: str) -> None:
    """Work until a signal asks to stop; running tasks get the grace time, then are handed back."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with Database.opened(settings.database) as db:
        jitter = random.Random().random  # noqa: S311 - spreads retries, guards nothing
        worker = Worker(db, SystemClock(), handlers, settings.worker, release=release, jitter=jitter)
        ticks = scheduler(db)
        ticks.start()
        try:
            await worker.run(stop)
        finally:
            ticks.shutdown(wait=False)
