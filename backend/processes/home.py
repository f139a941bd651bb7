"""The folder an installation lives in, and the lock that lets one `jobtrail up` own it at a time.

Makes the folder when it is missing. A folder that was there before keeps its mode; only root's empty one is
opened to pass through.
"""

import fcntl
import os
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from backend.processes.refusals import CannotStart
from schema.errors import HeldElsewhere

UP = "jobtrail up"
_OPEN_TO_PASS = 0o711
_PRIVATE = 0o700
_TRIES = 5
_TRY_AGAIN_SECONDS = 0.05


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds an installation, as written into its lock file."""

    pid: int
    since: datetime
    doing: str
    address: str = ""
    """Where its pages are, once that is known; empty for whoever serves none."""

    @property
    def called(self) -> str:
        """What was typed to start it."""
        return "make run, or jobtrail up" if self.doing == UP else self.doing


class Hold(msgspec.Struct, frozen=True, kw_only=True):
    """The lock, held. `predecessor` is who held it last and did not end in order."""

    predecessor: Holder | None
    descriptor: int
    mine: Holder

    def say_where(self, address: str) -> None:
        """Tell whoever asks for the holder where the pages are."""
        _write(self.descriptor, replace(self.mine, address=address))


def is_used(folder: Path) -> bool:
    """Whether somebody has held the installation in `folder` before, as far as this user can see."""
    return os.access(folder / "lock", os.F_OK)


def make_home(folder: Path) -> None:
    """Make `folder` (and what is missing above it), or say why it cannot hold our data."""
    try:
        _make(folder)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise CannotStart(
            f"{_why_not(folder, error)}. Set JOBTRAIL_HOME to a folder this user may write to."
        ) from error


def _why_not(folder: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and not folder.exists():  # as in /proc, where nothing can be made
        above = next(each for each in folder.parents if each.exists())
        return f"cannot make the folder {folder}: {above} takes no new folders"
    return f"cannot write to the folder {folder}: {error.strerror}"


@contextmanager
def held(folder: Path, doing: str) -> Generator[Hold, None, None]:
    """Own the installation in `folder` for a while, or raise `HeldElsewhere` saying who does, since when.

    The kernel lets go of the lock with this process, however it ends; children do not inherit it.
    """
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(descriptor, folder)
        predecessor = _read(descriptor)
        mine = Holder(pid=os.getpid(), since=datetime.now(UTC), doing=doing)
        _write(descriptor, mine)
        try:
            yield Hold(predecessor=predecessor, descriptor=descriptor, mine=mine)
        finally:
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def holder(folder: Path) -> Holder | None:
    """Who holds the installation right now; None when nobody does."""
    try:
        descriptor = os.open(folder / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _read(descriptor)
    finally:
        os.close(descriptor)
    return None


def _make(folder: Path) -> None:
    for ancestor in reversed(folder.parents):
        if not ancestor.exists():
            ancestor.mkdir(exist_ok=True)
            ancestor.chmod(0o755 if os.geteuid() == 0 else _PRIVATE)
    if folder.exists():
        _take_as_it_is(folder)
    else:
        folder.mkdir()
        # Root's server runs as another user, who has to pass through to its own folder, and no more.
        folder.chmod(_OPEN_TO_PASS if os.geteuid() == 0 else _PRIVATE)


def _take_as_it_is(folder: Path) -> None:
    mode = folder.stat().st_mode
    if not stat.S_ISDIR(mode):
        return
    if mode & stat.S_IWOTH:
        raise CannotStart(f"everybody may write to {folder}. Set JOBTRAIL_HOME to a folder of your own.")
    if os.geteuid() == 0 and folder.stat().st_uid == 0 and not any(folder.iterdir()):
        folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)  # for root's server, as above


def _lock(descriptor: int, folder: Path) -> None:
    for _ in range(_TRIES):
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Whoever only asks who the holder is holds the lock for an instant.
            time.sleep(_TRY_AGAIN_SECONDS)
    who = _read(descriptor)
    by = f"process {who.pid} ({who.called}, since {who.since:%Y-%m-%d %H:%M:%S} UTC)" if who else "a process"
    there = f"; it is at {who.address}" if who and who.address else ""
    raise HeldElsewhere(
        f"{by} already runs Jobtrail in {folder}{there}. Stop it, or set JOBTRAIL_HOME to another folder."
    )


def _read(descriptor: int) -> Holder | None:
    try:
        return msgspec.json.decode(os.pread(descriptor, 4096, 0), type=Holder)
    except (msgspec.DecodeError, OSError):
        return None


def _write(descriptor: int, who: Holder) -> None:
    told = msgspec.json.encode(who)
    os.pwrite(descriptor, told, 0)
    os.ftruncate(descriptor, len(told))
