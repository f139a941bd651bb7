"""The worker process: one database pool, one worker, one in-process clock, stopped by SIGTERM or SIGINT."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import NoReturn

from pipeline.worker.beside import beside
from pipeline.worker.gauges.loop import Gauges
from pipeline.worker.loop import Worker
from pipeline.worker.measures import Measures
from pipeline.worker.ticks import scheduler
from pipeline.worker.types import Handlers
from schema.clock import SystemClock
from schema.db import Database
from schema.settings import Settings


async def serve_worker(
    settings: Settings,
    handlers: Handlers,
    *,
    release: str,
    measures: Measures,
    begun: Callable[[Worker], None],
) -> int:
    """Work until a signal asks to stop; running tasks get the grace time, then are handed back.

    `begun` is called once in the running loop, when the worker is about to begin. Answers how many handlers
    did not return.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with Database.opened(settings.database) as db:
        jitter = random.Random().random  # noqa: S311 - spreads retries, guards nothing
        clock = SystemClock()
        worker = Worker(
            db, clock, handlers, settings.worker, release=release, jitter=jitter, measures=measures
        )
        ticks = scheduler(db, clock)
        gauges = Gauges(db, clock, measures.kinds, measures.registry)
        ticks.start()
        begun(worker)
        try:
            async with beside(gauges.run()):
                await worker.run(stop)
        finally:
            ticks.shutdown(wait=False)
    return worker.stuck


def run(serving: Coroutine[None, None, int]) -> int:
    """Run `serve_worker` in a loop of its own, which stays open when handlers are left in it: to close it
    would wait for their threads. Then `leave` when all else is put away."""
    runner = asyncio.Runner()
    left = runner.run(serving)
    if not left:
        runner.close()
    return left


def leave() -> NoReturn:
    """End the process, and with it the threads of handlers that did not return. Their leases are no longer
    kept: nothing of them may run beside the next try."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
