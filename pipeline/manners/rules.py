"""Decisions about manners: how close together requests may start, and what an answer says of that. Pure."""

from datetime import timedelta

from pipeline.manners.types import Verdict
from pipeline.sources.types import Answer

PATIENCE = timedelta(seconds=20)
"""A task waits for its turn inside itself no longer; a host that is busy for longer gets it back later."""
MOST_UNDER_WAY = 2
"""Requests under way to one host, over all workers."""
ROBOTS_KEPT = timedelta(hours=24)
ROBOTS_RETRY = timedelta(minutes=10)
"""A robots.txt that could not be read forbids everything for so long, and is then asked for again."""
ROBOTS_RETRY_UNANSWERED = timedelta(minutes=1)
"""Where nobody answered at all: that is more often the network between than the host."""
MOST_ROBOTS_BYTES = 500 * 1024
MOST_ROBOTS_REDIRECTS = 5
LONGEST_SPACING = timedelta(minutes=5)
_LONGEST_LEAST = timedelta(days=1)
_BLOCK = (timedelta(seconds=1), timedelta(hours=6))
_UNSTATED_BLOCK = timedelta(seconds=60)
_SERVER_FAULT = 500
_BUSY = 503
THROTTLED = frozenset((420, 429))
_WALLS = frozenset((401, 403, 451, 999))
# What a host documents, where no robots.txt says it.
_DOCUMENTED = {"api.rippling.com": timedelta(seconds=6)}
# Slack below a few milliseconds is less than a process stands still by itself.
_LEAST_CHECKED = timedelta(milliseconds=100)
_MOST_SLACK = timedelta(milliseconds=25)


def least_spacing(host: str, ours: float, crawl_delay: float | None = None) -> timedelta:
    """The shortest time between two starts: the longest of what anybody asked for."""
    asked = max(ours, crawl_delay or 0.0)
    return min(max(timedelta(seconds=asked), _DOCUMENTED.get(host, timedelta())), _LONGEST_LEAST)


def first_slack(spacing: timedelta) -> timedelta:
    """How late a start may be and still be in its turn. The turns are so much further apart, so that a late
    start is never too close to the next; 0 for a spacing too short to be kept that exactly."""
    return min(spacing / 10, _MOST_SLACK) if spacing >= _LEAST_CHECKED else timedelta()


def verdict_of(answer: Answer) -> Verdict:
    """What an answer means for its host. A 404 is served: it was answered, and nobody minds the asking."""
    asked = answer.retry_after_seconds
    if answer.status in THROTTLED:
        return Verdict(outcome="refused", block=_clamped(asked) or _UNSTATED_BLOCK, is_ours=asked is None)
    if answer.status in _WALLS or (answer.status == _BUSY and asked is not None):
        return Verdict(outcome="refused", block=_clamped(asked))
    if answer.status >= _SERVER_FAULT:
        return Verdict(outcome="neither", block=_clamped(asked))
    return Verdict(outcome="served")


def _clamped(seconds: int | None) -> timedelta | None:
    if seconds is None:
        return None
    low, high = _BLOCK
    return min(max(timedelta(seconds=seconds), low), high)
