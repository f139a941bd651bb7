"""Runs an installation: the embedded PostgreSQL and the children, each started again when it ends.

Order up: database, tables, API, then worker and mail daemon. Order down: children, then the database. Works
by looking and waiting in one thread; the children do all the work.
"""

import signal
import socket
import time
from collections.abc import Callable

import psycopg

from backend.local_postgres import LocalPostgres
from backend.processes.child import Child, Restarts, Role, how_it_ended
from backend.processes.database import bring_up_to_date
from backend.processes.refusals import CannotStart, Say
from backend.processes.signals import Signals
from backend.processes.space import SpaceWatch

_CHILDREN_STOP_SECONDS = 4.0
_DATABASE_STOP_SECONDS = 60.0
_LOOK_AGAIN_SECONDS = 5.0
_HOPELESS_AFTER_DEATHS = 3


class Supervisor:
    """`first` must be ready before `rest` are started; `on_ready` is called once, with its word."""

    def __init__(
        self,
        *,
        first: Role,
        rest: list[Role],
        postgres: LocalPostgres | None,
        owner_url: str,
        space: SpaceWatch,
        signals: Signals,
        tell: Say,
        on_ready: Callable[[str], None],
    ) -> None:
        self._first = Child(first)
        self._rest = [Child(role) for role in rest]
        self._postgres = postgres
        self._postgres_restarts = Restarts()
        self._owner_url = owner_url
        self._space = space
        self._signals = signals
        self._tell = tell
        self._on_ready = on_ready

    def run(self) -> None:
        """Returns when a stop was asked for; `stop` must be called in any case."""
        # The API needs about as long to load as the database to start, so both begin at once.
        self._first.start(go=False)
        if self._postgres:
            self._postgres.start()
            self._postgres.wait_until_ready()
            self._postgres_restarts.started()
        bring_up_to_date(self._owner_url, self._postgres)
        self._first.let_go()
        while not self._signals.stops:
            self._look()
            self._signals.pause(self._seconds_to_next(), self._unready_bonds())

    def stop(self) -> None:
        """End everything in order. A second request to stop ends the waiting."""
        asked = self._signals.stops
        for child in self._children():
            child.signal(signal.SIGTERM)
        self._wait(lambda: not self._any_running(), _CHILDREN_STOP_SECONDS, asked)
        for child in self._children():
            child.kill_group()
        self._wait(lambda: not self._any_running(), _CHILDREN_STOP_SECONDS, asked)
        if self._postgres:
            self._stop_database(self._postgres, asked)

    def _stop_database(self, postgres: LocalPostgres, asked: int) -> None:
        postgres.ask_to_stop()
        if not self._wait(lambda: postgres.ended() is not None, _DATABASE_STOP_SECONDS, asked):
            postgres.stop_at_once()
        postgres.stop()

    def _wait(self, done: Callable[[], bool], seconds: float, asked: int) -> bool:
        deadline = time.monotonic() + seconds
        while not done():
            left = deadline - time.monotonic()
            if left <= 0 or self._signals.stops > max(asked, 1):
                return False
            self._signals.pause(min(left, 0.1))
        return True

    def _children(self) -> list[Child]:
        return [self._first, *self._rest]

    def _any_running(self) -> bool:
        for child in self._children():
            child.reap()
        return any(child.running for child in self._children())

    def _look(self) -> None:
        self._space.look()
        self._look_at_database()
        if (word := self._first.hear()) is not None:
            self._on_ready(word)
            for child in self._rest:
                child.start(go=True)
        for child in self._rest:
            child.hear()
        for child in self._children():
            self._look_at(child)

    def _look_at(self, child: Child) -> None:
        status = child.reap()
        if status is not None:
            wait = child.restarts.died()
            self._tell(f"{child.role.name} {how_it_ended(status)}; starting it again in {wait:g} s.")
            if (
                child is self._first
                and not child.was_ready
                and child.restarts.deaths >= _HOPELESS_AFTER_DEATHS
            ):
                raise CannotStart(f"{child.role.name} ends each time it is started; the reason stands above.")
        if not child.running and child.restarts.deaths and time.monotonic() >= child.restarts.due:
            child.start(go=True)

    def _look_at_database(self) -> None:
        postgres, restarts = self._postgres, self._postgres_restarts
        if postgres is None or (status := postgres.ended()) is None:
            return
        if not restarts.due:
            wait = restarts.died()
            self._tell(f"PostgreSQL {how_it_ended(status)}; starting it again in {wait:g} s.")
        if time.monotonic() >= restarts.due:
            self._start_database_again(postgres, restarts)

    def _start_database_again(self, postgres: LocalPostgres, restarts: Restarts) -> None:
        try:
            restarts.started()
            postgres.start()
            postgres.wait_until_ready()
            restarts.due = 0.0
        except (CannotStart, psycopg.OperationalError) as error:
            wait = restarts.died()
            self._tell(f"PostgreSQL does not start: {error} Trying again in {wait:g} s.")

    def _seconds_to_next(self) -> float:
        due = [
            child.restarts.due for child in self._children() if not child.running and child.restarts.deaths
        ]
        if self._postgres_restarts.due:
            due.append(self._postgres_restarts.due)
        return min([_LOOK_AGAIN_SECONDS, *(when - time.monotonic() for when in due)])

    def _unready_bonds(self) -> list[socket.socket]:
        return [child.bond for child in self._children() if child.bond and not child.was_ready]
