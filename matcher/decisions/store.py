"""The log of match decisions with its evidence, and the projection of what is in force.

The only writer of `match_decisions`, `evidence`, `matches`, `attachments` and `match_keys`. Every change
happens under the account's lock, so that two workers, or a worker and a person, never decide on the same
message at once.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import LiteralString

import msgspec
from psycopg.types.json import Jsonb

from matcher.decisions.types import EvidenceRow, InForce, Logged, NewDecision
from schema.db import Unit
from schema.ids import ApplicationId, DecisionId, MessageId, ReadingId
from schema.query import Query, Statement

HOLD = Statement(
    "decisions.hold_account",
    "SELECT pg_advisory_xact_lock(hashtextextended('jobtrail.match', jobtrail_account()))",
)


class _Appended(msgspec.Struct, frozen=True, kw_only=True):
    decision_id: DecisionId
    message_id: MessageId


class _Keyed(msgspec.Struct, frozen=True, kw_only=True):
    key_hash: int
    message_id: MessageId


APPEND = Query(
    "decisions.append",
    _Appended,
    """INSERT INTO match_decisions (message_id, outcome, application_id, also_application_ids, actor, act_id,
         choice, policy_version, input_hash, score, margin, pattern, rejected_application_id, replaces_id,
         undoes_id, created_at)
       SELECT d.message_id, d.outcome, d.application_id, d.also_application_ids, d.actor, d.act_id,
         d.choice, d.policy_version, d.input_hash, d.score, d.margin, d.pattern, d.rejected_application_id,
         d.replaces_id, d.undoes_id, %(now)s
       FROM jsonb_to_recordset(%(rows)s) AS d (message_id bigint, outcome text, application_id bigint,
         also_application_ids bigint[], actor text, act_id bigint, choice text, policy_version int,
         input_hash text, score float8, margin float8, pattern text, rejected_application_id bigint,
         replaces_id bigint, undoes_id bigint)
       RETURNING id AS decision_id, message_id""",
)
APPEND_EVIDENCE = Statement(
    "decisions.append_evidence",
    """INSERT INTO evidence (decision_id, application_id, rank, candidate_score, name, direction, strength,
         says, value, span_source, span_start, span_end)
       SELECT * FROM jsonb_to_recordset(%(rows)s) AS e (decision_id bigint, application_id bigint,
         rank smallint, candidate_score float8, name text, direction text, strength float8, says text,
         value text, span_source text, span_start int, span_end int)""",
)
PROJECT = Statement(
    "decisions.project",
    """INSERT INTO matches (message_id, decision_id, outcome, application_id, anchor_application_id,
         by_person, changes_stage, rank, queued_at, reading_id, stale, decided_at)
       SELECT m.message_id, m.decision_id, m.outcome, m.application_id, m.anchor_application_id,
         m.by_person, m.changes_stage, m.rank, coalesce(g.sent_at, g.first_seen_at), m.reading_id, m.stale,
         %(now)s
       FROM jsonb_to_recordset(%(rows)s) AS m (message_id bigint, decision_id bigint, outcome text,
         application_id bigint, anchor_application_id bigint, by_person boolean, changes_stage boolean,
         rank smallint, reading_id bigint, stale boolean)
       JOIN messages g ON g.id = m.message_id
       ON CONFLICT (account_id, message_id) DO UPDATE SET
         decision_id = excluded.decision_id, outcome = excluded.outcome,
         application_id = excluded.application_id, anchor_application_id = excluded.anchor_application_id,
         by_person = excluded.by_person, changes_stage = excluded.changes_stage, rank = excluded.rank,
         queued_at = excluded.queued_at, reading_id = excluded.reading_id, stale = excluded.stale,
         decided_at = excluded.decided_at""",
)
DETACH = Statement(
    "decisions.detach", "DELETE FROM attachments WHERE message_id = ANY(%(message_ids)s::bigint[])"
)
ATTACH = Statement(
    "decisions.attach",
    """INSERT INTO attachments (message_id, application_id)
       SELECT * FROM unnest(%(message_ids)s::bigint[], %(application_ids)s::bigint[])""",
)
CONFIRM_CURRENT = Statement(
    "decisions.still_current",
    """UPDATE matches m SET stale = false, reading_id = r.reading_id, changes_stage = r.changes_stage,
         rank = r.rank
       FROM jsonb_to_recordset(%(rows)s) AS r (message_id bigint, reading_id bigint, changes_stage boolean,
         rank smallint)
       WHERE m.message_id = r.message_id""",
)
KEYED = Query(
    "decisions.keyed",
    _Keyed,
    "SELECT key_hash, message_id FROM match_keys WHERE key_hash = ANY(%(hashes)s::bigint[])",
)
MARK_STALE = Statement(
    "decisions.mark_stale",
    """UPDATE matches SET stale = true
       WHERE message_id = ANY(%(message_ids)s::bigint[]) AND NOT by_person AND NOT stale""",
)
STALE_BY_APPLICATIONS = Statement(
    "decisions.stale_by_applications",
    """UPDATE matches SET stale = true
       WHERE NOT by_person AND NOT stale AND application_id = ANY(%(application_ids)s::bigint[])""",
)
DROP_KEYS = Statement(
    "decisions.drop_keys", "DELETE FROM match_keys WHERE message_id = ANY(%(message_ids)s::bigint[])"
)
ADD_KEYS = Statement(
    "decisions.add_keys",
    """INSERT INTO match_keys (message_id, key_hash)
       SELECT * FROM unnest(%(message_ids)s::bigint[], %(hashes)s::bigint[])
       ON CONFLICT DO NOTHING""",
)
_IN_FORCE: LiteralString = """
    SELECT m.message_id, m.decision_id, m.outcome, m.application_id, m.anchor_application_id,
      d.also_application_ids, m.by_person, m.changes_stage, m.rank, m.reading_id, m.stale, m.decided_at,
      d.input_hash
    FROM matches m JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
    WHERE m.message_id = ANY(%(message_ids)s::bigint[])"""
IN_FORCE = Query("decisions.in_force", InForce, _IN_FORCE)
LOCK_IN_FORCE = Query("decisions.lock_in_force", InForce, _IN_FORCE + " FOR UPDATE OF m")
LOG = Query(
    "decisions.log",
    Logged,
    """SELECT id AS decision_id, message_id, outcome, application_id, also_application_ids, actor, act_id,
         choice, policy_version, input_hash, pattern, rejected_application_id, replaces_id, undoes_id,
         created_at
       FROM match_decisions WHERE message_id = ANY(%(message_ids)s::bigint[]) ORDER BY id""",
)


class _Refused(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    rejected_application_id: ApplicationId | None


REFUSED = Query(
    "decisions.refused",
    _Refused,
    """SELECT d.message_id, coalesce(a.merged_into_id, a.id) AS rejected_application_id
       FROM match_decisions d
       LEFT JOIN applications a ON a.account_id = d.account_id AND a.id = d.rejected_application_id
       WHERE d.message_id = ANY(%(message_ids)s::bigint[]) AND d.choice = 'reject'
         AND NOT EXISTS (SELECT FROM match_decisions u
                         WHERE u.message_id = d.message_id AND u.undoes_id = d.id)""",
)
EVIDENCE = Query(
    "decisions.evidence",
    EvidenceRow,
    """SELECT decision_id, application_id, rank, candidate_score, name, direction, strength, says, value,
         span_source, span_start, span_end
       FROM evidence WHERE decision_id = ANY(%(decision_ids)s::bigint[])
       ORDER BY decision_id, rank, abs(strength) DESC, id""",
)


async def hold_account(unit: Unit) -> None:
    """Wait for, and keep to the end of the transaction, the right to change this account's matches."""
    await unit.run(HOLD)


