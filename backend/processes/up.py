"""`jobtrail up`: takes the folder and the port, then lets the supervisor run until it is stopped."""

import socket
import sys
import time
from contextlib import closing, nullcontext
from pathlib import Path

from backend.local_postgres import LocalPostgres
from backend.processes.child import Role
from backend.processes.home import UP, Hold, held, is_used, make_home
from backend.processes.ports import address, listening, port_of
from backend.processes.refusals import CannotStart, say
from backend.processes.server_folder import require_a_way_to_home
from backend.processes.signals import Signals, StopAsked
from backend.processes.space import SpaceWatch
from backend.processes.supervise import Supervisor
from schema.clock import SystemClock
from schema.secrets.keys import ensure
from schema.settings import Settings

_OTHERS = ("worker", "mailsync")
# Within this the children of a killed supervisor have noticed, and let the port go.
_LEFTOVERS_SECONDS = 8.0
_WORKER_GRACE_SECONDS = 3.0


def up(settings: Settings) -> None:
    """Run until a signal asks to stop. Raises `CannotStart` or `HeldElsewhere` when it cannot begin."""
    folder = settings.home.folder()
    if not settings.database.url:
        require_a_way_to_home(folder)
    with Signals() as signals, _first_listener(settings, folder) or nullcontext() as first:
        make_home(folder)
        with held(folder, UP) as hold:
            try:
                with closing(first or _listener(settings, hold, signals)) as listener:
                    hold.say_where(address(settings.http, port_of(listener)))
                    _run(settings, signals, listener)
            except StopAsked:
                pass
    say("stopped.")


def _run(settings: Settings, signals: Signals, listener: socket.socket) -> None:
    ensure(settings.home, SystemClock())
    postgres = None
    if not settings.database.url:
        postgres = LocalPostgres(settings.home.folder(), pause=signals.pause_unless_stopped)
    environment = _environment(settings, postgres, port_of(listener))
    here = address(settings.http, port_of(listener))
    supervisor = Supervisor(
        first=Role(name="api", environment=environment | _log(settings, "api"), listener=listener),
        rest=[Role(name=name, environment=environment | _log(settings, name)) for name in _OTHERS],
        postgres=postgres,
        owner_url=postgres.urls.owner_url
        if postgres
        else settings.database.owner_url or settings.database.url,
        space=SpaceWatch(settings.home.folder(), say),
        signals=signals,
        tell=say,
        on_ready=lambda path: _announce(here + path),
    )
    try:
        supervisor.run()
    finally:
        supervisor.stop()


def _environment(settings: Settings, postgres: LocalPostgres | None, port: int) -> dict[str, str]:
    """What the children see; the owner's connection is not among it."""
    return {
        "JOBTRAIL_HOME": str(settings.home.folder()),
        "JOBTRAIL_DATABASE_URL": postgres.urls.url if postgres else settings.database.url,
        "JOBTRAIL_DATABASE_OWNER_URL": "",
        "JOBTRAIL_HTTP_PORT": str(port),
        "JOBTRAIL_WORKER_GRACE_SECONDS": str(min(settings.worker.grace_seconds, _WORKER_GRACE_SECONDS)),
    }


def _log(settings: Settings, name: str) -> dict[str, str]:
    """A file for each child, so that the terminal keeps to what the person should know."""
    return {"JOBTRAIL_LOG_FILE": settings.log.file or str(settings.home.folder() / "log" / f"{name}.log")}


def _first_listener(settings: Settings, folder: Path) -> socket.socket | None:
    """The port before anything is made; None where somebody has been, whose leftovers may hold it for now."""
    if is_used(folder):
        return None
    try:
        return listening(settings.http)
    except CannotStart:
        if is_used(folder):  # by another start, a moment ago: it is to be told as that
            return None
        raise


def _listener(settings: Settings, hold: Hold, signals: Signals) -> socket.socket:
    deadline = time.monotonic() + (_LEFTOVERS_SECONDS if hold.predecessor else 0.0)
    while True:
        try:
            return listening(settings.http)
        except CannotStart:
            if time.monotonic() > deadline:
                raise
        signals.pause_unless_stopped(0.1)


def _announce(url: str) -> None:
    """The one line on standard output; a terminal that went away is no reason to stop."""
    try:
        sys.stdout.write(f"Jobtrail runs at {url}  (Ctrl-C stops it)\n")
        sys.stdout.flush()
    except OSError:
        return
