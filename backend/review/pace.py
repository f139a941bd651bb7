"""How long what waits will take: measured from this person's own answers, else estimated. Reads only."""

from statistics import median

import msgspec

from backend.review.store import gaps
from schema.db import Unit

ESTIMATE_SECONDS = 20.0
"""What an answer takes somebody whose pace is not known."""
LEAST_MEASURED = 10
PAUSE_SECONDS = 180
"""A longer gap between two answers was a pause."""


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds an answer takes; `measured` tells whether they are this person's own."""

    seconds: float
    measured: bool

    def minutes(self, waiting: int) -> int:
        """For so many answers, rounded; never less than one while anything waits."""
        return max(1, round(waiting * self.seconds / 60)) if waiting else 0


async def pace(unit: Unit) -> Pace:
    """This person's pace over their latest answers, once enough of them followed upon each other."""
    return pace_of(await gaps(unit, pause_seconds=PAUSE_SECONDS))


def pace_of(seconds: list[float]) -> Pace:
    if len(seconds) < LEAST_MEASURED - 1:
        return Pace(seconds=ESTIMATE_SECONDS, measured=False)
    return Pace(seconds=median(seconds), measured=True)
