"""The database's time in terms of this process's own steady clock, as narrow as the last answers tell. Pure.

Each answer brings a moment that lies between the asking and the answer; several such bounds together are
narrower than any one. Only the last few count, because clocks drift.
"""

from collections import deque
from datetime import datetime

_KEPT = 6


class Moments:
    def __init__(self) -> None:
        self._bounds: deque[tuple[float, float]] = deque(maxlen=_KEPT)

    def learn(self, now: datetime, asked_at: float, answered_at: float) -> None:
        """`now` is the server's, the others are seconds of the steady clock."""
        told = now.timestamp()
        self._bounds.append((told - answered_at, told - asked_at))
        if self._least() > self._most():
            # One of the clocks was set meanwhile.
            newest = self._bounds[-1]
            self._bounds.clear()
            self._bounds.append(newest)

    def earliest(self, at: datetime) -> float:
        """When on the steady clock a moment of the server is at the earliest."""
        return at.timestamp() - self._most()

    def latest(self, at: datetime) -> float:
        return at.timestamp() - self._least()

    def _least(self) -> float:
        return max(low for low, _ in self._bounds)

    def _most(self) -> float:
        return min(high for _, high in self._bounds)
