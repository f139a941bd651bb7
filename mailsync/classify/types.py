"""A reading of one message: what it says (events) and what it names (facts), each with its span."""

from typing import Literal

import msgspec

from schema.vocabulary import EventKind, FactName, ReadingStage, SpanSource

NoiseReason = Literal["job_alert", "account", "marketing", "survey", "one_time_code", "own_mail"]
ReadingState = Literal["decided", "open"]


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """The exact stretch that says it. Of a header, offsets count in `Name <address>` of the sender."""

    source: SpanSource
    start: int
    end: int
    text: str


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """`span` is None when a person says it, or when the text that said it is not kept."""

    kind: EventKind
    rule: str
    span: Span | None
    reason: str | None = None


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """`value` as written, `comparable` in the spelling it is compared by."""

    name: FactName
    value: str
    comparable: str
    span: Span


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """`open` is not a refusal: the deterministic stages looked and could not tell.

    Of the events the first is the weightiest. `note` says why a reading stayed open, for `mail explain`.
    """

    stage: ReadingStage
    version: int
    state: ReadingState
    events: tuple[Event, ...] = ()
    facts: tuple[Fact, ...] = ()
    note: str = ""
