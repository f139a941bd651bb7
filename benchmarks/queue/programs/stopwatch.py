"""Times calls by the processor time of this process and of the server's session they use.

On a busy machine the clock tells how long others were served; on an idle one both tell the same. Where the
system does not tell a session's time the clock has to do. A session's time comes in steps of hundredths of a
second, so only the mean of many calls says something.
"""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


class Stopwatch:
    def __init__(self, backend_pid: int) -> None:
        self._told = Path(f"/proc/{backend_pid}/stat")
        self._is_told = self._told.exists()
        self._spent = 0.0
        self._calls = 0

    @contextmanager
    def running(self) -> Generator[None, None, None]:
        began = self._now()
        yield
        self._spent += self._now() - began
        self._calls += 1

    def mean_ms(self) -> float:
        """Of the calls so far; begins anew."""
        mean, self._spent, self._calls = 1000 * self._spent / self._calls, 0.0, 0
        return mean

    def _now(self) -> float:
        if not self._is_told:
            return time.perf_counter()
        user, system = self._told.read_text().rpartition(")")[2].split()[11:13]
        return time.process_time() + (int(user) + int(system)) / _TICKS
