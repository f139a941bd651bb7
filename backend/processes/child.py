"""The supervisor's side of one child process: start it, hear that it is ready, see it end, start it again."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping

import msgspec

from backend.processes.lifeline import GO, GO_FIRST, READY
from backend.processes.rules import deaths_in_a_row, wait_before_restart


class Role(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of child: the subcommand it is, and the environment and listening socket it is given."""

    name: str
    environment: Mapping[str, str]
    listener: socket.socket | None = None


class Restarts:
    """When to start something again that keeps ending."""

    def __init__(self) -> None:
        self.deaths = 0
        self.due = 0.0
        self._started = 0.0

    def started(self) -> None:
        self._started = time.monotonic()

    def died(self) -> float:
        """Note an end; the seconds until the next start."""
        now = time.monotonic()
        self.deaths = deaths_in_a_row(self.deaths, now - self._started)
        wait = wait_before_restart(self.deaths)
        self.due = now + wait
        return wait


class Child:
    def __init__(self, role: Role) -> None:
        self.role = role
        self.restarts = Restarts()
        self.was_ready = False
        self.bond: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None

    def start(self, *, go: bool) -> None:
        """Start the process; without `go` it loads, then waits for `let_go` before it uses the database."""
        self.bond, theirs = socket.socketpair()
        self.bond.setblocking(False)
        with theirs:
            self._process = self._spawn(theirs)
        self.restarts.started()
        if go:
            self.let_go()

    def let_go(self) -> None:
        if self.bond:
            try:
                self.bond.send(GO if self.was_ready else GO_FIRST)
            except OSError:
                return  # it ended already; `reap` says so

    def hear(self) -> str | None:
        """The word it sent when it began to do its work, once; None when it said nothing new."""
        if self.bond is None or self.was_ready:
            return None
        try:
            said = self.bond.recv(4096)
        except OSError:
            return None
        if not said:
            self.cut()  # a closed bond is readable for ever, and would keep the supervisor from resting
        if not said.startswith(READY):
            return None
        self.was_ready = True
        return said.removeprefix(READY).decode()

    def reap(self) -> int | None:
        """How the process ended, once; None while it runs or when there is none."""
        status = self._process.poll() if self._process else None
        if status is not None:
            self._process = None
            self.cut()
        return status

    def cut(self) -> None:
        if self.bond:
            self.bond.close()
            self.bond = None

    def signal(self, number: signal.Signals) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(number)

    def kill_group(self) -> None:
        """End the process and whatever it started, without asking."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)

    def _spawn(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        # -P: a folder called `schema` where the person happens to stand must not be taken for ours.
        command = [
            sys.executable,
            "-P",
            "-m",
            "backend",
            self.role.name,
            "--supervised",
            str(theirs.fileno()),
        ]
        descriptors = [theirs.fileno()]
        if self.role.listener:
            command += ["--listener", str(self.role.listener.fileno())]
            descriptors.append(self.role.listener.fileno())
        return subprocess.Popen(  # noqa: S603 - ourselves
            command,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),  # the one line on standard output is the supervisor's
            env={**os.environ, **self.role.environment},
            pass_fds=descriptors,
            start_new_session=True,  # Ctrl-C reaches the supervisor alone, which stops the rest in order
        )


def how_it_ended(status: int) -> str:
    """The end of a process in words."""
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"
