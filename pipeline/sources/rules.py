"""Decisions about reads: what an answer proves, which listings are admitted, when to look again. Pure."""

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import msgspec

from pipeline.sources.types import Answer, BoardReading, Evidence, Listing, PullProblem
from schema.text import clean
from schema.vocabulary import Coverage

#: Raise the version when a rule changes: listings judged by an older one are judged again.
ADMISSION_VERSION = 1
PULL_EVERY = timedelta(hours=6)
LONGEST_PAUSE = timedelta(hours=72)
_RETRY_AFTER_SECONDS = (30, 6 * 3600)
_UNPACED_PAUSE_SECONDS = 300
_EARLIEST_YEAR = 1990
_HIGHEST_PAY = 1e9
_PASSING: frozenset[PullProblem] = frozenset(("unreachable", "timeout", "cut_short", "platform_error"))
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


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a listing may become a posting. `reason` is None exactly when it may."""

    rule: str
    version: int = ADMISSION_VERSION
    reason: str | None = None

    @property
    def is_admitted(self) -> bool:
        return self.reason is None


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
    if reading.coverage == "complete" and not reading.listings and shown_before:
        return msgspec.structs.replace(reading, coverage="surprising_empty")
    return reading


def admitted(listing: Listing, canonical_url: str | None) -> Verdict:
    """The rules of version 1; every listing is stored whatever they say."""
    if not listing.title.strip():
        return Verdict(rule="has_title", reason="the platform gave no title")
    if not listing.is_listed:
        return Verdict(rule="is_listed", reason="the employer does not list it")
    if canonical_url is None:
        return Verdict(rule="has_address", reason="it has no web address")
    return Verdict(rule="all")


def is_passing(problem: PullProblem) -> bool:
    """Whether another try soon can help."""
    return problem in _PASSING


def blocked_until(evidence: Evidence, now: datetime) -> datetime | None:
    """Until when a platform that throttles is left alone: what it asks for, within reason."""
    if evidence.problem != "throttled":
        return None
    low, high = _RETRY_AFTER_SECONDS
    asked = evidence.retry_after_seconds
    return now + timedelta(seconds=_UNPACED_PAUSE_SECONDS if asked is None else min(max(asked, low), high))


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


def missing_from(shown: Iterable[str], known: Iterable[str]) -> list[str]:
    """Known listings that a complete reading did not show."""
    present = set(shown)
    return [vendor_id for vendor_id in known if vendor_id not in present]
