"""The standings projection: recomputed from applications, matches and events, and its only writer.

A standing is never the only home of a fact. What a page shows of one application is `page.py`'s part.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time

import msgspec

from matcher.asks.store import write_asks
from matcher.timeline.rules import standing
from matcher.timeline.types import Event, PersonStatus, Standing
from schema.db import Unit
from schema.ids import ApplicationId, MessageId
from schema.query import Query, Statement
from schema.vocabulary import EventKind, Stage


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
UPSERT = Statement(
    "timeline.write_standing",
    """INSERT INTO standings (application_id, stage, mail_stage, by_person, dismissed, messages,
         last_event_at, last_event_kind, activity_at)
       VALUES (%(application_id)s, %(stage)s, %(mail_stage)s, %(by_person)s, %(dismissed)s, %(messages)s,
         %(last_event_at)s, %(last_event_kind)s, %(activity_at)s)
       ON CONFLICT (account_id, application_id) DO UPDATE SET
         stage = excluded.stage, mail_stage = excluded.mail_stage, by_person = excluded.by_person,
         dismissed = excluded.dismissed, messages = excluded.messages,
         last_event_at = excluded.last_event_at, last_event_kind = excluded.last_event_kind,
         activity_at = excluded.activity_at""",
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


async def restand(unit: Unit, ids: Iterable[ApplicationId]) -> None:
    """Recompute where these applications stand and what they ask, in the caller's transaction."""
    wanted = sorted(set(ids))
    if not wanted:
        return
    events = await events_of(unit, wanted)
    rows: list[dict[str, object]] = []
    for subject in await unit.all(SUBJECTS, ids=wanted):
        said = events.get(subject.application_id, [])
        rows.append(_row(subject, standing(said, _person(subject))))
        await write_asks(unit, subject.application_id, said)
    if rows:
        await unit.run_many(UPSERT, rows)


def _person(subject: _Subject) -> PersonStatus | None:
    if subject.status is None or subject.status_at is None:
        return None
    return PersonStatus(stage=subject.status, at=subject.status_at)


def _row(subject: _Subject, stands: Standing) -> dict[str, object]:
    last = stands.last_event
    return {
        "application_id": subject.application_id,
        "stage": stands.stage,
        "mail_stage": stands.mail_stage,
        "by_person": stands.by_person,
        "dismissed": subject.dismissed_at is not None,
        "messages": subject.messages,
        "last_event_at": last.sent_at if last else None,
        "last_event_kind": last.kind if last else None,
        "activity_at": _activity(subject, last.sent_at if last else None),
    }


def _activity(subject: _Subject, last_event_at: datetime | None) -> datetime:
    day = subject.applied_on
    applied = subject.applied_at or (datetime.combine(day, time.min, UTC) if day else None)
    known = [at for at in (last_event_at, applied) if at is not None]
    return max(known) if known else subject.created_at
