"""The questions that wait for a person, each with everything needed to answer it. Reads only.

Answers are given through `answering.py`.
"""

from datetime import date, datetime

import msgspec

from matcher.decisions.rules import candidates_of, undoable
from matcher.decisions.store import evidence_of, in_force, log_of
from matcher.decisions.types import InForce, Weighed
from matcher.evidence.store import letters
from matcher.evidence.types import Letter
from matcher.resolutions.former import (
    Excerpt,
    HistoryEntry,
    Item,
    Mark,
    PatternRate,
    Place,
    ShownCandidate,
    ShownPiece,
    WaitingItem,
    WaitingPage,
)
from matcher.resolutions.rules import Situation, options
from schema.db import Unit
from schema.errors import Missing
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.query import Query
from schema.vocabulary import ApplicationOrigin, EventKind, SpanSource, Stage

EXCERPT_CHARS = 6_000


class _Named(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    company: str | None
    role: str | None
    origin: ApplicationOrigin
    stage: Stage
    applied_at: datetime | None
    applied_on: date | None


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    kind: EventKind
    span_source: SpanSource | None
    span_start: int | None
    span_end: int | None


class _Body(msgspec.Struct, frozen=True, kw_only=True):
    text: str | None
    length: int | None
    has_applications: bool
    pattern: str | None


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    count: int


class _Waiting(msgspec.Struct, frozen=True, kw_only=True):
    total: int
    changing: int


WAITING = Query(
    "resolutions.waiting",
    WaitingItem,
    """SELECT m.message_id, m.decision_id AS version, m.changes_stage, d.pattern, g.subject, g.sender_name,
         g.sender_address, g.sent_at, c.application_id, a.company, a.role
       FROM matches m
       JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
       JOIN messages g ON g.account_id = m.account_id AND g.id = m.message_id
       LEFT JOIN LATERAL (SELECT e.application_id FROM evidence e
         WHERE e.account_id = m.account_id AND e.decision_id = m.decision_id
         ORDER BY e.rank LIMIT 1) c ON true
       LEFT JOIN applications a ON a.account_id = m.account_id AND a.id = c.application_id
       WHERE m.outcome = 'asks' AND (%(after_id)s::bigint IS NULL
         OR (m.changes_stage, m.message_id) < (%(after_stage)s::boolean, %(after_id)s::bigint))
       ORDER BY m.changes_stage DESC, m.message_id DESC LIMIT %(limit)s""",
)
WAITING_COUNT = Query(
    "resolutions.waiting_count",
    _Waiting,
    """SELECT count(*)::int AS total, (count(*) FILTER (WHERE changes_stage))::int AS changing
       FROM matches WHERE outcome = 'asks'""",
)
WAITING_BEFORE = Query(
    "resolutions.waiting_before",
    _Count,
    """SELECT count(*)::int AS count FROM matches
       WHERE outcome = 'asks'
         AND (changes_stage, message_id) > (%(stage)s::boolean, %(message_id)s::bigint)""",
)
BODY = Query(
    "resolutions.body",
    _Body,
    """SELECT left(g.body, 6000) AS text, length(g.body) AS length,
         EXISTS (SELECT FROM applications a WHERE a.dismissed_at IS NULL) AS has_applications,
         (SELECT d.pattern FROM matches m
          JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
          WHERE m.message_id = g.id) AS pattern
       FROM messages g WHERE g.id = %(message_id)s""",
)
SAID = Query(
    "resolutions.said",
    _Said,
    """SELECT e.kind, e.span_source, e.span_start, e.span_end
       FROM events e
       WHERE e.message_id = %(message_id)s AND e.reading_id = (
         SELECT r.id FROM readings r
         WHERE r.message_id = %(message_id)s AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u
                           WHERE u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1)
       ORDER BY e.id""",
)
NAMED = Query(
    "resolutions.named",
    _Named,
    """SELECT a.id AS application_id, a.company, a.role, a.origin, s.stage, a.applied_at, a.applied_on
       FROM applications a JOIN standings s ON s.account_id = a.account_id AND s.application_id = a.id
       WHERE a.id = ANY(%(application_ids)s::bigint[])""",
)
HISTORY = Query(
    "resolutions.history",
    HistoryEntry,
    """SELECT p.id AS decision_id, p.message_id, coalesce(p.choice, '') AS choice, p.outcome,
         coalesce(p.application_id, p.rejected_application_id) AS application_id, a.company, a.role,
         g.subject, g.sent_at, p.created_at AS decided_at, d.outcome AS replaced_outcome,
         d.application_id AS replaced_application_id,
         (SELECT min(u.created_at) FROM match_decisions u
          WHERE u.message_id = p.message_id AND u.undoes_id = p.id) AS undone_at, m.decision_id AS version
       FROM match_decisions p
       JOIN messages g ON g.account_id = p.account_id AND g.id = p.message_id
       JOIN matches m ON m.account_id = p.account_id AND m.message_id = p.message_id
       LEFT JOIN match_decisions d ON d.account_id = p.account_id AND d.id = p.replaces_id
       LEFT JOIN applications a ON a.account_id = p.account_id
         AND a.id = coalesce(p.application_id, p.rejected_application_id)
       WHERE p.actor = 'person' AND (%(before)s::bigint IS NULL OR p.id < %(before)s::bigint)
       ORDER BY p.id DESC LIMIT %(limit)s""",
)
RATES = Query(
    "resolutions.rates",
    PatternRate,
    """SELECT d.pattern, count(*)::int AS answered,
         (count(*) FILTER (WHERE p.application_id = coalesce(d.application_id,
            (SELECT e.application_id FROM evidence e WHERE e.decision_id = d.id
             ORDER BY e.rank LIMIT 1))))::int AS confirmed
       FROM match_decisions p
       JOIN match_decisions d ON d.account_id = p.account_id AND d.id = p.replaces_id
       WHERE p.actor = 'person' AND p.choice <> 'undo' AND d.actor = 'machine'
         AND (%(pattern)s::text IS NULL OR d.pattern = %(pattern)s::text)
         AND NOT EXISTS (SELECT FROM match_decisions u
                         WHERE u.message_id = p.message_id AND u.undoes_id = p.id)
       GROUP BY d.pattern ORDER BY d.pattern""",
)


async def waiting(unit: Unit, *, after: Place | None = None, limit: int = 50) -> WaitingPage:
    """The queue: first what would move an application, and within that the newest."""
    rows = await unit.all(
        WAITING,
        after_stage=after.changes_stage if after else None,
        after_id=after.message_id if after else None,
        limit=limit + 1,
    )
    count = await unit.one(WAITING_COUNT)
    last = rows[limit - 1] if len(rows) > limit else None
    return WaitingPage(
        items=rows[:limit],
        next=last and Place(changes_stage=last.changes_stage, message_id=last.message_id),
        total=count.total,
        changing=count.changing,
    )


async def waiting_before(unit: Unit, place: Place) -> int:
    """How many questions come before this place of the queue."""
    row = await unit.one(WAITING_BEFORE, stage=place.changes_stage, message_id=place.message_id)
    return row.count


async def item(unit: Unit, message_id: MessageId) -> Item:
    """One message as a question, whatever was decided about it. Another account's message is `Missing`."""
    found = await letters(unit, [message_id])
    if not found:
        raise Missing
    letter = found[0]
    now = (await in_force(unit, [message_id])).get(message_id)
    weighed = await weighed_of(unit, now.decision_id) if now else ()
    body = await unit.one(BODY, message_id=message_id)
    log = (await log_of(unit, [message_id])).get(message_id, [])
    shown = await _candidates(unit, now, weighed)
    situation = Situation(
        message_id=message_id,
        outcome=now.outcome if now else None,
        application_id=now.application_id if now else None,
        by_person=now is not None and now.by_person,
        candidates=tuple(candidate.application_id for candidate in shown),
        has_applications=body.has_applications,
        can_undo=undoable(log) is not None,
    )
    return Item(
        message_id=message_id,
        version=now.decision_id if now else DecisionId(0),
        outcome=now.outcome if now else "not_examined",
        application_id=situation.application_id,
        by_person=situation.by_person,
        changes_stage=now is not None and now.changes_stage,
        pattern=body.pattern or "",
        confirm_rate=await _rate(unit, body.pattern),
        kinds=list(letter.kinds),
        company=_first_named(letter, "employer"),
        role=_first_named(letter, "role"),
        excerpt=await _excerpt(unit, letter, body, weighed),
        candidates=shown,
        options=options(situation),
    )


async def weighed_of(unit: Unit, decision_id: DecisionId) -> tuple[Weighed, ...]:
    """The candidates of one decision, ranked, with their evidence."""
    return candidates_of((await evidence_of(unit, [decision_id])).get(decision_id, []))


async def history(unit: Unit, *, before: DecisionId | None = None, limit: int = 50) -> list[HistoryEntry]:
    """What the person decided, the latest first; page on with the last entry's id."""
    return await unit.all(HISTORY, before=before, limit=limit)


async def confirm_rates(unit: Unit) -> list[PatternRate]:
    """Every pattern answered at least once and not taken back; a pattern not listed is not measured."""
    return await unit.all(RATES, pattern=None)


async def _rate(unit: Unit, pattern: str | None) -> float | None:
    row = await unit.maybe(RATES, pattern=pattern) if pattern else None
    return row.rate if row else None


async def _excerpt(unit: Unit, letter: Letter, body: _Body, weighed: tuple[Weighed, ...]) -> Excerpt:
    said = await unit.all(SAID, message_id=letter.message_id)
    marks = [
        Mark(source=row.span_source, start=row.span_start, end=row.span_end, says=row.kind)
        for row in said
        if row.span_source is not None and row.span_start is not None and row.span_end is not None
    ]
    marks += [
        Mark(source=piece.span.source, start=piece.span.start, end=piece.span.end, says=piece.says)
        for candidate in weighed
        for piece in candidate.pieces
        if piece.span is not None
    ]
    lengths = {"subject": len(letter.subject), "header": len(letter.header), "text": len(body.text or "")}
    return Excerpt(
        subject=letter.subject,
        header=letter.header,
        sent_at=letter.sent_at,
        text=body.text,
        is_cut=(body.length or 0) > EXCERPT_CHARS,
        marks=[mark for mark in dict.fromkeys(marks) if mark.end <= lengths.get(mark.source, 0)],
    )


async def _candidates(unit: Unit, now: InForce | None, weighed: tuple[Weighed, ...]) -> list[ShownCandidate]:
    scores = {candidate.application_id: candidate for candidate in weighed}
    wanted = list(scores)
    if now is not None and now.application_id is not None and now.application_id not in scores:
        wanted.insert(0, now.application_id)
    named = {row.application_id: row for row in await unit.all(NAMED, application_ids=wanted)}
    return [_shown(named[key], scores.get(key)) for key in wanted if key in named]


def _shown(named: _Named, weighed: Weighed | None) -> ShownCandidate:
    pieces = weighed.pieces if weighed else ()
    shown = [
        ShownPiece(name=piece.name, direction=piece.direction, strength=piece.strength, says=piece.says)
        for piece in pieces
    ]
    return ShownCandidate(
        application_id=named.application_id,
        company=named.company,
        role=named.role,
        origin=named.origin,
        stage=named.stage,
        applied_at=named.applied_at,
        applied_on=named.applied_on,
        score=weighed.score if weighed else 0.0,
        evidence_for=[piece for piece in shown if piece.direction == "for"],
        evidence_against=[piece for piece in shown if piece.direction != "for"],
    )


def _first_named(letter: Letter, name: str) -> str | None:
    return next((fact.value for fact in letter.named if fact.name == name), None)
