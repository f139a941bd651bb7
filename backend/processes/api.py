"""The API process: the application on a socket, stopped within seconds even while event streams are open."""

import asyncio
import signal
import socket
from collections.abc import Callable
from types import FrameType

from litestar import Litestar

from backend.accounts.doors import first_visit_token
from backend.api.health import numbers_page
from backend.app import create_app
from backend.http.parts import parts_of_app
from backend.http.serve import Server
from backend.processes.home import holder
from backend.processes.monitor import monitored
from backend.processes.ports import address, is_loopback, listening, port_of
from backend.processes.ready import ready_database
from backend.processes.refusals import CannotStart, say
from schema.db import Database
from schema.settings import Settings


def run_api(bond: int | None, descriptor: int | None) -> None:
    """Serve the pages and the API, on an inherited listening socket or on one of our own."""
    with ready_database("api", bond) as ready:
        settings = ready.settings
        path = asyncio.run(_first_path(settings)) if ready.is_first else "/"
        listener = socket.socket(fileno=descriptor) if descriptor is not None else _own(settings)
        app = create_app(settings)
        with monitored(settings, "api", lambda: numbers_page(parts_of_app(app))) as monitor:

            def started(server: Server) -> None:
                monitor.watch(lambda: "it is stopping" if server.should_exit else None)
                ready.lifeline.ready(path)
                if bond is None:
                    say(f"the pages are at {address(settings.http, port_of(listener))}{path}")

            serve(app, listener, behind_proxy=bool(settings.http.public_url), on_started=started)


def _own(settings: Settings) -> socket.socket:
    """A listening socket of our own. Raises `CannotStart`, saying when it is Jobtrail that has the port."""
    try:
        return listening(settings.http)
    except CannotStart as error:
        who = holder(settings.home.folder())
        if who is None or who.address != address(settings.http, settings.http.port):
            raise
        raise CannotStart(
            f"Jobtrail runs already (process {who.pid}: {who.called}), with its pages at {who.address}. "
            "Stop it, or set JOBTRAIL_HTTP_PORT to another port."
        ) from error


async def _first_path(settings: Settings) -> str:
    """The path to print: with a one-time token while there is no owner and others can connect."""
    if is_loopback(settings.http):
        return "/"
    async with Database.opened(settings.database) as database:
        token = await first_visit_token(database)
    return f"/welcome?token={token}" if token else "/"


class _Server(Server):
    def __init__(self, app: Litestar, *, behind_proxy: bool, on_started: Callable[[Server], None]) -> None:
        super().__init__(app, behind_proxy=behind_proxy)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_started(self)


def serve(
    app: Litestar, listener: socket.socket, *, behind_proxy: bool, on_started: Callable[[Server], None]
) -> None:
    """Serve until a stop signal; returns when everything is closed."""
    # The server raises the signal that stopped it once more at its end; then it means: leave, all is done.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    _Server(app, behind_proxy=behind_proxy, on_started=on_started).run(sockets=[listener])


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
