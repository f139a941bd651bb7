"""Drains of a filled queue: tasks a second, and what one task costs in commits, log and processor time.

The queue is filled and the server settled before the clock runs. Workers tell how much they handled; only
when that is everything is the table asked whether the last ending is committed, so that asking costs nothing.
"""

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from benchmarks.queue.children import Child, bulk, children
from benchmarks.queue.server import Server
from benchmarks.queue.systems import System

LIMIT_SECONDS = 8.0
POLL_SECONDS = 0.005
_GONE_SECONDS = 20.0


@dataclass(frozen=True)
class Drain:
    """Per task: commits, bytes of write-ahead log, microseconds of the workers and of the server."""

    rate: float
    commits: float
    wal_bytes: float
    client_us: float
    server_us: float


@dataclass(frozen=True)
class Counters:
    wal_bytes: int
    server_seconds: float
    client_seconds: float


def empty(server: Server, system: System) -> None:
    with server.connect(system.database) as connection:
        connection.execute(system.empty)


@contextmanager
def settled(server: Server, system: System) -> Generator[psycopg.Connection[Any], None, None]:
    """Empty the queue for a block that fills it, and let the server come to rest.

    The checkpoint comes first, so that none with its page images falls into what is measured afterwards.
    """
    with server.connect(system.database) as connection:
        connection.execute(system.empty)
        connection.execute("CHECKPOINT")
        yield connection
        connection.execute("VACUUM ANALYZE")


def fill(server: Server, system: System, count: int) -> None:
    with settled(server, system) as connection:
        if system.seed:
            connection.execute(system.seed, {"count": count})
        else:
            bulk(server, system, count)


def drain(server: Server, system: System, profile: str, processes: int, *, share: float = 1.0) -> Drain:
    """`share` of the profile's tasks: fewer take less time, and a rate is less exact."""
    chosen = system.profiles[profile]
    fill(server, system, int(share * chosen.tasks_for(processes)))
    seeded = unfinished(server, system)
    with children(server, system, "work", chosen.options, processes) as workers:
        commits = committed(server, system)
        with server.connect(system.database) as connection:
            before = counters(server, connection, workers)
            began = time.monotonic()
            for worker in workers:
                worker.go()
            polls, left = _until_done(connection, system, workers, seeded)
            seconds = time.monotonic() - began
            after = counters(server, connection, workers)
        for worker in workers:
            worker.stop()
    done = seeded - left
    if done <= 0:
        workers[0].fail()
    return Drain(
        rate=done / seconds,
        commits=(committed(server, system) - commits - polls) / done,
        wal_bytes=(after.wal_bytes - before.wal_bytes) / done,
        client_us=1e6 * (after.client_seconds - before.client_seconds) / done,
        server_us=1e6 * (after.server_seconds - before.server_seconds) / done,
    )


def unfinished(server: Server, system: System) -> int:
    with server.connect(system.database) as connection:
        return number(connection, system.unfinished)


def committed(server: Server, system: System) -> int:
    """Transactions of the system's database so far. Sessions tell theirs at their end: none may be left."""
    with server.connect("postgres") as connection:
        deadline = time.monotonic() + _GONE_SECONDS
        while number(connection, "SELECT count(*) FROM pg_stat_activity WHERE datname = %s", system.database):
            if time.monotonic() > deadline:
                raise SystemExit(f"sessions of {system.name} outlive its workers; no figure is told")
            time.sleep(POLL_SECONDS)
        sql = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s"
        return number(connection, sql, system.database)


def counters(server: Server, connection: psycopg.Connection[Any], workers: Sequence[Child]) -> Counters:
    return Counters(
        wal_bytes=number(connection, "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"),
        server_seconds=server.cpu_seconds(),
        client_seconds=sum(worker.cpu_seconds() for worker in workers),
    )


def number(connection: psycopg.Connection[Any], sql: str, *params: object) -> int:
    row = connection.execute(sql, params or None).fetchone()
    assert row
    return int(row[0])


def _until_done(
    connection: psycopg.Connection[Any], system: System, workers: Sequence[Child], seeded: int
) -> tuple[int, int]:
    """Wait for the end of the work or of the time; how often the table was asked, and what is left."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while sum(worker.count for worker in workers) < seeded and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    polls = 0
    while True:
        left = number(connection, system.unfinished)
        polls += 1
        if not left or time.monotonic() > deadline:
            return polls + 2, left  # the two readings of the log stand beside it
        time.sleep(POLL_SECONDS)
