"""How each process begins, under a supervisor or by itself: settings, log, database."""

import time
from collections.abc import Generator
from contextlib import contextmanager

import msgspec
import psycopg

from backend.processes.database import usable_database
from backend.processes.lifeline import Lifeline
from schema import logs
from schema.migrate import require_current
from schema.settings import Settings, load

_DATABASE_PATIENCE_SECONDS = 15.0
_LOOK_AGAIN_SECONDS = 0.2


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    settings: Settings
    lifeline: Lifeline
    is_first: bool
    """Whether this is the first process of its kind in this run, not one started again."""


@contextmanager
def ready_database(name: str, bond: int | None) -> Generator[Ready, None, None]:
    """Settings whose database answers and fits this program; under a supervisor, once that says so.

    Whoever calls has loaded its code already, so that loading and the database's start happen side by side.
    """
    lifeline = Lifeline.of_descriptor(bond)
    settings = load()
    logs.configure(settings.log)
    is_first = lifeline.wait_for_go()
    lifeline.watch()
    with usable_database(settings, f"jobtrail {name}") as usable:
        _require_current(usable.database.url)
        yield Ready(settings=usable, lifeline=lifeline, is_first=is_first)


def _require_current(url: str) -> None:
    """The schema's check, with patience for a database that is just starting again."""
    deadline = time.monotonic() + _DATABASE_PATIENCE_SECONDS
    while True:
        try:
            return require_current(url)
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_LOOK_AGAIN_SECONDS)
