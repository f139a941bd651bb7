"""The worker process: the queue's own loop, with every handler of this release."""

import asyncio
from importlib.metadata import version

from backend.handlers import handlers
from backend.processes.ready import ready_database
from pipeline.worker.process import serve_worker


def run_worker(bond: int | None) -> None:
    """Run queued tasks until a stop signal; running ones get their grace time."""
    with ready_database("worker", bond) as ready:
        ready.lifeline.ready()
        asyncio.run(serve_worker(ready.settings, handlers(ready.settings), release=version("jobtrail")))
