"""What a pull costs, in an empty catalog and in a full one, and what the full one costs everybody else.

python -m benchmarks.catalog [--quick] [--json]

A board of 20,000 listings of three kilobytes, read over loopback, is pulled for the first time and again
unchanged; then 1,000,000 listings and 600,000 postings are there, and another such board is pulled. Besides:
how many tasks a worker does, and how soon the first page of a search is there. Quick: a quarter of the
board, a tenth of the rest.
"""

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import psycopg

from benchmarks.catalog.board import Board, board_of, served
from benchmarks.catalog.filling import fill
from benchmarks.installation import installed
from benchmarks.processor import Processor, machine_seconds
from benchmarks.table import Asked, Measure, main
from pipeline.catalog.search.store import postings_page
from pipeline.catalog.types import Wanted
from pipeline.sources.store import insert_source
from pipeline.sources.tasks import pull_handler
from pipeline.worker.loop import Worker
from pipeline.worker.types import Done, TaskRun
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId, SourceId, TaskId
from schema.live import TaskProgress
from schema.queue import Wanted as WantedTask
from schema.queue import enqueue_many
from schema.settings import Settings, SourceSettings, WorkerSettings
from schema.tasks import FindTwins, PullSource

FIRST_BAR, AGAIN_BAR = 10.0, 2.0
SEARCH_BAR_MS = 80.0
SEARCHES = {
    "everything": Wanted(),
    "a common word": Wanted(words="engineer"),
    "two words and a country": Wanted(words="data engineer", country="DE"),
    "a rare word": Wanted(words="oceanographer"),
    "no such word": Wanted(words="zzyzx"),
    "remote with pay": Wanted(workplace="remote", with_pay=True),
    "closed ones too": Wanted(words="pilot", with_closed=True),
}
UNSEEN_TABLES = ("listings", "postings", "descriptions", "posting_events", "twin_suggestions")


def measure(asked: Asked) -> Sequence[Measure]:
    size = 5_000 if asked.quick else 20_000
    listings, postings = (100_000, 60_000) if asked.quick else (1_000_000, 600_000)
    with installed() as usable:
        board = Board(size)
        with served(board) as url:
            return asyncio.run(measured(usable, board, url, size, listings, postings, asked))


async def measured(
    usable: Settings, board: Board, url: str, size: int, listings: int, postings: int, asked: Asked
) -> list[Measure]:
    reads = 20 if asked.quick else 100
    owner_url = usable.database.owner_url
    async with Database.opened(usable.database) as db:
        found = await pulls(db, owner_url, url, "one", f"{size:,} listings, empty catalog")
        tasks_before = await drained(db, 300 if asked.quick else 1_000)
        await asyncio.to_thread(fill, owner_url, listings=listings, postings=postings)
        board.body = board_of(size, text_chars=2_200, first=size)
        found += await pulls(db, owner_url, url, "two", f"{size:,} listings, {listings:,} there")
        tasks_after = await drained(db, 300 if asked.quick else 1_000)
        account = await asyncio.to_thread(an_account, owner_url)
        return [
            *found,
            Measure("tasks done, empty catalog", tasks_before, "tasks/s"),
            Measure("tasks done, full catalog", tasks_after, "tasks/s", 0.7 * tasks_before, at_least=True),
            *[await searched(db, account, name, wanted, reads) for name, wanted in SEARCHES.items()],
            Measure("load of the machine, one minute", os.getloadavg()[0], ""),
        ]


async def pulls(db: Database, owner_url: str, url: str, board: str, about: str) -> list[Measure]:
    """The first pull and the second, which is to find nothing new and write no row."""
    async with db.as_fleet() as unit:
        source = await insert_source(
            unit, platform="ashby", board=board, company="Northwind", url=url, now=SystemClock().now()
        )
    if source is None:
        raise SystemExit("the board is there already; no figure is told")
    reset_peak()
    processor, everybody = Processor(owner_url), machine_seconds()
    ours = processor.seconds()
    first, word, busy = await pulled(db, url, source)
    ours, everybody = processor.seconds() - ours, machine_seconds() - everybody
    peak = peak_mb()
    before = await asyncio.to_thread(standing, owner_url)
    again, word_again, busy_again = await pulled(db, url, source)
    rows = await asyncio.to_thread(written_since, owner_url, before)
    if (word, word_again) != ("complete", "nothing_new"):
        raise SystemExit(f"the pulls ended {word} and {word_again}; no figure is told")
    return [
        Measure(f"{about}: first pull", first, "s", FIRST_BAR),
        Measure(f"{about}: first pull, processor time of the worker", busy, "s"),
        Measure(f"{about}: first pull, processor time of the database", ours - busy, "s"),
        Measure(f"{about}: first pull, processor time of everybody else", max(everybody - ours, 0.0), "s"),
        Measure(f"{about}: first pull, most memory of the process", peak, "MB"),
        Measure(f"{about}: again, unchanged", again, "s", AGAIN_BAR),
        Measure(f"{about}: again, processor time of the worker", busy_again, "s"),
        Measure(f"{about}: rows written by that", rows, "rows", 0),
    ]


