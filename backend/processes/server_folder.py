"""The files of the embedded PostgreSQL: its data folder, its socket folder, its log, its pid file.

Finds and makes files; starts and stops nothing. The pid file is a hint where to knock, never proof of life.
"""

import hashlib
import os
import re
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from backend.processes.refusals import CannotStart
from backend.processes.rules import fits_a_socket
from backend.processes.server_user import ServerUser, blocking_folder, server_user

_LOG_LIMIT_BYTES = 4 * 1024 * 1024
_LOG_TAIL_BYTES = 8192
# Not what single connections were told while the server was starting, stopping or being restarted.
_COMPLAINT = re.compile(r"(?:FATAL|PANIC): +(?! |the database system is|terminating|password|role)(.*)")
_PID_LINES_TO_SOCKET = 5


class ServerFolders(msgspec.Struct, frozen=True, kw_only=True):
    base: Path
    """Belongs to the server's user; holds the rest, but for a socket whose path would be too long."""
    data: Path
    socket: Path
    log: Path


class PidFile(msgspec.Struct, frozen=True, kw_only=True):
    pid: int
    socket: Path
    status: str


def server_folders(home: Path) -> ServerFolders:
    base = home / "postgres"
    return ServerFolders(
        base=base, data=base / "data", socket=_socket_folder(home, base), log=home / "log/postgres.log"
    )


def _socket_folder(home: Path, base: Path) -> Path:
    if fits_a_socket(str(base / "run")):
        return base / "run"
    short = hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    # Not TMPDIR: the next start, from another shell, has to find the same place.
    return Path("/tmp" if Path("/tmp").is_dir() else tempfile.gettempdir(), f"jobtrail-{short}")  # noqa: S108


def make_folders(folders: ServerFolders, user: ServerUser | None) -> None:
    """Make what is missing, private to the server's user. Raises `CannotStart` when it cannot get there."""
    folders.log.parent.mkdir(mode=0o700, exist_ok=True)  # the server gets its log opened
    _make_private(folders.base, user)
    if user:
        require_a_way(folders.base, user)
    _make_private(folders.socket, user)


def require_a_way_to_home(home: Path) -> None:
    """The same before anything of a home is made, which itself is opened to pass while it is empty."""
    if os.geteuid() == 0 and (user := server_user(server_folders(home).data)):
        is_taken_as_it_is = home.is_dir() and any(home.iterdir())
        require_a_way(home if is_taken_as_it_is else home.parent, user)


def require_a_way(folder: Path, user: ServerUser) -> None:
    """Raises `CannotStart`, naming the folder that keeps `user` from getting to `folder`."""
    if blocked := blocking_folder(folder, user):
        raise CannotStart(
            f"PostgreSQL cannot run as root, and user {user.name}, who runs it instead, cannot pass through "
            f"{blocked}. Set JOBTRAIL_HOME to a folder that everybody may pass through "
            f"(such as /var/lib/jobtrail), or allow it with: chmod o+x {blocked}"
        )


def _make_private(folder: Path, user: ServerUser | None) -> None:
    owner = user.uid if user else os.geteuid()
    if not folder.exists():
        folder.mkdir(mode=0o700)
        if user:
            os.chown(folder, user.uid, user.gid)
    status = folder.lstat()
    if not folder.is_dir() or folder.is_symlink() or status.st_uid != owner or status.st_mode & 0o077:
        raise CannotStart(
            f"{folder} must be a folder of the server's user alone, with mode 0700; move it away."
        )


def read_pid_file(data: Path) -> PidFile | None:
    """What the pid file says; None when it is absent or half written."""
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return None
    if len(lines) < _PID_LINES_TO_SOCKET or not re.fullmatch(r"\d{1,9}", lines[0]) or not lines[4]:
        return None
    return PidFile(pid=int(lines[0]), socket=Path(lines[4]), status="".join(lines[7:8]).strip())


def last_written(data: Path) -> datetime | None:
    """When the server last wrote its control file; None when there is none yet."""
    try:
        return datetime.fromtimestamp((data / "global/pg_control").stat().st_mtime, UTC)
    except OSError:
        return None


def open_log(log: Path) -> int:
    """A descriptor to append to `log`; one older log is kept when it has grown large."""
    if log.exists() and log.stat().st_size > _LOG_LIMIT_BYTES:
        log.replace(log.with_suffix(".log.1"))
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def last_complaint(log: Path, since: int) -> str:
    """The last fatal line the server wrote after byte `since`, without its prefix; or nothing."""
    try:
        with log.open("rb") as file:
            file.seek(max(since, log.stat().st_size - _LOG_TAIL_BYTES))
            found = _COMPLAINT.findall(file.read().decode(errors="replace"))
    except OSError:
        return ""
    return str(found[-1]).strip() if found else ""


def free_bytes(folder: Path) -> int:
    """Free space on the disk of `folder`, or of the nearest folder above it that exists."""
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return shutil.disk_usage(existing).free
