"""Processor time of this process and of its PostgreSQL: unlike the clock, the same on a busy machine.

On systems without `/proc` the server's part is left out, and the figures are only those of this process.
"""

import os
import time
from pathlib import Path

import psycopg

_USER, _CHILDREN = 11, 13
"""Where the times stand among the fields behind the name: two of its own, then two of its ended children."""
_IDLE = slice(3, 5)
"""Idle and waiting for the disk, of the machine's times."""


class Processor:
    """`Processor(owner_url).seconds()` now and later: the difference is what was used in between."""

    def __init__(self, owner_url: str) -> None:
        with psycopg.connect(owner_url) as connection:
            backend = connection.info.backend_pid
        fields = _fields(backend)
        self._postmaster = int(fields[1]) if fields else 0

    def seconds(self) -> float:
        return time.process_time() + self._server() / os.sysconf("SC_CLK_TCK")

    def _server(self) -> int:
        ended = sum(int(each) for each in _fields(self._postmaster)[_CHILDREN : _CHILDREN + 2])
        # The kernel's own list of children skips some while others come and go.
        every = (_fields(int(path.name)) for path in Path("/proc").glob("[0-9]*"))
        running = (fields for fields in every if fields and int(fields[1]) == self._postmaster)
        return ended + sum(int(each) for fields in running for each in fields[_USER : _USER + 2])


def machine_seconds() -> float:
    """What everybody on the machine used since it began; 0 where nobody tells."""
    path = Path("/proc/stat")
    if not path.exists():
        return 0.0
    used = [int(each) for each in path.read_text().splitlines()[0].split()[1:]]
    return (sum(used) - sum(used[_IDLE])) / os.sysconf("SC_CLK_TCK")


def _fields(pid: int) -> list[str]:
    """What Linux tells of a process behind its name, which may hold spaces; nothing of one that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
