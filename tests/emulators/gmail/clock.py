"""The emulator's own time: real time plus what a test added, or standing still."""

import time


class Clock:
    def __init__(self) -> None:
        self._ahead = 0.0
        self._standing: float | None = None

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time() + self._ahead if self._standing is None else self._standing

    def advance(self, seconds: float) -> None:
        if self._standing is None:
            self._ahead += seconds
        else:
            self._standing += seconds

    def stand_still(self, at: float | None = None) -> None:
        self._standing = self.now() if at is None else at
