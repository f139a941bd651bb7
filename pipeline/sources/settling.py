"""What one pull found, written in the caller's transaction: all of it or nothing. No SQL here."""

from datetime import datetime

import msgspec

from pipeline.closing.pulls import decided
from pipeline.closing.types import Decisions, Reading
from pipeline.postings.store import close_postings, reopen_postings, write_postings
from pipeline.postings.types import PostingRow, Written
from pipeline.sources import store
from pipeline.sources.changes import Changes
from pipeline.sources.follow import ask_what_follows
from pipeline.sources.looking.ask import ask_for_probes, ask_for_texts
from pipeline.sources.observed.store import set_missed, show_again, write_listings
from pipeline.sources.observed.types import ListingRow
from pipeline.sources.rules import MOST_FAILURES, is_given_up
from pipeline.sources.types import BoardReading, Source
from schema.db import Unit
from schema.ids import PullId, TaskId


class Pulled(msgspec.Struct, frozen=True, kw_only=True):
    """One try at a board. `reading` without its listings: they are in `found` and in the rows by now."""

    task_id: TaskId | None
    started_at: datetime
    now: datetime
    misses_to_close: int
    reading: BoardReading
    found: Changes
    postings: list[PostingRow]
    listings: list[ListingRow]
    counts_as_failure: bool
    blocked_until: datetime | None

    @property
    def refused(self) -> int:
        return self.found.refused + sum(each.verdict == "refused" for each in self.listings)


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    pull_id: PullId
    is_news: bool


async def record_pull(unit: Unit, source: Source, pulled: Pulled) -> Settled:
    """The observations, what they amount to, and the pull itself. `source` is locked."""
    pull_id = await store.insert_pull(
        unit,
        source.id,
        pulled.reading,
        task_id=pulled.task_id,
        started_at=pulled.started_at,
        finished_at=pulled.now,
        observed=len(pulled.found.shown),
        refused=pulled.refused,
        written=len(pulled.listings),
    )
    written = await _write_rows(unit, source, pulled, pull_id)
    decisions = await _close(unit, source, pulled, pull_id)
    await ask_what_follows(unit, pulled.postings, written)
    await ask_for_probes(unit, source, decisions.probes)
    if pulled.reading.coverage != "failed":
        await ask_for_texts(unit, source, now=pulled.now)
    await store.note_pulled(unit, source.id, _aftermath(source, pulled, decisions), now=pulled.now)
    is_news = bool(written or decisions.closes or decisions.reopens)
    return Settled(pull_id=pull_id, is_news=is_news or bool(pulled.listings))


async def _write_rows(unit: Unit, source: Source, pulled: Pulled, pull_id: PullId) -> list[Written]:
    written = await write_postings(
        unit, source.platform, pulled.postings, source_id=source.id, pull_id=pull_id, now=pulled.now
    )
    await write_listings(
        unit, source.platform, pulled.listings, source_id=source.id, pull_id=pull_id, now=pulled.now
    )
    await show_again(unit, source.id, pulled.found.shown_again)
    return written


async def _close(unit: Unit, source: Source, pulled: Pulled, pull_id: PullId) -> Decisions:
    """Misses, closes and reopenings as the rules decide on what is written by now."""
    reading = Reading(
        at=pulled.now,
        coverage=pulled.reading.coverage,
        shown=pulled.found.shown,
        problem=pulled.reading.evidence.problem,
    )
    decisions = await decided(unit, source, reading, misses_to_close=pulled.misses_to_close, pull_id=pull_id)
    last_seen_at = source.last_complete_at or source.last_pull_at or pulled.started_at
    for misses in decisions.misses:
        await set_missed(unit, source.id, misses.vendor_ids, misses.missed, last_seen_at=last_seen_at)
    await _move(unit, source, decisions, pull_id, pulled.now)
    return decisions


async def _move(unit: Unit, source: Source, decisions: Decisions, pull_id: PullId, now: datetime) -> None:
    closed = 0
    for each in decisions.closes:
        ids = await close_postings(
            unit, each.posting_ids, each.reason, source_id=source.id, pull_id=pull_id, now=now
        )
        closed += len(ids)
    await store.note_closed(unit, pull_id, closed)
    await reopen_postings(
        unit, decisions.reopens, "listed_again", source_id=source.id, pull_id=pull_id, now=now
    )


def _aftermath(source: Source, pulled: Pulled, decisions: Decisions) -> store.Aftermath:
    """A failure in an incident of the whole platform says nothing of this board."""
    reading = pulled.reading
    failures = 0
    if reading.coverage == "failed":
        counts = pulled.counts_as_failure and decisions.circuit is None
        failures = source.failures_in_a_row + counts
    is_complete = reading.coverage == "complete"
    return store.Aftermath(
        is_complete=is_complete,
        is_whole=is_complete and not reading.evidence.is_unchanged,
        wrote_rows=bool(pulled.listings),
        validators=reading.validators,
        failures=failures,
        blocked_until=pulled.blocked_until,
        rests_until=None if decisions.pause is None else pulled.now + decisions.pause,
        off_reason=_off_reason(reading) if is_given_up(failures) else None,
    )


def _off_reason(reading: BoardReading) -> str:
    return f"{MOST_FAILURES} pulls in a row failed, the last with {reading.evidence.problem}"
