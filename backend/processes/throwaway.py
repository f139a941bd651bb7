"""A database of its own for measuring: made in a fresh folder, brought up to date, and gone at the end.

It never touches an installation. Nothing in it is worth keeping, so the server does not wait for the disk.
"""

import shutil
import signal
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from backend.local_postgres import LocalPostgres
from backend.processes.database import bring_up_to_date
from schema.settings import DatabaseSettings

_HASTY = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_wal_size=4GB")
_OPEN_TO_PASS = 0o711
_STOPS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def throwaway_database() -> Generator[DatabaseSettings, None, None]:
    """Settings of a migrated, empty database. The folder goes with the block, also when it is interrupted."""
    with _stops_raised():
        home = Path(tempfile.mkdtemp(prefix="jobtrail-measuring-", dir=place()))
        try:
            home.chmod(_OPEN_TO_PASS)  # as root, the server runs as somebody else
            postgres = LocalPostgres(home, options=_HASTY)
            with postgres.running() as urls:
                bring_up_to_date(urls.owner_url, postgres)
                yield DatabaseSettings(url=urls.url, owner_url=urls.owner_url)
        finally:
            shutil.rmtree(home, ignore_errors=True)


def place() -> str | None:
    """Where everybody may pass through, and a socket's path stays short."""
    return "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108


@contextmanager
def _stops_raised() -> Generator[None, None, None]:
    """A polite end is an interruption like Ctrl-C, so that what was begun is cleared away."""
    before = [(number, signal.signal(number, interrupt)) for number in _STOPS if _is_ours(number)]
    try:
        yield
    finally:
        for number, handler in before:
            with suppress(ValueError):
                signal.signal(number, handler)


def _is_ours(number: signal.Signals) -> bool:
    """Not what nohup told to be ignored."""
    return signal.getsignal(number) is not signal.SIG_IGN


def interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
