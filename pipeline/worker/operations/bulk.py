"""One act on many failed tasks: each in a unit of its own, so that one refusal takes nothing else back."""

from collections.abc import Awaitable, Callable
from datetime import datetime

from pipeline.worker.operations import store
from pipeline.worker.operations.refusals import TaskRefused
from pipeline.worker.operations.rules import Tally
from pipeline.worker.operations.types import BulkResult, Source
from schema.db import Database, Unit
from schema.ids import TaskId

Act = Callable[[Unit, Source], Awaitable[bool]]
"""Whether it did something; refusals are raised, and counted."""


async def each_failed(
    database: Database,
    act: Act,
    *,
    kind: str | None,
    code: str | None,
    since: datetime | None = None,
    before: datetime | None = None,
) -> BulkResult:
    """Act on every failed task that fits, by age. A failed task that comes in meanwhile may be among them."""
    tally, after = Tally(), TaskId(0)
    while True:
        async with database.as_fleet() as unit:
            page = await store.failed(unit, after=after, kind=kind, code=code, since=since, before=before)
        if not page:
            return tally.result()
        for source in page:
            await _one(database, act, source, tally)
        after = page[-1].id


async def _one(database: Database, act: Act, source: Source, tally: Tally) -> None:
    try:
        async with database.as_fleet() as unit:
            tally.done += await act(unit, source)
    except TaskRefused as refusal:
        tally.refused(refusal)
