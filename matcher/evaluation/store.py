"""What the evaluation reads back: decisions in force, their candidates, and what was derived."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from schema.db import Unit
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.query import Query
from schema.vocabulary import MatchOutcome

_AT_ONCE = 2000


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force for one message; no row at all means it was not examined."""

    message_id: MessageId
    decision_id: DecisionId
    outcome: MatchOutcome
    application_id: ApplicationId | None
    pattern: str
    score: float | None
    margin: float | None


class _Ranked(msgspec.Struct, frozen=True, kw_only=True):
    decision_id: DecisionId
    application_id: ApplicationId


class Derived(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    company: str | None
    role: str | None


DECIDED = Query(
    "evaluation.decided",
    Decided,
    """SELECT m.message_id, m.decision_id, m.outcome, m.application_id, d.pattern, d.score, d.margin
       FROM matches m JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
       WHERE m.message_id = ANY(%(message_ids)s::bigint[])""",
)
RANKED = Query(
    "evaluation.ranked",
    _Ranked,
    """SELECT decision_id, application_id FROM evidence
       WHERE decision_id = ANY(%(decision_ids)s::bigint[])
       GROUP BY decision_id, application_id ORDER BY decision_id, min(rank), application_id""",
)
DERIVED = Query(
    "evaluation.derived",
    Derived,
    """SELECT id AS application_id, company, role FROM applications
       WHERE origin = 'derived' AND dismissed_at IS NULL ORDER BY id""",
)


async def decided(unit: Unit, message_ids: Sequence[MessageId]) -> dict[MessageId, Decided]:
    found: dict[MessageId, Decided] = {}
    for start in range(0, len(message_ids), _AT_ONCE):
        rows = await unit.all(DECIDED, message_ids=list(message_ids[start : start + _AT_ONCE]))
        found |= {row.message_id: row for row in rows}
    return found


async def proposed(unit: Unit, decisions: Sequence[DecisionId]) -> dict[DecisionId, list[ApplicationId]]:
    """The candidates stored with each decision, the likeliest first."""
    found: dict[DecisionId, list[ApplicationId]] = defaultdict(list)
    for start in range(0, len(decisions), _AT_ONCE):
        rows = await unit.all(RANKED, decision_ids=list(decisions[start : start + _AT_ONCE]))
        for row in rows:
            found[row.decision_id].append(row.application_id)
    return found


async def derived(unit: Unit) -> list[Derived]:
    return await unit.all(DERIVED)
