"""The log of readings: appended by the rules and by people, never changed. The one writer of what mail says.

Within a message the newest reading by a person is in force, else the newest; a reading that was taken back
by a later one does not count. So no machine overturns a person, and every change can be undone.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from mailsync.classify.language_model.asking import ask_about
from mailsync.classify.rules import VERSION
from mailsync.classify.types import Event, Fact, Reading, ReadingState
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import CorrectionId, MessageId, ReadingId
from schema.live import announce
from schema.query import Query, Statement
from schema.queue import CLICKED, enqueue
from schema.tasks import MatchAccount
from schema.vocabulary import EventKind, ReadingStage


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    stage: ReadingStage
    version: int
    state: ReadingState


class _Appended(msgspec.Struct, frozen=True, kw_only=True):
    id: ReadingId
    message_id: MessageId


class _EventRow(msgspec.Struct, frozen=True, kw_only=True):
    reading_id: ReadingId
    message_id: MessageId
    kind: EventKind
    reason: str | None
    rule: str
    span_source: str | None
    span_start: int | None
    span_end: int | None
    span_text: str | None


class _FactRow(msgspec.Struct, frozen=True, kw_only=True):
    reading_id: ReadingId
    message_id: MessageId
    name: str
    value: str
    comparable: str
    span_source: str
    span_start: int
    span_end: int


class InForce(msgspec.Struct, frozen=True, kw_only=True):
    """The reading that counts for a message, with the kinds it tells, weightiest first."""

    id: ReadingId
    stage: ReadingStage
    version: int
    state: ReadingState
    created_at: datetime
    kinds: list[EventKind]


class _Only(msgspec.Struct, frozen=True, kw_only=True):
    id: MessageId


APPEND = Query(
    "readings.append",
    _Appended,
    """INSERT INTO readings (message_id, stage, version, state, created_at)
       SELECT message_id, stage, version, state, %(now)s
       FROM jsonb_to_recordset(%(rows)s::jsonb)
         AS r (message_id bigint, stage text, version integer, state text)
       RETURNING id, message_id""",
)
APPEND_BY_PERSON = Query(
    "readings.append_by_person",
    _Appended,
    """INSERT INTO readings (message_id, stage, version, actor_id, state, created_at, undoes_id)
       VALUES (%(message_id)s, 'person', %(version)s, %(actor_id)s, %(state)s, %(now)s, %(undoes_id)s)
       RETURNING id, message_id""",
)
APPEND_BY_CORRECTION = Query(
    "readings.append_by_correction",
    _Appended,
    """INSERT INTO readings (message_id, stage, version, actor_id, state, created_at, correction_id)
       SELECT wanted, 'person', %(version)s, %(actor_id)s, 'decided', %(now)s, %(correction_id)s
       FROM unnest(%(message_ids)s::bigint[]) AS wanted
       RETURNING id, message_id""",
)
UNDO_CORRECTION = Query(
    "readings.undo_correction",
    _Appended,
    """INSERT INTO readings (message_id, stage, version, actor_id, state, created_at, undoes_id)
       SELECT r.message_id, 'person', %(version)s, %(actor_id)s, 'open', %(now)s, r.id
       FROM readings r WHERE r.correction_id = %(correction_id)s
         AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                         AND u.message_id = r.message_id AND u.undoes_id = r.id)
       RETURNING id, message_id""",
)
UNDO_SAME = Query(
    "readings.undo_same",
    _Appended,
    """INSERT INTO readings (message_id, stage, version, actor_id, state, created_at, undoes_id)
       SELECT w.message_id, 'person', %(version)s, %(actor_id)s, 'open', %(now)s, c.id
       FROM unnest(%(message_ids)s::bigint[]) w (message_id)
       CROSS JOIN LATERAL (
         SELECT r.id, r.stage, r.created_at FROM readings r
         WHERE r.message_id = w.message_id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c
       WHERE c.stage = 'person' AND c.created_at = %(said_at)s
       RETURNING id, message_id""",
)
LOCK_MESSAGES = Query(
    "readings.lock_messages",
    _Only,
    "SELECT id FROM messages WHERE id = ANY(%(message_ids)s::bigint[]) ORDER BY id FOR UPDATE",
)
LOCK_CORRECTED = Query(
    "readings.lock_corrected",
    _Only,
    """SELECT id FROM messages WHERE id IN (
         SELECT message_id FROM readings WHERE correction_id = %(correction_id)s)
       ORDER BY id FOR UPDATE""",
)
APPEND_EVENTS = Statement(
    "readings.append_events",
    """INSERT INTO events (reading_id, message_id, kind, reason, rule, span_source, span_start, span_end,
         span_text)
       SELECT reading_id, message_id, kind, reason, rule, span_source, span_start, span_end, span_text
       FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (reading_id bigint, message_id bigint, kind text,
         reason text, rule text, span_source text, span_start integer, span_end integer, span_text text)""",
)
APPEND_FACTS = Statement(
    "readings.append_facts",
    """INSERT INTO facts (reading_id, message_id, name, value, comparable, span_source, span_start, span_end)
       SELECT reading_id, message_id, name, value, comparable, span_source, span_start, span_end
       FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (reading_id bigint, message_id bigint, name text,
         value text, comparable text, span_source text, span_start integer, span_end integer)""",
)
IN_FORCE = Query(
    "readings.in_force",
    InForce,
    """SELECT r.id, r.stage, r.version, r.state, r.created_at,
         ARRAY(SELECT e.kind FROM events e WHERE e.reading_id = r.id AND e.message_id = r.message_id
               ORDER BY e.id) AS kinds
       FROM readings r
       WHERE r.message_id = %(message_id)s AND r.undoes_id IS NULL
         AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                         AND u.message_id = r.message_id AND u.undoes_id = r.id)
       ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1""",
)
LOCK_MESSAGE = Query(
    "readings.lock_message", _Only, "SELECT id FROM messages WHERE id = %(message_id)s FOR UPDATE"
)


async def append(
    unit: Unit, readings: Mapping[MessageId, Reading], *, now: datetime, asking: bool = True
) -> None:
    """Record what a stage said about messages; one reading each.

    What the deterministic stages leave open is put to a language model, where its owner lets one read and the
    caller is not at work without models.
    """
    if not readings:
        return
    heads = [
        _Head(message_id=message_id, stage=reading.stage, version=reading.version, state=reading.state)
        for message_id, reading in readings.items()
    ]
    appended = await unit.all(APPEND, rows=Jsonb(heads), now=now)
    told = [(row, readings[row.message_id]) for row in appended]
    events = [_event_row(row, event) for row, reading in told for event in reading.events]
    facts = [_fact_row(row, fact) for row, reading in told for fact in reading.facts]
    if events:
        await unit.run(APPEND_EVENTS, rows=Jsonb(events))
    if facts:
        await unit.run(APPEND_FACTS, rows=Jsonb(facts))
    if asking:
        await ask_about(unit, [row.message_id for row, reading in told if _is_left_to_a_model(reading)])


def _is_left_to_a_model(reading: Reading) -> bool:
    return reading.state == "open" and reading.stage != "language_model"


async def in_force(unit: Unit, message_id: MessageId) -> InForce | None:
    """What counts as said by the message; None when nobody read it yet."""
    return await unit.maybe(IN_FORCE, message_id=message_id)


def require_compatible(kinds: Sequence[EventKind]) -> None:
    """Raises `Invalid`: what is not about a job says nothing about an application."""
    if "not_job_related" in kinds and len(set(kinds)) > 1:
        raise Invalid("“Not about a job” stands alone: take it off, or everything else.", field="kind")


async def correct(
    unit: Unit, message_id: MessageId, kinds: Sequence[EventKind], *, now: datetime
) -> ReadingId:
    """The person of this unit says what the message says; no kinds at all says: nothing of interest.

    Raises `Missing` for a message that is not theirs, `Invalid` for kinds that rule each other out. The
    matcher is asked to look again.
    """
    require_compatible(kinds)
    await unit.one(LOCK_MESSAGE, message_id=message_id)
    row = await _append_by_person(unit, message_id, "decided", None, now)
    rows = [_event_row(row, Event(kind=kind, rule="person", span=None)) for kind in dict.fromkeys(kinds)]
    if rows:
        await unit.run(APPEND_EVENTS, rows=Jsonb(rows))
    return row.id


async def undo(unit: Unit, message_id: MessageId, *, now: datetime) -> InForce | None:
    """Take the person's newest correction back; what counts then. Changes nothing when there is none."""
    await unit.one(LOCK_MESSAGE, message_id=message_id)
    current = await in_force(unit, message_id)
    if current is None or current.stage != "person":
        return current
    await _append_by_person(unit, message_id, "open", current.id, now)
    return await in_force(unit, message_id)


