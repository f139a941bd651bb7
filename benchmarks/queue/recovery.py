"""How soon work goes on after a cut, a restart of the server, and the death of a worker."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.queue.children import Child, children
from benchmarks.queue.drains import empty, fill, number
from benchmarks.queue.server import Server
from benchmarks.queue.systems import System

LIMIT_SECONDS = 60.0
BACKLOG = 3_000
AFTERWARDS = 20
KILLED = 3
TASKS_A_WORKER = 4
HOLD_SECONDS = 3600
_POLL_SECONDS = 0.01


@dataclass(frozen=True)
class Recovered:
    """`left` tasks were neither done nor in work when the time was up."""

    seconds: float
    left: int


def cut_connections(server: Server, system: System) -> None:
    with server.connect("postgres") as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (system.database,)
        )


def restart(server: Server, system: System) -> None:
    del system
    server.restart()


def drained_after(server: Server, system: System, harm: Callable[[Server, System], None]) -> Recovered:
    """From the harm's end until everything is done: what was under way, the backlog, and a few tasks more.

    The backlog is short, so that not the worker's speed is measured.
    """
    fill(server, system, BACKLOG)
    with children(server, system, "work", system.profiles["default"].options) as (worker,):
        worker.go()
        _until(lambda: worker.count > BACKLOG // 3, worker)
        harm(server, system)
        began = time.monotonic()
        with server.connect(system.database) as connection:
            connection.execute(system.seed, {"count": AFTERWARDS})
            left = 1
            while left and time.monotonic() - began < LIMIT_SECONDS:
                time.sleep(_POLL_SECONDS)
                left = number(connection, system.unfinished)
    return Recovered(time.monotonic() - began, left)


def again_after_kill(server: Server, system: System) -> list[float]:
    """Seconds from the kill of some workers, each with all slots full, until the tasks of each run again."""
    empty(server, system)
    options, everything = system.profiles["default"].options, KILLED * TASKS_A_WORKER
    with children(server, system, "work", options, KILLED) as doomed:
        for worker in doomed:
            _ask_to_hold(server, system)
            worker.go()
            _until(lambda worker=worker: len(worker.told) == TASKS_A_WORKER, worker)
        with children(server, system, "work", {"worker": {"slots": everything}}) as (heir,):
            heir.go()
            for worker in doomed:
                worker.kill()
            began = time.monotonic()
            _until(lambda: len(heir.told) == everything, heir)
            return [_last_start(heir, worker) - began for worker in doomed]


def _ask_to_hold(server: Server, system: System) -> None:
    sql = system.seed.replace("'{}'", f"""'{{"hold_seconds": {HOLD_SECONDS}}}'""")
    with server.connect(system.database) as connection:
        connection.execute(sql, {"count": TASKS_A_WORKER})


def _last_start(heir: Child, dead: Child) -> float:
    lost = {told["started"] for told in dead.told}
    return max(told["at"] for told in heir.told if told["started"] in lost)


def _until(holds: Callable[[], bool], worker: Child) -> None:
    deadline = time.monotonic() + LIMIT_SECONDS
    while not holds():
        if time.monotonic() > deadline:
            worker.fail()
        time.sleep(_POLL_SECONDS)
