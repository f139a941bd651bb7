"""A message in a list, a message whole, and an import, as the mail pages show them. Only structs."""

from datetime import datetime
from typing import Literal
from urllib.parse import quote

import msgspec

from backend.mail.rules import told
from backend.mail.words import told_aside
from schema.ids import ApplicationId, DecisionId, ImportId, MailboxId, MessageId, ReadingId
from schema.vocabulary import ContinuedBy, EventKind, FactName, MatchOutcome, ReadingStage, SpanSource

Shelf = Literal["jobs", "waiting", "loose", "open", "hidden"]
"""About a job; waiting for an answer; fits no application; not understood; only subject and sender kept.

What nobody understood is not counted as about a job: nobody knows that it is.
"""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a list is narrowed to. Every word must occur in subject or sender."""

    shelf: Shelf = "jobs"
    words: str = ""
    kind: EventKind | None = None


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The last row a page showed; messages of unknown time come after all others."""

    sent_at: datetime | None
    message_id: int


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One message in a list. `kinds` is empty when it was read and nobody could tell, or not read yet;
    `outcome` None: not matched yet."""

    message_id: MessageId
    sent_at: datetime | None
    from_owner: bool
    sender_name: str
    sender_address: str
    subject: str
    not_kept_reason: str | None
    kinds: list[EventKind]
    is_read: bool
    outcome: MatchOutcome | None
    application_id: ApplicationId | None
    company: str | None
    role: str | None


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    rows: list[Line]
    next: Place | None


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How many messages each shelf holds; `dropped` are those of which nothing but their identity is kept."""

    jobs: int
    waiting: int
    loose: int
    open: int
    hidden: int
    dropped: int


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One message. `body` None: not kept, and `not_kept_reason` says why. `reading_id` None: not read yet."""

    message_id: MessageId
    sent_at: datetime | None
    sent_at_source: Literal["date", "received", "unknown"]
    from_owner: bool
    sender_name: str
    sender_address: str
    recipients: list[str]
    subject: str
    body: str | None
    quoted: str | None
    kept: Literal["whole", "headers", "identity"]
    not_kept_reason: str | None
    size_bytes: int
    first_seen_at: datetime
    rfc_message_id: str | None
    reading_id: ReadingId | None
    reader: ReadingStage | None
    read_at: datetime | None
    outcome: MatchOutcome | None
    by_person: bool | None
    decision_id: DecisionId | None
    application_id: ApplicationId | None
    company: str | None
    role: str | None
    kept_because: ContinuedBy | None
    continues_id: MessageId | None
    continues_subject: str | None

    @property
    def header(self) -> str:
        """What spans of the header count in."""
        return f"{self.sender_name} <{self.sender_address}>" if self.sender_name else self.sender_address


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """Something a message says, by which rule, on which span."""

    kind: EventKind
    reason: str | None
    rule: str
    span_source: SpanSource | None
    span_start: int | None
    span_end: int | None
    span_text: str | None


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """Something a message names, and where."""

    name: FactName
    value: str
    span_source: SpanSource
    span_start: int
    span_end: int


class Quarantined(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of an archive that could not be read."""

    position: str
    code: str
    size_bytes: int | None

    @property
    def told(self) -> str:
        return told_aside(self.code)


class AsideKey(msgspec.Struct, frozen=True, kw_only=True):
    """The last row a page of what was set aside showed."""

    sorted_at: datetime
    place: str


class Aside(msgspec.Struct, frozen=True, kw_only=True):
    """Something that could not be read, of an archive or of a Gmail mailbox. `source` names which."""

    place: str
    sorted_at: datetime
    import_id: ImportId | None
    mailbox_id: MailboxId | None
    source: str
    position: str
    code: str
    size_bytes: int | None

    @property
    def told(self) -> str:
        return told_aside(self.code)

    @property
    def link(self) -> str:
        """Where the thing itself is found: the message at Gmail, or the archive it came with."""
        if self.mailbox_id is None:
            return f"/mail/imports/{self.import_id}"
        return f"https://mail.google.com/mail/?authuser={quote(self.source)}#all/{quote(self.position)}"


class AsidePage(msgspec.Struct, frozen=True, kw_only=True):
    rows: list[Aside]
    next: AsideKey | None


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Of the messages a mailbox has in the store: how many whole, and of how many only subject and sender."""

    whole: int
    hidden: int


class ImportLine(msgspec.Struct, frozen=True, kw_only=True):
    """One import in the list of them."""

    id: ImportId
    name: str
    state: Literal["queued", "running", "done", "failed"]
    bytes_done: int
    bytes_total: int | None
    seen: int
    stored: int
    known: int
    not_kept: int
    quarantined: int
    created_at: datetime
    finished_at: datetime | None

    @property
    def told(self) -> str:
        """What it came to, in a sentence."""
        return told(self)
