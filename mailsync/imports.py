"""The one way to ask for an import: for the command line, the page's upload and the drop folder."""

from datetime import datetime
from pathlib import Path

from mailsync.archive.members import open_archive
from mailsync.archive.store import create_import
from schema.db import Unit
from schema.ids import ImportId
from schema.live import announce
from schema.queue import CLICKED, enqueue
from schema.tasks import ImportMail

__all__ = ["import_key", "require_archive", "start_import"]


def require_archive(path: Path, *, uploaded_as: str = "") -> int:
    """The bytes an import will read, after looking at the beginning of each file. Blocks; not in a unit.

    Raises `NotAnArchive`, `ArchiveUnreadable` or `ArchiveTooLarge`, so that a wrong file is refused at once.
    """
    return open_archive(path, uploaded_as=uploaded_as).total_bytes


def import_key(import_id: ImportId) -> str:
    """One run of an import at a time; pages find it by this key."""
    return f"{ImportMail.KIND}:{import_id}"


def _absolute(path: Path) -> Path:
    return path.absolute()


async def start_import(
    unit: Unit,
    path: Path,
    *,
    now: datetime,
    name: str = "",
    size_bytes: int | None = None,
    spooled: bool = False,
    sha256: str | None = None,
) -> ImportId:
    """Record the import and ask for its work, in the caller's transaction.

    A worker that sees `path` reads it; with `spooled` the file is Jobtrail's own and removed afterwards.
    """
    absolute = _absolute(path)
    import_id = await create_import(
        unit,
        absolute,
        name=name or absolute.name,
        size_bytes=size_bytes,
        spooled=spooled,
        sha256=sha256,
        now=now,
    )
    await enqueue(
        unit,
        ImportMail(import_id=import_id),
        dedupe_key=import_key(import_id),
        priority=CLICKED,
    )
    announce(unit, "mail", import_id)
    return import_id
