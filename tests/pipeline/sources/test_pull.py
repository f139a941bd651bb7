"""A queued pull becomes rows on a real PostgreSQL, a second one writes none, bad answers lose no listing."""

import asyncio
import json
from datetime import timedelta

import pytest
from emulators.boards import (
    Boards,
    ashby_board,
    ashby_job,
    body,
    cut_short,
    endless,
    silent,
    status,
)
from fixtures.database import Owner
from fixtures.people import FixedClock
from fixtures.worker import QUICK, Tasks

from pipeline.sources import rules, store
from pipeline.sources.add import add_source, ask_for_pull
from pipeline.sources.tasks import pull_handler, sweep
from pipeline.worker.loop import Worker
from pipeline.worker.types import Deferred, Done, Permanent, TaskProgress, TaskRun, Transient
from schema.db import Database
from schema.ids import SourceId, TaskId
from schema.settings import SourceSettings
from schema.tasks import PullDueSources, PullSource

BOARD = "https://jobs.ashbyhq.com/northwind"


class Rows:
    """Looks at the catalog as its owner."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def all(self, sql: str) -> list[tuple[object, ...]]:
        return self._owner.connection.execute(sql).fetchall()  # type: ignore[arg-type]

    def one(self, sql: str) -> object:
        return self.all(sql)[0][0]

    def versions(self) -> list[tuple[object, ...]]:
        """Which transaction wrote each row last: equal before and after when nothing was written."""
        tables = ("listings", "postings", "descriptions")
        return [
            row
            for name in tables
            for row in self.all(f"SELECT xmin::text, ctid::text FROM {name} ORDER BY 2")
        ]


@pytest.fixture
def rows(owner: Owner) -> Rows:
    return Rows(owner)


@pytest.fixture
async def source(database: Database, clock: FixedClock) -> SourceId:
    async with database.as_fleet() as unit:
        return (await add_source(unit, BOARD, company="Northwind", now=clock.now())).source_id


@pytest.fixture
def pull(database: Database, clock: FixedClock, source: SourceId, source_settings: SourceSettings):
    handler = pull_handler(source_settings)

    async def quiet(_: TaskProgress) -> None: ...

    async def run(attempt: int = 1) -> Done:
        task = TaskRun(
            db=database, clock=clock, task_id=TaskId(1), account_id=None, attempt=attempt, report=quiet
        )
        return await handler(task, PullSource(source_id=source))

    return run


async def test_a_queued_pull_becomes_listings_and_postings(
    database: Database,
    clock: FixedClock,
    source_settings: SourceSettings,
    source,
    boards: Boards,
    rows: Rows,
    tasks: Tasks,
):
    boards.show("northwind", ashby_job("Pilot"), ashby_job("Cook"), ashby_job("Ghost", isListed=False))
    worker = Worker(
        database,
        clock,
        {PullSource: pull_handler(source_settings)},
        QUICK,
        release="test",
        jitter=lambda: 0.0,
    )
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop))
    try:
        task_id = rows.one("SELECT id FROM tasks WHERE kind = 'source.pull.v1'")
        done = await tasks.until(task_id, "done", "failed")  # type: ignore[arg-type]
    finally:
        stop.set()
        await running
    assert (done.status, done.outcome) == ("done", "complete")
    assert rows.all("SELECT title, company, board, description_state FROM postings ORDER BY title") == [
        ("Cook", "Northwind", "northwind", "stored"),
        ("Pilot", "Northwind", "northwind", "stored"),
    ]
    assert rows.all(
        "SELECT verdict, rule, rule_version, count(*) FROM listings GROUP BY 1, 2, 3 ORDER BY 1"
    ) == [
        ("admitted", "all", 2, 2),
        ("refused", "is_listed", 2, 1),
    ]
    assert rows.all("SELECT coverage, observed, refused, written FROM pulls") == [("complete", 3, 1, 3)]


async def test_every_captured_board_becomes_as_many_listings_as_it_has_postings(
    database: Database, clock: FixedClock, source_settings, boards: Boards, rows: Rows, shared_data
):
    counts = boards.show_captured(shared_data / "ats" / "ashby")
    roomy = SourceSettings(gateway=boards.url, allow_private_addresses=True, spacing_seconds=0.001)
    handler = pull_handler(roomy)

    async def quiet(_: TaskProgress) -> None: ...

    async def pull_all() -> None:
        for source_id in ids:
            task = TaskRun(
                db=database, clock=clock, task_id=TaskId(1), account_id=None, attempt=1, report=quiet
            )
            await handler(task, PullSource(source_id=source_id))

    ids: list[SourceId] = []
    for board in counts:
        async with database.as_fleet() as unit:
            added = await add_source(unit, f"https://jobs.ashbyhq.com/{board}", now=clock.now())
        ids.append(added.source_id)
    await pull_all()
    found = rows.all(
        "SELECT s.board, count(l.id) FROM sources s LEFT JOIN listings l ON l.source_id = s.id GROUP BY 1"
    )
    assert dict(found) == counts
    assert rows.one("SELECT count(*) FROM postings WHERE description_state = 'stored'") == sum(
        counts.values()
    )
    before = rows.versions()
    await pull_all()
    assert rows.versions() == before


async def test_a_second_pull_of_the_same_board_writes_no_row(pull, boards: Boards, rows: Rows):
    jobs = [ashby_job(f"Mate {number}") for number in range(50)]
    boards.show("northwind", *jobs)
    assert (await pull()).word == "complete"
    before = rows.versions()
    text = json.dumps({"jobs": [dict(reversed(job.items())) for job in jobs], "apiVersion": "1"}, indent=2)
    boards.bodies["northwind"] = text.encode()
    assert (await pull()).word == "nothing_new"
    assert rows.versions() == before
    assert rows.one("SELECT count(*) FROM pulls") == 2


async def test_only_what_changed_is_written(pull, boards: Boards, rows: Rows, clock: FixedClock):
    boards.show("northwind", ashby_job("Pilot"), ashby_job("Cook"))
    await pull()
    before = dict(rows.all("SELECT title, xmin::text FROM postings"))
    first_seen = rows.one("SELECT first_seen_at FROM postings WHERE title = 'Pilot'")
    clock.move(hours=6)
    boards.show("northwind", ashby_job("Pilot", location="Bergen"), ashby_job("Cook"))
    await pull()
    after = dict(rows.all("SELECT title, xmin::text FROM postings"))
    assert after["Cook"] == before["Cook"]
    assert after["Pilot"] != before["Pilot"]
    assert rows.all("SELECT locations, first_seen_at FROM postings WHERE title = 'Pilot'") == [
        (["Bergen"], first_seen)
    ]
    assert rows.one("SELECT written FROM pulls ORDER BY id DESC LIMIT 1") == 1


async def test_a_listing_that_is_gone_counts_as_missed_only_after_complete_pulls(
    pull, boards: Boards, rows: Rows, clock: FixedClock
):
    boards.show("northwind", ashby_job("Pilot"), ashby_job("Cook"))
    await pull()
    seen_at = clock.now()
    clock.move(hours=6)
    boards.show("northwind", ashby_job("Pilot"), ashby_job("Mate", id=None))
    await pull()
    assert rows.all("SELECT DISTINCT missed, last_seen_at FROM listings") == [(0, None)]
    boards.show("northwind", ashby_job("Pilot"))
    await pull()
    clock.move(hours=6)
    await pull()
    gone = "SELECT missed, last_seen_at FROM listings WHERE raw->>'title' = 'Cook'"
    assert rows.all(gone) == [(2, seen_at)]
    assert rows.one("SELECT count(*) FROM postings WHERE closed_at IS NOT NULL") == 0
    boards.show("northwind", ashby_job("Pilot"), ashby_job("Cook"))
    await pull()
    assert rows.all(gone) == [(0, None)]


BAD = {
    "cut short": (cut_short(ashby_board(ashby_job("Pilot")), 200), Transient),
    "half a document": (body(ashby_board(ashby_job("Pilot"))[:200]), Permanent),
    "html": (body(b"<html>busy</html>", "text/html"), Permanent),
    "another document": (body(b"{}"), Permanent),
    "nothing": (body(b""), Permanent),
    "without end": (endless, Permanent),
    "silence": (silent, Transient),
    "not found": (status(404), Permanent),
    "refused": (status(403), Permanent),
    "broken": (status(500), Transient),
    "throttled": (status(429, Retry_After="600"), Deferred),
}


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_answer_is_recorded_and_loses_nothing(
    name,
    database: Database,
    clock: FixedClock,
    source,
    source_settings: SourceSettings,
    boards: Boards,
    rows: Rows,
    pull,
):
    boards.show("northwind", ashby_job("Pilot"), ashby_job("Cook"))
    await pull()
    before = rows.versions()
    clock.move(hours=6)
    answer, ending = BAD[name]
    boards.fail("northwind", answer)
    impatient = SourceSettings(
        gateway=boards.url,
        allow_private_addresses=True,
        timeout_seconds=1,
        response_limit_mb=1,
        spacing_seconds=0.001,
    )

    async def quiet(_: TaskProgress) -> None: ...

    task = TaskRun(db=database, clock=clock, task_id=TaskId(2), account_id=None, attempt=1, report=quiet)
    with pytest.raises(ending):
        await pull_handler(impatient)(task, PullSource(source_id=source))
    assert rows.versions() == before
    coverage, observed = rows.all("SELECT coverage, observed FROM pulls ORDER BY id DESC LIMIT 1")[0]
    assert (coverage, observed) == ("failed", 0)
    assert rows.one("SELECT last_complete_at < last_pull_at FROM sources")


async def test_an_empty_board_that_had_postings_is_suspect(pull, boards: Boards, rows: Rows):
    boards.show("northwind")
    assert (await pull()).word == "nothing_new"
    assert rows.one("SELECT coverage FROM pulls ORDER BY id DESC LIMIT 1") == "complete"
    boards.show("northwind", ashby_job("Pilot"))
    await pull()
    boards.show("northwind")
    await pull()
    assert rows.one("SELECT coverage FROM pulls ORDER BY id DESC LIMIT 1") == "surprising_empty"
    assert rows.one("SELECT missed FROM listings") == 0


async def test_a_throttled_source_is_left_alone_until_its_time(
    pull, boards: Boards, rows: Rows, clock: FixedClock
):
    boards.show("northwind", ashby_job("Pilot"))
    boards.fail("northwind", status(429, Retry_After="600"))
    with pytest.raises(Deferred) as raised:
        await pull()
    assert raised.value.until == clock.now() + timedelta(seconds=600)
    with pytest.raises(Deferred):
        await pull()
    assert len(boards.asked) == 1
    assert rows.one("SELECT failures_in_a_row FROM sources") == 0
    clock.move(seconds=601)
    # What all workers know of a host goes by the clock of the server, which stands.
    rows.all("UPDATE host_paces SET blocked_until = '-infinity' RETURNING host")
    assert (await pull()).word == "complete"


async def test_failures_count_once_a_pull_and_lengthen_the_pause(
    database: Database, pull, boards: Boards, rows: Rows, clock: FixedClock
):
    boards.fail("northwind", *[status(500)] * 2)
    for attempt in (1, PullSource.MAX_ATTEMPTS):
        with pytest.raises(Transient):
            await pull(attempt)
    assert rows.one("SELECT failures_in_a_row FROM sources") == 1
    assert rules.pause_after(1) == 2 * rules.pause_after(0)
    assert rules.pause_after(40) == timedelta(hours=72)
    boards.show("northwind")
    await pull()
    assert rows.one("SELECT failures_in_a_row FROM sources") == 0


async def test_two_boards_that_show_one_posting_are_one_posting(
    database: Database, clock: FixedClock, source_settings, pull, boards: Boards, rows: Rows
):
    boards.show("northwind", ashby_job("Pilot"))
    boards.show("northwind-labs", ashby_job("Pilot", board="northwind-labs"))
    await pull()
    async with database.as_fleet() as unit:
        twin = await add_source(unit, "https://jobs.ashbyhq.com/northwind-labs", now=clock.now())

    async def quiet(_: TaskProgress) -> None: ...

    task = TaskRun(db=database, clock=clock, task_id=TaskId(3), account_id=None, attempt=1, report=quiet)
    await pull_handler(source_settings)(task, PullSource(source_id=twin.source_id))
    assert rows.one("SELECT count(*) FROM postings") == 1
    assert rows.one("SELECT count(DISTINCT posting_id) FROM listings") == 1
    assert rows.one("SELECT count(*) FROM listings") == 2


async def test_a_pull_planned_on_an_old_state_is_done_again(
    database: Database, source, pull, boards: Boards, rows: Rows, monkeypatch
):
    boards.show("northwind", ashby_job("Pilot"))
    locked = store.locked_source

    async def after_a_faster_pull(unit, source_id):
        rows.all(
            "INSERT INTO pulls (source_id, started_at, finished_at, coverage, evidence, observed, refused,"
            f" written) VALUES ({source_id}, now(), now(), 'complete', '{{}}', 0, 0, 0) RETURNING id"
        )
        return await locked(unit, source_id)

    monkeypatch.setattr(store, "locked_source", after_a_faster_pull)
    with pytest.raises(Transient):
        await pull()
    assert rows.one("SELECT count(*) FROM listings") == 0
    monkeypatch.undo()
    assert (await pull()).word == "complete"


async def test_text_no_column_can_hold_is_cleaned_on_the_way_in(pull, boards: Boards, rows: Rows):
    boards.show("northwind", ashby_job("Pilot"))
    text = (
        boards.bodies["northwind"]
        .replace(b'"Pilot"', b'"Pi\\u0000lot\\ud83d"')
        .replace(b"Harbour", b"H\\u0000")
    )
    boards.bodies["northwind"] = text
    await pull()
    assert rows.one("SELECT title FROM postings") == "Pilot"


async def test_one_odd_field_costs_that_field_and_never_the_board(pull, boards: Boards, rows: Rows):
    deep: object = "x"
    for _ in range(400):
        deep = [deep]
    boards.show(
        "northwind",
        ashby_job("Pilot", secondaryLocations=7),
        ashby_job("Cook", compensation={"summaryComponents": [{"minValue": 10**400}]}),
        ashby_job("Mate", team=deep),
        ashby_job("Clerk", publishedAt=[]),
    )
    await pull()
    assert rows.one("SELECT coverage FROM pulls") == "complete"
    assert rows.all("SELECT title, pay_min, posted_at IS NULL FROM postings ORDER BY title") == [
        ("Clerk", None, True),
        ("Cook", None, False),
        ("Mate", None, False),
        ("Pilot", None, False),
    ]


async def test_a_source_that_is_gone_or_off_is_not_read(database: Database, pull, boards: Boards, rows: Rows):
    rows.all("UPDATE sources SET enabled = false RETURNING id")
    assert (await pull()).word == "switched_off"
    rows.all("DELETE FROM sources RETURNING id")
    with pytest.raises(Permanent) as raised:
        await pull()
    assert raised.value.code == "source_missing"
    assert boards.asked == []


async def test_the_sweep_asks_for_due_sources_once(
    database: Database, clock: FixedClock, source, pull, boards, rows
):
    async def quiet(_: TaskProgress) -> None: ...

    task = TaskRun(db=database, clock=clock, task_id=TaskId(4), account_id=None, attempt=1, report=quiet)
    rows.all("DELETE FROM tasks RETURNING id")
    assert (await sweep(task, PullDueSources())).word == "asked"
    await sweep(task, PullDueSources())
    assert rows.one("SELECT count(*) FROM tasks") == 1
    boards.show("northwind", ashby_job("Pilot"))
    await pull()
    assert (await sweep(task, PullDueSources())).word == "nothing_due"
    clock.move(hours=7)
    assert (await sweep(task, PullDueSources())).word == "asked"


async def test_asking_twice_for_a_pull_is_one_task(database: Database, source, rows: Rows):
    async with database.as_fleet() as unit:
        assert not await ask_for_pull(unit, source, priority=10)
    assert rows.one("SELECT count(*) FROM tasks") == 1