async def hold_messages(unit: Unit, message_ids: Sequence[MessageId]) -> list[MessageId]:
    """Keep others from deciding about these messages until the unit ends; those there are."""
    return [row.id for row in await unit.all(LOCK_MESSAGES, message_ids=list(message_ids))]


async def correct_each(
    unit: Unit,
    message_ids: Sequence[MessageId],
    kinds: Sequence[EventKind],
    correction_id: CorrectionId | None,
    *,
    now: datetime,
) -> int:
    """The person of this unit says the same of many messages at once; of how many. Without a correction they
    were chosen one by one, or by what is not a pattern of mail."""
    require_compatible(kinds)
    held = await hold_messages(unit, message_ids)
    rows = await unit.all(
        APPEND_BY_CORRECTION,
        version=VERSION,
        actor_id=unit.owner,
        now=now,
        correction_id=correction_id,
        message_ids=held,
    )
    said = [Event(kind=kind, rule="person", span=None) for kind in dict.fromkeys(kinds)]
    if rows and said:
        await unit.run(APPEND_EVENTS, rows=Jsonb([_event_row(row, event) for row in rows for event in said]))
    await _tell_of_a_person(unit)
    return len(rows)


async def undo_each(unit: Unit, correction_id: CorrectionId, *, now: datetime) -> int:
    """Take back what one correction said of each of its messages, as far as it was not taken back yet."""
    await unit.all(LOCK_CORRECTED, correction_id=correction_id)
    rows = await unit.all(
        UNDO_CORRECTION, version=VERSION, actor_id=unit.owner, now=now, correction_id=correction_id
    )
    await _tell_of_a_person(unit)
    return len(rows)


