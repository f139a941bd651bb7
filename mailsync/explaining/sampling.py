"""A sample of what was said about messages, each open one read once more to tell why it stayed open.

Nothing is written: the readings shown are the stored ones that a person would be shown.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from mailsync.archive.store import own_addresses
from mailsync.classify.stages import read
from mailsync.explaining.store import only_read, sample
from mailsync.explaining.types import Explained
from mailsync.messages.kept import StoredMessage, message_of
from mailsync.passes.store import stored
from schema.db import Database
from schema.ids import AccountId, MessageId


async def explain(database: Database, account_id: AccountId, *, number: int, seed: int) -> list[Explained]:
    """`number` messages, the same for the same seed."""
    async with database.as_account(account_id) as unit:
        await only_read(unit)
        found = await sample(unit, number=number, seed=seed)
        rows = await stored(unit, [each.message_id for each in found if each.is_open])
        own = await own_addresses(unit)
    notes = await asyncio.to_thread(_notes, rows, own)
    return [msgspec.structs.replace(each, note=notes.get(each.message_id, "")) for each in found]


def _notes(rows: Sequence[StoredMessage], own: frozenset[str]) -> dict[MessageId, str]:
    read_now = {row.id: read(message_of(row), own) for row in rows}
    return {
        message_id: reading.note if reading.state == "open" else "told_by_a_newer_version"
        for message_id, reading in read_now.items()
    }
