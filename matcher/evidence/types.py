"""A message and its possible applications as the evidence rules see them. Only structs."""

from datetime import date, datetime
from typing import Literal

import msgspec

from matcher.decisions.types import Span
from schema.ids import ApplicationId, MessageId, ReadingId
from schema.vocabulary import EventKind, FactName

Via = Literal["reply_chain", "calendar", "thread", "contact"]
"""What ties a message to a settled one."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A fact the message names. `sure` is False when only a model read it."""

    name: FactName
    value: str
    span: Span
    sure: bool


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """One message: what the sender wrote now, never the history quoted below it.

    `reading_id` is the newest reading looked at; None when the message was not read yet. `kinds` is empty
    when the reading is open. A `forwarded` one stands here as its first sender's, who is written as
    `forwarded_from` at `forwarded_at` of the body, and the person who passed it on is nowhere in it. An
    `is_wordless` one speaks of no hiring: it was kept for the application whose employer or title it names.
    """

    message_id: MessageId
    reading_id: ReadingId | None
    sent_at: datetime | None
    from_owner: bool
    sender_address: str
    sender_name: str
    subject: str
    body: str
    rfc_message_id: str | None
    cites: tuple[str, ...]
    thread: str | None
    kinds: tuple[EventKind, ...]
    named: tuple[Named, ...]
    is_bulk: bool = False
    is_wordless: bool = False
    forwarded: bool = False
    forwarded_from: str = ""
    forwarded_at: int = 0

    def all_named(self, name: FactName) -> list[Named]:
        return [fact for fact in self.named if fact.name == name]

    def sender_span(self, part: str) -> Span:
        """Where that part of the sender's name or address stands; of a forward in the original's head."""
        whole = self.forwarded_from if self.forwarded else self.header
        start = max(whole.casefold().rfind(part.casefold()), 0) + (self.forwarded_at if self.forwarded else 0)
        return Span(source="text" if self.forwarded else "header", start=start, end=start + len(part))

    @property
    def header(self) -> str:
        """What spans of the header count in."""
        return f"{self.sender_name} <{self.sender_address}>" if self.sender_name else self.sender_address


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A record of an application that shares a key with the message.

    `application_id` is the application that stands for it: another record where this one was merged. Each
    record is weighed on its own names and numbers, and the best one speaks for the application. `ended_at` is
    when a settled message, or the person, ended the application; None while it runs or nobody knows.
    """

    application_id: ApplicationId
    record_id: ApplicationId
    company: str | None
    company_key: str | None
    role: str | None
    canonical_url: str | None
    platform: str | None
    board: str | None
    vendor_id: str | None
    requisition_id: str | None
    requisition_key: str | None
    applied_at: datetime | None
    applied_on: date | None
    places: list[str] = []
    is_derived: bool = False
    ended_at: datetime | None = None

    @property
    def posting_keys(self) -> frozenset[str]:
        own = f"{self.platform}:{self.vendor_id}" if self.platform and self.vendor_id else None
        return frozenset(key for key in (own, self.canonical_url) if key)


class Lent(msgspec.Struct, frozen=True, kw_only=True):
    """What a settled message of the same conversation lends: the application it vouches for."""

    application_id: ApplicationId
    via: Via
    by_person: bool
