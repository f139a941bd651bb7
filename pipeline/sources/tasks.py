"""Work on sources: pull one board, and ask for pulls of the boards whose turn has come.

A pull reads outside any transaction, plans what changes, and commits observations, postings and the pull in
one short transaction. A read that failed or was cut short is recorded and changes nothing else.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from pipeline.sources import store
from pipeline.sources.add import ask_for_pull
from pipeline.sources.changes import Changes, changes
from pipeline.sources.client import open_fetcher
from pipeline.sources.observed.store import known_listings
from pipeline.sources.registry import ADAPTERS
from pipeline.sources.rules import blocked_until, is_passing, judged_against_before, pause_after
from pipeline.sources.settling import Attempt, record_pull
from pipeline.sources.types import BoardReading, Source
from pipeline.worker.types import Deferred, Done, Permanent, TaskRun, Transient
from schema.ids import SourceId
from schema.live import announce
from schema.queue import SWEEP
from schema.settings import SourceSettings
from schema.tasks import PullDueSources, PullSource
from schema.text import grouped

log = structlog.get_logger()

PullHandler = Callable[[TaskRun, PullSource], Awaitable[Done]]


def pull_handler(settings: SourceSettings) -> PullHandler:
    """The handler of `source.pull.v1` for this installation."""

    async def pull(run: TaskRun, payload: PullSource) -> Done:
        source = await _source_to_read(run, SourceId(payload.source_id))
        if source is None:
            return Done("switched_off")
        started_at = run.clock.now()
        reading = await _read(source, settings)
        await run.progress(len(reading.listings), None, f"{grouped(len(reading.listings))} postings read")
        return await _settle(run, source.id, reading, started_at)

    return pull


async def sweep(run: TaskRun, _: PullDueSources) -> Done:
    """Ask for every due pull; asking twice is harmless, a source has one unfinished pull at most."""
    now = run.clock.now()
    async with run.db.as_fleet() as unit:
        due = [source for source in await store.enabled_sources(unit) if _is_due(source, now)]
        for source in due:
            await ask_for_pull(unit, source.id, priority=SWEEP)
    return Done("asked" if due else "nothing_due")


def _is_due(source: Source, now: datetime) -> bool:
    if source.blocked_until is not None and source.blocked_until > now:
        return False
    return source.last_pull_at is None or source.last_pull_at + pause_after(source.failures_in_a_row) <= now


async def _source_to_read(run: TaskRun, source_id: SourceId) -> Source | None:
    async with run.db.as_fleet() as unit:
        source = await store.source_by_id(unit, source_id)
    if source is None:
        raise Permanent("source_missing")
    if source.blocked_until is not None and source.blocked_until > run.clock.now():
        raise Deferred(source.blocked_until)
    return source if source.enabled else None


async def _read(source: Source, settings: SourceSettings) -> BoardReading:
    adapter = ADAPTERS.get(source.platform)
    if adapter is None:
        raise Permanent("source_unreadable", f"this release reads no boards of {source.platform}")
    async with open_fetcher(settings) as fetch:
        return await adapter.read(source.board, fetch)


async def _settle(run: TaskRun, source_id: SourceId, reading: BoardReading, started_at: datetime) -> Done:
    source, found, reading = await _planned(run, source_id, reading)
    now = run.clock.now()
    until = blocked_until(reading.evidence, now)
    async with run.db.as_fleet() as unit:
        present = await store.locked_source(unit, source_id)
        if present is None:
            raise Permanent("source_missing")
        if present.newest_pull_id != source.newest_pull_id:
            raise Transient("another pull of this source was faster")
        attempt = Attempt(
            task_id=run.task_id,
            started_at=started_at,
            now=now,
            failures=_failures(run, present, reading),
            blocked_until=until,
        )
        await record_pull(unit, present, reading, found, attempt)
        if found.listings or found.missing or found.shown_again:
            announce(unit, "postings")
    log.info("source pulled", source_id=source_id, coverage=reading.coverage, written=len(found.listings))
    return _outcome(reading, found, until)


async def _planned(
    run: TaskRun, source_id: SourceId, reading: BoardReading
) -> tuple[Source, Changes, BoardReading]:
    async with run.db.as_fleet() as unit:
        source = await store.source_by_id(unit, source_id)
        known = await known_listings(unit, source_id)
    if source is None:
        raise Permanent("source_missing")
    reading = judged_against_before(reading, sum(each.missed == 0 for each in known))
    found = await run.thread(changes, source, reading, known, run.clock.now())
    return source, found, reading


def _failures(run: TaskRun, source: Source, reading: BoardReading) -> int:
    """One failure per pull, however many tries it took; being throttled is no failure."""
    problem = reading.evidence.problem
    if reading.coverage != "failed" or problem is None:
        return 0
    counts = problem != "throttled" and (not is_passing(problem) or run.attempt >= PullSource.MAX_ATTEMPTS)
    return source.failures_in_a_row + counts


def _outcome(reading: BoardReading, found: Changes, until: datetime | None) -> Done:
    problem = reading.evidence.problem
    if until is not None:
        raise Deferred(until)
    if problem is not None and is_passing(problem):
        raise Transient(problem)
    if problem is not None:
        raise Permanent("source_unreadable", problem)
    return Done(reading.coverage if found.listings else "nothing_new")