async def pulled(db: Database, url: str, source: SourceId) -> tuple[float, str, float]:
    settings = SourceSettings(gateway=url, spacing_seconds=0.001)
    run = TaskRun(db=db, clock=SystemClock(), task_id=TaskId(1), account_id=None, attempt=1, report=_quiet)
    began, busy = time.perf_counter(), time.process_time()
    done = await pull_handler(settings)(run, PullSource(source_id=source))
    return time.perf_counter() - began, done.word, time.process_time() - busy


async def _quiet(progress: TaskProgress) -> None:
    """Progress is the worker's business."""


class Standing(msgspec.Struct, frozen=True):
    """The number of the next transaction, and how many rows the catalog has before it."""

    next_transaction: int
    rows: int


def standing(owner_url: str) -> Standing:
    counts = " + ".join(f"(SELECT count(*) FROM {table})" for table in UNSEEN_TABLES)
    return Standing(
        *_numbers(owner_url, f"SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint, {counts}")
    )


def written_since(owner_url: str, before: Standing) -> int:
    """Rows that a transaction since then put there or changed, and how many there are fewer. Told by the rows
    themselves: what sessions count for the server's statistics, they tell it whenever they like."""
    mark = before.next_transaction
    counts = " + ".join(
        f"(SELECT count(*) FROM {table} WHERE xmin::text::bigint >= {mark})" for table in UNSEEN_TABLES
    )
    (touched,) = _numbers(owner_url, f"SELECT {counts}")
    return touched + max(before.rows - standing(owner_url).rows, 0)


def _numbers(owner_url: str, query: str) -> tuple[int, ...]:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
    return row or ()


async def drained(db: Database, count: int) -> float:
    """Tasks a second that a worker claims and ends when they do nothing."""
    async with db.as_fleet() as unit:
        await enqueue_many(unit, [WantedTask(payload=FindTwins(posting_ids=())) for _ in range(count)])
    left = asyncio.Event()
    done = 0

    async def nothing(_: TaskRun, __: FindTwins) -> Done:
        nonlocal done
        done += 1
        if done >= count:
            left.set()
        return Done()

    stop = asyncio.Event()
    worker = Worker(
        db, SystemClock(), {FindTwins: nothing}, WorkerSettings(), release="benchmark", jitter=lambda: 0.5
    )
    began = time.perf_counter()
    running = asyncio.create_task(worker.run(stop))
    await left.wait()
    seconds = time.perf_counter() - began
    stop.set()
    await running
    return count / seconds


async def searched(db: Database, account: AccountId, name: str, wanted: Wanted, reads: int) -> Measure:
    times: list[float] = []
    for _ in range(reads):
        began = time.perf_counter()
        async with db.as_account(account) as unit:
            await postings_page(unit, wanted)
        times.append(1000 * (time.perf_counter() - began))
    return Measure(
        f"search, {name}: first page, p95 (median {statistics.median(times):.0f} ms)",
        sorted(times)[int(len(times) * 0.95)],
        "ms",
        SEARCH_BAR_MS,
    )


def an_account(owner_url: str) -> AccountId:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(
            "INSERT INTO accounts (email, display_name, password_hash, is_operator, created_at)"
            " VALUES ('ada@example.org', 'Ada', 'none', true, now()) RETURNING id"
        ).fetchone()
    if row is None:
        raise SystemExit("there is no account; no figure is told")
    return AccountId(row[0])


def reset_peak() -> None:
    """Linux counts the most memory from here on; elsewhere from the start of the process."""
    counter = Path("/proc/self/clear_refs")
    if counter.exists():
        counter.write_text("5")


def peak_mb() -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    main("Pulls, tasks and searches in an empty catalog and in a full one.", measure)
