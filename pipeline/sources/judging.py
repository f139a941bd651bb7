"""Judging again what older rules refused, out of what is stored: no board is asked.

One portion of one board at a time, under the lock a pull takes: the two never judge one listing at once.
"""

from collections.abc import Sequence
from datetime import datetime

from pipeline.postings.store import write_postings
from pipeline.postings.types import PostingRow
from pipeline.sources import store
from pipeline.sources.admission import ADMISSION_VERSION
from pipeline.sources.follow import ask_what_follows
from pipeline.sources.observed.store import (
    judge_listings,
    older_refusals,
    source_with_older_refusals,
)
from pipeline.sources.observed.types import JudgedRow, Refused
from pipeline.sources.records import judged
from pipeline.sources.types import Source
from pipeline.worker.types import Done, TaskRun
from schema.db import Unit
from schema.ids import SourceId
from schema.live import announce
from schema.tasks import JudgeRefused

_PORTION = 200
_ADMITTED = "admitted by newer rules"


async def judge_refused(run: TaskRun, _: JudgeRefused) -> Done:
    """Until nothing is left; every portion stands by itself."""
    count = 0
    while (portion := await _next_portion(run)) is not None:
        count += portion
        await run.progress(count, None, f"{count} listings judged")
    return Done("judged" if count else "nothing_new")


async def _next_portion(run: TaskRun) -> int | None:
    async with run.db.as_fleet() as unit:
        source_id = await source_with_older_refusals(unit, ADMISSION_VERSION)
    if source_id is None:
        return None
    async with run.db.as_fleet() as unit:
        source = await store.locked_source(unit, SourceId(source_id))
        return 0 if source is None else await _judge(run, unit, source)


async def _judge(run: TaskRun, unit: Unit, source: Source) -> int:
    now = run.clock.now()
    refused = await older_refusals(unit, source.id, ADMISSION_VERSION, limit=_PORTION)
    verdicts, postings = await run.thread(_judged, source, refused, now)
    written = await write_postings(
        unit, source.platform, postings, source_id=source.id, pull_id=None, now=now, reason=_ADMITTED
    )
    await judge_listings(unit, source.platform, verdicts, source_id=source.id, now=now)
    await ask_what_follows(unit, postings, written)
    if written:
        announce(unit, "postings")
    return len(verdicts)


def _judged(
    source: Source, refused: Sequence[Refused], now: datetime
) -> tuple[list[JudgedRow], list[PostingRow]]:
    found = judged(source, [each.listing for each in refused], [each.text for each in refused], now)
    verdicts = [
        JudgedRow(
            vendor_id=each.listing.vendor_id,
            verdict="admitted" if verdict.is_admitted else "refused",
            rule=verdict.rule,
            rule_version=verdict.version,
            reason=verdict.reason,
        )
        for each, (verdict, _) in zip(refused, found, strict=True)
    ]
    return verdicts, [posting for _, posting in found if posting is not None]
