"""Work on sources: pull one board, and ask for pulls of the boards whose turn has come.

A pull reads outside any transaction, compares with what is known, makes rows of what is new in portions, and
commits observations, postings, closes and the pull itself in one transaction, which begins when the first
portion is made. Texts are stored ahead of it: nothing shows them before it commits. A read that failed is
recorded and changes no row.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from datetime import datetime, timedelta

import msgspec
import structlog

from pipeline.manners.fetch import polite_fetcher
from pipeline.manners.rules import PATIENCE
from pipeline.sources import store
from pipeline.sources.add import lane_of, pull_key
from pipeline.sources.admission import ADMISSION_VERSION
from pipeline.sources.changes import Changes, changes
from pipeline.sources.observed.store import has_older_refusals, known_listings
from pipeline.sources.patient import Patient
from pipeline.sources.portions import PORTION, portions
from pipeline.sources.registry import ADAPTERS
from pipeline.sources.rules import (
    blocked_until,
    is_due,
    is_passing,
    judged_against_before,
    known_validators,
    waited_before,
)
from pipeline.sources.settling import Pulled, record_pull
from pipeline.sources.types import Adapter, BoardReading, Source
from pipeline.worker.types import Deferred, Done, HostClosed, Permanent, TaskRun, Transient
from schema.ids import SourceId
from schema.live import announce
from schema.queue import SWEEP, Wanted, enqueue, enqueue_many
from schema.settings import SourceSettings
from schema.tasks import JudgeRefused, PullDueSources, PullSource
from schema.text import grouped

log = structlog.get_logger()

PullHandler = Callable[[TaskRun, PullSource], Awaitable[Done]]
#: Long boards store texts while their rows are written, on two connections each: so many at once never wait
#: for each other's, whatever the number of slots.
_LONG_AT_ONCE = 2
#: A list of many pages outlasts a pause that its host asks for in the middle.
_PATIENCE = timedelta(minutes=2)


class _Read(msgspec.Struct, frozen=True, kw_only=True):
    """`is_too_slow`: its host leaves more time between two answers than a pull waits."""

    reading: BoardReading
    started_at: datetime
    is_too_slow: bool


def pull_handler(settings: SourceSettings) -> PullHandler:
    """The handler of `source.pull.v1` for this installation."""
    turns = asyncio.Semaphore(_LONG_AT_ONCE)

    async def pull(run: TaskRun, payload: PullSource) -> Done:
        source = await _source_to_read(run, SourceId(payload.source_id))
        if source is None:
            return Done("switched_off")
        adapter = ADAPTERS.get(source.platform)
        if adapter is None:
            raise Permanent("source_unreadable", f"this release reads no boards of {source.platform}")
        read = await _read(run, source, adapter, settings)
        listings = len(read.reading.listings)
        await run.progress(listings, None, f"{grouped(listings)} postings read")
        return await _settle(run, source.id, adapter, read, turns)

    return pull


async def sweep(run: TaskRun, _: PullDueSources) -> Done:
    """Ask for every due pull; asking twice is harmless, a source has one unfinished pull at most."""
    now = run.clock.now()
    async with run.db.as_fleet() as unit:
        due = [source for source in await store.enabled_sources(unit) if is_due(source, now)]
        await enqueue_many(unit, [_wanted(source) for source in due])
        if await has_older_refusals(unit, ADMISSION_VERSION):
            await enqueue(unit, JudgeRefused(), dedupe_key=JudgeRefused.KIND, priority=SWEEP)
    return Done("asked" if due else "nothing_due")


def _wanted(source: Source) -> Wanted:
    pull = PullSource(source_id=source.id, lane=lane_of(source.platform, source.url))
    return Wanted(payload=pull, dedupe_key=pull_key(source.id), priority=SWEEP)


async def _source_to_read(run: TaskRun, source_id: SourceId) -> Source | None:
    async with run.db.as_fleet() as unit:
        source = await store.source_by_id(unit, source_id)
    if source is None:
        raise Permanent("source_missing")
    if source.blocked_until is not None and source.blocked_until > run.clock.now():
        raise Deferred(source.blocked_until)
    return source if source.enabled else None


async def _read(run: TaskRun, source: Source, adapter: Adapter, settings: SourceSettings) -> _Read:
    """Raises `Deferred` when the host wants to be left alone and nothing was read."""
    started_at = run.clock.now()
    patience = _PATIENCE if adapter.misses_to_close > 1 else PATIENCE
    async with polite_fetcher(run.db, settings, clock=run.clock, patience=patience) as fetch:
        patient = Patient(fetch)
        reading = await adapter.read(source.board, patient, known_validators(source, started_at))
    is_blocked = reading.coverage == "failed" and reading.evidence.problem == "host_blocked"
    if is_blocked and patient.until and not patient.is_too_slow:
        raise Deferred(patient.until)
    if patient.is_too_slow and reading.evidence.problem == "host_blocked":
        evidence = msgspec.structs.replace(reading.evidence, problem="too_slow")
        reading = msgspec.structs.replace(reading, evidence=evidence)
    is_too_slow = reading.coverage == "failed" and reading.evidence.problem == "too_slow"
    return _Read(reading=reading, started_at=started_at, is_too_slow=is_too_slow)


async def _settle(
    run: TaskRun, source_id: SourceId, adapter: Adapter, read: _Read, turns: asyncio.Semaphore
) -> Done:
    source, found, reading = await _compared(run, source_id, read.reading)
    now = run.clock.now()
    until = blocked_until(reading.evidence, now, waited_before(source))
    pulled = Pulled(
        # A pull read by a command has no task.
        task_id=run.task_id or None,
        started_at=read.started_at,
        now=now,
        misses_to_close=adapter.misses_to_close,
        reading=msgspec.structs.replace(reading, listings=()),
        found=found,
        counts_as_failure=read.is_too_slow or _counts_as_failure(run, reading),
        blocked_until=until,
    )
    turn = turns if len(found.changed) > PORTION else nullcontext()
    async with turn, portions(run, source, found.changed, now) as rows, run.db.as_fleet() as unit:
        present = await store.locked_source(unit, source_id)
        if present is None:
            raise Permanent("source_missing")
        if present.newest_pull_id != source.newest_pull_id:
            raise Transient("overtaken", "another pull of this source was faster")
        settled = await record_pull(unit, present, pulled, rows)
        if settled.is_news:
            announce(unit, "postings")
    log.info("source pulled", source_id=source_id, coverage=reading.coverage, written=len(found.changed))
    if read.is_too_slow:
        raise Permanent("source_unreadable", "its host is to be asked less often than this board needs")
    return _outcome(reading, until, is_news=settled.is_news)


async def _compared(
    run: TaskRun, source_id: SourceId, reading: BoardReading
) -> tuple[Source, Changes, BoardReading]:
    async with run.db.as_fleet() as unit:
        source = await store.source_by_id(unit, source_id)
        known = await known_listings(unit, source_id)
    if source is None:
        raise Permanent("source_missing")
    reading = judged_against_before(reading, sum(each.missed == 0 for each in known))
    return source, await run.thread(changes, reading, known), reading


def _counts_as_failure(run: TaskRun, reading: BoardReading) -> bool:
    """One failure per pull, however many tries it took; being told to wait is no failure."""
    problem = reading.evidence.problem
    if reading.coverage != "failed" or problem is None or problem in {"throttled", "host_blocked"}:
        return False
    return not is_passing(problem) or run.attempt >= PullSource.MAX_ATTEMPTS


def _outcome(reading: BoardReading, until: datetime | None, *, is_news: bool) -> Done:
    if reading.coverage != "failed":
        # Also where it broke off: what was read is written, and a long list is not begun again at once.
        return Done(reading.coverage if is_news else "nothing_new")
    problem = reading.evidence.problem
    if until is not None:
        raise HostClosed(until)
    if problem is not None and is_passing(problem):
        raise Transient(problem)
    if problem is not None:
        raise Permanent("source_unreadable", problem)
    raise Permanent("source_unreadable", "a reading that failed without a problem")
