"""The time one question may take, all tries and waits together. The only place that decides on a next try."""

from collections.abc import Callable

MOST_TRIES = 4
_FIRST_WAIT = 0.5


class Budget:
    """Begun when it is made. `clock` counts seconds and never goes back; `chance` is in [0, 1)."""

    def __init__(self, total_seconds: float, clock: Callable[[], float], chance: Callable[[], float]) -> None:
        self._ends = clock() + total_seconds
        self._clock = clock
        self._chance = chance
        self.tries = 0

    def left(self) -> float:
        return max(0.0, self._ends - self._clock())

    def wait(self, asked: float | None) -> float | None:
        """Seconds before the next try, no fewer than the provider asked for; None when there is none.

        Doubles with each try, up to half of it taken off by chance.
        """
        own = _FIRST_WAIT * 2.0 ** max(0, self.tries - 1) * (1.0 - self._chance() / 2)
        wait = max(own, asked or 0.0)
        return wait if self.tries < MOST_TRIES and wait < self.left() else None
