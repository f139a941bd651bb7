"""When a task is tried again, and for how long. Pure; the random number comes from the caller."""

from datetime import timedelta

LONGEST = timedelta(hours=1)
PROVIDER_HORIZON = timedelta(hours=6)
"""The least time over which work that depends on an outside provider is tried: a provider's bad morning."""


def backoff(attempts: int, base_seconds: float, jitter: float) -> timedelta:
    """Wait before the next try after `attempts` tries (1 or more); `jitter` in [0, 1) takes up to half off.

    Doubles with each try and never exceeds an hour.
    """
    doubled = base_seconds * 2.0 ** min(attempts - 1, 40)
    whole = min(doubled, LONGEST.total_seconds())
    return timedelta(seconds=whole * (1.0 - jitter / 2))


def horizon(max_attempts: int, base_seconds: float) -> timedelta:
    """The least time from the first try to the last: every wait at its shortest, the tries taking no time."""
    waits = [backoff(attempts, base_seconds, 1.0) for attempts in range(1, max_attempts)]
    return sum(waits, timedelta())
