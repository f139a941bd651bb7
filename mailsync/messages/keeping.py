"""The one door into the message store for mail that was read: what is kept, why, and what it says.

What the screen keeps is stored first, so that what continues it is found among the rest, in the same batch
and the same transaction; what is left is kept where it names an application. The caller's unit holds
everything together with its own position.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mailsync.classify.store import append
from mailsync.conversations.rules import continued
from mailsync.conversations.store import lenders
from mailsync.messages.store import store_messages
from mailsync.messages.types import Aside, Read, Stored
from mailsync.tracked.rules import names_one
from mailsync.tracked.store import tracked
from schema.db import Unit
from schema.ids import MailboxId, MessageId
from schema.vocabulary import ContinuedBy


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """`read` holds every message by its key as decided, `stored` those that are new or whole from now on."""

    stored: list[Stored]
    read: Mapping[str, Read]

    @property
    def has_readings(self) -> bool:
        return any(self.read[row.message_key].reading is not None for row in self.stored)


async def keep_messages(
    unit: Unit,
    mailbox_id: MailboxId,
    reads: Sequence[Read],
    *,
    now: datetime,
    with_identities: bool = True,
    asking: bool = True,
) -> Kept:
    """Of two with one key the first counts. Without identities, what is not even kept by its head is left to
    the caller; `asking` lets a language model read what is open, where its owner does.
    """
    by_key = {read.message.message_key: read for read in reversed(reads)}
    ordered = {read.message.message_key: by_key[read.message.message_key] for read in reads}
    whole = [read for read in ordered.values() if read.message.kept == "whole"]
    stored = await _store(unit, mailbox_id, whole, now=now, asking=asking)
    others = [read for read in ordered.values() if read.message.kept != "whole"]
    rest = await _with_what_names_one(unit, await _with_what_continues(unit, others))
    ordered.update((read.message.message_key, read) for read in rest)
    wanted = [read for read in rest if with_identities or read.message.kept != "identity"]
    stored += await _store(unit, mailbox_id, wanted, now=now, asking=asking)
    return Kept(stored=stored, read=ordered)


async def _store(
    unit: Unit, mailbox_id: MailboxId, reads: Sequence[Read], *, now: datetime, asking: bool
) -> list[Stored]:
    stored = await store_messages(unit, mailbox_id, [read.message for read in reads], now=now)
    by_key = {read.message.message_key: read for read in reads}
    readings = {row.id: said for row in stored if (said := by_key[row.message_key].reading) is not None}
    await append(unit, readings, now=now, asking=asking)
    return stored


async def _with_what_continues(unit: Unit, reads: Sequence[Read]) -> list[Read]:
    """The same messages, those whole that continue a kept conversation."""
    bonds = {place: bond for place, read in enumerate(reads) if read.aside and (bond := read.aside.bond)}
    found = continued(list(bonds.values()), await lenders(unit, list(bonds.values())))
    places = list(bonds)
    why = {places[number]: each for number, each in found.items()}
    return [
        _whole(read.aside, each.way, each.message_id) if (each := why.get(place)) and read.aside else read
        for place, read in enumerate(reads)
    ]


async def _with_what_names_one(unit: Unit, reads: Sequence[Read]) -> list[Read]:
    """The same messages, those whole that name an application of this person."""
    known = await tracked(unit, [read.aside.mentions for read in reads if read.aside and read.aside.mentions])
    return [
        _whole(read.aside, "application")
        if known and read.aside and read.aside.mentions and names_one(read.aside.mentions, known)
        else read
        for read in reads
    ]


def _whole(aside: Aside, way: ContinuedBy, continues: MessageId | None = None) -> Read:
    message = msgspec.structs.replace(aside.message, kept_because=way, continues_id=continues)
    return Read(message=message, reading=aside.reading)
