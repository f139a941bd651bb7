"""The words of a timeline, shared by its rules, its store and every list of applications. Only structs."""

from datetime import datetime

import msgspec

from schema.ids import MessageId
from schema.vocabulary import EventKind, Stage


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
    person set and rests on something sent later. `reopened_by` is set while the reopening still holds.
    """

    stage: Stage
    mail_stage: Stage
    by_person: bool
    changes: tuple[Change, ...]
    reopened_by: Event | None
    last_event: Event | None
    proposal: Stage | None
