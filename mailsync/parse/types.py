"""What one parsed message is, for every floor that reads mail. Only structs; no decisions here."""

from datetime import datetime
from typing import Literal

import msgspec

SentAtSource = Literal["date", "received", "unknown"]


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """`address` is lower case and may be empty when a header carries only a name."""

    address: str
    name: str = ""

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    @property
    def local_part(self) -> str:
        return self.address.rpartition("@")[0]


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A URL in what the sender wrote; `start` and `end` mark the text in `body` that carries it."""

    url: str
    start: int
    end: int


class Attachment(msgspec.Struct, frozen=True, kw_only=True):
    """Listed, never opened. `size_bytes` is after transfer decoding, estimated for base64."""

    name: str
    media_type: str
    size_bytes: int


class CalendarPart(msgspec.Struct, frozen=True, kw_only=True):
    """A `text/calendar` part as sent, transfer decoding undone; `method` from its header, upper case."""

    method: str
    content: bytes


class BulkHints(msgspec.Struct, frozen=True, kw_only=True):
    """Headers bulk senders set. Hints only: hiring platforms set them as well."""

    list_id: str = ""
    list_unsubscribe: bool = False
    precedence: str = ""
    auto_submitted: bool = False
    feedback_id: str = ""


class ParsedMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One message. All text is storable: no NUL, no surrogates, no invisible direction marks.

    `body` is what the sender wrote, a forwarded original included; `quoted` is the history below or
    between; `signature` what stands under a signature mark. `defects` are stable codes of what was broken.
    """

    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    sender: Address
    reply_to: tuple[Address, ...]
    recipients: tuple[Address, ...]
    subject: str
    sent_at: datetime | None
    sent_at_source: SentAtSource
    bulk: BulkHints
    provider_thread: str | None
    labels: tuple[str, ...]
    body: str
    signature: str
    quoted: str
    is_forward: bool
    links: tuple[Link, ...]
    calendars: tuple[CalendarPart, ...]
    attachments: tuple[Attachment, ...]
    defects: tuple[str, ...]
