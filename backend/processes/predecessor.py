"""Ends the server a killed supervisor left on our data folder, and clears a pid file nobody stands behind.

A process id proves nothing: after a reboot it may be anybody's. A signal goes only to a server that named our
data folder over a connection, or whose own command line names it (its socket may have been deleted).
"""

import os
import signal
import subprocess
import time
from pathlib import Path

from backend.processes.refusals import CannotStart, Pause, Say
from backend.processes.server_folder import read_pid_file
from backend.processes.store import NotYet, data_directory

_POLL_SECONDS = 0.02
_PATIENCE_SECONDS = 60.0


def end_predecessor(data: Path, tell: Say, pause: Pause) -> None:
    """Leave `data` without a server and without a pid file. The caller holds the installation's lock."""
    pid_file = read_pid_file(data)
    if pid_file and (_names_itself(pid_file.socket, data, pause) or _is_called(pid_file.pid, data)):
        tell("a PostgreSQL from an earlier run is still there; stopping it first.")
        _end(pid_file.pid, data, pause)
    (data / "postmaster.pid").unlink(missing_ok=True)


def is_on(socket: Path, data: Path) -> bool:
    """Whether the server at `socket` says that it runs on `data`. Raises `NotYet` while it lets nobody in."""
    found = data_directory(socket)
    return found is not None and found.resolve() == data.resolve()


def _names_itself(socket: Path, data: Path, pause: Pause) -> bool:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            return is_on(socket, data)
        except NotYet:
            pause(_POLL_SECONDS)
    return False


def _is_called(pid: int, data: Path) -> bool:
    words = command_line(pid)
    return "postgres" in words and f"-D {data} " in f"{words} "


def command_line(pid: int) -> str:
    """The command line of a process of this machine; empty when there is none or it is not told."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        if Path("/proc/self/cmdline").exists():
            return ""
    asked = subprocess.run(  # noqa: S603 - a fixed program and a number
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return asked.stdout


def _end(pid: int, data: Path, pause: Pause) -> None:
    """Only for a server proven to be ours: the pid file is then its own, until it removes it."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    try:
        os.kill(pid, signal.SIGINT)
        while (file := read_pid_file(data)) and file.pid == pid:
            if time.monotonic() > deadline:
                raise CannotStart(f"the PostgreSQL of an earlier run (process {pid}) does not end; end it.")
            pause(_POLL_SECONDS)
            os.kill(pid, 0)
    except ProcessLookupError:
        return