async def in_force(unit: Unit, message_ids: Iterable[MessageId]) -> dict[MessageId, InForce]:
    """What is decided about these messages now."""
    rows = await unit.all(IN_FORCE, message_ids=list(message_ids))
    return {row.message_id: row for row in rows}


async def lock_in_force(unit: Unit, message_ids: Iterable[MessageId]) -> dict[MessageId, InForce]:
    """The same, for who is about to change it: the rows stay locked to the end of the transaction."""
    rows = await unit.all(LOCK_IN_FORCE, message_ids=list(message_ids))
    return {row.message_id: row for row in rows}


async def log_of(unit: Unit, message_ids: Iterable[MessageId]) -> dict[MessageId, list[Logged]]:
    """Every decision ever made about these messages, the oldest first."""
    found: dict[MessageId, list[Logged]] = defaultdict(list)
    for row in await unit.all(LOG, message_ids=list(message_ids)):
        found[row.message_id].append(row)
    return found


async def refused_by_message(
    unit: Unit, message_ids: Iterable[MessageId]
) -> dict[MessageId, set[ApplicationId]]:
    """Applications the person said a message is not about; no machine proposes them again.

    A record merged since counts for the one that stands for it.
    """
    found: dict[MessageId, set[ApplicationId]] = defaultdict(set)
    for row in await unit.all(REFUSED, message_ids=list(message_ids)):
        if row.rejected_application_id is not None:
            found[row.message_id].add(row.rejected_application_id)
    return found


async def evidence_of(unit: Unit, decision_ids: Iterable[DecisionId]) -> dict[DecisionId, list[EvidenceRow]]:
    found: dict[DecisionId, list[EvidenceRow]] = defaultdict(list)
    for row in await unit.all(EVIDENCE, decision_ids=list(decision_ids)):
        found[row.decision_id].append(row)
    return found


