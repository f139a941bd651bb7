"""A pattern of messages, what it fits, and what a person said of it. Only structs."""

from datetime import datetime

import msgspec

from schema.ids import CorrectionId, MessageId
from schema.vocabulary import EventKind


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One sending domain, one rule (none where no stage could tell), and one shape of what is said."""

    domain: str
    rule: str
    shape: str


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A message of a domain, as a machine read it last. `sentence` is what it was told by, if by anything."""

    message_id: MessageId
    sent_at: datetime | None
    sender_address: str
    subject: str
    beginning: str
    rule: str
    sentence: str | None
    names: list[str]
    by_person: bool
    kinds: list[EventKind]

    @property
    def shown(self) -> str:
        """The sentence a person is shown of it."""
        return self.sentence or self.subject or self.beginning


class Like(msgspec.Struct, frozen=True, kw_only=True):
    """The messages like one, itself first, then the latest stored. `mark` changes with them.

    `said_already` more are like it, of which the person has said something. `is_cut` when the domain has more
    messages than are looked at.
    """

    pattern: Pattern
    messages: list[Candidate]
    mark: str
    said_already: int
    is_cut: bool


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """What was said of a pattern; `messages` are those it counts for now."""

    id: CorrectionId
    message_id: MessageId
    domain: str
    rule: str
    shape: str
    kinds: list[EventKind]
    created_at: datetime
    undone_at: datetime | None
    messages: int

    @property
    def pattern(self) -> Pattern:
        return Pattern(domain=self.domain, rule=self.rule, shape=self.shape)
