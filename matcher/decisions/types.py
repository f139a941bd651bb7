"""What one decision about one message is, with the evidence it rests on. Only structs."""

from datetime import datetime
from typing import Literal

import msgspec

from schema.ids import ActId, ApplicationId, DecisionId, MessageId, ReadingId
from schema.vocabulary import Choice, Direction, EvidenceName, MatchOutcome, SpanSource

MachineOutcome = Literal["attached", "asks", "none"]
Actor = Literal["machine", "person"]


class Span(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Characters `start` to `end` of one part of the message."""

    source: SpanSource
    start: int
    end: int


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that speaks for or against one application.

    `says` is the whole sentence a person reads. `sure` is False for what only a model read: it may propose,
    never attach. A veto's strength is 0: it forbids, it does not weigh.
    """

    name: EvidenceName
    direction: Direction
    strength: float
    says: str
    value: str
    span: Span | None = None
    sure: bool = True


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """One candidate with all its pieces, the strongest first."""

    application_id: ApplicationId
    score: float
    pieces: tuple[Piece, ...]

    @property
    def vetoed(self) -> bool:
        return any(piece.direction == "veto" for piece in self.pieces)


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the evidence amounts to. `pattern` names the reason and the deciding pieces, for measuring.

    `anchor` is the application the message would attach to on its own evidence alone, without what other
    messages of its thread lend it: only that may be lent on, so links never depend on the order of arrival.
    """

    outcome: MachineOutcome
    application_id: ApplicationId | None
    anchor: ApplicationId | None
    score: float | None
    margin: float | None
    pattern: str
    candidates: tuple[Weighed, ...]


class NewDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision to append, and what the projection shall hold of it.

    `by_person` False lets the next match run decide again; `stale` asks it to. `also_application_ids` are
    further applications the person said it is about; `rank` is its place among the questions, see `rank_of`.
    """

    message_id: MessageId
    outcome: MatchOutcome
    application_id: ApplicationId | None
    also_application_ids: tuple[ApplicationId, ...] = ()
    actor: Actor
    act_id: ActId | None = None
    choice: Choice | None = None
    policy_version: int
    input_hash: str
    score: float | None = None
    margin: float | None = None
    pattern: str = ""
    rejected_application_id: ApplicationId | None = None
    replaces_id: DecisionId | None = None
    undoes_id: DecisionId | None = None
    anchor_application_id: ApplicationId | None = None
    by_person: bool = False
    changes_stage: bool = False
    rank: int = 2
    reading_id: ReadingId | None = None
    stale: bool = False
    candidates: tuple[Weighed, ...] = ()


class Logged(msgspec.Struct, frozen=True, kw_only=True):
    """A decision as it stands in the log."""

    decision_id: DecisionId
    message_id: MessageId
    outcome: MatchOutcome
    application_id: ApplicationId | None
    also_application_ids: list[ApplicationId]
    actor: Actor
    act_id: ActId | None
    choice: Choice | None
    policy_version: int
    input_hash: str
    pattern: str
    rejected_application_id: ApplicationId | None
    replaces_id: DecisionId | None
    undoes_id: DecisionId | None
    created_at: datetime


class InForce(msgspec.Struct, frozen=True, kw_only=True):
    """The decision in force for one message; no row at all means the message was never examined."""

    message_id: MessageId
    decision_id: DecisionId
    outcome: MatchOutcome
    application_id: ApplicationId | None
    anchor_application_id: ApplicationId | None
    also_application_ids: list[ApplicationId]
    by_person: bool
    changes_stage: bool
    rank: int
    reading_id: ReadingId | None
    stale: bool
    decided_at: datetime
    input_hash: str

    @property
    def attached_to(self) -> frozenset[ApplicationId]:
        own = {self.application_id} if self.application_id is not None else set[ApplicationId]()
        return frozenset(own.union(self.also_application_ids))


class EvidenceRow(msgspec.Struct, frozen=True, kw_only=True):
    decision_id: DecisionId
    application_id: ApplicationId
    rank: int
    candidate_score: float
    name: EvidenceName
    direction: Direction
    strength: float
    says: str
    value: str
    span_source: SpanSource | None
    span_start: int | None
    span_end: int | None
