"""Messages as questions, each with everything needed to answer it. Reads only, and many at once.

Whatever was decided about a message, it can be looked at here; those that wait are in the queue.
"""

from collections.abc import Sequence

import msgspec

from matcher.decisions.rules import before, candidates_of, undoable
from matcher.decisions.store import evidence_of, in_force, log_of
from matcher.decisions.types import InForce, Logged, Weighed
from matcher.evidence.store import letters
from matcher.evidence.types import Letter
from matcher.resolutions.messages.reasons import why_it_stands
from matcher.resolutions.messages.rules import KnownAsk, Situation, options
from matcher.resolutions.names import decision_entry, message_item
from matcher.resolutions.rates.store import PatternRate, confirm_rates
from matcher.resolutions.shown.store import excerpts, shown_applications
from matcher.resolutions.types import (
    Excerpt,
    Mark,
    MessageItem,
    ShownApplication,
    ShownCandidate,
    ShownPiece,
)
from matcher.resolutions.versions import version
from schema.db import Unit
from schema.ids import ActId, ApplicationId, DecisionId, MessageId, ReadingId
from schema.query import Query
from schema.vocabulary import MatchOutcome


class _Any(msgspec.Struct, frozen=True, kw_only=True):
    found: bool


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId


class _Put(msgspec.Struct, frozen=True, kw_only=True):
    messages: int


class MessageState(msgspec.Struct, frozen=True, kw_only=True):
    """How a message stands, and all that an answer to it could rest on."""

    message_id: MessageId
    decision_id: DecisionId | None
    outcome: MatchOutcome | None
    reading_id: ReadingId | None
    said_id: DecisionId | None
    application_ids: list[ApplicationId]
    candidates: list[str]

    @property
    def version(self) -> str:
        return version(self.decision_id, self.reading_id, self.said_id, tuple(self.candidates))


PUT_BY_PERSON = Query(
    "resolutions.put_by_person",
    _Put,
    """SELECT count(*)::int AS messages
       FROM attachments t JOIN matches m ON m.account_id = t.account_id AND m.message_id = t.message_id
       WHERE t.application_id = %(application_id)s AND m.by_person""",
)
ASKS = Query(
    "resolutions.asks_of_applications",
    KnownAsk,
    """SELECT id AS ask_id, application_id, message_id, kind, opened_at, settled_at, settling_message_id
       FROM asks WHERE application_id = ANY(%(application_ids)s::bigint[]) ORDER BY id""",
)
DECIDED_BY = Query(
    "resolutions.decided_by",
    _Id,
    """SELECT DISTINCT message_id FROM match_decisions
       WHERE act_id = %(act_id)s AND choice <> 'undo' ORDER BY message_id""",
)
STATES = Query(
    "resolutions.message_states",
    MessageState,
    """SELECT g.id AS message_id, m.decision_id, m.outcome,
         (SELECT max(r.id) FROM readings r
          WHERE r.account_id = g.account_id AND r.message_id = g.id) AS reading_id,
         (SELECT max(d.id) FROM match_decisions d WHERE d.account_id = g.account_id
            AND d.message_id = g.id AND d.actor = 'person') AS said_id,
         ARRAY(SELECT l.application_id FROM attachments l WHERE l.account_id = g.account_id
               AND l.message_id = g.id ORDER BY l.application_id) AS application_ids,
         ARRAY(SELECT concat_ws(' ', a.id, a.dismissed_at IS NOT NULL, a.merged_into_id)
               FROM applications a WHERE a.account_id = g.account_id AND a.id IN (
                 SELECT e.application_id FROM evidence e
                 WHERE e.account_id = g.account_id AND e.decision_id = m.decision_id
                 UNION SELECT l.application_id FROM attachments l
                 WHERE l.account_id = g.account_id AND l.message_id = g.id)
               ORDER BY a.id) AS candidates
       FROM messages g LEFT JOIN matches m ON m.account_id = g.account_id AND m.message_id = g.id
       WHERE g.id = ANY(%(message_ids)s::bigint[])""",
)
HAS_APPLICATIONS = Query(
    "resolutions.has_applications",
    _Any,
    """SELECT EXISTS (SELECT FROM applications
       WHERE dismissed_at IS NULL AND merged_into_id IS NULL) AS found""",
)


class _Around(msgspec.Struct, frozen=True, kw_only=True):
    """All that is read around a batch of messages, so that each is put together without another question."""

    now: dict[MessageId, InForce]
    logs: dict[MessageId, list[Logged]]
    weighed: dict[MessageId, tuple[Weighed, ...]]
    applications: dict[ApplicationId, ShownApplication]
    asks: list[KnownAsk]
    excerpts: dict[MessageId, Excerpt]
    rates: dict[str, PatternRate]
    states: dict[MessageId, MessageState]
    has_applications: bool

    def pattern(self, message_id: MessageId) -> str:
        """That of the decision in force, which stands in its log as well."""
        now = self.now.get(message_id)
        log = self.logs.get(message_id, [])
        return next((entry.pattern for entry in log if now and entry.decision_id == now.decision_id), "")


async def message_items(unit: Unit, message_ids: Sequence[MessageId]) -> dict[MessageId, MessageItem]:
    """These messages as questions; another account's message, or none, is left out."""
    found = await letters(unit, message_ids)
    around = await _around(unit, found)
    return {letter.message_id: _item(letter, around) for letter in found}


async def weighed_of(unit: Unit, decision_id: DecisionId | None) -> tuple[Weighed, ...]:
    """The candidates of one decision, ranked, with their evidence."""
    if decision_id is None:
        return ()
    return candidates_of((await evidence_of(unit, [decision_id])).get(decision_id, []))


