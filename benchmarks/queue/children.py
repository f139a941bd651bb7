"""Starts the measured programs and hears what they tell; `programs/telling.py` is the other end."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.queue.server import Server, process_seconds
from benchmarks.queue.systems import ROOT, System

PATIENCE_SECONDS = 60.0
STOP_SECONDS = 15.0
LAST_WORDS = 15


class Child:
    """One program. `count` and `delays_ms` are what a worker handled so far and how late; `report` is what
    another mode told at its end, `told` everything else."""

    def __init__(self, system: System, mode: str, url: str, options: Mapping[str, object]) -> None:
        self.name = f"{system.name}, {mode}"
        self.count = 0
        self.delays_ms: list[float] = []
        self.report: dict[str, Any] = {}
        self.told: list[dict[str, Any]] = []
        self._ready = threading.Event()
        self._words: list[str] = []
        self.process = subprocess.Popen(
            [*system.command, mode, url, json.dumps(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **system.environment},
        )
        self._hearing = [threading.Thread(target=hear, daemon=True) for hear in (self._hear, self._overhear)]
        for thread in self._hearing:
            thread.start()

    def wait_until_ready(self) -> None:
        self._wait(self._ready.is_set)

    def go(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def wait_for_report(self) -> dict[str, Any]:
        self._wait(lambda: bool(self.report))
        self.process.wait(STOP_SECONDS)
        return self.report

    def stop(self) -> None:
        """Ask it to end, and hear it out; one that does not end is ended."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        for thread in self._hearing:
            thread.join(STOP_SECONDS)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def cpu_seconds(self) -> float:
        return process_seconds(self.process.pid)

    def fail(self) -> None:
        words = "\n".join(self._words[-LAST_WORDS:])
        raise SystemExit(f"{self.name} did not do its part; no figure is told\n{words}")

    def _wait(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            if time.monotonic() > deadline or (self.process.poll() is not None and self._is_heard()):
                if holds():
                    return
                self.fail()
            time.sleep(0.002)

    def _is_heard(self) -> bool:
        return not any(thread.is_alive() for thread in self._hearing)

    def _hear(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            told = json.loads(line)
            if told.get("ended"):
                self.report = told
            elif told.get("ready"):
                self._ready.set()
            elif "count" in told:
                self.count = told["count"]
                self.delays_ms += told["delays_ms"]
            else:
                self.told.append(told)

    def _overhear(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self._words.append(line.rstrip())


@contextmanager
def children(
    server: Server, system: System, mode: str, options: Mapping[str, object], count: int = 1
) -> Generator[Sequence[Child], None, None]:
    """That many of one program, ready to go; none outlives the block."""
    started = [Child(system, mode, server.url(system.database), options) for _ in range(count)]
    try:
        for child in started:
            child.wait_until_ready()
        yield started
    finally:
        for child in started:
            if child.process.poll() is None:
                child.stop()


def install(server: Server, system: System) -> None:
    child = Child(system, "install", server.url(system.database), {})
    if child.process.wait(PATIENCE_SECONDS):
        child.fail()


def bulk(server: Server, system: System, count: int) -> float:
    """Enqueue `count` tasks in bulk by the system's own means; rows a second."""
    with children(server, system, "bulk", {"count": count}) as (child,):
        child.go()
        report = child.wait_for_report()
    return report["count"] / report["seconds"]
