"""The embedded PostgreSQL: made, started, watched and stopped as a child of this process.

Whether a server runs is decided only by a connection that names our data folder, never by a process id: ids
are reused, and a signal to a wrong one ends a stranger. The server listens on a Unix socket in a private
folder, never on the network. Whoever uses this holds the installation's lock (`backend.processes.home`).
"""

import os
import signal
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from backend.processes import store
from backend.processes.data_folder import make_data_folder, require_our_major
from backend.processes.launch import launch
from backend.processes.predecessor import end_predecessor, is_on
from backend.processes.refusals import CannotStart, Pause, Say, say
from backend.processes.rules import clock_complaint, space_complaint
from backend.processes.server_folder import (
    ServerFolders,
    free_bytes,
    last_complaint,
    last_written,
    make_folders,
    open_log,
    read_pid_file,
    server_folders,
)
from backend.processes.server_program import ServerProgram, server_program
from backend.processes.server_user import ServerUser, server_user

# Messages may quote what a person wrote, so the server's own log has no failed statements and no details.
_OPTIONS = (
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "log_min_messages=log",
    "log_min_error_statement=panic",
    "log_error_verbosity=terse",
    "log_checkpoints=off",
    "log_timezone=UTC",
    "timezone=UTC",
)
_POLL_SECONDS = 0.02
_SAY_SLOW_AFTER_SECONDS = 5.0
_SAY_AGAIN_SECONDS = 60.0
_STOP_SECONDS = 60.0
# A killed server's sessions end when they notice; a server without its pid file ends itself within a minute.
_LEFTOVERS = "pre-existing shared memory block"
_LEFTOVERS_SECONDS = 90.0
_LEFTOVERS_PAUSE_SECONDS = 0.25


class DatabaseUrls(msgspec.Struct, frozen=True, kw_only=True):
    """`url` is the restricted login role's, `owner_url` that of the role the tables belong to."""

    url: str
    owner_url: str


class LocalPostgres:
    """One server on one installation's folder. `options` are extra `name=value` server settings."""

    def __init__(
        self, home: Path, *, tell: Say = say, pause: Pause = time.sleep, options: Sequence[str] = ()
    ) -> None:
        self.folders: ServerFolders = server_folders(home)
        self._tell = tell
        self._pause = pause
        self._options = (*_OPTIONS, *options)
        self._user: ServerUser | None = None
        self._program: ServerProgram
        self._process: subprocess.Popen[bytes] | None = None
        self._log_start = 0

    @property
    def urls(self) -> DatabaseUrls:
        socket = self.folders.socket
        return DatabaseUrls(
            url=store.server_url(socket, store.LOGIN), owner_url=store.server_url(socket, store.OWNER)
        )

    def start(self) -> None:
        """Start the server, making its data folder first where there is none; returns before it is ready."""
        folders = self.folders
        try:
            user = server_user(folders.data)
            make_folders(folders, user)
            exists = require_our_major(folders.data)
            if complaint := space_complaint(free_bytes(folders.base), str(folders.base), new=not exists):
                raise CannotStart(complaint)
            if complaint := clock_complaint(datetime.now(UTC), last_written(folders.data)):
                self._tell(f"warning: {complaint}")
            self._user = user
            self._program = server_program(user, folders.base / "programs")
        except OSError as error:
            raise CannotStart(f"cannot use {error.filename or folders.base}: {error.strerror}.") from error
        end_predecessor(folders.data, self._tell, self._pause)
        if not exists:
            make_data_folder(folders.data, self._program, self._user)
        self._spawn()

    def wait_until_ready(self) -> None:
        """Return when the server lets us in and the database exists. Raises `CannotStart` when it ended."""
        began = time.monotonic()
        said = began - _SAY_AGAIN_SECONDS + _SAY_SLOW_AFTER_SECONDS
        while not self._answers():
            if self.ended() is not None:
                self._spawn_again(began)
            if time.monotonic() - said > _SAY_AGAIN_SECONDS:
                said = time.monotonic()
                self._tell(
                    f"PostgreSQL is not ready after {said - began:.0f} s; after an unclean end it reads its "
                    "log again, which can take minutes. Waiting."
                )
            self._pause(_POLL_SECONDS)
        store.make_database(self.folders.socket)

    def ended(self) -> int | None:
        """How the server ended; None while it runs. Negative is the signal that killed it."""
        return self._process.poll() if self._process else 0

    def last_words(self) -> str:
        words = last_complaint(self.folders.log, self._log_start)
        return words or f"the reason stands in {self.folders.log}"

    def ask_to_stop(self) -> None:
        """Begin to end the server in order: what is still connected is cut off, and everything is written."""
        self._signal(signal.SIGINT)

    def stop_at_once(self) -> None:
        """End the server without a last checkpoint; the next start recovers. No committed row is lost."""
        self._signal(signal.SIGQUIT)

    def stop(self) -> None:
        """End the server and wait for it. Does nothing when it does not run."""
        self.ask_to_stop()
        if self._process:
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.stop_at_once()
                self._process.wait()
        if self.folders.socket.parent != self.folders.base:
            with suppress(OSError):
                self.folders.socket.rmdir()

    @contextmanager
    def running(self) -> Generator[DatabaseUrls, None, None]:
        """The server, ready, for the length of a block."""
        try:
            self.start()
            self.wait_until_ready()
            yield self.urls
        finally:
            self.stop()

    def _answers(self) -> bool:
        pid_file = read_pid_file(self.folders.data)
        if pid_file is None or pid_file.status != "ready":
            return False
        try:
            return is_on(self.folders.socket, self.folders.data)
        except store.NotYet:
            return False

    def _spawn_again(self, began: float) -> None:
        """Once more, while what a killed server left behind is still going away; else say why it ended."""
        words = self.last_words()
        if _LEFTOVERS not in words or time.monotonic() - began > _LEFTOVERS_SECONDS:
            raise CannotStart(f"PostgreSQL ended at once: {words}")
        self._pause(_LEFTOVERS_PAUSE_SECONDS)
        self._spawn()

    def _spawn(self) -> None:
        folders = self.folders
        command = [str(self._program.postgres), "-D", str(folders.data), "-k", str(folders.socket)]
        for option in self._options:
            command += ["-c", option]
        log = open_log(folders.log)
        try:
            self._log_start = os.fstat(log).st_size
            self._process = launch(command, self._user, log)
        finally:
            os.close(log)

    def _signal(self, number: signal.Signals) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(number)
