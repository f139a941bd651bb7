"""Uploads nobody will read any more: whose import never came to be, ended, or went with its account.

Only files in the spool folder that are called as Jobtrail calls its uploads, and only a day after they were
written: until then a request may still be recording its import, and a failed one can be replayed.
"""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

from mailsync.archive.store import every_account, paths_still_wanted
from schema.clock import Clock
from schema.db import Database

KEPT_FOR = timedelta(days=1)
_UPLOADS = "upload-*"


async def sweep_spool(db: Database, clock: Clock, folder: Path) -> int:
    """Remove them; how many there were. Accounts are asked one by one, and only when a file is that old."""
    old = await asyncio.to_thread(_written_before, folder, clock.now() - KEPT_FOR)
    if not old:
        return 0
    async with db.as_fleet() as unit:
        accounts = await every_account(unit)
    wanted: set[Path] = set()
    for account in accounts:
        async with db.as_account(account) as unit:
            wanted.update(await paths_still_wanted(unit, old))
    return await asyncio.to_thread(_removed, [path for path in old if path not in wanted])


def _written_before(folder: Path, limit: datetime) -> list[Path]:
    found: list[Path] = []
    for path in sorted(folder.absolute().glob(_UPLOADS)):
        try:
            if not path.is_symlink() and path.is_file() and path.stat().st_mtime < limit.timestamp():
                found.append(path)
        except FileNotFoundError:  # its import has ended just now
            continue
    return found


def _removed(paths: list[Path]) -> int:
    for path in paths:
        path.unlink(missing_ok=True)
    return len(paths)
