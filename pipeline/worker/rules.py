"""When a task is tried again. Pure; the random number comes from the caller."""

from datetime import timedelta

LONGEST = timedelta(hours=1)


def backoff(attempts: int, base_seconds: float, jitter: float) -> timedelta:
    """Wait before the next try after `attempts` tries (1 or more); `jitter` in [0, 1) takes up to half off.

    Doubles with each try and never exceeds an hour.
    """
    doubled = base_seconds * 2.0 ** min(attempts - 1, 40)
    whole = min(doubled, LONGEST.total_seconds())
    return timedelta(seconds=whole * (1.0 - jitter / 2))
