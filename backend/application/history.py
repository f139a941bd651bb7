"""The moments of a timeline as shown: what a message says, its evidence in words, who decided. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from backend.http.excerpts import Span, Stretch, excerpt, flowing, marked
from matcher.decisions.types import EvidenceRow, InForce
from matcher.resolutions.types import Excerpt, MessageItem, Option
from matcher.timeline.types import Entry
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.vocabulary import Direction, EvidenceName, SpanSource

STRONG, FAIR = 4.0, 2.0
"""From which strength on a piece is called so; see `matcher/evidence/weights.toml` for what attaches."""


_READABLE: frozenset[EvidenceName] = frozenset(
    {"posting_url", "board_posting", "requisition", "employer", "tenant", "role"}
)


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that spoke for or against. `strength` is a word, empty for what rules out."""

    name: EvidenceName
    direction: Direction
    says: str
    value: str
    strength: str

    @property
    def unsaid(self) -> str:
        """The value, where it is one that people read and the sentence does not hold it already."""
        is_told = self.name not in _READABLE or self.value.casefold() in self.says.casefold()
        return "" if is_told else self.value


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A message on the timeline. `record` is the merged record it was attached to, None for the page's own.

    `also` are other applications it is attached to, by the word of the person.
    """

    entry: Entry
    version: str
    why: str
    confirm: Option | None
    decided_at: datetime | None
    record: ApplicationId | None
    also: list[ApplicationId]
    pieces: list[Piece]
    subject: list[Stretch]
    text: list[Stretch]

    @property
    def message_id(self) -> MessageId:
        return self.entry.message_id

    @property
    def confirmed(self) -> bool:
        return self.entry.by_person


class Around(msgspec.Struct, frozen=True, kw_only=True):
    """What is known around the messages of an application. `records`: its own, and those merged into it."""

    application_id: ApplicationId
    records: frozenset[ApplicationId]
    items: Mapping[MessageId, MessageItem]
    in_force: Mapping[MessageId, InForce]
    evidence: Mapping[DecisionId, Sequence[EvidenceRow]]


def moments(entries: Iterable[Entry], around: Around) -> list[Moment]:
    return [_moment(entry, item, around) for entry in entries if (item := around.items.get(entry.message_id))]


def strength_word(strength: float, direction: Direction) -> str:
    if direction == "veto":
        return ""
    size = abs(strength)
    return "strong" if size >= STRONG else "fair" if size >= FAIR else "slight"


def _moment(entry: Entry, item: MessageItem, around: Around) -> Moment:
    now = around.in_force.get(entry.message_id)
    attached = now.attached_to if now else frozenset[ApplicationId]()
    record = next((found for found in sorted(attached) if found in around.records), None)
    rows = around.evidence.get(entry.decision_id, [])
    return Moment(
        entry=entry,
        version=item.version,
        why=item.why,
        confirm=item.option("confirm"),
        decided_at=now.decided_at if now else None,
        record=None if record == around.application_id else record,
        also=sorted(attached - around.records),
        pieces=[_piece(row) for row in rows if row.application_id in around.records],
        subject=marked(item.excerpt.subject, _spans(item.excerpt, "subject")),
        text=excerpt(flowing(item.excerpt.text or ""), _spans(item.excerpt, "text")),
    )


def _piece(row: EvidenceRow) -> Piece:
    return Piece(
        name=row.name,
        direction=row.direction,
        says=row.says,
        value=row.value,
        strength=strength_word(row.strength, row.direction),
    )


def _spans(shown: Excerpt, source: SpanSource) -> list[Span]:
    return [Span(start=mark.start, end=mark.end) for mark in shown.marks if mark.source == source]
