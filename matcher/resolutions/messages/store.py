"""Messages as questions, each with everything needed to answer it. Reads only, and many at once.

Whatever was decided about a message, it can be looked at here; those that wait are in the queue.
"""

from collections.abc import Sequence

import msgspec

from matcher.decisions.rules import candidates_of
from matcher.decisions.store import evidence_of, in_force, log_of
from matcher.decisions.types import Weighed
from matcher.evidence.store import letters
from matcher.resolutions.messages.question import Question, candidates_shown
from matcher.resolutions.messages.reasons import why_it_stands
from matcher.resolutions.messages.rules import KnownAsk
from matcher.resolutions.names import message_item
from matcher.resolutions.rates.store import PatternRate, confirm_rates
from matcher.resolutions.shown.store import excerpts, shown_applications
from matcher.resolutions.types import Excerpt, Mark, MessageItem
from matcher.resolutions.versions import version
from schema.db import Unit
from schema.errors import Missing
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


async def questions(unit: Unit, message_ids: Sequence[MessageId]) -> dict[MessageId, Question]:
    """These messages as questions; another account's message, or none, is left out."""
    found = await letters(unit, message_ids)
    ids = [letter.message_id for letter in found]
    now = await in_force(unit, ids)
    logs = await log_of(unit, ids)
    evidence = await evidence_of(unit, [row.decision_id for row in now.values()])
    weighed = {key: candidates_of(evidence.get(row.decision_id, [])) for key, row in now.items()}
    involved = {item.application_id for items in weighed.values() for item in items}
    involved = involved.union(*(row.attached_to for row in now.values()))
    applications = await shown_applications(unit, involved)
    asks = await unit.all(ASKS, application_ids=sorted(involved)) if involved else []
    states = await message_states(unit, ids)
    stand = [each for each in applications.values() if not each.is_dismissed and each.merged_into_id is None]
    has_applications = bool(stand) or (await unit.one(HAS_APPLICATIONS)).found
    made: dict[MessageId, Question] = {}
    for letter in found:
        key = letter.message_id
        candidates = candidates_shown(now.get(key), weighed.get(key, ()), applications)
        own = {candidate.application_id for candidate in candidates}
        made[key] = Question(
            letter=letter,
            now=now.get(key),
            log=tuple(logs.get(key, ())),
            weighed=weighed.get(key, ()),
            candidates=candidates,
            asks=tuple(ask for ask in asks if ask.application_id in own),
            has_applications=has_applications,
            version=states[key].version,
        )
    return made


async def question_of(unit: Unit, message_id: MessageId) -> Question:
    """One of them. Another account's message is `Missing`."""
    found = await questions(unit, [message_id])
    if message_id not in found:
        raise Missing
    return found[message_id]


async def message_items(unit: Unit, message_ids: Sequence[MessageId]) -> dict[MessageId, MessageItem]:
    """The same as they are shown: with what the mail says, and how often its pattern was confirmed."""
    asked = await questions(unit, message_ids)
    found = [question.letter for question in asked.values()]
    said = await excerpts(unit, found, {key: _marks(each.weighed) for key, each in asked.items()})
    rates = await confirm_rates(unit, {each.pattern for each in asked.values()})
    return {key: _item(each, said[key], rates.get(each.pattern)) for key, each in asked.items()}


async def weighed_of(unit: Unit, decision_id: DecisionId) -> tuple[Weighed, ...]:
    """The candidates of one decision, ranked, with their evidence."""
    return candidates_of((await evidence_of(unit, [decision_id])).get(decision_id, []))


async def message_states(unit: Unit, message_ids: Sequence[MessageId]) -> dict[MessageId, MessageState]:
    """How these messages stand, for who needs no more than their version."""
    rows = await unit.all(STATES, message_ids=list(message_ids))
    return {row.message_id: row for row in rows}


async def decided_by(unit: Unit, act_id: ActId) -> list[MessageId]:
    """The messages one act decided about, taken back since or not."""
    return [row.message_id for row in await unit.all(DECIDED_BY, act_id=act_id)]


def _item(question: Question, excerpt: Excerpt, rate: PatternRate | None) -> MessageItem:
    outcome = question.now.outcome if question.now else "not_examined"
    return MessageItem(
        id=message_item(question.message_id),
        version=question.version,
        undoes=question.undoes,
        rank=question.now.rank if question.now else 2,  # pyright: ignore[reportArgumentType]
        at=question.letter.sent_at or excerpt.first_seen_at,
        waits=outcome == "asks",
        why=why_it_stands(outcome, question.pattern, by_person=question.by_person),
        options=question.options(),
        message_id=question.message_id,
        decision_id=question.decision_id,
        outcome=outcome,
        application_ids=question.attached,
        by_person=question.by_person,
        pattern=question.pattern,
        confirm_rate=rate.rate if rate else None,
        answered=rate.answered if rate else 0,
        company=question.company,
        role=question.role,
        excerpt=excerpt,
        candidates=list(question.candidates),
    )


def _marks(weighed: Sequence[Weighed]) -> list[Mark]:
    return [
        Mark(source=piece.span.source, start=piece.span.start, end=piece.span.end, says=piece.says)
        for candidate in weighed
        for piece in candidate.pieces
        if piece.span is not None
    ]


async def put_by_person(unit: Unit, application_id: ApplicationId) -> int:
    """How many messages the person's word put there."""
    return (await unit.one(PUT_BY_PERSON, application_id=application_id)).messages
