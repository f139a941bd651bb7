"""What a person is asked, what they may answer, and what an answer did: the words of every kind.

Four kinds wait in one queue: doubtful messages, proposed statuses, open asks, and pairs of records that may
be one application. An application itself is served in the same way, so that it can be split and merged; it
never waits. Only structs, most of them part of the JSON API.
"""

from datetime import date, datetime
from typing import Literal, NewType

import msgspec

from schema.ids import ActId, ApplicationId, AskId, DecisionId, MessageId
from schema.vocabulary import (
    ApplicationOrigin,
    AskKind,
    Choice,
    Direction,
    EventKind,
    EvidenceName,
    MatchOutcome,
    SpanSource,
    Stage,
)

ItemId = NewType("ItemId", str)
"""`message:12` `status:<application>`, `ask:<ask>`, `pair:<application>-<application>`, `application:<id>`"""

EntryId = NewType("EntryId", str)
"""One line of the history: `decision:12` or `act:7`."""

WaitingKind = Literal["message", "status", "ask", "pair"]
Kind = Literal["message", "status", "ask", "pair", "application"]
Rank = Literal[1, 2, 3]
"""3: answering moves an application. 2: it can be answered. 1: it can only be refused."""

Verb = Choice | Literal["accept_status", "decline_status", "mark_done", "merge", "keep_apart", "split"]
"""Every answer there is; each item says which of them are open."""

BulkChoice = Literal["confirm", "not_an_application", "not_job_mail"]
"""What can be said of all messages with one pattern of evidence at once."""

TargetSource = Literal["candidates", "applications"]
"""Where a target is chosen from: those shown with the item, or all of the person's."""


