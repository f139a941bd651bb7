"""Keeping the posting an address names: the catalog's where it has one, else one of the person's own.

Nothing a person brings becomes a row that others see: only boards and their pulls fill the catalog.
"""

from datetime import datetime, timedelta

from pipeline.catalog.store import posting_named, save, saved_title
from pipeline.kept import store
from pipeline.kept.rules import called, may_not_be_read
from pipeline.kept.types import FactsFrom, Found, OwnFacts
from schema.db import Unit
from schema.identity.urls import PostingUrl
from schema.ids import OwnPostingId
from schema.live import announce
from schema.queue import CLICKED, enqueue
from schema.tasks import ForgetOwnPosting, ReadOwnPosting
from schema.throttle import Rate, spend

FORGOTTEN_AFTER = timedelta(days=1)
#: Pages that one person has read for them; each asks a stranger's host for something.
READS = Rate(name="postings.read_page", burst=60, seconds_each=10.0)


async def keep_address(
    unit: Unit,
    address: PostingUrl,
    *,
    facts_from: FactsFrom,
    title: str | None = None,
    company: str | None = None,
    reads: bool,
    now: datetime,
) -> Found:
    """Saved, in the caller's unit. With `reads` the page of what the catalog does not know is read soon.

    Raises `TooManyAttempts` when the person had too many pages read.
    """
    known = await posting_named(unit, address)
    if known is not None:
        before = await saved_title(unit, known)
        await save(unit, known, now=now)
        return Found(posting_id=known, title=before.title, was_kept=before.is_saved)
    is_read = reads and may_not_be_read(address) is None
    facts = OwnFacts(title=called(address, title), company=company)
    kept = await store.keep(unit, facts, address=address, facts_from=facts_from, is_read=is_read, now=now)
    if kept.is_new and is_read:
        await _ask_to_read(unit, kept.id)
    announce(unit, "postings")
    return Found(own_id=kept.id, title=kept.title, was_kept=not kept.is_new)


async def read_again(unit: Unit, own_id: OwnPostingId) -> None:
    """Ask for its page once more. Raises `Missing` when there is none, and `TooManyAttempts`."""
    await store.ask_again(unit, own_id)
    await _ask_to_read(unit, own_id)
    announce(unit, "postings")


async def remove_own(unit: Unit, own_id: OwnPostingId, *, now: datetime) -> None:
    """Out of every list now, for good in a day. Raises `Missing`."""
    await store.remove(unit, own_id, now=now)
    await enqueue(unit, ForgetOwnPosting(own_posting_id=own_id), not_before=now + FORGOTTEN_AFTER)
    announce(unit, "postings")


def reading_key(own_id: OwnPostingId) -> str:
    """By which the reading of its page is found while it is under way."""
    return f"own_posting:{own_id}"


async def _ask_to_read(unit: Unit, own_id: OwnPostingId) -> None:
    await spend(unit, READS, str(unit.owner))
    await enqueue(
        unit, ReadOwnPosting(own_posting_id=own_id), dedupe_key=reading_key(own_id), priority=CLICKED
    )
