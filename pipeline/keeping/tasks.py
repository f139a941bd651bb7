"""`catalog.tidy.v1`: lets go of what the catalog keeps for a while only, in small portions with a budget."""

import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from pipeline.closing.store import forget_doubts
from pipeline.keeping.rules import (
    DOUBTS_KEPT,
    HOSTS_KEPT,
    NEWEST_DOUBTS_KEPT,
    NEWEST_PULLS_KEPT,
    PORTION,
    PORTIONS,
    PREVIEWS_KEPT,
    PULLS_KEPT,
    RAW_KEPT,
    TEXTS_OF_CLOSED_KEPT,
    UNUSED_TEXTS_KEPT,
)
from pipeline.manners.store import forget_unused
from pipeline.postings.store import let_texts_go
from pipeline.previews.store import forget_previews
from pipeline.sources.observed.store import forget_unused_texts, let_raw_go, next_texts
from pipeline.sources.store import forget_pulls, next_pulls
from pipeline.worker.types import Done, TaskRun
from schema.db import Database, Unit
from schema.tasks import TidyCatalog

log = structlog.get_logger()

#: One portion: how many rows went, and whether there may be more.
Portion = Callable[[Unit], Awaitable[int]]


async def tidy(run: TaskRun, _: TidyCatalog) -> Done:
    """Every portion stands by itself; a run that breaks off has done what it did."""
    now = run.clock.now()
    gone = {
        "raw rows": await _repeated(run.db, _raw(now)),
        "texts of closed postings": await _repeated(run.db, _texts_of_closed(now)),
        "unused texts": await _unused_texts(run.db, now, start=secrets.token_hex(32)),
        "pulls": await _pulls(run.db, now),
        "doubts": await _repeated(run.db, _doubts(now)),
        "looks at boards": await _repeated(run.db, _previews(now)),
        "hosts": await _repeated(run.db, _hosts(now)),
    }
    log.info("catalog tidied", **gone)
    return Done("tidied" if any(gone.values()) else "nothing_to_do")


def _raw(now: datetime) -> Portion:
    async def portion(unit: Unit) -> int:
        return await let_raw_go(unit, seen_before=now - RAW_KEPT, most=PORTION, now=now)

    return portion


def _texts_of_closed(now: datetime) -> Portion:
    async def portion(unit: Unit) -> int:
        return await let_texts_go(unit, closed_before=now - TEXTS_OF_CLOSED_KEPT, most=PORTION)

    return portion


def _hosts(now: datetime) -> Portion:
    async def portion(unit: Unit) -> int:
        return await forget_unused(unit, before=now - HOSTS_KEPT, most=PORTION)

    return portion


def _doubts(now: datetime) -> Portion:
    async def portion(unit: Unit) -> int:
        return await forget_doubts(
            unit, settled_before=now - DOUBTS_KEPT, newest_kept=NEWEST_DOUBTS_KEPT, most=PORTION
        )

    return portion


def _previews(now: datetime) -> Portion:
    async def portion(unit: Unit) -> int:
        return await forget_previews(unit, asked_before=now - PREVIEWS_KEPT, most=PORTION)

    return portion


async def _repeated(db: Database, portion: Portion) -> int:
    total = 0
    for _ in range(PORTIONS):
        async with db.as_fleet() as unit:
            gone = await portion(unit)
        total += gone
        if gone < PORTION:
            break
    return total


async def _unused_texts(db: Database, now: datetime, *, start: str) -> int:
    """Nothing tells which texts went out of use, so all are walked in the order of their hashes: on from a
    random one, so that every run sees another part of many."""
    total = 0
    after, has_wrapped = start, False
    for _ in range(PORTIONS * 4):
        async with db.as_fleet() as unit:
            hashes = await next_texts(unit, after, most=PORTION)
            total += await forget_unused_texts(unit, hashes, stored_before=now - UNUSED_TEXTS_KEPT)
        if len(hashes) < PORTION:
            if has_wrapped:
                break
            after, has_wrapped = "", True
        else:
            after = hashes[-1]
        if has_wrapped and after >= start:
            break
    return total


async def _pulls(db: Database, now: datetime) -> int:
    total = after = 0
    for _ in range(PORTIONS):
        async with db.as_fleet() as unit:
            ids = await next_pulls(unit, after, finished_before=now - PULLS_KEPT, most=PORTION)
            total += await forget_pulls(unit, ids, newest_kept=NEWEST_PULLS_KEPT)
        if len(ids) < PORTION:
            break
        after = ids[-1]
    return total
