"""The port on which one process tells monitors how it stands: `/livez`, `/readyz` and `/metrics`.

It is served by a thread with an event loop and a database connection of its own. So a process whose own loop
stands, or whose connections are all in use, still says so. It is private: no sign-in, and nothing but names
of checks and numbers is told.
"""

import asyncio
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from typing import Literal

import msgspec
import structlog
from prometheus_client import (
    CollectorRegistry,
    Gauge,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from backend.processes.monitor_checks import NOT_BEGUN, Check, DatabaseProbe, Pulse, Trouble, Work
from backend.processes.monitor_http import LINE_BYTES, Answer, Conversations
from backend.processes.ports import listening_at
from schema.db import Database
from schema.faults import told
from schema.settings import DatabaseSettings, Settings

log = structlog.get_logger()

ProcessName = Literal["api", "worker", "mailsync"]
Numbers = Callable[[], bytes]
"""Further metrics as a page of Prometheus' text format; asked for from the monitor's thread."""

_PULSE_SECONDS = 0.5
_END_SECONDS = 3.0
_JSON = "application/json"
_TEXT = "text/plain; version=0.0.4; charset=utf-8"


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    status: Literal["ready", "not_ready"]
    checks: list[Check]


class Monitor:
    """`watch` as soon as the work begins; until then the process is alive, but not ready.

    What is counted into `registry` is told. Without a port it all goes nowhere.
    """

    def __init__(self, name: ProcessName, database: DatabaseSettings, numbers: Numbers) -> None:
        self.registry = _about(name)
        # One connection, and another while the first one gets no answer; no wait is longer than the probe's.
        self._database = msgspec.structs.replace(database, pool_size=2, pool_timeout_seconds=1.0)
        self._numbers = numbers
        self._work: Work | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._begun, self._ending = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="monitor", daemon=True)
        self._listener: socket.socket | None = None

    def watch(self, trouble: Trouble) -> None:
        """Called in the event loop that does the work; `trouble` says what is wrong with it."""
        self._work = Work(pulse=Pulse(asyncio.get_running_loop()), trouble=trouble)

    def start(self, listener: socket.socket) -> None:
        self._listener = listener
        self._thread.start()
        self._begun.wait(_END_SECONDS)

    def stop(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:  # noqa: BLE001 - nobody waits for this thread
            log.error("the port for monitors is closed by a fault", error=told(error))
        finally:
            self._begun.set()

    async def _serve(self) -> None:
        async with Database.opened(self._database) as db:
            readyz = partial(self._readyz, DatabaseProbe(db))
            pages = {"/livez": _livez, "/readyz": readyz, "/metrics": self._metrics}
            conversations = Conversations(pages)
            server = await asyncio.start_server(conversations.meet, sock=self._listener, limit=LINE_BYTES)
            self._loop = asyncio.get_running_loop()
            self._begun.set()
            await self._feel_pulse_until_end()
            server.close()
            conversations.end()

    async def _feel_pulse_until_end(self) -> None:
        while not self._ending.is_set():
            if self._work is not None:
                self._work.pulse.ask()
            try:
                await asyncio.wait_for(self._ending.wait(), _PULSE_SECONDS)
            except TimeoutError:
                continue

    async def _readyz(self, probe: DatabaseProbe) -> Answer:
        own = NOT_BEGUN if self._work is None else self._work.checks()
        checks = [*own, *await probe.checks()]
        is_ready = all(check.ok for check in checks)
        return Answer(
            status=HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE,
            body=msgspec.json.encode(Standing(status="ready" if is_ready else "not_ready", checks=checks)),
            media_type=_JSON,
        )

    async def _metrics(self) -> Answer:
        page = generate_latest(self.registry) + self._numbers()
        return Answer(status=HTTPStatus.OK, body=page, media_type=_TEXT)


@contextmanager
def monitored(
    settings: Settings, name: ProcessName, numbers: Numbers = lambda: b""
) -> Generator[Monitor, None, None]:
    """A monitor whose port, when one is set, is open while the block runs. Raises `CannotStart`."""
    disable_created_metrics()
    monitor = Monitor(name, settings.database, numbers)
    port = _port(settings, name)
    if port == 0:
        yield monitor
        return
    prefix = settings.monitor.PREFIX
    listener = listening_at(settings.monitor.host, port, f"{prefix}HOST", f"{prefix}{name.upper()}_PORT")
    with listener:
        monitor.start(listener)
        try:
            yield monitor
        finally:
            monitor.stop()


async def _livez() -> Answer:
    return Answer(status=HTTPStatus.OK, body=b'{"status":"alive"}', media_type=_JSON)


def _port(settings: Settings, name: ProcessName) -> int:
    match name:
        case "api":
            return settings.monitor.api_port
        case "worker":
            return settings.monitor.worker_port
        case "mailsync":
            return settings.monitor.mailsync_port


def _about(name: ProcessName) -> CollectorRegistry:
    """What the operating system says of this process, and which one it is."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    info = Gauge("jobtrail_process_info", "Which process this is.", ("process", "release"), registry=registry)
    info.labels(name, version("jobtrail")).set(1)
    return registry