async def message_states(unit: Unit, message_ids: Sequence[MessageId]) -> dict[MessageId, MessageState]:
    """How these messages stand, for who needs no more than their version."""
    rows = await unit.all(STATES, message_ids=list(message_ids))
    return {row.message_id: row for row in rows}


async def decided_by(unit: Unit, act_id: ActId) -> list[MessageId]:
    """The messages one act decided about, taken back since or not."""
    return [row.message_id for row in await unit.all(DECIDED_BY, act_id=act_id)]


async def _around(unit: Unit, found: Sequence[Letter]) -> _Around:
    ids = [letter.message_id for letter in found]
    now = await in_force(unit, ids)
    logs = await log_of(unit, ids)
    evidence = await evidence_of(unit, [row.decision_id for row in now.values()])
    weighed = {key: candidates_of(evidence.get(row.decision_id, [])) for key, row in now.items()}
    involved = {item.application_id for items in weighed.values() for item in items}
    for row in now.values():
        involved |= row.attached_to
    patterns = {entry.pattern for log in logs.values() for entry in log if entry.pattern}
    return _Around(
        now=now,
        logs=logs,
        weighed=weighed,
        applications=await shown_applications(unit, involved),
        asks=await unit.all(ASKS, application_ids=sorted(involved)) if involved else [],
        excerpts=await excerpts(unit, found, {key: _marks(items) for key, items in weighed.items()}),
        rates=await confirm_rates(unit, patterns),
        states=await message_states(unit, ids),
        has_applications=(await unit.one(HAS_APPLICATIONS)).found,
    )


def _item(letter: Letter, around: _Around) -> MessageItem:
    message_id = letter.message_id
    now = around.now.get(message_id)
    candidates = _candidates(now, around.weighed.get(message_id, ()), around.applications)
    pattern = around.pattern(message_id)
    rate = around.rates.get(pattern)
    last = undoable(around.logs.get(message_id, []))
    outcome = now.outcome if now else "not_examined"
    by_person = now is not None and now.by_person
    return MessageItem(
        id=message_item(message_id),
        version=around.states[message_id].version,
        undoes=decision_entry(last.decision_id) if last else None,
        rank=now.rank if now else 2,  # pyright: ignore[reportArgumentType]
        at=letter.sent_at or around.excerpts[message_id].first_seen_at,
        waits=outcome == "asks",
        why=why_it_stands(outcome, pattern, by_person=by_person),
        options=options(_situation(letter, now, candidates, around)),
        message_id=message_id,
        decision_id=now.decision_id if now else None,
        outcome=outcome,
        application_ids=sorted(now.attached_to) if now else [],
        by_person=by_person,
        pattern=pattern,
        confirm_rate=rate.rate if rate else None,
        answered=rate.answered if rate else 0,
        company=_first_named(letter, "employer"),
        role=_first_named(letter, "role"),
        excerpt=around.excerpts[message_id],
        candidates=candidates,
    )


def _situation(
    letter: Letter, now: InForce | None, candidates: list[ShownCandidate], around: _Around
) -> Situation:
    log = around.logs.get(letter.message_id, [])
    last = undoable(log)
    restored = before(log, last) if last else None
    restores = (restored.application_id, *restored.also_application_ids) if restored else ()
    involved = {found.application_id for found in candidates}
    return Situation(
        message_id=letter.message_id,
        kinds=letter.kinds,
        sent_at=letter.sent_at,
        outcome=now.outcome if now else None,
        attached=tuple(sorted(now.attached_to)) if now else (),
        by_person=now is not None and now.by_person,
        pattern=around.pattern(letter.message_id),
        candidates=tuple(candidates),
        asks=tuple(ask for ask in around.asks if ask.application_id in involved),
        has_applications=around.has_applications,
        can_undo=last is not None,
        restores=tuple(found for found in restores if found is not None),
    )


def _candidates(
    now: InForce | None, weighed: tuple[Weighed, ...], applications: dict[ApplicationId, ShownApplication]
) -> list[ShownCandidate]:
    """Those weighed, the likeliest first, after what it is attached to without having been weighed."""
    scores = {found.application_id: found for found in weighed}
    attached = now.attached_to if now else frozenset[ApplicationId]()
    wanted = [*sorted(attached - scores.keys()), *scores]
    return [
        _candidate(applications[key], scores.get(key), is_attached=key in attached)
        for key in wanted
        if key in applications
    ]


def _candidate(
    application: ShownApplication, weighed: Weighed | None, *, is_attached: bool
) -> ShownCandidate:
    shown = [
        ShownPiece(name=piece.name, direction=piece.direction, strength=piece.strength, says=piece.says)
        for piece in (weighed.pieces if weighed else ())
    ]
    return ShownCandidate(
        application=application,
        score=weighed.score if weighed else 0.0,
        is_attached=is_attached,
        evidence_for=[piece for piece in shown if piece.direction == "for"],
        evidence_against=[piece for piece in shown if piece.direction != "for"],
    )


def _marks(weighed: tuple[Weighed, ...]) -> list[Mark]:
    return [
        Mark(source=piece.span.source, start=piece.span.start, end=piece.span.end, says=piece.says)
        for candidate in weighed
        for piece in candidate.pieces
        if piece.span is not None
    ]


def _first_named(letter: Letter, name: str) -> str | None:
    return next((fact.value for fact in letter.named if fact.name == name), None)


async def put_by_person(unit: Unit, application_id: ApplicationId) -> int:
    """How many messages the person's word put there."""
    return (await unit.one(PUT_BY_PERSON, application_id=application_id)).messages
