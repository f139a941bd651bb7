"""The worker process: the queue's own loop, with every handler of this release."""

import time
from importlib.metadata import version

from backend.handlers import handlers
from backend.processes.monitor import monitored
from backend.processes.ready import ready_database
from backend.processes.rules import claim_complaint
from pipeline.worker import process
from pipeline.worker.loop import Worker
from pipeline.worker.measures import Measures


def run_worker(bond: int | None) -> None:
    """Run queued tasks until a stop signal; running ones get their grace time."""
    with ready_database("worker", bond) as ready, monitored(ready.settings, "worker") as monitor:
        known = handlers(ready.settings)
        poll_seconds = ready.settings.worker.poll_seconds

        def begun(worker: Worker) -> None:
            monitor.watch(lambda: _trouble(worker, poll_seconds))

        measures = Measures((payload.KIND for payload in known), monitor.registry)
        ready.lifeline.ready()
        left = process.run(
            process.serve_worker(
                ready.settings, known, release=version("jobtrail"), measures=measures, begun=begun
            )
        )
    if left:
        process.leave()


def _trouble(worker: Worker, poll_seconds: float) -> str | None:
    if worker.is_stopping:
        return "it is stopping"
    if not worker.last_claim_at:
        return "it has not looked through the queue yet"
    return claim_complaint(time.monotonic() - worker.last_claim_at, poll_seconds)