async def undo_same(unit: Unit, message_ids: Sequence[MessageId], *, said_at: datetime, now: datetime) -> int:
    """Take back what the person said of these messages at once at that instant, where it still counts."""
    held = await hold_messages(unit, message_ids)
    rows = await unit.all(
        UNDO_SAME, version=VERSION, actor_id=unit.owner, now=now, said_at=said_at, message_ids=held
    )
    await _tell_of_a_person(unit)
    return len(rows)


async def _append_by_person(
    unit: Unit, message_id: MessageId, state: ReadingState, undoes_id: ReadingId | None, now: datetime
) -> _Appended:
    row = await unit.one(
        APPEND_BY_PERSON,
        message_id=message_id,
        version=VERSION,
        actor_id=unit.owner,
        state=state,
        now=now,
        undoes_id=undoes_id,
    )
    await _tell_of_a_person(unit, message_id)
    return row


async def _tell_of_a_person(unit: Unit, message_id: MessageId | None = None) -> None:
    # Without a key: a match that is running already may have passed these messages.
    await enqueue(unit, MatchAccount(), priority=CLICKED)
    announce(unit, "mail", message_id)


def _event_row(row: _Appended, event: Event) -> _EventRow:
    span = event.span
    return _EventRow(
        reading_id=row.id,
        message_id=row.message_id,
        kind=event.kind,
        reason=event.reason,
        rule=event.rule,
        span_source=span.source if span else None,
        span_start=span.start if span else None,
        span_end=span.end if span else None,
        span_text=span.text if span else None,
    )


def _fact_row(row: _Appended, fact: Fact) -> _FactRow:
    return _FactRow(
        reading_id=row.id,
        message_id=row.message_id,
        name=fact.name,
        value=fact.value,
        comparable=fact.comparable,
        span_source=fact.span.source,
        span_start=fact.span.start,
        span_end=fact.span.end,
    )
