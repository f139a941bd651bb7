"""Which senders are people, and the names they go by. Pure.

A mailbox of a platform, or one nobody reads, is no contact: it is shown apart; answering it leads nowhere.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from mailsync.classify.facts.contact import is_unread
from mailsync.classify.senders import known_sender
from mailsync.parse.types import Address


class Sender(msgspec.Struct, frozen=True, kw_only=True):
    """How often one name wrote from one address, and when. Times None: none of the messages carries one."""

    address: str
    name: str
    messages: int
    first_at: datetime | None
    last_at: datetime | None


class Correspondent(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who wrote: the name used last, and all messages of that address together."""

    address: str
    name: str
    messages: int
    first_at: datetime | None
    last_at: datetime | None
    is_machine: bool


def correspondents(senders: Iterable[Sender]) -> list[Correspondent]:
    """One per address, people before machines, and within that who wrote last."""
    by_address: dict[str, list[Sender]] = {}
    for sender in senders:
        by_address.setdefault(sender.address.lower(), []).append(sender)
    found = [_together(address, written) for address, written in by_address.items()]
    return sorted(found, key=lambda each: (each.is_machine, -_stamp(each.last_at), each.address))


def is_machine(address: str) -> bool:
    """Whether nobody reads what is sent there, as far as the address tells."""
    local, _, _ = address.rpartition("@")
    return is_unread(local or address) or known_sender(Address(address=address)) is not None


def _together(address: str, written: list[Sender]) -> Correspondent:
    named = [each for each in written if each.name] or written
    firsts = [each.first_at for each in written if each.first_at is not None]
    lasts = [each.last_at for each in written if each.last_at is not None]
    return Correspondent(
        address=address,
        name=max(named, key=lambda each: _stamp(each.last_at)).name,
        messages=sum(each.messages for each in written),
        first_at=min(firsts, default=None),
        last_at=max(lasts, default=None),
        is_machine=is_machine(address),
    )


def _stamp(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0
