"""Decisions about reads: what an answer proves, when to look again, when to give up. Pure."""

import math
import re
from datetime import UTC, datetime, timedelta

import msgspec

from pipeline.sources.types import (
    Answer,
    BoardReading,
    Evidence,
    Listing,
    PullProblem,
    Source,
    Validators,
)
from schema.text import clean
from schema.vocabulary import Coverage

PULL_EVERY = timedelta(hours=6)
#: Failures in a row after which a source is switched off.
MOST_FAILURES = 8
WHOLE_EVERY = timedelta(days=2)
LONGEST_PAUSE = timedelta(hours=72)
_RETRY_AFTER_SECONDS = (30, 6 * 3600)
_UNPACED_PAUSE_SECONDS = 300
_EARLIEST_YEAR = 1990
_HIGHEST_PAY = 1e9
_PASSING: frozenset[PullProblem] = frozenset(
    ("unreachable", "timeout", "cut_short", "platform_error", "host_blocked")
)
_STATUSES: dict[int, PullProblem] = {
    401: "access_refused",
    403: "access_refused",
    404: "board_unknown",
    410: "board_unknown",
    429: "throttled",
}
_OK = 200
MAX_ID_CHARS = 300
_CURRENCY = re.compile(r"[A-Z]{3}")


def refused_answer(answer: Answer) -> Evidence | None:
    """The evidence of an answer that is no board; None for one worth reading."""
    if answer.status == _OK:
        return None
    return Evidence(
        problem=_STATUSES.get(answer.status, "platform_error"),
        status=answer.status,
        answer_bytes=len(answer.body),
        retry_after_seconds=answer.retry_after_seconds,
    )


def failed(evidence: Evidence) -> BoardReading:
    return BoardReading(listings=(), coverage="failed", evidence=evidence)


def settled_coverage(listings: tuple[Listing, ...], evidence: Evidence) -> BoardReading:
    """Complete only when the list ended by itself and every row of it was read."""
    whole = evidence.ended_naturally and evidence.unreadable_rows == 0
    if evidence.vendor_total is not None and evidence.vendor_total > evidence.rows:
        whole = False
    coverage: Coverage = "complete" if whole else "partial"
    return BoardReading(listings=listings, coverage=coverage, evidence=evidence)


def judged_against_before(reading: BoardReading, shown_before: int) -> BoardReading:
    """An empty answer of a board that had postings is suspect until something else confirms it."""
    if reading.evidence.is_unchanged:
        return reading
    if reading.coverage == "complete" and not reading.listings and shown_before:
        return msgspec.structs.replace(reading, coverage="surprising_empty")
    return reading


def is_passing(problem: PullProblem) -> bool:
    """Whether another try soon can help."""
    return problem in _PASSING


def blocked_until(evidence: Evidence, now: datetime, before: timedelta = timedelta()) -> datetime | None:
    """Until when a platform that throttles is left alone: what it asks for, within reason, and twice as long
    as it was left alone `before`, so that one that never answers is asked ever less."""
    if evidence.problem != "throttled":
        return None
    low, high = _RETRY_AFTER_SECONDS
    asked = _UNPACED_PAUSE_SECONDS if evidence.retry_after_seconds is None else evidence.retry_after_seconds
    return now + timedelta(seconds=min(max(asked, low, 2 * before.total_seconds()), high))


def waited_before(source: Source) -> timedelta:
    """How long the source was left alone because its last pull was throttled; 0 when it was not."""
    if source.blocked_until is None or source.last_pull_at is None:
        return timedelta()
    return max(source.blocked_until - source.last_pull_at, timedelta())


def is_given_up(failures_in_a_row: int) -> bool:
    """Whether a board failed so often that only a person should have it read again."""
    return failures_in_a_row >= MOST_FAILURES


def known_validators(source: Source, now: datetime) -> Validators | None:
    """What to ask with whether the board changed; None when it is to be read whatever it says of itself:
    validators were seen that never change."""
    if source.etag is None and source.last_modified is None:
        return None
    if source.read_whole_at is None or now - source.read_whole_at >= WHOLE_EVERY:
        return None
    return Validators(etag=source.etag, last_modified=source.last_modified)


def is_due(source: Source, now: datetime) -> bool:
    waits = (source.blocked_until, source.rests_until)
    if any(until is not None and until > now for until in waits):
        return False
    return source.last_pull_at is None or source.last_pull_at + pause_after(source.failures_in_a_row) <= now


def pause_after(failures_in_a_row: int) -> timedelta:
    """How long after a pull the next is due: twice as long for each failure in a row, at most three days."""
    return min(PULL_EVERY * 2 ** min(failures_in_a_row, 10), LONGEST_PAUSE)


def finite(amount: float | None) -> float | None:
    """An amount of money that can be one; 0 is how platforms write that there is none."""
    return amount if amount is not None and math.isfinite(amount) and 0 < amount <= _HIGHEST_PAY else None


def currency_code(text: str | None) -> str | None:
    """A code as ISO 4217 writes them; anything else says nothing certain."""
    return text if text is not None and _CURRENCY.fullmatch(text) else None


def usable_id(text: str) -> str | None:
    """A vendor's id as it is stored; None for one that cannot be an identity."""
    stripped = clean(text).strip()
    return stripped if 0 < len(stripped) <= MAX_ID_CHARS else None


def likely_instant(at: datetime, now: datetime) -> datetime | None:
    """None for dates that are no publication: years before the platforms existed, or far ahead."""
    if not _EARLIEST_YEAR <= at.year <= now.year + 1:
        return None
    return at.astimezone(UTC)