class Touched(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly what an answer changes, by id."""

    messages: list[MessageId] = []
    applications: list[ApplicationId] = []
    asks: list[AskId] = []


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A choice the server offers; `reason` says why it is not eligible.

    `target` is what a missing target would mean; None when there is no such thing. `touches` is what the
    choice changes with that target; a target of the person's own comes on top of it.
    """

    choice: Verb
    eligible: bool
    reason: str | None
    needs_target: bool
    target_source: TargetSource | None
    target: ApplicationId | None
    touches: Touched


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the excerpt to mark. Of a header, offsets count in `Excerpt.header`."""

    source: SpanSource
    start: int
    end: int
    says: str


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """`text` is None when the body was not kept; `is_cut` when there is more of it than shown."""

    message_id: MessageId
    subject: str
    header: str
    sent_at: datetime | None
    first_seen_at: datetime
    kinds: list[EventKind]
    text: str | None
    is_cut: bool
    marks: list[Mark]


class ShownPiece(msgspec.Struct, frozen=True, kw_only=True):
    name: EvidenceName
    direction: Direction
    strength: float
    says: str


class ShownApplication(msgspec.Struct, frozen=True, kw_only=True):
    """An application as far as telling it from another needs. `status` is what the person set.

    `received_at`: when a receipt says it had come in; only where nobody knows when they applied.
    """

    application_id: ApplicationId
    company: str | None
    role: str | None
    origin: ApplicationOrigin
    stage: Stage
    status: Stage | None
    applied_at: datetime | None
    applied_on: date | None
    messages: int
    merged_into_id: ApplicationId | None
    is_dismissed: bool
    recorded_at: datetime
    received_at: datetime | None = None


class ShownCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """An application the message may be about. `is_attached`: the message is attached to it now."""

    application: ShownApplication
    score: float
    is_attached: bool
    evidence_for: list[ShownPiece]
    evidence_against: list[ShownPiece]

    @property
    def application_id(self) -> ApplicationId:
        return self.application.application_id


class _Question(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every item has. `version` is opaque: send it back with the answer.

    `at` is its place in the queue: when the mail was sent, else when it was found. `waits` is False for what
    is answered or never was a question; `why` is one plain sentence: why it asks, or how it stands.
    `undoes` is the line of the history that an undo would take back.
    """

    id: ItemId
    version: str
    undoes: EntryId | None
    rank: Rank
    at: datetime
    waits: bool
    why: str
    options: list[Option]

    @property
    def kind(self) -> Kind:
        return self.__struct_config__.tag  # pyright: ignore[reportReturnType]

    def option(self, choice: Verb) -> Option | None:
        """None when the choice has no meaning for this kind of item."""
        return next((option for option in self.options if option.choice == choice), None)


class MessageItem(_Question, frozen=True, kw_only=True, tag="message"):
    """One message as a question. `application_ids` is what it is attached to now.

    `confirm_rate` is how often the person agreed where the evidence had this pattern, of `answered` single
    answers; None until measured. `pattern` is empty for a message nobody examined.
    """

    message_id: MessageId
    decision_id: DecisionId | None
    outcome: MatchOutcome | Literal["not_examined"]
    application_ids: list[ApplicationId]
    by_person: bool
    pattern: str
    confirm_rate: float | None
    answered: int
    company: str | None
    role: str | None
    excerpt: Excerpt
    candidates: list[ShownCandidate]


class StatusItem(_Question, frozen=True, kw_only=True, tag="status"):
    """Newer mail says otherwise than the person set. `proposal` and `excerpt` are None once answered."""

    application: ShownApplication
    proposal: Stage | None
    excerpt: Excerpt | None


class AskItem(_Question, frozen=True, kw_only=True, tag="ask"):
    """What an employer waits for. `due_on` when only a day is known; `due_text` as the message says it."""

    ask_id: AskId
    ask: AskKind
    application: ShownApplication
    excerpt: Excerpt
    due_at: datetime | None
    due_on: date | None
    due_text: str | None
    opened_at: datetime
    settled_at: datetime | None
    settled_by: Literal["person", "message"] | None


class PairItem(_Question, frozen=True, kw_only=True, tag="pair"):
    """Two records that may be one application. `answer` is how it was answered, None while open."""

    first: ShownApplication
    second: ShownApplication
    says: str
    found_at: datetime
    answer: Literal["merged", "kept_apart"] | None


class ApplicationItem(_Question, frozen=True, kw_only=True, tag="application"):
    """An application to be split or merged. `message_ids` are all it holds, merged records' included."""

    application: ShownApplication
    message_ids: list[MessageId]
    merged_ids: list[ApplicationId]


Item = MessageItem | StatusItem | AskItem | PairItem | ApplicationItem


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the queue. `title` is a subject, or the question in words; `company` and `role` are the
    application's it is about, or the likeliest candidate's; None without one."""

    id: ItemId
    kind: WaitingKind
    rank: Rank
    at: datetime
    title: str
    company: str | None
    role: str | None
    sender: str | None


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the queue an item stands; a page goes on after its last one."""

    rank: int
    at: datetime
    kind: WaitingKind
    first: int
    second: int = 0


class Count(msgspec.Struct, frozen=True, kw_only=True):
    kind: WaitingKind
    rank: Rank
    count: int


class WaitingPage(msgspec.Struct, frozen=True, kw_only=True):
    """`counts` are of the whole queue, whatever kind the page was asked for."""

    lines: list[Line]
    next: Place | None
    counts: list[Count]

    @property
    def total(self) -> int:
        return sum(entry.count for entry in self.counts)

    def of_kind(self, kind: WaitingKind) -> int:
        return sum(entry.count for entry in self.counts if entry.kind == kind)

    def of_rank(self, rank: Rank) -> int:
        return sum(entry.count for entry in self.counts if entry.rank == rank)


class NewFromMessage(msgspec.Struct, frozen=True, kw_only=True):
    """What the person corrects when an application is created; None takes what the message, or the
    application that is split, names."""

    company: str | None = None
    role: str | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the person chose, and the version of the item they looked at.

    `target`: the application for `assign`, `reject`, `confirm`; to `merge` a pair the one that stands for
    both, to `merge` an application the other one, which it will stand for; to `split` one there is, None
    makes a new one. `messages`: for `split`. `new`: for `create_application` and `split`.
    """

    choice: Verb
    version: str
    target: ApplicationId | None = None
    messages: tuple[MessageId, ...] = ()
    new: NewFromMessage = NewFromMessage()


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer did, and the way back: `entry` is its line of the history.

    `version` is the item's new one; a whole pattern is no item. `application_id` is what the message is
    attached to now, the record that stands for both, or the application split off; `created` when it is new.
    """

    id: ItemId | None
    version: str | None
    choice: Verb
    outcome: MatchOutcome | None = None
    application_id: ApplicationId | None = None
    created: bool = False
    touched: Touched
    entry: EntryId | None
    entry_version: str | None


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One decision: of the person, or of the machine with their leave.

    `item` is what it was about, None for a whole pattern. Of a pair `application_id` stands for both, of a
    split the other one was split off. `undone_at` None while it stands; `reason` is why it cannot be undone.
    """

    id: EntryId
    version: str
    choice: Verb
    by_person: bool
    decided_at: datetime
    item: ItemId | None
    message_id: MessageId | None
    subject: str | None
    sent_at: datetime | None
    application_id: ApplicationId | None
    company: str | None
    role: str | None
    other_application_id: ApplicationId | None
    other_company: str | None
    other_role: str | None
    outcome: MatchOutcome | None
    stage: Stage | None
    pattern: str | None
    messages: int
    replaced_outcome: MatchOutcome | None
    replaced_application_id: ApplicationId | None
    replaced_stage: Stage | None
    undone_at: datetime | None
    can_undo: bool
    reason: str | None


class HistoryPlace(msgspec.Struct, frozen=True, kw_only=True):
    at: datetime
    is_act: bool
    id: int


class HistoryPage(msgspec.Struct, frozen=True, kw_only=True):
    entries: list[HistoryEntry]
    next: HistoryPlace | None


class PatternLine(msgspec.Struct, frozen=True, kw_only=True):
    """How many messages wait with one pattern of evidence, and how often the person agreed under it."""

    pattern: str
    why: str
    count: int
    confirm_rate: float | None
    answered: int


class Bulk(msgspec.Struct, frozen=True, kw_only=True):
    """All waiting messages with one pattern. `version` is a mark over exactly what was looked at.

    `sample` shows up to ten of them, spread over all; the options name every id they would touch.
    """

    pattern: str
    version: str
    why: str
    count: int
    confirm_rate: float | None
    answered: int
    sample: list[MessageItem]
    options: list[Option]

    def option(self, choice: BulkChoice) -> Option:
        return next(option for option in self.options if option.choice == choice)


class BulkDone(msgspec.Struct, frozen=True, kw_only=True):
    """What was said of a whole pattern. `is_done` False: a task goes on with it, and announces `review`."""

    act_id: ActId
    choice: BulkChoice
    pattern: str
    messages: int
    is_done: bool
    entry: EntryId
    entry_version: str
