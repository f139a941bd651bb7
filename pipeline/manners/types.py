"""What the files of this feature hand to each other and to pages."""

from datetime import datetime, timedelta
from typing import Literal

import msgspec

Outcome = Literal["served", "refused", "neither"]
"""What an answer says of our pace: go on, slow down, or nothing (a fault, a broken line, no answer)."""
RobotsState = Literal["unknown", "found", "missing", "unreachable"]


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """A place among the requests under way to a host, until it is reported over, or is over by itself."""

    host: str
    ends: datetime


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer means for its host. `block` is how long to leave it alone; `is_ours`: it did not say how
    long, so each refusal in a row doubles it."""

    outcome: Outcome
    block: timedelta | None = None
    is_ours: bool = False


NEITHER = Verdict(outcome="neither")


class HostState(msgspec.Struct, frozen=True, kw_only=True):
    """One host as operators see it. `robots` is None for a host whose robots.txt was not asked for yet."""

    host: str
    spacing: timedelta
    least_spacing: timedelta
    next_start_at: datetime
    blocked_until: datetime | None
    refusals: int
    successes: int
    under_way: int
    used_at: datetime
    robots: RobotsState | None
    robots_fetched_at: datetime | None
