"""Confirm rates by pattern of evidence, as far as they were measured. Reads only.

Measured are answers to one message at a time, the latest of each pattern: of a whole pattern answered at once
only a sample was looked at. What was taken back, what answers a person's own earlier word, and the refusal of
another than the likeliest candidate measure nothing.
"""

from collections.abc import Iterable

import msgspec

from schema.db import Unit
from schema.query import Query


class PatternRate(msgspec.Struct, frozen=True, kw_only=True):
    """How often the person agreed with the machine's first candidate, of single answers under one pattern."""

    pattern: str
    answered: int
    confirmed: int

    @property
    def rate(self) -> float | None:
        return self.confirmed / self.answered if self.answered else None


RATES = Query(
    "resolutions.rates",
    PatternRate,
    """SELECT w.pattern, count(*)::int AS answered, (count(*) FILTER (WHERE c.agreed))::int AS confirmed
       FROM unnest(%(patterns)s::text[]) w (pattern)
       CROSS JOIN LATERAL (
         SELECT p.application_id IS NOT DISTINCT FROM first.application_id AS agreed
         FROM match_decisions p
         JOIN match_decisions d ON d.account_id = p.account_id AND d.id = p.replaces_id
         CROSS JOIN LATERAL (SELECT coalesce(d.application_id,
           (SELECT e.application_id FROM evidence e WHERE e.account_id = d.account_id
              AND e.decision_id = d.id ORDER BY e.rank LIMIT 1), 0) AS application_id) first
         WHERE p.pattern = w.pattern AND p.actor = 'person' AND p.act_id IS NULL AND p.choice <> 'undo'
           AND d.actor = 'machine'
           AND (p.choice <> 'reject' OR p.rejected_application_id = first.application_id)
           AND NOT EXISTS (SELECT FROM match_decisions u WHERE u.account_id = p.account_id
                           AND u.message_id = p.message_id AND u.undoes_id = p.id)
         ORDER BY p.id DESC LIMIT 200) c
       GROUP BY w.pattern""",
)


async def confirm_rates(unit: Unit, patterns: Iterable[str]) -> dict[str, PatternRate]:
    """Of those patterns that were answered at least once; one left out is not measured."""
    wanted = sorted({pattern for pattern in patterns if pattern})
    rows = await unit.all(RATES, patterns=wanted) if wanted else []
    return {row.pattern: row for row in rows}
