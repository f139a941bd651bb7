"""What one pull found, written in the caller's transaction: all of it or nothing. No SQL and no decisions."""

from datetime import datetime

import msgspec

from pipeline.postings.store import write_postings
from pipeline.sources import store
from pipeline.sources.changes import Changes
from pipeline.sources.observed.store import add_descriptions, count_missed, show_again, write_listings
from pipeline.sources.types import BoardReading, Source
from schema.db import Unit
from schema.ids import PullId, TaskId


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One try at a board, and what it means for the next."""

    task_id: TaskId | None
    started_at: datetime
    now: datetime
    failures: int
    blocked_until: datetime | None


async def record_pull(
    unit: Unit, source: Source, reading: BoardReading, found: Changes, attempt: Attempt
) -> PullId:
    """The observations, what they amount to, and the pull itself. `source` is locked."""
    pull_id = await store.insert_pull(
        unit,
        source.id,
        reading,
        task_id=attempt.task_id,
        started_at=attempt.started_at,
        finished_at=attempt.now,
        observed=len(reading.listings),
        refused=found.refused,
        written=len(found.listings),
    )
    await _write_changes(unit, source, found, pull_id, attempt.now)
    await show_again(unit, source.id, found.shown_again)
    last_seen_at = source.last_complete_at or source.last_pull_at or attempt.started_at
    await count_missed(unit, source.id, found.missing, last_seen_at=last_seen_at)
    await store.note_pulled(
        unit,
        source.id,
        is_complete=reading.coverage == "complete",
        failures=attempt.failures,
        blocked_until=attempt.blocked_until,
        now=attempt.now,
    )
    return pull_id


async def _write_changes(unit: Unit, source: Source, found: Changes, pull_id: PullId, now: datetime) -> None:
    await add_descriptions(unit, found.descriptions)
    await write_postings(unit, source.platform, found.postings, source_id=source.id, pull_id=pull_id, now=now)
    await write_listings(unit, source.platform, found.listings, source_id=source.id, pull_id=pull_id, now=now)
