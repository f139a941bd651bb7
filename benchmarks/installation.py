"""A throw-away installation with its own PostgreSQL, for benchmarks that need a real one."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from backend.processes.database import migrated, usable_database
from schema.settings import HomeSettings, Settings


@contextmanager
def installed() -> Generator[Settings, None, None]:
    """Settings of a migrated database that serves until the block ends and is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="jt-") as home:
        Path(home).chmod(0o711)  # root's server runs as another user, who has to pass through
        settings = Settings(home=HomeSettings(home=f"{home}/home"))
        migrated(settings)
        with usable_database(settings, "benchmark") as usable:
            yield usable
