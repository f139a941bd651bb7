"""Work on postings of one's own: read the page of one, and forget one that was removed.

A page is asked for with the manners of every fetch. What it states goes into the person's own row only.
"""

from collections.abc import Awaitable, Callable

from pipeline.kept import store
from pipeline.kept.keeping import FORGOTTEN_AFTER
from pipeline.kept.reading import passing, read_page
from pipeline.kept.rules import completed
from pipeline.kept.types import Looked, OwnPosting
from pipeline.manners.fetch import polite_fetcher
from pipeline.sources.types import FetchFailed
from pipeline.worker.types import Deferred, Done, TaskRun, Transient
from schema.db import Unit
from schema.errors import Missing
from schema.ids import OwnPostingId
from schema.live import announce
from schema.settings import SourceSettings
from schema.tasks import ForgetOwnPosting, ReadOwnPosting

ReadHandler = Callable[[TaskRun, ReadOwnPosting], Awaitable[Done]]


def read_own_handler(settings: SourceSettings) -> ReadHandler:
    """The handler of `own.read.v1` for this installation."""

    async def read(run: TaskRun, payload: ReadOwnPosting) -> Done:
        own = await _waiting(run, OwnPostingId(payload.own_posting_id))
        if own is None or own.url is None:
            return Done("nothing_to_read")
        found = await _read(run, own.url, settings)
        async with run.db.as_account(run.owner) as unit:
            # As it stands now: the person may have changed or removed it while its page was read.
            own = await _still_waiting(unit, own.id)
            if own is None:
                return Done("nothing_to_read")
            if found.facts is not None:
                found = Looked(look=found.look, why=found.why, facts=completed(own, found.facts))
            await store.looked(unit, own, found, now=run.clock.now())
            announce(unit, "postings")
        return Done(found.look)

    return read


async def forget_own(run: TaskRun, payload: ForgetOwnPosting) -> Done:
    """Only what has been out of the lists for a day: one that was kept again meanwhile stays."""
    async with run.db.as_account(run.owner) as unit:
        until = run.clock.now() - FORGOTTEN_AFTER
        gone = await store.forget(unit, OwnPostingId(payload.own_posting_id), removed_until=until)
    return Done("forgotten" if gone else "kept")


async def _waiting(run: TaskRun, own_id: OwnPostingId) -> OwnPosting | None:
    async with run.db.as_account(run.owner) as unit:
        return await _still_waiting(unit, own_id)


async def _still_waiting(unit: Unit, own_id: OwnPostingId) -> OwnPosting | None:
    try:
        own = await store.own_posting(unit, own_id)
    except Missing:
        return None
    return own if own.look == "waits" else None


async def _read(run: TaskRun, url: str, settings: SourceSettings) -> Looked:
    """Passing troubles are tried again; on the last try they are told as they are."""
    is_last = run.attempt >= ReadOwnPosting.MAX_ATTEMPTS
    try:
        async with polite_fetcher(run.db, settings, clock=run.clock) as fetch:
            found = await read_page(url, fetch)
    except FetchFailed as error:
        if error.until is not None:
            raise Deferred(error.until) from error
        found = Looked(look="failed", why=error.problem)
    if not is_last and found.look == "failed" and passing(found.why):
        raise Transient(found.why or "passing_trouble")
    return found
