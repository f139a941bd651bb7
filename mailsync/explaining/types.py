"""A sampled message with its why, a group of unknown ones, a stretch that could not be read. Only structs."""

from datetime import datetime

import msgspec

from schema.ids import MessageId
from schema.vocabulary import ContinuedBy, EventKind, ReadingStage, SpanSource


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One event, with the sentence a person would be shown and where it stands."""

    kind: EventKind
    reason: str | None
    rule: str
    source: SpanSource | None
    start: int | None
    end: int | None
    text: str | None


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """`stage` None: nobody read it. `note` says why an open one stayed open, where its text is kept.

    `kept_because` is set where its own words would not have kept it: it continues another message.
    """

    message_id: MessageId
    sent_at: datetime | None
    sender: str
    subject: str
    stage: ReadingStage | None
    version: int | None
    is_open: bool
    said: list[Said]
    note: str = ""
    kept_because: ContinuedBy | None = None
    continues_id: MessageId | None = None


class Open(msgspec.Struct, frozen=True, kw_only=True):
    """A message no rule could tell; `beginning` of its text, `names` that were found in it."""

    message_id: MessageId
    sender: str
    subject: str
    beginning: str
    names: list[str]


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Messages of one sending domain and one shape; `cumulative` is the share of this and all larger ones."""

    messages: int
    share: float
    cumulative: float
    domain: str
    shape: str
    example: MessageId


class Quarantined(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch that could not be read: by which door it came, and where it stands there."""

    id: int
    created_at: datetime
    code: str
    size_bytes: int | None
    door: str
    position: str
