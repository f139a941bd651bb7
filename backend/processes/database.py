"""The database a command works on: the one set, the embedded one that runs, or one started for now."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from msgspec.structs import replace

from backend.local_postgres import DatabaseUrls, LocalPostgres
from backend.processes import store
from backend.processes.home import held, holder, make_home
from backend.processes.predecessor import is_on
from backend.processes.refusals import CannotStart
from backend.processes.server_folder import require_a_way_to_home
from schema.migrate import migrate
from schema.settings import Settings

_STARTING_SECONDS = 15.0
_POLL_SECONDS = 0.1


@contextmanager
def usable_database(settings: Settings, doing: str) -> Generator[Settings, None, None]:
    """The settings with a database that answers. Starts the embedded server for the block when none runs.

    Raises `HeldElsewhere` when the installation is held and its server does not come, and `CannotStart` where
    no installation is: only `up` and `migrate` make one.
    """
    if settings.database.url:
        yield settings
        return
    folder = settings.home.folder()
    postgres = LocalPostgres(folder)
    if _is_served(postgres, folder):
        yield with_urls(settings, postgres.urls)
        return
    if not (postgres.folders.data / "PG_VERSION").exists():
        raise CannotStart(f"there is no Jobtrail in {folder} yet; start it with make run, or jobtrail up.")
    with _started_for_now(postgres, folder, doing) as urls:
        bring_up_to_date(urls.owner_url, postgres)
        yield with_urls(settings, urls)


def migrated(settings: Settings) -> list[str]:
    """Bring whatever database the settings mean up to date; the files applied now."""
    if settings.database.url or settings.database.owner_url:
        return bring_up_to_date(settings.database.owner_url or settings.database.url, None)
    folder = settings.home.folder()
    postgres = LocalPostgres(folder)
    if _is_served(postgres, folder):
        return bring_up_to_date(postgres.urls.owner_url, postgres)
    with _started_for_now(postgres, folder, "jobtrail migrate") as urls:
        return bring_up_to_date(urls.owner_url, postgres)


def with_urls(settings: Settings, urls: DatabaseUrls) -> Settings:
    return replace(settings, database=replace(settings.database, url=urls.url, owner_url=urls.owner_url))


def bring_up_to_date(owner_url: str, embedded: LocalPostgres | None) -> list[str]:
    """Migrate; the files applied now. Raises `CannotStart` when the server cannot be reached."""
    try:
        applied = migrate(owner_url)
    except psycopg.OperationalError as error:
        raise CannotStart(f"the database cannot be reached: {first_line(error)}") from error
    if embedded:
        store.grant_groups(embedded.folders.socket)
    return applied


def first_line(error: Exception) -> str:
    """The first line of a driver's message, which is written for people; never a failing row."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


@contextmanager
def _started_for_now(
    postgres: LocalPostgres, folder: Path, doing: str
) -> Generator[DatabaseUrls, None, None]:
    require_a_way_to_home(folder)
    make_home(folder)
    with held(folder, doing), postgres.running() as urls:
        yield urls


def _is_served(postgres: LocalPostgres, folder: Path) -> bool:
    """Whether a running `jobtrail up` serves this folder; waits for one that is just starting."""
    deadline = time.monotonic() + _STARTING_SECONDS
    while True:
        try:
            if is_on(postgres.folders.socket, postgres.folders.data):
                return True
        except store.NotYet:
            pass
        if holder(folder) is None or time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
