"""What the review pages read besides the questions themselves: applications to choose from, what stands in
unshown parts of a message, the person's pace, messages alike, and what is still being done. Reads only.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime

import msgspec

from backend.http.paging import Page, cursor
from matcher.evidence.keys import company_key
from matcher.timeline.store import RECEIVED_AT
from schema.db import Unit
from schema.ids import ActId, ApplicationId, MessageId, TaskId
from schema.live import TaskProgress
from schema.query import Query
from schema.text import clean
from schema.vocabulary import EventKind, FactName, SpanSource, Stage, TaskStatus

_LATEST = datetime.max.replace(tzinfo=UTC)
WORDS_MAX = 10
ROWS = 10


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One application; `same_company` when it is at an employer the message may come from."""

    application_id: ApplicationId
    company: str | None
    role: str | None
    stage: Stage
    applied_at: datetime | None
    applied_on: date | None
    received_at: datetime | None
    same_company: bool
    activity_at: datetime


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a page ended: the sort key of its last line."""

    same: bool
    at: datetime
    application_id: ApplicationId


FIND = Query(
    "review.find",
    Found,
    f"""SELECT * FROM (
         SELECT a.id AS application_id, a.company, a.role, s.stage, a.applied_at, a.applied_on,
           {RECEIVED_AT},
           coalesce(a.company_key = ANY(%(companies)s::text[]), false) AS same_company, s.activity_at
         FROM standings s
         JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
         WHERE NOT s.dismissed AND a.merged_into_id IS NULL
           AND a.id <> ALL(%(besides)s::bigint[])
           AND concat_ws(' ', a.company, a.role) ILIKE ALL (%(words)s::text[])) f
       WHERE %(after_id)s::bigint IS NULL OR (f.same_company, f.activity_at, f.application_id)
         < (%(after_same)s::boolean, %(after_at)s::timestamptz, %(after_id)s::bigint)
       ORDER BY f.same_company DESC, f.activity_at DESC, f.application_id DESC LIMIT %(limit)s""",  # noqa: S608 - a constant
)


async def find(
    unit: Unit,
    words: str,
    *,
    companies: Iterable[str],
    besides: Iterable[ApplicationId] = (),
    after: Place | None = None,
    limit: int = ROWS,
) -> Page[Found]:
    """Those whose company or role contain every word; all of them without words.

    Applications at one of `companies` come first, then the latest activity; `besides` are left out.
    """
    rows = await unit.all(
        FIND,
        companies=sorted({key for name in companies if (key := company_key(name))}),
        besides=sorted(set(besides)),
        words=[_pattern(word) for word in clean(words).split()[:WORDS_MAX]],
        after_same=after.same if after else None,
        after_at=after.at if after else None,
        after_id=after.application_id if after else None,
        limit=limit + 1,
    )
    last = rows[limit - 1] if len(rows) > limit else None
    return Page(items=rows[:limit], next=cursor(_place(last)) if last else None)


def _place(row: Found) -> Place:
    return Place(same=row.same_company, at=row.activity_at, application_id=row.application_id)


def _pattern(word: str) -> str:
    escaped = word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    span_source: SpanSource | None
    kind: EventKind | None
    name: FactName | None
    says: str | None


ELSEWHERE = Query(
    "review.elsewhere",
    Elsewhere,
    """WITH c AS (
         SELECT r.id FROM readings r
         WHERE r.message_id = %(message_id)s AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1)
       SELECT e.span_source, e.kind, NULL::text AS name, e.span_text AS says
       FROM c JOIN events e ON e.message_id = %(message_id)s AND e.reading_id = c.id
       WHERE e.span_source IN ('signature', 'calendar')
       UNION ALL
       SELECT f.span_source, NULL, f.name, f.value
       FROM c JOIN facts f ON f.message_id = %(message_id)s AND f.reading_id = c.id
       WHERE f.span_source IN ('signature', 'calendar') AND f.name <> 'meeting'
       LIMIT 20""",
)


async def said_elsewhere(unit: Unit, message_id: MessageId) -> list[Elsewhere]:
    """Events and facts that stand in a signature or an invitation."""
    return await unit.all(ELSEWHERE, message_id=message_id)


class Named(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    company: str | None
    role: str | None


NAMED = Query(
    "review.named",
    Named,
    """SELECT id AS application_id, company, role FROM applications
       WHERE id = ANY(%(application_ids)s::bigint[])""",
)


async def names(unit: Unit, application_ids: Iterable[ApplicationId]) -> list[Named]:
    """What these applications are called."""
    wanted = sorted(set(application_ids))
    return await unit.all(NAMED, application_ids=wanted) if wanted else []


class _Gap(msgspec.Struct, frozen=True, kw_only=True):
    seconds: float


GAPS = Query(
    "review.gaps",
    _Gap,
    """SELECT seconds FROM (
         SELECT extract(epoch FROM at - lag(at) OVER (ORDER BY at))::float8 AS seconds FROM (
           (SELECT created_at AS at FROM match_decisions
            WHERE actor = 'person' AND choice <> 'undo' AND act_id IS NULL ORDER BY id DESC LIMIT 100)
           UNION ALL
           (SELECT created_at FROM acts WHERE actor = 'person' AND about IN ('status', 'ask', 'pair')
            ORDER BY id DESC LIMIT 100)) answers) gaps
       WHERE seconds > 0 AND seconds <= %(pause)s""",
)


async def gaps(unit: Unit, *, pause_seconds: int) -> list[float]:
    """Seconds between the person's latest answers, longer pauses left out."""
    return [row.seconds for row in await unit.all(GAPS, pause=pause_seconds)]


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """A waiting message of one pattern; `company` and `role` are the likeliest candidate's."""

    message_id: MessageId
    rank: int
    queued_at: datetime
    subject: str
    sender_name: str
    sender_address: str
    sent_at: datetime | None
    company: str | None
    role: str | None


