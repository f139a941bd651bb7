"""What `jobtrail account` does: the zip is there only once it is whole; a deletion is followed to its end."""

import asyncio
import os
from pathlib import Path
from typing import BinaryIO

from backend.cli import store
from backend.cli.mail_import import SpareWorker
from backend.leaving.deletion import Left, Lost, leave, what_is_lost
from backend.leaving.export import export_account
from backend.mail.gmail import GmailDoor
from schema.clock import SystemClock
from schema.db import Database
from schema.errors import Refusal
from schema.settings import Settings

_POLL_SECONDS = 0.2
_MODE = 0o600


class WouldOverwrite(Refusal):
    """The file is there already; nothing was written."""

    code = "would_overwrite"


async def export_to(database: Database, email: str, path: Path) -> int:
    """The size of the zip in bytes. Readable by nobody else; an unfinished one is called so, and removed."""
    account_id = await store.account_named(database, email)
    unfinished = path.with_name(f"{path.name}.part")
    opened = await asyncio.to_thread(_opened, path, unfinished)
    try:
        with opened:

            async def send(part: bytes) -> None:
                await asyncio.to_thread(opened.write, part)

            await export_account(database, account_id, send, now=SystemClock().now())
        size_bytes = unfinished.stat().st_size
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return size_bytes


def _opened(path: Path, unfinished: Path) -> BinaryIO:
    if path.exists():
        raise WouldOverwrite(f"{path} is there already; nothing was written.")
    try:
        return os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE), "wb")
    except OSError as error:
        raise WouldOverwrite(f"{path} cannot be written: {error.strerror}.") from error


async def would_lose(database: Database, email: str) -> list[Lost]:
    account_id = await store.account_named(database, email)
    async with database.as_account(account_id) as unit:
        return await what_is_lost(unit)


async def delete_account(database: Database, settings: Settings, email: str) -> Left:
    """Ends when the account is gone. Raises `OwnerStays`; cut short, a worker goes on with it."""
    account_id = await store.account_named(database, email)
    clock = SystemClock()
    left = await leave(database, clock, GmailDoor(database, clock, settings), account_id)
    spare = SpareWorker(database, settings)
    gone = False
    try:
        while not gone:
            await spare.start_unless_another_lives()
            await asyncio.sleep(_POLL_SECONDS)
            gone = not await store.account_is_there(database, account_id)
    finally:
        await spare.end(account_id, finish=gone)
    return left
