"""How long what waits will take: measured from this person's own answers, else estimated. Reads only."""

from statistics import median

import msgspec

from backend.review.store import gaps
from schema.db import Unit
from schema.text import grouped

ESTIMATE_SECONDS = 20.0
"""What an answer takes somebody whose pace is not known."""
LEAST_MEASURED = 10
PAUSE_SECONDS = 180
"""A longer gap between two answers was a pause."""
_HOURS_FROM = 90
"""So many minutes are told in hours."""


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds an answer takes; `measured` tells whether they are this person's own."""

    seconds: float
    measured: bool

    def minutes(self, waiting: int) -> int:
        """For so many answers, rounded; never less than one while anything waits."""
        return max(1, round(waiting * self.seconds / 60)) if waiting else 0


def about(minutes: int) -> str:
    """So many minutes as somebody says it: `about 7 hours`."""
    if minutes >= _HOURS_FROM:
        hours = round(minutes / 60)
        return f"about {grouped(hours)} hours"
    return "about 1 minute" if minutes == 1 else f"about {minutes} minutes"


async def pace(unit: Unit) -> Pace:
    """This person's pace over their latest answers, once enough of them followed upon each other."""
    return pace_of(await gaps(unit, pause_seconds=PAUSE_SECONDS))


def pace_of(seconds: list[float]) -> Pace:
    if len(seconds) < LEAST_MEASURED - 1:
        return Pace(seconds=ESTIMATE_SECONDS, measured=False)
    return Pace(seconds=median(seconds), measured=True)
