"""The history of each application, and the standings projection with its only writer.

A standing is recomputed from applications, matches and events, and never the only home of a fact.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time

import msgspec
from psycopg.types.json import Jsonb

from matcher.asks.store import write_asks
from matcher.silence.rules import first_answer
from matcher.timeline.rules import in_order, silent_days, standing
from matcher.timeline.types import Entry, Event, PersonStatus, Said, Standing, Timeline
from schema.db import Unit
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.query import Query, Statement
from schema.vocabulary import Direction, EventKind, SpanSource, Stage


class _Subject(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    status: Stage | None
    status_at: datetime | None
    applied_at: datetime | None
    applied_on: date | None
    created_at: datetime
    dismissed_at: datetime | None
    messages: int


class _EventRow(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    event_id: int
    message_id: MessageId
    kind: EventKind
    sent_at: datetime | None


class _StandingRow(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    stage: Stage
    mail_stage: Stage
    by_person: bool
    dismissed: bool
    messages: int
    last_event_at: datetime | None
    last_event_kind: EventKind | None
    activity_at: datetime
    answered_at: datetime | None


class _EntryRow(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    decision_id: DecisionId
    by_person: bool
    sent_at: datetime | None
    from_owner: bool
    sender_name: str
    sender_address: str
    subject: str


class _Words(msgspec.Struct, frozen=True, kw_only=True):
    event_id: int
    span_source: SpanSource | None
    span_text: str | None


class _Because(msgspec.Struct, frozen=True, kw_only=True):
    decision_id: DecisionId
    direction: Direction
    says: str


SUBJECTS = Query(
    "timeline.subjects",
    _Subject,
    """SELECT a.id AS application_id, a.status, a.status_at, a.applied_at, a.applied_on, a.created_at,
         a.dismissed_at,
         (SELECT count(*)::int FROM matches m WHERE m.application_id = a.id) AS messages
       FROM applications a WHERE a.id = ANY(%(ids)s::bigint[]) ORDER BY a.id""",
)
EVENTS = Query(
    "timeline.events",
    _EventRow,
    """SELECT w.application_id, e.id AS event_id, e.message_id, e.kind, g.sent_at
       FROM unnest(%(ids)s::bigint[]) w (application_id)
       JOIN matches m ON m.application_id = w.application_id
       JOIN messages g ON g.account_id = m.account_id AND g.id = m.message_id
       CROSS JOIN LATERAL (
         SELECT r.id FROM readings r
         WHERE r.account_id = m.account_id AND r.message_id = m.message_id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c
       JOIN events e ON e.account_id = m.account_id AND e.message_id = m.message_id
         AND e.reading_id = c.id""",
)
ENTRIES = Query(
    "timeline.entries",
    _EntryRow,
    """SELECT m.message_id, m.decision_id, m.by_person, g.sent_at, g.from_owner, g.sender_name,
         g.sender_address, g.subject
       FROM matches m JOIN messages g ON g.account_id = m.account_id AND g.id = m.message_id
       WHERE m.application_id = %(application_id)s
       ORDER BY g.sent_at NULLS FIRST, g.id""",
)
WORDS = Query(
    "timeline.words",
    _Words,
    """SELECT id AS event_id, span_source, span_text FROM events
       WHERE message_id = ANY(%(message_ids)s::bigint[]) ORDER BY id""",
)
BECAUSE = Query(
    "timeline.because",
    _Because,
    """SELECT decision_id, direction, says FROM evidence
       WHERE decision_id = ANY(%(decision_ids)s::bigint[]) AND application_id = %(application_id)s
       ORDER BY decision_id, abs(strength) DESC, id""",
)
UPSERT = Statement(
    "timeline.write_standing",
    """INSERT INTO standings (application_id, stage, mail_stage, by_person, dismissed, messages,
         last_event_at, last_event_kind, activity_at, answered_at)
       SELECT * FROM jsonb_to_recordset(%(rows)s) AS r (application_id bigint, stage text, mail_stage text,
         by_person boolean, dismissed boolean, messages int, last_event_at timestamptz,
         last_event_kind text, activity_at timestamptz, answered_at timestamptz)
       ON CONFLICT (account_id, application_id) DO UPDATE SET
         stage = excluded.stage, mail_stage = excluded.mail_stage, by_person = excluded.by_person,
         dismissed = excluded.dismissed, messages = excluded.messages,
         last_event_at = excluded.last_event_at, last_event_kind = excluded.last_event_kind,
         activity_at = excluded.activity_at, answered_at = excluded.answered_at""",
)


async def events_of(unit: Unit, ids: Iterable[ApplicationId]) -> dict[ApplicationId, list[Event]]:
    """What the messages attached to each application say, by the reading in force of each."""
    found: dict[ApplicationId, list[Event]] = defaultdict(list)
    for row in await unit.all(EVENTS, ids=list(ids)):
        found[row.application_id].append(
            Event(
                event_id=row.event_id,
                message_id=row.message_id,
                kind=row.kind,
                sent_at=row.sent_at,
            )
        )
    return found


async def timeline(unit: Unit, application_id: ApplicationId, *, now: datetime) -> Timeline:
    """Everything one application's page tells of its history. Another account's id is `Missing`."""
    subject = await unit.one(SUBJECTS, ids=[application_id])
    events = (await events_of(unit, [application_id])).get(application_id, [])
    stands = standing(events, _person(subject))
    rows = await unit.all(ENTRIES, application_id=application_id)
    words = {row.event_id: row for row in await unit.all(WORDS, message_ids=[r.message_id for r in rows])}
    because = await unit.all(
        BECAUSE, decision_ids=[row.decision_id for row in rows], application_id=application_id
    )
    since = stands.last_event.sent_at if stands.last_event else None
    since = since or _applied(subject)
    return Timeline(
        application_id=application_id,
        standing=stands,
        applied_at=subject.applied_at,
        applied_on=subject.applied_on,
        entries=[_entry(row, in_order(events), stands, words, because) for row in rows],
        silent_since=since,
        silent_days=silent_days(since, now),
    )


async def restand(unit: Unit, ids: Iterable[ApplicationId]) -> None:
    """Recompute where these applications stand and what they ask, in the caller's transaction."""
    wanted = sorted(set(ids))
    if not wanted:
        return
    said = await events_of(unit, wanted)
    subjects = await unit.all(SUBJECTS, ids=wanted)
    rows = [_row(subject, said.get(subject.application_id, [])) for subject in subjects]
    await unit.run(UPSERT, rows=Jsonb(rows))
    await write_asks(unit, {application_id: said.get(application_id, ()) for application_id in wanted})


def _person(subject: _Subject) -> PersonStatus | None:
    if subject.status is None or subject.status_at is None:
        return None
    return PersonStatus(stage=subject.status, at=subject.status_at)


def _row(subject: _Subject, events: list[Event]) -> _StandingRow:
    stands = standing(events, _person(subject))
    last = stands.last_event
    return _StandingRow(
        application_id=subject.application_id,
        stage=stands.stage,
        mail_stage=stands.mail_stage,
        by_person=stands.by_person,
        dismissed=subject.dismissed_at is not None,
        messages=subject.messages,
        last_event_at=last.sent_at if last else None,
        last_event_kind=last.kind if last else None,
        activity_at=_activity(subject, last.sent_at if last else None),
        answered_at=first_answer(events, subject.applied_at, subject.applied_on),
    )


def _entry(
    row: _EntryRow,
    events: list[Event],
    stands: Standing,
    words: dict[int, _Words],
    because: list[_Because],
) -> Entry:
    own = [found for found in because if found.decision_id == row.decision_id]
    return Entry(
        message_id=row.message_id,
        decision_id=row.decision_id,
        by_person=row.by_person,
        sent_at=row.sent_at,
        from_owner=row.from_owner,
        sender_name=row.sender_name,
        sender_address=row.sender_address,
        subject=row.subject,
        said=[_said(event, stands, words) for event in events if event.message_id == row.message_id],
        because=[found.says for found in own if found.direction == "for"],
        against=[found.says for found in own if found.direction != "for"],
    )


def _said(event: Event, stands: Standing, words: dict[int, _Words]) -> Said:
    change = next((found for found in stands.changes if found.event.event_id == event.event_id), None)
    spoken = words.get(event.event_id)
    return Said(
        kind=event.kind,
        span_source=spoken.span_source if spoken else None,
        span_text=spoken.span_text if spoken else None,
        stage=change.stage if change else None,
        reopens=change is not None and change.reopens,
    )


def _applied(subject: _Subject) -> datetime | None:
    """For counting and sorting only: a plain day counts from its first minute."""
    day = subject.applied_on
    return subject.applied_at or (datetime.combine(day, time.min, UTC) if day else None)


def _activity(subject: _Subject, last_event_at: datetime | None) -> datetime:
    known = [at for at in (last_event_at, _applied(subject)) if at is not None]
    return max(known) if known else subject.created_at
