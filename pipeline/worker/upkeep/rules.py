"""What becomes of a lost task, how long finished ones are kept, and how long a sweep may sleep. Pure."""

from datetime import datetime, timedelta

KEPT = timedelta(days=90)
"""Finished longer ago than this, a task that ended well may go. 90 times 24 hours, in any time zone."""
HOST_KEPT = timedelta(days=7)
"""A host that has been open and unpaced for so long is forgotten."""

_FIRST_SPREAD = timedelta(seconds=20)
_WIDEST_SPREAD = timedelta(hours=1)


def try_again_at(losses: int, now: datetime, jitter: float) -> datetime | None:
    """When a task may run after its worker went silent; None is at once. `losses` counts the earlier ones.

    One silence is an accident. A second one may be this task's doing, or a neighbour's in the same process:
    then each comes back at a moment of its own, and only the one that kills its worker is lost again.
    """
    if losses == 0:
        return None
    doubled = _FIRST_SPREAD * 2 ** min(losses - 1, 20)
    return now + min(doubled, _WIDEST_SPREAD) * (0.1 + 0.9 * jitter)


def nap_seconds(next_due: datetime | None, now: datetime, poll_seconds: float) -> float:
    """Until the next row is due, at most one poll. A row past its time is another worker's just now."""
    if next_due is None or next_due <= now:
        return poll_seconds
    return min((next_due - now).total_seconds(), poll_seconds)