class AlikePlace(msgspec.Struct, frozen=True, kw_only=True):
    rank: int
    at: datetime
    message_id: MessageId


ALIKE = Query(
    "review.alike",
    Alike,
    """SELECT m.message_id, m.rank::int AS rank, m.queued_at, g.subject, g.sender_name, g.sender_address,
         g.sent_at, a.company, a.role
       FROM matches m
       JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
       JOIN messages g ON g.account_id = m.account_id AND g.id = m.message_id
       LEFT JOIN LATERAL (SELECT e.application_id FROM evidence e
         WHERE e.account_id = m.account_id AND e.decision_id = m.decision_id ORDER BY e.rank LIMIT 1) c
         ON true
       LEFT JOIN applications a ON a.account_id = m.account_id AND a.id = c.application_id
       WHERE m.outcome = 'asks' AND d.pattern = %(pattern)s
         AND (m.rank::int, m.queued_at, m.message_id)
           < (%(rank)s::int, %(at)s::timestamptz, %(message_id)s::bigint)
       ORDER BY m.rank DESC, m.queued_at DESC, m.message_id DESC LIMIT %(limit)s""",
)


async def alike(unit: Unit, pattern: str, *, after: AlikePlace | None, limit: int) -> list[Alike]:
    """Waiting messages with this pattern, in the order of the queue."""
    return await unit.all(
        ALIKE,
        pattern=pattern,
        rank=after.rank if after else 9,
        at=after.at if after else _LATEST,
        message_id=after.message_id if after else 0,
        limit=limit,
    )


class Working(msgspec.Struct, frozen=True, kw_only=True):
    """An unfinished task for a whole pattern. `taking_back` when it was undone meanwhile."""

    id: TaskId
    act_id: ActId
    status: TaskStatus
    attempts: int
    not_before: datetime | None
    pattern: str | None
    messages: int
    taking_back: bool
    progress_done: int | None
    progress_total: int | None
    progress_note: str | None

    @property
    def progress(self) -> TaskProgress | None:
        if self.progress_done is None:
            return None
        return TaskProgress(done=self.progress_done, total=self.progress_total, note=self.progress_note or "")


UNDER_WAY = Query(
    "review.bulk_under_way",
    Working,
    """SELECT t.id, a.id AS act_id, t.status, t.attempts,
         CASE WHEN NOT t.due THEN t.not_before END AS not_before, a.pattern, a.messages,
         a.undone_at IS NOT NULL AS taking_back,
         (t.progress->>'done')::bigint AS progress_done, (t.progress->>'total')::bigint AS progress_total,
         t.progress->>'note' AS progress_note
       FROM tasks t JOIN acts a ON a.id = (t.payload->>'act_id')::bigint
       WHERE t.kind = 'match.bulk.v1' AND t.account_id = jobtrail_account()
         AND t.status IN ('pending', 'running', 'waiting', 'awaiting_batch')
       ORDER BY t.id LIMIT 5""",
)


async def bulk_under_way(unit: Unit) -> list[Working]:
    """The account's own, the oldest first."""
    return await unit.all(UNDER_WAY)
