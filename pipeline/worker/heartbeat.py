"""Keeps the leases of one worker alive from a thread and a connection of its own.

A handler that blocks the event loop therefore keeps its lease. A lease that could not be renewed in time
counts as lost: the owner is told, cancels the handler, and writes nothing.
"""

import threading
import time
from collections.abc import Callable, Iterable
from datetime import timedelta

import psycopg
import structlog
from msgspec.structs import asdict

from pipeline.worker.claims.types import Fence
from pipeline.worker.store import RENEW, SEEN, WorkerRow, renewal
from schema.db import watched
from schema.settings import DatabaseSettings

log = structlog.get_logger()

TellLost = Callable[[Fence], object]


class Heartbeat:
    """Start it, `hold` claimed tasks, `drop` each when its end is written. Its first beat enters the fleet.

    `tell_lost` is called in this thread.
    """

    def __init__(
        self, settings: DatabaseSettings, me: WorkerRow, lease_seconds: float, tell_lost: TellLost
    ) -> None:
        self._url = watched(settings.url)
        self._me = me
        self._lease = timedelta(seconds=lease_seconds)
        self._tell_lost = tell_lost
        self._held: dict[int, tuple[Fence, float]] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._connection: psycopg.Connection | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(timeout=5)

    def hold(self, fences: Iterable[Fence]) -> None:
        now = time.monotonic()
        with self._lock:
            self._held.update((fence.id, (fence, now)) for fence in fences)

    def drop(self, fence: Fence) -> None:
        with self._lock:
            if self._held.get(fence.id, (None, 0.0))[0] == fence:
                del self._held[fence.id]

    @property
    def held_ids(self) -> list[int]:
        with self._lock:
            return list(self._held)

    def is_safe(self, fence: Fence) -> bool:
        """Whether a third of the lease is surely left: no handler is started on less."""
        with self._lock:
            held, beaten_at = self._held.get(fence.id, (None, 0.0))
        return held == fence and time.monotonic() - beaten_at < self._lease.total_seconds() * 2 / 3

    def _run(self) -> None:
        self._beat()
        while not self._stopping.wait(self._lease.total_seconds() / 3):
            self._beat()
        self._disconnect()

    def _beat(self) -> None:
        with self._lock:
            held = [fence for fence, _ in self._held.values()]
        beaten_at = time.monotonic()
        try:
            kept = self._renew(held)
        except psycopg.Error as error:
            log.warning("leases could not be renewed", error=type(error).__name__, held=len(held))
            self._disconnect()
            self._lose_overdue()
            return
        for fence in held:
            if fence.id in kept:
                self._mark(fence, beaten_at)
            else:
                self._lose(fence)

    def _renew(self, held: list[Fence]) -> set[int]:
        connection = self._connected()
        connection.execute(SEEN.sql, asdict(self._me))
        if not held:
            return set()
        rows = connection.execute(RENEW.sql, renewal(self._me.id, held, self._lease)).fetchall()
        return {row[0] for row in rows}

    def _connected(self) -> psycopg.Connection:
        if self._connection is None or self._connection.closed:
            timeout = max(int(self._lease.total_seconds() / 3), 2)
            self._connection = psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=timeout,
                options=f"-c role=jobtrail_fleet -c statement_timeout={timeout * 1000}",
            )
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _mark(self, fence: Fence, beaten_at: float) -> None:
        with self._lock:
            if fence.id in self._held and self._held[fence.id][0] == fence:
                self._held[fence.id] = (fence, beaten_at)

    def _lose_overdue(self) -> None:
        with self._lock:
            oldest = time.monotonic() - self._lease.total_seconds()
            overdue = [fence for fence, beaten_at in self._held.values() if beaten_at < oldest]
        for fence in overdue:
            self._lose(fence)

    def _lose(self, fence: Fence) -> None:
        with self._lock:
            if self._held.get(fence.id, (None, 0.0))[0] != fence:
                return  # it ended, or was claimed anew, while the beat was under way
            del self._held[fence.id]
        self._tell_lost(fence)
