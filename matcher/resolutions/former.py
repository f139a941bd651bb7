"""The structs of the first review page, until the pages speak the words of `types.py`. Only structs."""

from datetime import date, datetime
from typing import Literal

import msgspec

from schema.ids import ApplicationId, DecisionId, MessageId
from schema.vocabulary import (
    ApplicationOrigin,
    Choice,
    Direction,
    EventKind,
    EvidenceName,
    MatchOutcome,
    SpanSource,
    Stage,
)


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the excerpt to mark. Of a header, offsets count in `Excerpt.header`."""

    source: SpanSource
    start: int
    end: int
    says: str


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """`text` is None when the body was not kept; `is_cut` when there is more of it than shown."""

    subject: str
    header: str
    sent_at: datetime | None
    text: str | None
    is_cut: bool
    marks: list[Mark]


class ShownPiece(msgspec.Struct, frozen=True, kw_only=True):
    name: EvidenceName
    direction: Direction
    strength: float
    says: str


class ShownCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """An application the message may be about, the likeliest first."""

    application_id: ApplicationId
    company: str | None
    role: str | None
    origin: ApplicationOrigin
    stage: Stage
    applied_at: datetime | None
    applied_on: date | None
    score: float
    evidence_for: list[ShownPiece]
    evidence_against: list[ShownPiece]


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A choice the server offers; `reason` says why it is not eligible, `affects` what it would touch."""

    choice: Choice
    eligible: bool
    reason: str | None
    needs_target: bool
    affects: list[MessageId]


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One message as a question. `version` is the decision shown; 0 when it was never examined.

    `confirm_rate` is how often the person agreed where the evidence had this pattern; None until measured.
    """

    message_id: MessageId
    version: DecisionId
    outcome: MatchOutcome | Literal["not_examined"]
    application_id: ApplicationId | None
    by_person: bool
    changes_stage: bool
    pattern: str
    confirm_rate: float | None
    kinds: list[EventKind]
    company: str | None
    role: str | None
    excerpt: Excerpt
    candidates: list[ShownCandidate]
    options: list[Option]


class WaitingItem(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the queue; `company` and `role` are the likeliest candidate's, None without one."""

    message_id: MessageId
    version: DecisionId
    changes_stage: bool
    pattern: str
    subject: str
    sender_name: str
    sender_address: str
    sent_at: datetime | None
    application_id: ApplicationId | None
    company: str | None
    role: str | None


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the queue a page ended."""

    changes_stage: bool
    message_id: MessageId


class WaitingPage(msgspec.Struct, frozen=True, kw_only=True):
    """`total` counts the whole queue, `changing` those whose answer would move an application."""

    items: list[WaitingItem]
    next: Place | None
    total: int
    changing: int


class NewFromMessage(msgspec.Struct, frozen=True, kw_only=True):
    """What the person corrects when an application is created; None takes what the message names."""

    company: str | None = None
    role: str | None = None


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer did. `version` is the item's new version."""

    version: DecisionId
    outcome: MatchOutcome
    application_id: ApplicationId | None
    created: bool
    message_ids: list[MessageId]


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What the person decided, what it replaced, and whether it still stands."""

    decision_id: DecisionId
    message_id: MessageId
    choice: Choice
    outcome: MatchOutcome
    application_id: ApplicationId | None
    company: str | None
    role: str | None
    subject: str
    sent_at: datetime | None
    decided_at: datetime
    replaced_outcome: MatchOutcome | None
    replaced_application_id: ApplicationId | None
    undone_at: datetime | None
    version: DecisionId


class PatternRate(msgspec.Struct, frozen=True, kw_only=True):
    """How often the person agreed with the machine's first candidate under one pattern of evidence."""

    pattern: str
    answered: int
    confirmed: int

    @property
    def rate(self) -> float | None:
        return self.confirmed / self.answered if self.answered else None