async def append(
    unit: Unit, decisions: Sequence[NewDecision], *, now: datetime
) -> dict[MessageId, DecisionId]:
    """Append decisions with their evidence and put them in force. At most one per message in a call."""
    if not decisions:
        return {}
    appended = await unit.all(APPEND, rows=Jsonb(decisions), now=now)
    ids = {row.message_id: row.decision_id for row in appended}
    evidence = [row for decision in decisions for row in _evidence_rows(decision, ids[decision.message_id])]
    if evidence:
        await unit.run(APPEND_EVIDENCE, rows=Jsonb(evidence))
    projected = [_projected(decision, ids[decision.message_id]) for decision in decisions]
    await unit.run(PROJECT, rows=Jsonb(projected), now=now)
    await _attach(unit, decisions)
    return ids


async def _attach(unit: Unit, decisions: Sequence[NewDecision]) -> None:
    await unit.run(DETACH, message_ids=[decision.message_id for decision in decisions])
    links = [
        (decision.message_id, application_id)
        for decision in decisions
        for application_id in dict.fromkeys((decision.application_id, *decision.also_application_ids))
        if application_id is not None
    ]
    if links:
        message_ids, application_ids = zip(*links, strict=True)
        await unit.run(ATTACH, message_ids=list(message_ids), application_ids=list(application_ids))


class Unchanged(msgspec.Struct, frozen=True, kw_only=True):
    """A message looked at again with the same result."""

    message_id: MessageId
    reading_id: ReadingId | None
    changes_stage: bool
    rank: int


async def still_current(unit: Unit, looked_at: Sequence[Unchanged]) -> None:
    """Note that these messages were looked at again and nothing about them changed."""
    if looked_at:
        await unit.run(CONFIRM_CURRENT, rows=Jsonb(looked_at))


async def write_keys(unit: Unit, keys: dict[MessageId, frozenset[int]]) -> None:
    """Replace the keys under which these messages look for applications."""
    await unit.run(DROP_KEYS, message_ids=list(keys))
    pairs = [(message_id, key) for message_id, own in keys.items() for key in sorted(own)]
    if pairs:
        message_ids, hashes = zip(*pairs, strict=True)
        await unit.run(ADD_KEYS, message_ids=list(message_ids), hashes=list(hashes))


async def mark_stale(unit: Unit, hashes: Iterable[int], *, origin: MessageId | None = None) -> int:
    """Have the next run look again at machine-decided messages with any of these keys; how many."""
    return await mark_many_stale(unit, [(key, origin) for key in hashes])


async def mark_many_stale(unit: Unit, pairs: Iterable[tuple[int, MessageId | None]]) -> int:
    """The same for keys that each spring from one message, which itself needs no second look."""
    origins: dict[int, set[MessageId | None]] = defaultdict(set)
    for key, origin in pairs:
        origins[key].add(origin)
    # Two plain index lookups: joined, the planner may read every match of the account instead.
    rows = await unit.all(KEYED, hashes=sorted(origins)) if origins else []
    wanted = sorted({row.message_id for row in rows if origins[row.key_hash] != {row.message_id}})
    return await unit.run(MARK_STALE, message_ids=wanted) if wanted else 0


async def mark_attached_stale(unit: Unit, application_ids: Iterable[ApplicationId]) -> int:
    """Have the next run look again at what a machine attached to these applications; how many messages."""
    return await unit.run(STALE_BY_APPLICATIONS, application_ids=list(application_ids))


def _evidence_rows(decision: NewDecision, decision_id: DecisionId) -> list[EvidenceRow]:
    return [
        EvidenceRow(
            decision_id=decision_id,
            application_id=candidate.application_id,
            rank=rank,
            candidate_score=candidate.score,
            name=piece.name,
            direction=piece.direction,
            strength=piece.strength,
            says=piece.says,
            value=piece.value,
            span_source=piece.span.source if piece.span else None,
            span_start=piece.span.start if piece.span else None,
            span_end=piece.span.end if piece.span else None,
        )
        for rank, candidate in enumerate(decision.candidates, 1)
        for piece in candidate.pieces
    ]


class _Projected(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    decision_id: DecisionId
    outcome: str
    application_id: ApplicationId | None
    anchor_application_id: ApplicationId | None
    by_person: bool
    changes_stage: bool
    rank: int
    reading_id: ReadingId | None
    stale: bool


def _projected(decision: NewDecision, decision_id: DecisionId) -> _Projected:
    return _Projected(
        message_id=decision.message_id,
        decision_id=decision_id,
        outcome=decision.outcome,
        application_id=decision.application_id,
        anchor_application_id=decision.anchor_application_id,
        by_person=decision.by_person,
        changes_stage=decision.changes_stage,
        rank=decision.rank,
        reading_id=decision.reading_id,
        stale=decision.stale,
    )
