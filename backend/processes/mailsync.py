"""The mail daemon's process."""

import asyncio

from backend.processes.monitor import monitored
from backend.processes.ready import ready_database
from mailsync.daemon import serve_mailsync


def run_mailsync(bond: int | None) -> None:
    """Keep the connected mailboxes in step until a stop signal."""
    with ready_database("mailsync", bond) as ready, monitored(ready.settings, "mailsync") as monitor:

        def begun(stop: asyncio.Event) -> None:
            monitor.watch(lambda: "it is stopping" if stop.is_set() else None)

        ready.lifeline.ready()
        asyncio.run(serve_mailsync(ready.settings, begun=begun))
