"""What one pull found, written in the caller's transaction: all of it or nothing. No SQL here."""

from collections.abc import AsyncIterator
from datetime import datetime

import msgspec

from pipeline.closing.pulls import decided
from pipeline.closing.types import Decisions, Reading
from pipeline.postings.store import close_postings, reopen_postings, write_postings
from pipeline.sources import store
from pipeline.sources.changes import Changes
from pipeline.sources.follow import ask_for_twins, may_have_twins
from pipeline.sources.looking.ask import ask_for_probes, ask_for_texts
from pipeline.sources.observed.store import set_missed, show_again, write_listings
from pipeline.sources.records import Records
from pipeline.sources.rules import MOST_FAILURES, is_given_up
from pipeline.sources.types import BoardReading, Source
from schema.db import Unit
from schema.ids import PostingId, PullId, TaskId


class Pulled(msgspec.Struct, frozen=True, kw_only=True):
    """One try at a board. `reading` without its listings: they are in `found` and in the rows by now."""

    task_id: TaskId | None
    started_at: datetime
    now: datetime
    misses_to_close: int
    reading: BoardReading
    found: Changes
    counts_as_failure: bool
    blocked_until: datetime | None


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    pull_id: PullId
    is_news: bool


class _Wrote(msgspec.Struct, frozen=True, kw_only=True):
    """What the rows of a pull came to; `twins` are the postings to look for twins of."""

    refused: int
    twins: list[PostingId]


async def record_pull(
    unit: Unit, source: Source, pulled: Pulled, portions: AsyncIterator[Records]
) -> Settled:
    """The observations, what they amount to, and the pull itself. `source` is locked; `portions` are the rows
    of everything that changed, in the order of their ids."""
    changed = len(pulled.found.changed)
    pull_id = await store.insert_pull(
        unit,
        source.id,
        pulled.reading,
        task_id=pulled.task_id,
        started_at=pulled.started_at,
        finished_at=pulled.now,
        observed=len(pulled.found.shown),
        refused=pulled.found.refused,
        written=changed,
    )
    wrote = await _write_rows(unit, source, pulled, pull_id, portions)
    decisions = await _close(unit, source, pulled, pull_id)
    closed = await _move(unit, source, decisions, pull_id, pulled.now)
    await store.note_outcome(unit, pull_id, closed=closed, refused=wrote.refused)
    await ask_for_twins(unit, wrote.twins)
    await ask_for_probes(unit, source, decisions.probes)
    if pulled.reading.coverage != "failed":
        await ask_for_texts(unit, source, now=pulled.now)
    await store.note_pulled(unit, source.id, _aftermath(source, pulled, decisions), now=pulled.now)
    return Settled(pull_id=pull_id, is_news=bool(changed or decisions.closes or decisions.reopens))


async def _write_rows(
    unit: Unit, source: Source, pulled: Pulled, pull_id: PullId, portions: AsyncIterator[Records]
) -> _Wrote:
    refused = 0
    twins: list[PostingId] = []
    async for rows in portions:
        written = await write_postings(
            unit, source.platform, rows.postings, source_id=source.id, pull_id=pull_id, now=pulled.now
        )
        await write_listings(
            unit, source.platform, rows.listings, source_id=source.id, pull_id=pull_id, now=pulled.now
        )
        refused += sum(each.verdict == "refused" for each in rows.listings)
        twins += may_have_twins(rows.postings, written)
    await show_again(unit, source.id, pulled.found.shown_again)
    return _Wrote(refused=refused, twins=twins)


async def _close(unit: Unit, source: Source, pulled: Pulled, pull_id: PullId) -> Decisions:
    """The misses that are written, and the closes and reopenings still to write, as the rules decide on what
    is written by now."""
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
    return decisions


async def _move(unit: Unit, source: Source, decisions: Decisions, pull_id: PullId, now: datetime) -> int:
    """Close and reopen; how many were closed."""
    closed = 0
    for each in decisions.closes:
        ids = await close_postings(
            unit, each.posting_ids, each.reason, source_id=source.id, pull_id=pull_id, now=now
        )
        closed += len(ids)
    await reopen_postings(
        unit, decisions.reopens, "listed_again", source_id=source.id, pull_id=pull_id, now=now
    )
    return closed


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
        wrote_rows=bool(pulled.found.changed),
        validators=reading.validators,
        failures=failures,
        blocked_until=pulled.blocked_until,
        rests_until=None if decisions.pause is None else pulled.now + decisions.pause,
        off_reason=_off_reason(reading) if is_given_up(failures) else None,
    )


def _off_reason(reading: BoardReading) -> str:
    return f"{MOST_FAILURES} pulls in a row failed, the last with {reading.evidence.problem}"
