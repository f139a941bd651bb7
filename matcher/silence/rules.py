"""What counts as an employer's answer, and how long a silence is beside what this person is used to. Pure.

A receipt is no answer: a machine sends it within minutes. Silence is a number of days and never a stage; what
is usual is the person's own median, and nothing is said of it before enough answers are known.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from math import ceil

import msgspec

from matcher.timeline.rules import ENDED
from matcher.timeline.types import Event
from schema.vocabulary import EventKind, Stage

ANSWERS: frozenset[EventKind] = frozenset(
    {
        "rejection",
        "position_closed",
        "assessment_invite",
        "interview_invite",
        "interview_scheduled",
        "info_request",
        "offer",
    }
)
"""What says yes, says no or wants something. "We are still looking" says neither."""

KNOWN_LEAST = 5
"""So many answers have to be known before a median is told."""

_A_DAY = timedelta(days=1)


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How fast employers answered this person: `known` first answers with a known start, and their median.

    `median_days` is None when no answer is known at all; `usual_days` is what may be compared with.
    """

    known: int
    median_days: float | None

    @property
    def usual_days(self) -> int | None:
        """Whole days, rounded up; None while fewer than `KNOWN_LEAST` answers are known."""
        return None if self.median_days is None or self.known < KNOWN_LEAST else ceil(self.median_days)


class Silence(msgspec.Struct, frozen=True, kw_only=True):
    """Whole days since the last sign of life, and the days an answer usually takes, None when unknown."""

    days: int
    usual_days: int | None

    @property
    def is_long(self) -> bool:
        """Longer than half of the known answers took: a remark, not a verdict."""
        return self.usual_days is not None and self.days > self.usual_days


def silence(since: datetime | None, stage: Stage, pace: Pace, now: datetime) -> Silence | None:
    """None when nobody knows since when, and for what has ended: there nothing is awaited."""
    if since is None or stage in ENDED:
        return None
    return Silence(days=max((now - since).days, 0), usual_days=pace.usual_days)


def first_answer(
    events: Iterable[Event], applied_at: datetime | None, applied_on: date | None
) -> datetime | None:
    """When an employer first answered, not before the application; None when no answer with a time is known.

    A plain day began somewhere on earth up to a day before it did here.
    """
    since = applied_at or (datetime.combine(applied_on, time.min, UTC) - _A_DAY if applied_on else None)
    times = (event.sent_at for event in events if event.kind in ANSWERS and event.sent_at is not None)
    return min((at for at in times if since is None or at >= since), default=None)


def first_receipt(events: Iterable[Event]) -> datetime | None:
    """By when an application had surely come in: its first receipt, unless an answer was there before."""
    known = [(event.sent_at, event.kind) for event in events if event.sent_at is not None]
    received = min((at for at, kind in known if kind == "acknowledgement"), default=None)
    answered = min((at for at, kind in known if kind in ANSWERS), default=None)
    return None if received is None or (answered is not None and answered < received) else received
