"""Makes the data folder of the embedded PostgreSQL, and refuses one this program's server cannot open."""

import shutil
import subprocess
from pathlib import Path

from backend.processes.launch import launch
from backend.processes.refusals import CannotStart
from backend.processes.server_program import MAJOR, ServerProgram
from backend.processes.server_user import ServerUser
from backend.processes.store import OWNER


def require_our_major(data: Path) -> bool:
    """Whether there is a data folder already. Raises `CannotStart` on one of another major version."""
    try:
        found = (data / "PG_VERSION").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        _require_absent_or_empty(data)
        return False
    if found != str(MAJOR):
        raise CannotStart(
            f"the data folder {data} was made by PostgreSQL {found}, and this Jobtrail brings {MAJOR}. "
            f"Nothing was changed. Run a PostgreSQL {found} of your own on it and set JOBTRAIL_DATABASE_URL, "
            "or move the folder away to begin anew; docs/operations.md tells how to carry the data over."
        )
    return True


def make_data_folder(data: Path, program: ServerProgram, user: ServerUser | None) -> None:
    """Make it under another name first, so that a half-made folder is never taken for a database."""
    unfinished = data.with_name("data.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    process = launch(_command(program, unfinished), user, subprocess.PIPE)
    output, _ = process.communicate()
    if process.returncode != 0:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise CannotStart(f"PostgreSQL could not make its data folder: {_telling_line(output)}")
    unfinished.rename(data)


def _command(program: ServerProgram, folder: Path) -> list[str]:
    return [
        str(program.initdb),
        f"--pgdata={folder}",
        f"--username={OWNER}",
        "--auth=trust",  # the socket lies in a folder that is its user's alone
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        "--data-checksums",
        "--no-instructions",
    ]


def _require_absent_or_empty(data: Path) -> None:
    if data.exists() and any(data.iterdir()):
        raise CannotStart(f"{data} holds files but no PostgreSQL database; move it away to begin anew.")


def _telling_line(output: bytes) -> str:
    """The line of initdb's output that says what went wrong."""
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "error:" in line or "No space" in line]
    return (telling or lines or ["it said nothing"])[0]
