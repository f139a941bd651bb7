"""How fast employers answered this person, asked of the standings. Writes nothing."""

from matcher.silence.rules import Pace
from schema.db import Unit
from schema.query import Query

PACE = Query(
    "silence.pace",
    Pace,
    """SELECT count(*)::int AS known,
         percentile_cont(0.5) WITHIN GROUP (
           ORDER BY greatest(extract(epoch FROM answered_at - began_at)::float8 / 86400, 0)) AS median_days
       FROM standings WHERE answered_at IS NOT NULL AND began_at IS NOT NULL AND NOT dismissed""",
)


async def pace(unit: Unit) -> Pace:
    """Over the applications in the person's list whose start and whose first answer are known."""
    return await unit.one(PACE)
