"""How fast employers answered this person, asked of the standings. Writes nothing."""

from matcher.silence.rules import Pace
from schema.db import Unit
from schema.query import Query

PACE = Query(
    "silence.pace",
    Pace,
    """SELECT count(t.days)::int AS known,
         percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest(t.days, 0)) AS median_days
       FROM standings s
       JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
       CROSS JOIN LATERAL (SELECT extract(epoch FROM s.answered_at
           - coalesce(a.applied_at, a.applied_on::timestamp AT TIME ZONE 'UTC'))::float8 / 86400 AS days) t
       WHERE t.days IS NOT NULL AND NOT s.dismissed AND a.merged_into_id IS NULL""",
)


async def pace(unit: Unit) -> Pace:
    """Over the applications in the person's list whose start and whose first answer are known."""
    return await unit.one(PACE)
