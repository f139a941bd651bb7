"""How long a table of applications takes to move in and to be taken back, `python -m benchmarks.trackers`.

The very steps of the page and its task, on a real PostgreSQL of its own: a file is kept, shown as it would
become, applied in portions, brought in once more, and taken back. Processor time is this process's and the
server's together.
"""

import asyncio
import os
import random
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psycopg

from backend.pages.application_import import LOOKED_AT
from benchmarks.installation import installed
from benchmarks.processor import Processor
from benchmarks.table import Asked, Measure, main
from matcher.trackers import store
from matcher.trackers.importing import bring_in, opened, preview, start, start_undo
from matcher.trackers.reading import MAX_ROWS
from matcher.trackers.tasks import apply_tracker, undo_tracker
from pipeline.worker.types import TaskRun
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId, TaskId, TrackerImportId
from schema.live import TaskProgress
from schema.settings import Settings
from schema.tasks import ApplyTracker, UndoTracker

SIZES = (1_000, 3_000, MAX_ROWS)
QUICK_SIZES = (500, 2_000)
GROWTH_BAR = 1.5
ROLES = ("Data Engineer", "Product Designer", "Nurse", "Accountant", "Store Manager", "Research Engineer")
STATES = ("Applied", "Rejected", "Interview", "Offer", "Ghosted")


def measure(asked: Asked) -> Sequence[Measure]:
    with installed() as usable:
        return asyncio.run(measured(usable, QUICK_SIZES if asked.quick else SIZES))


async def measured(settings: Settings, sizes: Sequence[int]) -> list[Measure]:
    found: list[Measure] = []
    costs: list[float] = []
    async with Database.opened(settings.database) as database:
        for size in sizes:
            account = new_account(settings.database.owner_url)
            used = await moved(database, account, table(size))
            costs.append(used["applied"].processor / size)
            found += [Measure(f"{size:,} rows: {step}", took.clock, "s") for step, took in used.items()]
            found += [
                Measure(f"{size:,} rows: {step}, processor time", took.processor, "s")
                for step, took in used.items()
            ]
    return [
        *found,
        Measure(f"a row of {sizes[-1]:,} to one of {sizes[0]:,}", costs[-1] / costs[0], "times", GROWTH_BAR),
        Measure("peak memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, "MB"),
        Measure("load of the machine, one minute", os.getloadavg()[0], ""),
    ]


@dataclass(frozen=True)
class Took:
    """Seconds on the clock, and of the processors."""

    clock: float
    processor: float


async def moved(database: Database, account: AccountId, content: bytes) -> dict[str, Took]:
    """What each step took, by its name."""
    found: dict[str, Took] = {}
    processor = Processor(database.settings.owner_url)
    began, busy = time.perf_counter(), processor.seconds()

    def ended(step: str) -> None:
        nonlocal began, busy
        found[step] = Took(time.perf_counter() - began, processor.seconds() - busy)
        began, busy = time.perf_counter(), processor.seconds()

    import_id = await kept(database, account, content)
    ended("kept")
    await shown(database, account, import_id)
    ended("shown as it would become")
    await applied(database, account, import_id)
    ended("applied")
    again = await kept(database, account, content)
    await applied(database, account, again)
    ended("brought in once more")
    await require(database, account, again, new=0)
    await taken_back(database, account, import_id)
    ended("taken back")
    return found


async def kept(database: Database, account: AccountId, content: bytes) -> TrackerImportId:
    async with database.as_account(account) as unit:
        return await bring_in(unit, name="mine.csv", content=content, now=SystemClock().now())


async def shown(database: Database, account: AccountId, import_id: TrackerImportId) -> None:
    async with database.as_account(account) as unit:
        await preview(unit, await opened(unit, import_id), now=SystemClock().now(), limit=LOOKED_AT)


async def applied(database: Database, account: AccountId, import_id: TrackerImportId) -> None:
    async with database.as_account(account) as unit:
        task = await start(unit, import_id, now=SystemClock().now())
    if task is not None:
        await apply_tracker(run_of(database, account), ApplyTracker(import_id=import_id))
        await done_with(database)


async def taken_back(database: Database, account: AccountId, import_id: TrackerImportId) -> None:
    async with database.as_account(account) as unit:
        task = await start_undo(unit, import_id, now=SystemClock().now())
    if task is not None:
        await undo_tracker(run_of(database, account), UndoTracker(import_id=import_id))
        await done_with(database)


async def done_with(database: Database) -> None:
    """No worker runs here: what was asked for is over once its handler has returned."""
    with psycopg.connect(database.settings.owner_url, autocommit=True) as connection:
        connection.execute("DELETE FROM tasks")


async def require(database: Database, account: AccountId, import_id: TrackerImportId, *, new: int) -> None:
    async with database.as_account(account) as unit:
        found = await store.import_by_id(unit, import_id)
    if (found.state, found.rows_new, found.rows_refused) != ("applied", new, 0):
        raise SystemExit(f"the import ended as {found}; no figure is told")


def run_of(database: Database, account: AccountId) -> TaskRun:
    return TaskRun(
        db=database, clock=SystemClock(), task_id=TaskId(0), account_id=account, attempt=1, report=nothing
    )


async def nothing(progress: TaskProgress) -> None:
    """Nobody watches."""
    del progress


def table(rows: int) -> bytes:
    """One application a row, at as many employers as a fifth of the rows, some of them much applied to."""
    chance = random.Random(rows)
    lines = ["Company,Position,Link,Status,Date applied,Notes"]
    for number in range(rows):
        company = chance.randrange(1 + rows // 5) if number % 10 else 0
        role = f"{chance.choice(ROLES)} {number}"
        day = f"{2023 + number % 3}-{1 + number % 12:02}-{1 + number % 28:02}"
        link = f"https://careers.employer{company}.example/jobs/{number}"
        lines.append(f"Employer {company},{role},{link},{chance.choice(STATES)},{day},Heard of it at a fair")
    return "\n".join(lines).encode()


def new_account(owner_url: str) -> AccountId:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(
            "INSERT INTO accounts (email, display_name, password_hash, created_at)"
            " SELECT 'ada' || count(*) || '@example.org', 'Ada', 'none', now() FROM accounts RETURNING id"
        ).fetchone()
        assert row
    return AccountId(row[0])


if __name__ == "__main__":
    main("Moving a table of applications in, and taking it back.", measure)
