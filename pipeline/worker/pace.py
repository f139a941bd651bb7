"""How long tasks of each kind take here, and so how many may be claimed ahead of a free slot. Pure.

Claiming ahead saves commits, but a task in hand is out of other workers' reach. So only kinds whose tasks
were over within a few milliseconds, run after run, are claimed ahead of the slots.
"""

from collections.abc import Iterable

TRIVIAL_SECONDS = 0.005
ENOUGH_RUNS = 8
_WEIGHT = 0.2


class Pace:
    """A moving average a kind, in seconds; a kind never seen is not trivial."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._runs: dict[str, int] = {}

    def ran(self, kind: str, seconds: float) -> None:
        known = self._seconds.get(kind, seconds)
        self._seconds[kind] = known + (seconds - known) * _WEIGHT
        self._runs[kind] = self._runs.get(kind, 0) + 1

    def are_trivial(self, kinds: Iterable[str]) -> bool:
        return all(
            self._runs.get(kind, 0) >= ENOUGH_RUNS and self._seconds[kind] < TRIVIAL_SECONDS for kind in kinds
        )
