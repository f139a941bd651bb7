"""The rows of `mailboxes`: found or made by door and address. Their one writer."""

from datetime import datetime
from typing import Literal

import msgspec

from schema.db import Unit
from schema.ids import MailboxId
from schema.query import Query

Door = Literal["archive", "gmail"]


class _Mailbox(msgspec.Struct, frozen=True, kw_only=True):
    id: MailboxId


FOUND_OR_MADE = Query(
    "mailboxes.found_or_made",
    _Mailbox,
    """INSERT INTO mailboxes (door, address, created_at) VALUES (%(door)s, %(address)s, %(now)s)
       ON CONFLICT (account_id, door, address) DO UPDATE SET address = excluded.address
       RETURNING id""",
)


async def mailbox_of(unit: Unit, door: Door, address: str, *, now: datetime) -> MailboxId:
    """The mailbox of this door and address, made when there is none; `address` in lower case."""
    return (await unit.one(FOUND_OR_MADE, door=door, address=address, now=now)).id
