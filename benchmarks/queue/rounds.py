"""The rounds of a run: every system in every profile, in another order each time, and the medians of all."""

import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from benchmarks.queue import commits
from benchmarks.queue.drains import Drain, drain
from benchmarks.queue.enqueueing import many, single, starts
from benchmarks.queue.server import Server
from benchmarks.queue.systems import ACCOUNTED, JOBTRAIL, System

REPETITIONS = 3
SEED = 20
CALIBRATION_SECONDS = 1
BULK_ROWS = 20_000
SINGLE_SECONDS = 2.0
STARTS = 100

Key = tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """One thing to measure: `key` names it in the results."""

    key: Key
    measure: Callable[[], object]


class Results:
    """What each round found, by key; and the commit limit taken before each, which tells a noisy machine."""

    def __init__(self) -> None:
        self._found: dict[Key, list[Any]] = defaultdict(list)
        self.calibrations: list[float] = []

    def add(self, key: Key, found: object) -> None:
        self._found[key].append(found)

    def __contains__(self, key: Key) -> bool:
        return key in self._found

    def drain(self, system: str, profile: str, processes: int = 1) -> Drain:
        """The median of each figure by itself."""
        found = self._found["drain", system, profile, str(processes)]
        names = [field.name for field in fields(Drain)]
        return Drain(**{name: statistics.median(getattr(one, name) for one in found) for name in names})

    def number(self, *key: str) -> float:
        return statistics.median(self._found[key])

    def pair(self, *key: str) -> tuple[float, float]:
        first, second = zip(*self._found[key], strict=True)
        return statistics.median(first), statistics.median(second)


def run(server: Server, cells: Sequence[Cell], repetitions: int, results: Results) -> None:
    chance = random.Random(SEED)
    for number in range(repetitions):
        order = list(cells)
        chance.shuffle(order)
        for cell in order:
            print(f"round {number + 1} of {repetitions}: {', '.join(cell.key)}", file=sys.stderr)
            results.calibrations.append(commits.commits_per_second(server, 1, CALIBRATION_SECONDS))
            results.add(cell.key, cell.measure())


def full(server: Server, systems: Iterable[System]) -> list[Cell]:
    cells = [commit_limit(server, clients, seconds=3) for clients in (1, 2, 4, 8)]
    for system in systems:
        cells += [a_drain(server, system, "default")]
        cells += [a_drain(server, system, "tuned", processes) for processes in (1, 2, 4)]
        if system.name != ACCOUNTED:
            cells += enqueueing(server, system)
        if system.name == JOBTRAIL:
            cells += [a_drain(server, system, "default", processes) for processes in (2, 4)]
            cells += [a_drain(server, system, "one at a time"), *with_and_without_wakes(server, system)]
    return cells


def quick(server: Server, systems: Iterable[System]) -> list[Cell]:
    return [
        commit_limit(server, 1, seconds=1),
        *(
            a_drain(server, system, profile, share=0.4)
            for system in systems
            for profile in ("default", "tuned")
        ),
    ]


def commit_limit(server: Server, clients: int, *, seconds: int) -> Cell:
    return Cell(
        ("commits", str(clients)), lambda: commits.commits_per_second(server, clients, seconds=seconds)
    )


def a_drain(server: Server, system: System, profile: str, processes: int = 1, *, share: float = 1.0) -> Cell:
    key = ("drain", system.name, profile, str(processes))
    return Cell(key, lambda: drain(server, system, profile, processes, share=share))


def enqueueing(server: Server, system: System) -> list[Cell]:
    return [
        Cell(("single", system.name), lambda: single(server, system, SINGLE_SECONDS, {})),
        Cell(("bulk", system.name), lambda: many(server, system, BULK_ROWS)),
        Cell(("start", system.name), lambda: starts(server, system, STARTS)),
    ]


def with_and_without_wakes(server: Server, system: System) -> list[Cell]:
    def at_once(*, wakes: bool) -> float:
        return single(server, system, SINGLE_SECONDS, {"wakes": wakes}, clients=8)

    return [
        Cell(("eight", "with wake-ups"), lambda: at_once(wakes=True)),
        Cell(("eight", "without wake-ups"), lambda: at_once(wakes=False)),
    ]
