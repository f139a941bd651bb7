"""The history of each application, and the standings projection with its only writer.

A standing is recomputed from applications, attachments and events, and never the only home of a fact. What is
attached to a merged record belongs to the one that stands for it; a merged record has no standing.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import LiteralString

import msgspec
from psycopg.types.json import Jsonb

from matcher.asks.store import write_asks
from matcher.silence.rules import first_answer, first_receipt
from matcher.timeline.rules import in_order, silent_days, standing
from matcher.timeline.types import Entry, Event, PersonStatus, Said, Standing, Timeline
from schema.db import Unit
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.query import Query, Statement
from schema.vocabulary import Direction, EventKind, SpanSource, Stage

RECEIVED_AT: LiteralString = (
    "CASE WHEN a.applied_at IS NULL AND a.applied_on IS NULL THEN s.began_at END AS received_at"
)
"""When a receipt says that `a`, of standing `s`, had come in; NULL where the day of applying is known."""


class _Subject(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    status: Stage | None
    status_at: datetime | None
    applied_at: datetime | None
    applied_on: date | None
    created_at: datetime
    dismissed_at: datetime | None
    merged_into_id: ApplicationId | None
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
    proposal: Stage | None
    proposal_message_id: MessageId | None
    proposal_at: datetime | None
    dismissed: bool
    messages: int
    last_event_at: datetime | None
    last_event_kind: EventKind | None
    activity_at: datetime
    began_at: datetime | None
    answered_at: datetime | None


class _DeclinedRow(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    message_id: MessageId
    stage: Stage


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
         a.dismissed_at, a.merged_into_id,
         (SELECT count(DISTINCT t.message_id)::int FROM attachments t
          WHERE t.application_id = ANY(ARRAY(SELECT o.record_id FROM application_records o
                                             WHERE o.application_id = a.id))) AS messages
       FROM applications a WHERE a.id = ANY(%(ids)s::bigint[]) ORDER BY a.id""",
)
# Fenced step by step: before the tables are analysed, as in a first import, they would be joined whole.
EVENTS = Query(
    "timeline.events",
    _EventRow,
    """SELECT w.application_id, e.event_id, t.message_id, e.kind, g.sent_at
       FROM unnest(%(ids)s::bigint[]) w (application_id)
       CROSS JOIN LATERAL (
         SELECT DISTINCT l.message_id FROM attachments l
         WHERE l.application_id = ANY(ARRAY(SELECT o.record_id FROM application_records o
                                            WHERE o.application_id = w.application_id)) OFFSET 0) t
       CROSS JOIN LATERAL (SELECT m.sent_at FROM messages m WHERE m.id = t.message_id OFFSET 0) g
       CROSS JOIN LATERAL (
         SELECT r.id FROM readings r
         WHERE r.message_id = t.message_id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u
                           WHERE u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c
       CROSS JOIN LATERAL (
         SELECT v.id AS event_id, v.kind FROM events v
         WHERE v.message_id = t.message_id AND v.reading_id = c.id OFFSET 0) e
       ORDER BY e.event_id""",
)
DECLINED = Query(
    "timeline.declined",
    _DeclinedRow,
    """SELECT coalesce(application_id, 0) AS application_id, coalesce(message_id, 0) AS message_id,
         coalesce(stage, '') AS stage
       FROM acts
       WHERE about = 'status' AND application_id = ANY(%(ids)s::bigint[])
         AND (choice = 'decline_status') = (undone_at IS NULL)
         AND (choice = 'decline_status' OR actor = 'machine')""",
)
ENTRIES = Query(
    "timeline.entries",
    _EntryRow,
    """SELECT DISTINCT m.message_id, m.decision_id, m.by_person, g.sent_at, g.from_owner, g.sender_name,
         g.sender_address, g.subject
       FROM application_records o
       JOIN attachments t ON t.application_id = o.record_id
       JOIN matches m ON m.account_id = t.account_id AND m.message_id = t.message_id
       JOIN messages g ON g.account_id = m.account_id AND g.id = m.message_id
       WHERE o.application_id = %(application_id)s
       ORDER BY g.sent_at NULLS FIRST, m.message_id""",
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
    """SELECT e.decision_id, e.direction, e.says FROM evidence e
       JOIN applications a ON a.account_id = e.account_id AND a.id = e.application_id
       WHERE e.decision_id = ANY(%(decision_ids)s::bigint[])
         AND %(application_id)s IN (a.id, a.merged_into_id)
       ORDER BY e.decision_id, abs(e.strength) DESC, e.id""",
)
UPSERT = Statement(
    "timeline.write_standing",
    """INSERT INTO standings (application_id, stage, mail_stage, by_person, proposal, proposal_message_id,
         proposal_at, dismissed, messages, last_event_at, last_event_kind, activity_at, began_at,
         answered_at)
       SELECT * FROM jsonb_to_recordset(%(rows)s) AS r (application_id bigint, stage text, mail_stage text,
         by_person boolean, proposal text, proposal_message_id bigint, proposal_at timestamptz,
         dismissed boolean, messages int, last_event_at timestamptz, last_event_kind text,
         activity_at timestamptz, began_at timestamptz, answered_at timestamptz)
       ON CONFLICT (account_id, application_id) DO UPDATE SET
         stage = excluded.stage, mail_stage = excluded.mail_stage, by_person = excluded.by_person,
         proposal = excluded.proposal, proposal_message_id = excluded.proposal_message_id,
         proposal_at = excluded.proposal_at, dismissed = excluded.dismissed, messages = excluded.messages,
         last_event_at = excluded.last_event_at, last_event_kind = excluded.last_event_kind,
         activity_at = excluded.activity_at, began_at = excluded.began_at,
         answered_at = excluded.answered_at""",
)
DROP = Statement(
    "timeline.drop_standings", "DELETE FROM standings WHERE application_id = ANY(%(ids)s::bigint[])"
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
    declined = (await _declined(unit, [application_id])).get(application_id, frozenset())
    stands = standing(events, _person(subject), declined)
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
    """Recompute where these applications stand and what they ask, in the caller's transaction.

    Of a merged record the one that stands for it is recomputed.
    """
    subjects = await _subjects(unit, ids)
    if not subjects:
        return
    standing_ids = [subject.application_id for subject in subjects if subject.merged_into_id is None]
    merged = [subject.application_id for subject in subjects if subject.merged_into_id is not None]
    said = await events_of(unit, standing_ids)
    declined = await _declined(unit, standing_ids)
    rows = [
        _row(subject, said.get(subject.application_id, []), declined.get(subject.application_id, frozenset()))
        for subject in subjects
        if subject.merged_into_id is None
    ]
    await unit.run(UPSERT, rows=Jsonb(rows))
    if merged:
        await unit.run(DROP, ids=merged)
    await write_asks(
        unit, {subject.application_id: said.get(subject.application_id, ()) for subject in subjects}
    )


async def _subjects(unit: Unit, ids: Iterable[ApplicationId]) -> list[_Subject]:
    """These records, and the ones that stand for merged ones among them."""
    wanted = set(ids)
    found = await unit.all(SUBJECTS, ids=sorted(wanted)) if wanted else []
    behind = {row.merged_into_id for row in found if row.merged_into_id is not None} - wanted
    return found + (await unit.all(SUBJECTS, ids=sorted(behind)) if behind else [])


async def _declined(
    unit: Unit, ids: Iterable[ApplicationId]
) -> dict[ApplicationId, frozenset[tuple[MessageId, Stage]]]:
    """What the person did not take over: declined, or undone after it had followed by itself."""
    found: dict[ApplicationId, set[tuple[MessageId, Stage]]] = defaultdict(set)
    for row in await unit.all(DECLINED, ids=list(ids)):
        found[row.application_id].add((row.message_id, row.stage))
    return {application_id: frozenset(pairs) for application_id, pairs in found.items()}


def _person(subject: _Subject) -> PersonStatus | None:
    if subject.status is None or subject.status_at is None:
        return None
    return PersonStatus(stage=subject.status, at=subject.status_at)


def _row(
    subject: _Subject, events: list[Event], declined: frozenset[tuple[MessageId, Stage]]
) -> _StandingRow:
    stands = standing(events, _person(subject), declined)
    last, proposed = stands.last_event, stands.proposed_by
    return _StandingRow(
        application_id=subject.application_id,
        stage=stands.stage,
        mail_stage=stands.mail_stage,
        by_person=stands.by_person,
        proposal=stands.proposal,
        proposal_message_id=proposed.message_id if proposed else None,
        proposal_at=proposed.sent_at if proposed else None,
        dismissed=subject.dismissed_at is not None,
        messages=subject.messages,
        last_event_at=last.sent_at if last else None,
        last_event_kind=last.kind if last else None,
        activity_at=_activity(subject, last.sent_at if last else None),
        # No word of the person's: a day they do not know is at the latest that of the receipt.
        began_at=_applied(subject) or first_receipt(events),
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
