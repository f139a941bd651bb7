"""What changed as rows, in portions of which one is made while another is stored and a third is written.

A pull of a long board is half work of this process and half of the server. Nothing here decides what is
committed: texts are stored ahead, and the rows are the caller's to write.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from contextvars import copy_context
from datetime import datetime
from typing import TypeVar

from pipeline.sources.observed.store import add_descriptions
from pipeline.sources.records import Records, records
from pipeline.sources.types import Listing, Source
from pipeline.worker.types import TaskRun
from schema.db import Database

T = TypeVar("T")

#: Listings made into rows at a time: bounds memory, and a stopped worker waits for no more than these.
PORTION = 500


@asynccontextmanager
async def portions(
    run: TaskRun, source: Source, changed: Sequence[Listing], now: datetime
) -> AsyncGenerator[AsyncIterator[Records], None]:
    """Rows of everything that changed, each portion once its texts are stored.

    The first is ready when the block begins: a short board opens one connection after the other.
    """
    async with (
        ahead(_made(run, source, changed, now)) as made,
        ahead(_with_stored_texts(run.db, made, now)) as stored,
    ):
        yield stored


@asynccontextmanager
async def ahead(items: AsyncGenerator[T, None]) -> AsyncGenerator[AsyncIterator[T], None]:
    """The same items, of which the next is made while one is used; the first is there when the block begins.

    They are made in the scope in which this was called: whoever uses them may hold a unit of work. Nothing
    of it goes on after the block.
    """
    scope = copy_context()
    coming = asyncio.create_task(_next_or_none(items), context=scope)

    async def taken() -> AsyncGenerator[T, None]:
        nonlocal coming
        while (item := await coming) is not None:
            coming = asyncio.create_task(_next_or_none(items), context=scope)
            yield item

    used = taken()
    try:
        await asyncio.wait({coming})
        yield used
    finally:
        await used.aclose()
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
        await items.aclose()


async def _next_or_none(items: AsyncGenerator[T, None]) -> T | None:
    return await anext(items, None)


async def _made(
    run: TaskRun, source: Source, changed: Sequence[Listing], now: datetime
) -> AsyncGenerator[Records, None]:
    for start in range(0, len(changed), PORTION):
        yield await run.thread(records, source, changed[start : start + PORTION], now)


async def _with_stored_texts(
    db: Database, made: AsyncIterator[Records], now: datetime
) -> AsyncGenerator[Records, None]:
    async for each in made:
        if each.descriptions:
            async with db.as_fleet() as unit:
                await add_descriptions(unit, each.descriptions, now=now)
        yield each
