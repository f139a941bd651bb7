"""Work on single postings: their own pages tell the text their list leaves out, and whether they still stand.

Each posting is written as soon as it was looked at, so that a task that is stopped loses one look at most. A
host that wants to be left alone gets the rest of the portion back later; that is no failure of a posting.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

import msgspec
import structlog

from pipeline.closing.rules import after_look
from pipeline.closing.store import note_look
from pipeline.closing.types import ProbeState
from pipeline.manners.fetch import polite_fetcher
from pipeline.postings.store import (
    close_postings,
    count_failed_look,
    note_look_for_text,
    reopen_postings,
    write_detail,
)
from pipeline.postings.types import Written
from pipeline.sources.follow import ask_what_follows
from pipeline.sources.looking.ask import ask_for_probes, ask_for_texts
from pipeline.sources.looking.rules import (
    GIVE_UP_AFTER,
    MOST_TRIES,
    TRY_AGAIN_AFTER,
    Read,
    is_forbidden,
    page_read,
    wait_until,
    was_asked,
)
from pipeline.sources.looking.store import postings_as_they_are
from pipeline.sources.looking.types import Present
from pipeline.sources.observed.store import add_descriptions
from pipeline.sources.patient import Patient
from pipeline.sources.registry import ADAPTERS
from pipeline.sources.store import source_by_id
from pipeline.sources.types import Adapter, Detail, PostingPlace, Source
from pipeline.worker.types import Deferred, Done, Permanent, TaskRun
from schema.db import Unit
from schema.ids import PostingId, SourceId
from schema.live import announce
from schema.settings import SourceSettings
from schema.tasks import LookAtPostings

log = structlog.get_logger()

LookHandler = Callable[[TaskRun, LookAtPostings], Awaitable[Done]]
_SECONDS = 0.8 * LookAtPostings.TIMEOUT_SECONDS
#: Nobody waits for a look, and a platform with one host for all its boards has a line.
_PATIENCE = timedelta(minutes=1)


class _Portion(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a portion. `rest` was not looked at; `stopped`: asking for more now would be in vain."""

    looked: int = 0
    rest: tuple[PostingId, ...] = ()
    until: datetime | None = None
    stopped: bool = False


def look_handler(settings: SourceSettings) -> LookHandler:
    """The handler of `posting.look.v1` for this installation."""

    async def look(run: TaskRun, payload: LookAtPostings) -> Done:
        source, postings = await _to_look_at(run, payload)
        adapter = ADAPTERS.get(source.platform)
        if adapter is None:
            raise Permanent("source_unreadable", f"this release reads no pages of {source.platform}")
        if not source.enabled:
            return Done("switched_off")
        portion = await _look(run, source, adapter, postings, settings)
        log.info("postings looked at", source_id=source.id, looked=portion.looked, rest=len(portion.rest))

        async def go_on(unit: Unit) -> None:
            if not payload.texts_only:
                await ask_for_probes(unit, source, portion.rest, not_before=portion.until)
            elif not portion.stopped:
                await ask_for_texts(unit, source, now=run.clock.now(), not_before=portion.until)

        return Done("looked" if portion.looked else "nothing_due", go_on)

    return look


async def _to_look_at(run: TaskRun, payload: LookAtPostings) -> tuple[Source, list[Present]]:
    now = run.clock.now()
    async with run.db.as_fleet() as unit:
        source = await source_by_id(unit, SourceId(payload.source_id))
        if source is None:
            raise Permanent("source_missing")
        ids = [PostingId(each) for each in payload.posting_ids]
        postings = await postings_as_they_are(
            unit,
            source.id,
            source.platform,
            ids,
            looked_before=now - TRY_AGAIN_AFTER,
            most_tries=MOST_TRIES,
        )
    if source.blocked_until is not None and source.blocked_until > now:
        raise Deferred(source.blocked_until)
    return source, [each for each in postings if each.wants_text or not payload.texts_only]


async def _look(
    run: TaskRun, source: Source, adapter: Adapter, postings: Sequence[Present], settings: SourceSettings
) -> _Portion:
    ends_at = time.monotonic() + _SECONDS
    failures = 0
    async with polite_fetcher(run.db, settings, clock=run.clock, patience=_PATIENCE) as fetch:
        for number, present in enumerate(postings):
            patient = Patient(fetch)
            detail = await adapter.look(_place(present), patient)
            rest = tuple(each.id for each in postings[number:])
            until = wait_until(detail, patient.until, run.clock.now())
            if until is not None and patient.is_too_slow:
                # Asked anew it would come no further: it has had its look, the others have theirs.
                await _settle(run, source, present, detail)
                return _Portion(looked=number + 1, rest=rest[1:], until=until)
            if until is not None:
                return _Portion(looked=number, rest=rest, until=until)
            if is_forbidden(detail.evidence):
                return _Portion(looked=number, stopped=True)
            await _settle(run, source, present, detail)
            failures = failures + 1 if detail.state == "unknown" else 0
            if failures >= GIVE_UP_AFTER:
                return _Portion(looked=number + 1, stopped=True)
            if time.monotonic() >= ends_at:
                return _Portion(looked=number + 1, rest=rest[1:])
            await run.progress(number + 1, len(postings), "postings looked at")
    return _Portion(looked=len(postings))


def _place(present: Present) -> PostingPlace:
    return PostingPlace(
        board=present.board,
        vendor_id=present.vendor_id,
        page_url=present.canonical_url,
        apply_url=present.apply_url,
    )


async def _settle(run: TaskRun, source: Source, present: Present, detail: Detail) -> None:
    now = run.clock.now()
    read = None
    if present.wants_text and detail.listing is not None:
        read = await run.thread(page_read, source, present, detail.listing, now)
    async with run.db.as_fleet() as unit:
        if read is not None:
            await _write_text(unit, source, present, read, now)
        elif present.wants_text and was_asked(detail):
            is_final = present.details_tried + 1 >= MOST_TRIES
            await count_failed_look(unit, present.id, is_final=is_final, now=now)
        elif present.wants_text:
            await note_look_for_text(unit, present.id, is_read=False, now=now)
        if detail.state != "unknown" and read is None:
            await _weigh(unit, source, present.id, detail.state, now)


async def _write_text(unit: Unit, source: Source, present: Present, read: Read, now: datetime) -> None:
    if read.text is not None:
        await add_descriptions(unit, [read.text], now=now)
    if await write_detail(unit, source.platform, read.row, now=now):
        written = Written(id=present.id, vendor_id=present.vendor_id, is_new=False)
        await ask_what_follows(unit, [read.row], [written])
        announce(unit, "postings")
    await note_look_for_text(unit, present.id, is_read=True, now=now)


async def _weigh(unit: Unit, source: Source, posting_id: PostingId, state: ProbeState, now: datetime) -> None:
    """What closing makes of it. Not asked of a page that was only read for its text: its list shows it."""
    standing = await note_look(unit, posting_id, state, now=now)
    if standing is None:
        return
    verdict = after_look(standing, state, now)
    if verdict.closes is not None:
        await close_postings(unit, [posting_id], verdict.closes, now=now)
    if verdict.reopens:
        await reopen_postings(unit, [posting_id], "page_open_again", now=now)
    if verdict.again_at is not None:
        await ask_for_probes(unit, source, [posting_id], not_before=verdict.again_at)
    if verdict.closes is not None or verdict.reopens:
        announce(unit, "postings")
