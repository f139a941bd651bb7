"""Applications in short, and excerpts of messages with what is to be marked in them. Reads only."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

import msgspec

from matcher.evidence.types import Letter
from matcher.resolutions.types import Excerpt, Mark, ShownApplication
from matcher.timeline.store import RECEIVED_AT
from schema.db import Unit
from schema.ids import ApplicationId, MessageId
from schema.query import Query
from schema.vocabulary import ApplicationOrigin, EventKind, SpanSource, Stage

EXCERPT_CHARS = 6_000


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    kind: EventKind
    span_source: SpanSource | None
    span_start: int | None
    span_end: int | None


class _Body(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    text: str | None
    length: int | None
    first_seen_at: datetime


class _Application(msgspec.Struct, frozen=True, kw_only=True):
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
    dismissed_at: datetime | None
    created_at: datetime
    received_at: datetime | None


APPLICATIONS = Query(
    "resolutions.applications",
    _Application,
    f"""SELECT a.id AS application_id, a.company, a.role, a.origin,
         coalesce(s.stage, a.status, 'applied') AS stage, a.status, a.applied_at, a.applied_on,
         coalesce(s.messages, 0) AS messages, a.merged_into_id, a.dismissed_at, a.created_at,
         {RECEIVED_AT}
       FROM applications a LEFT JOIN standings s ON s.account_id = a.account_id AND s.application_id = a.id
       WHERE a.id = ANY(%(application_ids)s::bigint[])""",  # noqa: S608 - a constant
)
BODIES = Query(
    "resolutions.bodies",
    _Body,
    """SELECT g.id AS message_id, left(g.body, 6000) AS text, length(g.body) AS length,
         g.first_seen_at
       FROM messages g WHERE g.id = ANY(%(message_ids)s::bigint[])""",
)
SAID = Query(
    "resolutions.said",
    _Said,
    """SELECT e.message_id, e.kind, e.span_source, e.span_start, e.span_end
       FROM unnest(%(message_ids)s::bigint[]) w (message_id)
       CROSS JOIN LATERAL (
         SELECT r.id, r.account_id FROM readings r
         WHERE r.message_id = w.message_id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c
       JOIN events e ON e.account_id = c.account_id AND e.message_id = w.message_id AND e.reading_id = c.id
       ORDER BY e.id""",
)


async def shown_applications(
    unit: Unit, application_ids: Iterable[ApplicationId]
) -> dict[ApplicationId, ShownApplication]:
    wanted = sorted(set(application_ids))
    rows = await unit.all(APPLICATIONS, application_ids=wanted) if wanted else []
    return {row.application_id: _shown(row) for row in rows}


async def excerpts(
    unit: Unit, letters: Sequence[Letter], marked: Mapping[MessageId, Sequence[Mark]] | None = None
) -> dict[MessageId, Excerpt]:
    """What these messages say, its words marked; `marked` are further stretches to mark."""
    ids = [letter.message_id for letter in letters]
    bodies = {row.message_id: row for row in await unit.all(BODIES, message_ids=ids)} if ids else {}
    marks: dict[MessageId, list[Mark]] = defaultdict(list)
    for row in await unit.all(SAID, message_ids=ids) if ids else []:
        if row.span_source is not None and row.span_start is not None and row.span_end is not None:
            mark = Mark(source=row.span_source, start=row.span_start, end=row.span_end, says=row.kind)
            marks[row.message_id].append(mark)
    for message_id, more in (marked or {}).items():
        marks[message_id] += more
    return {
        letter.message_id: _excerpt(letter, bodies[letter.message_id], marks[letter.message_id])
        for letter in letters
    }


def _excerpt(letter: Letter, body: _Body, marks: Iterable[Mark]) -> Excerpt:
    lengths = {"subject": len(letter.subject), "header": len(letter.header), "text": len(body.text or "")}
    return Excerpt(
        message_id=letter.message_id,
        subject=letter.subject,
        header=letter.header,
        sent_at=letter.sent_at,
        first_seen_at=body.first_seen_at,
        kinds=list(letter.kinds),
        text=body.text,
        is_cut=(body.length or 0) > EXCERPT_CHARS,
        marks=[mark for mark in dict.fromkeys(marks) if mark.end <= lengths.get(mark.source, 0)],
    )


def _shown(row: _Application) -> ShownApplication:
    return ShownApplication(
        application_id=row.application_id,
        company=row.company,
        role=row.role,
        origin=row.origin,
        stage=row.stage,
        status=row.status,
        applied_at=row.applied_at,
        applied_on=row.applied_on,
        messages=row.messages,
        merged_into_id=row.merged_into_id,
        is_dismissed=row.dismissed_at is not None,
        recorded_at=row.created_at,
        received_at=row.received_at,
    )
