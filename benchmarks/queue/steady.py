"""A long run at an even rate: what grows, and what must not.

python -m benchmarks.queue.steady [--minutes 30] [--rate 200]

One worker with its defaults on a server of the benchmark's own; one client enqueues. One row a thirtieth of
the time: tasks done, dead rows and their share of the live ones, size of the table with its indexes, bytes a
task, milliseconds from enqueueing to start. Finished tasks are kept for months, so the table itself grows;
bytes a task, dead rows and milliseconds are what must stay flat. Exit 1 when the last third is worse than
the first by more than half; dead rows may keep to the share of the table that autovacuum lets be.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg

from benchmarks.queue.children import Child, children, install
from benchmarks.queue.server import Server, running_server
from benchmarks.queue.systems import System, jobtrail, prepare

ROWS = 30
FLAT = 1.5
WAITING = 400
KEPT_UP = 0.95
LET_BE, LET_BE_SHARE = 2_000, 0.02
_LOOK = """SELECT n_dead_tup, n_live_tup, pg_table_size('tasks'), pg_indexes_size('tasks'),
  (SELECT count(*) FROM tasks WHERE status IN ('pending', 'running')), autovacuum_count
FROM pg_stat_user_tables WHERE relname = 'tasks'"""
_HEAD = "minute     done  waiting     dead  table MB  index MB  bytes/task  vacuums   p50 ms   p95 ms  load"


@dataclass(frozen=True)
class Row:
    minute: float
    done: int
    waiting: int
    dead: int
    table_mb: float
    index_mb: float
    vacuums: int
    p50_ms: float
    p95_ms: float

    @property
    def bytes_a_task(self) -> float:
        return 1e6 * (self.table_mb + self.index_mb) / max(1, self.done)

    def __str__(self) -> str:
        return (
            f"{self.minute:6.1f} {self.done:8,} {self.waiting:8,} {self.dead:8,} {self.table_mb:9.1f}"
            f" {self.index_mb:9.1f} {self.bytes_a_task:11,.0f} {self.vacuums:8} {self.p50_ms:8.1f}"
            f" {self.p95_ms:8.1f} {os.getloadavg()[0]:5.1f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="A long run of the queue at an even rate.")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=int, default=200, help="tasks a second")
    asked = parser.parse_args()
    print(_HEAD)
    rows = []
    with running_server() as server:
        system = jobtrail()
        prepare(server, system)
        install(server, system)
        for row in steady(server, system, asked.minutes * 60, asked.rate):
            rows.append(row)
            print(row, flush=True)
        if rows[-1].done < KEPT_UP * asked.rate * asked.minutes * 60:
            print("the client could not keep up with the rate it was asked for")
    complaints = grown(rows)
    for complaint in complaints:
        print(complaint)
    sys.exit(bool(complaints))


def steady(server: Server, system: System, seconds: float, rate: int) -> Iterator[Row]:
    sending = {"count": int(seconds * rate), "rate": rate, "wakes": True, "at_once": 8}
    options = system.profiles["default"].options
    with (
        children(server, system, "work", options) as (worker,),
        children(server, system, "paced", sending) as (sender,),
        server.connect(system.database) as connection,
    ):
        worker.go()
        sender.go()
        began = time.monotonic()
        for number in range(1, ROWS + 1):
            time.sleep(max(0.0, began + number * seconds / ROWS - time.monotonic()))
            yield _row(connection, worker, (time.monotonic() - began) / 60)
        sender.wait_for_report()


def _row(connection: psycopg.Connection[Any], worker: Child, minute: float) -> Row:
    found = connection.execute(_LOOK).fetchone()
    delays, worker.delays_ms = worker.delays_ms, []
    if found is None or len(delays) < 2:
        worker.fail()
    assert found
    dead, _, table, index, waiting, vacuums = found
    return Row(
        minute=minute,
        done=worker.count,
        waiting=waiting,
        dead=dead,
        table_mb=table / 1e6,
        index_mb=index / 1e6,
        vacuums=vacuums,
        p50_ms=statistics.median(delays),
        p95_ms=statistics.quantiles(delays, n=20)[-1],
    )


def grown(rows: list[Row]) -> list[str]:
    """What the last third has too much of, measured by the first third; and work that piled up."""
    third = len(rows) // 3
    said = []
    for name, what in (("p50_ms", "latency, p50"), ("p95_ms", "latency, p95"), ("dead", "dead rows")):
        first = statistics.median(getattr(row, name) for row in rows[:third])
        last = statistics.median(getattr(row, name) for row in rows[-third:])
        let_be = LET_BE + LET_BE_SHARE * rows[-1].done if name == "dead" else 0
        if last > max(first * FLAT, let_be):
            said.append(f"{what} did not stay flat: {first:,.1f} in the first third, {last:,.1f} in the last")
    if rows[-1].waiting > WAITING:
        said.append(f"work piled up: {rows[-1].waiting:,} tasks wait")
    if rows[-1].bytes_a_task > rows[third].bytes_a_task * FLAT:
        said.append("the table grew faster than the tasks it holds")
    return said


if __name__ == "__main__":
    main()
