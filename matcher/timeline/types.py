"""The words of a timeline, shared by its rules, its store and every list of applications. Only structs."""

from datetime import date, datetime

import msgspec

from schema.ids import ApplicationId, DecisionId, MessageId
from schema.vocabulary import EventKind, SpanSource, Stage


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One thing one message says. `sent_at` is None when the message carries no time at all."""

    event_id: int
    message_id: MessageId
    kind: EventKind
    sent_at: datetime | None


class PersonStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What the person set, and when; nothing computed ever replaces it."""

    stage: Stage
    at: datetime


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """The stage an event led to. `reopens` when the application had ended before it."""

    stage: Stage
    event: Event
    reopens: bool


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where an application stands.

    `mail_stage` is what the mail alone says. `proposal` is the mail's stage when it differs from what the
    person set and rests on `proposed_by`, sent later and not declined. `reopened_by` is set while the
    reopening still holds.
    """

    stage: Stage
    mail_stage: Stage
    by_person: bool
    changes: tuple[Change, ...]
    reopened_by: Event | None
    last_event: Event | None
    proposal: Stage | None
    proposed_by: Event | None = None


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a message says, with the words that say it; `stage` is where it led, None if nowhere."""

    kind: EventKind
    span_source: SpanSource | None
    span_text: str | None
    stage: Stage | None
    reopens: bool


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A message on the timeline: what it says, and why it is here. `sent_at` None: nobody knows when."""

    message_id: MessageId
    decision_id: DecisionId
    by_person: bool
    sent_at: datetime | None
    from_owner: bool
    sender_name: str
    sender_address: str
    subject: str
    said: list[Said]
    because: list[str]
    against: list[str]


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """All that happened to one application, in order of sending; unknown times first.

    `silent_days` counts from `silent_since`, the last sign of life; both None when there is none with a time.
    """

    application_id: ApplicationId
    standing: Standing
    applied_at: datetime | None
    applied_on: date | None
    entries: list[Entry]
    silent_since: datetime | None
    silent_days: int | None
