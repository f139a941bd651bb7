"""Taking a board into the list of what is read: from any of its addresses to a source and its first pull."""

from datetime import datetime
from urllib.parse import urlsplit

import msgspec

from pipeline.postings.store import Nameless, name_employer, nameless
from pipeline.sources.follow import ask_for_twins
from pipeline.sources.registry import ADAPTERS, Place, place_of
from pipeline.sources.store import (
    insert_source,
    locked_source,
    name_source,
    rename_source,
    source_by_id,
    source_called,
)
from pipeline.twins.rules import twin_key
from schema.db import Unit
from schema.errors import Missing
from schema.ids import SourceId, TaskId
from schema.live import announce
from schema.queue import CLICKED, enqueue
from schema.requests import request
from schema.tasks import PullSource
from schema.text import clean


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """`is_new` is False when the board was in the list already; then it is only read once more, unless
    `is_asked` is False too: it is being read. `named` is the employer's name such a board had lacked."""

    source_id: SourceId
    place: Place
    is_new: bool
    is_asked: bool
    named: str | None = None


def pull_key(source_id: SourceId) -> str:
    """One pull of a source at a time."""
    return f"source:{source_id}"


async def add_source(unit: Unit, url: str, *, company: str | None = None, now: datetime) -> Added:
    """Insert the source and ask for its first pull, in the caller's fleet unit.

    `company` is the employer's name, which not every platform tells; a board without one takes it later too.
    Raises the refusals of `place_of`.
    """
    place = place_of(url, now)
    name = (clean(company).strip() or None) if company else None
    made = await insert_source(
        unit, platform=place.platform, board=place.board, company=name, url=place.url, now=now
    )
    source_id = made or await source_called(unit, place.platform, place.board)
    if source_id is None:
        raise RuntimeError("a source that is there already was not found")
    is_named = made is None and name is not None and await _name(unit, source_id, name)
    is_asked = await ask_for_pull(unit, source_id, priority=CLICKED)
    return Added(
        source_id=source_id,
        place=place,
        is_new=made is not None,
        is_asked=is_asked,
        named=name if is_named else None,
    )


async def _name(unit: Unit, source_id: SourceId, company: str) -> bool:
    """The board, and what it showed before without an employer."""
    if not await name_source(unit, source_id, company):
        return False
    await _name_postings(unit, company, await nameless(unit, source_id))
    return True


async def correct_company(unit: Unit, source_id: SourceId, company: str | None) -> str | None:
    """Another name for a board's employer, or none, also for what it showed under the name before, which is
    given back. An employer that the platform itself tells stays. Raises `Missing`."""
    source = await locked_source(unit, source_id)
    if source is None:
        raise Missing
    name = (clean(company).strip() or None) if company else None
    if name != source.company:
        await rename_source(unit, source_id, name)
        await _name_postings(unit, name, await nameless(unit, source_id, before=source.company))
        announce(unit, "postings")
    return source.company


async def _name_postings(unit: Unit, company: str | None, found: list[Nameless]) -> None:
    keys = {each.id: twin_key(company, each.title) for each in found}
    if keys:
        await name_employer(unit, company, keys)
        await ask_for_twins(unit, [posting_id for posting_id, key in keys.items() if key is not None])
        announce(unit, "postings")


async def pull_now(unit: Unit, source_id: SourceId) -> TaskId:
    """Ask for a pull that somebody waits for. Raises `AlreadyUnderWay`, naming the one that is."""
    return await request(unit, await _pull(unit, source_id), dedupe_key=pull_key(source_id))


async def ask_for_pull(unit: Unit, source_id: SourceId, *, priority: int) -> bool:
    """False when one is waiting or running already."""
    pull = await _pull(unit, source_id)
    return await enqueue(unit, pull, dedupe_key=pull_key(source_id), priority=priority) is not None


async def _pull(unit: Unit, source_id: SourceId) -> PullSource:
    source = await source_by_id(unit, source_id)
    lane = None if source is None else lane_of(source.platform, source.url)
    return PullSource(source_id=source_id, lane=lane)


def lane_of(platform: str, url: str) -> str | None:
    """Whom a pull asks: the platform where all its boards are at one host, else the host of the board."""
    adapter = ADAPTERS.get(platform)
    if adapter is None or adapter.has_one_host:
        return platform
    return urlsplit(url).hostname or platform
