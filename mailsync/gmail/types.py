"""What the parts of the Gmail door tell each other. Only structs and closed sets; no decisions here."""

from datetime import datetime
from typing import Literal, NewType

import msgspec

from schema.ids import AccountId, MailboxId

GmailId = NewType("GmailId", str)

MailboxState = Literal["connected", "scope_declined", "refresh_missing", "grant_lost", "disconnected"]
Phase = Literal["starting", "listing", "fetching", "in_step"]
Cycle = Literal["first", "gap"]
ChangeKind = Literal["added", "deleted", "labels_added", "labels_removed"]
LedgerState = Literal["wanted", "stored", "not_kept", "left_out", "gone", "quarantined"]

NEW_MAIL, HIRING, REST, AGAIN = 0, 1, 2, 3
"""Ranks: what is fetched before what."""


class Who(msgspec.Struct, frozen=True, kw_only=True):
    """One mailbox of one account."""

    account_id: AccountId
    mailbox_id: MailboxId


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    address: str
    history_id: str


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a list: lists tell ids only."""

    gmail_id: GmailId
    thread_id: str | None = None


class ListPage(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Listed, ...]
    next_page: str | None


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the history. `labels` were put on or taken off; `has` are all it has, when told."""

    kind: ChangeKind
    gmail_id: GmailId
    thread_id: str | None = None
    labels: tuple[str, ...] = ()
    has: tuple[str, ...] | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What one history id stands for. Ids are whole numbers of 64 bits without a sign."""

    number: int
    changes: tuple[Change, ...]


class HistoryPage(msgspec.Struct, frozen=True, kw_only=True):
    """`history_id` is the mailbox's present one: the next cursor once the last page is recorded."""

    records: tuple[Record, ...]
    next_page: str | None
    history_id: str | None


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """A label a mailbox can be narrowed to; `own`: made by the person."""

    label_id: str
    name: str
    own: bool


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A message as fetched. `raw` is as Gmail encodes it: URL-safe base64, padded or not."""

    gmail_id: GmailId
    thread_id: str | None
    labels: tuple[str, ...]
    received_at: datetime | None
    raw: str


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What of a mailbox is wanted. No labels: all of it. `only_new`: of its past only what a query lists."""

    include_spam: bool = False
    labels: frozenset[str] = frozenset()
    only_new: bool = False


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the ledger, as far as decisions need it."""

    gmail_id: GmailId
    state: LedgerState
    reason: str | None
    labels: list[str] | None
    thread_id: str | None
    is_stored: bool
    is_read: bool


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What a row of the ledger is to say from now on."""

    gmail_id: GmailId
    state: LedgerState
    reason: str | None = None
    labels: list[str] | None = None
    thread_id: str | None = None
