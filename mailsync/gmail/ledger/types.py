"""Rows of the ledger as the sync and the pages see them."""

from datetime import datetime

import msgspec

from mailsync.gmail.types import GmailId, LedgerState
from schema.ids import MessageId


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A message that is to be fetched; `tries` counts how often that was begun before."""

    gmail_id: GmailId
    tries: int


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a fetched message."""

    gmail_id: GmailId
    state: LedgerState
    reason: str | None = None
    thread_id: str | None = None
    labels: list[str] | None = None
    message_id: MessageId | None = None
    content_sha256: str | None = None
    screen_version: int | None = None
    received_at: datetime | None = None
    size_bytes: int | None = None


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Of one mailbox. `stored` are in the message store; of `not_kept` only id, hash and reason remain."""

    wanted: int
    stored: int
    not_kept: int
    left_out: int
    gone: int
    quarantined: int


class Quarantined(msgspec.Struct, frozen=True, kw_only=True):
    """A message that could not be read, by Gmail's id."""

    gmail_id: GmailId
    code: str | None
    size_bytes: int | None
    at: datetime | None
