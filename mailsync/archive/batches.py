"""An archive in batches of read messages: the slow part of an import, done without any transaction open.

Runs in a thread of its own, one batch at a time. A fault of the program on one message quarantines that
message; memory is one batch of texts (100 messages or 4 MiB) and one raw message.
"""

from collections.abc import Iterator

import msgspec
import structlog

from mailsync.archive.members import Archive
from mailsync.archive.types import Found
from mailsync.archive.walk import messages
from mailsync.messages.rules import read_message
from mailsync.messages.types import Quarantined, Read
from schema.faults import told

log = structlog.get_logger()

MOST_MESSAGES = 100
MOST_CHARACTERS = 4 * 1024 * 1024


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """`resume` and `bytes_done` are those of its last message."""

    read: tuple[Read, ...]
    quarantined: tuple[Quarantined, ...]
    resume: str
    bytes_done: int

    @property
    def seen(self) -> int:
        return len(self.read) + len(self.quarantined)


class _Open:
    """The batch being filled."""

    def __init__(self) -> None:
        self.read: list[Read] = []
        self.quarantined: list[Quarantined] = []
        self.characters = 0
        self.resume = ""
        self.bytes_done = 0

    def add(self, found: Found, owner_addresses: frozenset[str]) -> None:
        self.resume, self.bytes_done = found.resume, found.done_bytes
        item = _read(found, owner_addresses)
        if isinstance(item, Quarantined):
            self.quarantined.append(item)
            return
        self.read.append(item)
        self.characters += len(item.message.body or "") + len(item.message.quoted or "")

    @property
    def full(self) -> bool:
        count = len(self.read) + len(self.quarantined)
        return count >= MOST_MESSAGES or self.characters >= MOST_CHARACTERS

    def closed(self) -> Batch | None:
        if not self.read and not self.quarantined:
            return None
        return Batch(
            read=tuple(self.read),
            quarantined=tuple(self.quarantined),
            resume=self.resume,
            bytes_done=self.bytes_done,
        )


def batches(archive: Archive, resume: str | None, owner_addresses: frozenset[str]) -> Iterator[Batch]:
    """What is left of the archive behind `resume`."""
    filling = _Open()
    for found in messages(archive, resume):
        filling.add(found, owner_addresses)
        del found  # or it would lie in memory while the next message is read
        if filling.full and (batch := filling.closed()) is not None:
            yield batch
            filling = _Open()
    if (batch := filling.closed()) is not None:
        yield batch


def _read(found: Found, owner_addresses: frozenset[str]) -> Read | Quarantined:
    if found.code is not None:
        return Quarantined(position=found.position, code=found.code, size_bytes=found.size_bytes)
    try:
        return read_message(found.raw, owner_addresses)
    except Exception as error:  # noqa: BLE001 - one message never stops the others
        log.error("a message could not be read and was quarantined", fault=told(error))
        return Quarantined(position=found.position, code="unparseable", size_bytes=found.size_bytes)
