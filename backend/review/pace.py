"""How long what waits will take: measured from this person's own answers, else estimated. Reads only."""

from statistics import median

import msgspec

from schema.db import Unit
from schema.query import Query

ESTIMATE_SECONDS = 20.0
"""What an answer takes somebody whose pace is not known."""
LEAST_MEASURED = 10
PAUSE_SECONDS = 180
"""A longer gap between two answers was a pause."""


class _Gap(msgspec.Struct, frozen=True, kw_only=True):
    seconds: float


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds an answer takes; `measured` tells whether they are this person's own."""

    seconds: float
    measured: bool

    def minutes(self, waiting: int) -> int:
        """For so many answers, rounded; never less than one while anything waits."""
        return max(1, round(waiting * self.seconds / 60)) if waiting else 0


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


async def pace(unit: Unit) -> Pace:
    """This person's pace over their latest answers, once enough of them followed upon each other."""
    return pace_of([row.seconds for row in await unit.all(GAPS, pause=PAUSE_SECONDS)])


def pace_of(gaps: list[float]) -> Pace:
    if len(gaps) < LEAST_MEASURED - 1:
        return Pace(seconds=ESTIMATE_SECONDS, measured=False)
    return Pace(seconds=median(gaps), measured=True)
