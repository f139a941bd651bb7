"""A message on its way into the store. Made by `rules.py`, written by `store.py`."""

from datetime import datetime

import msgspec

from mailsync.classify.screen import Kept
from mailsync.classify.types import Reading
from mailsync.conversations.types import Bond
from mailsync.messages.kept import Parsed
from mailsync.parse.types import SentAtSource
from mailsync.tracked.types import Mentions
from schema.ids import MessageId
from schema.vocabulary import ContinuedBy


class NewMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `messages` before it has an id. What is not kept is empty here already."""

    message_key: str
    rfc_message_id: str | None
    content_sha256: str
    sent_at: datetime | None
    sent_at_source: SentAtSource
    from_owner: bool
    sender_address: str
    sender_name: str
    recipients: list[str]
    subject: str
    in_reply_to: str | None
    reference_ids: list[str]
    provider_thread: str | None
    body: str | None
    quoted: str | None
    parsed: Parsed | None
    kept: Kept
    not_kept_reason: str | None
    size_bytes: int
    examined_version: int
    kept_because: ContinuedBy | None = None
    continues_id: MessageId | None = None


class Aside(msgspec.Struct, frozen=True, kw_only=True):
    """A message as it would be kept for its conversation, or for the application it names. In memory only,
    until that is known. One of `bond` and `mentions` is there at least."""

    message: NewMessage
    reading: Reading
    bond: Bond | None
    mentions: Mentions | None = None


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """A message with what it says. `reading` is None when not even its subject is kept.

    `aside` is what becomes of one that is not kept, should it turn out to continue a kept conversation or to
    name an application.
    """

    message: NewMessage
    reading: Reading | None
    aside: Aside | None = None


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """A stored message that was read again. With a `dropped_reason` its text is kept no longer."""

    id: MessageId
    examined_version: int
    from_owner: bool
    dropped_reason: str | None = None


class Quarantined(msgspec.Struct, frozen=True, kw_only=True):
    position: str
    code: str
    size_bytes: int


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A message that was new, or whose body was not kept before and is now."""

    id: MessageId
    message_key: str
