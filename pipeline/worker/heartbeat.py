"""Keeps the leases of one worker alive from a thread and a connection of its own.

A handler that blocks the event loop therefore keeps its lease. A lease that could not be renewed in time
counts as lost: the owner is told, cancels the handler, and writes nothing. The server is never waited for
longer than a beat: a line that gives no answer is cut.
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
from schema.cut import answering_in_thread
from schema.db import watched
from schema.faults import told
from schema.settings import DatabaseSettings

log = structlog.get_logger()

TellLost = Callable[[Fence], object]


class Heartbeat:
    """Start it, `hold` claimed tasks, `drop` each when its end is written. Its first beat enters the fleet.

    `tell_lost` is called in its thread, and in that of who calls `hold` or `lose_overdue`.
    """

    def __init__(
        self, settings: DatabaseSettings, me: WorkerRow, lease_seconds: float, tell_lost: TellLost
    ) -> None:
        self._url = watched(settings.url)
        self._me = me
        self._lease = timedelta(seconds=lease_seconds)
        self._beat_seconds = lease_seconds / 3
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

    def hold(self, fences: Iterable[Fence], since: float) -> None:
        """These were claimed by a statement sent at `since` (monotonic): their leases began no earlier. Who
        still holds one of them by an older claim has lost it."""
        held = {fence.id: (fence, since) for fence in fences}
        with self._lock:
            overtaken = [old for id_ in held if (old := self._fence(id_)) not in (None, held[id_][0])]
            self._held.update(held)
        for fence in overtaken:
            self._tell_lost(fence)

    def drop(self, fence: Fence) -> None:
        with self._lock:
            if self._fence(fence.id) == fence:
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

    def lose_overdue(self) -> None:
        """Let go of every lease that may be over: also while the server keeps a beat waiting."""
        oldest = time.monotonic() - self._lease.total_seconds()
        with self._lock:
            overdue = [fence for fence, beaten_at in self._held.values() if beaten_at <= oldest]
        for fence in overdue:
            self._lose(fence)

    def _run(self) -> None:
        while not self._stopping.wait(self._beat_seconds if self._beat() else self._beat_seconds / 4):
            pass
        self._disconnect()

    def _beat(self) -> bool:
        """False when the server did not take it."""
        with self._lock:
            held = [fence for fence, _ in self._held.values()]
        beaten_at = time.monotonic()
        try:
            kept = self._renew(held)
        except Exception as error:  # noqa: BLE001 - the thread must not end: every lease hangs on it
            log.warning("leases could not be renewed", error=told(error), held=len(held))
            self._disconnect()
            return False
        for fence in held:
            if fence.id not in kept:
                self._lose(fence)
            elif kept[fence.id]:
                self._mark(fence, beaten_at)
        return True

    def _renew(self, held: list[Fence]) -> dict[int, bool]:
        """The tasks that are held still, and of each whether its lease was renewed."""
        connection = self._connected()
        with answering_in_thread(connection, self._beat_seconds):
            connection.execute(SEEN.sql, asdict(self._me))
            if not held:
                return {}
            rows = connection.execute(RENEW.sql, renewal(self._me.id, held, self._lease)).fetchall()
        return dict(rows)

    def _connected(self) -> psycopg.Connection[tuple[int, bool]]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=max(int(self._beat_seconds), 2),
                application_name="jobtrail_heartbeat",
                options=f"-c role=jobtrail_fleet -c statement_timeout={round(self._beat_seconds * 1000)}",
            )
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _mark(self, fence: Fence, beaten_at: float) -> None:
        with self._lock:
            if self._fence(fence.id) == fence:
                self._held[fence.id] = (fence, beaten_at)

    def _lose(self, fence: Fence) -> None:
        with self._lock:
            if self._fence(fence.id) != fence:
                return  # it ended, or was claimed anew, while the beat was under way
            del self._held[fence.id]
        self._tell_lost(fence)

    def _fence(self, task_id: int) -> Fence | None:
        return self._held.get(task_id, (None, 0.0))[0]
