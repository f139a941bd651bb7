"""Postings are looked at one by one: for the text their list leaves out, and for whether they stand."""

import asyncio

import msgspec
import pytest
from emulators.rippling import RIPPLING, place, record, rows, tier, uuid
from emulators.rippling import Rippling as Platform
from emulators.web import Reply, Web
from emulators.workday import WorkdaySite, answered, job, jobs, refusal
from fixtures.database import Owner
from fixtures.people import FixedClock
from fixtures.worker import QUICK, until

from pipeline.manners import rules as manners
from pipeline.sources.add import add_source
from pipeline.sources.looking import ask
from pipeline.sources.looking.ask import ask_for_probes, ask_for_texts
from pipeline.sources.looking.rules import GIVE_UP_AFTER, MOST_TRIES, TRY_AGAIN_AFTER
from pipeline.sources.looking.tasks import look_handler
from pipeline.sources.store import source_by_id
from pipeline.sources.tasks import pull_handler
from pipeline.worker.loop import Worker
from pipeline.worker.types import Done, TaskProgress, TaskRun
from schema.db import Database
from schema.ids import PostingId, SourceId, TaskId
from schema.settings import SourceSettings
from schema.tasks import LookAtPostings, PullSource

BROKEN = refusal(500, "HTTP_500")
PORTION = GIVE_UP_AFTER + 1


class Catalog:
    """Pulls, looks, and lets a test see what is stored. Tasks are taken from the queue by hand."""

    def __init__(self, database: Database, clock: FixedClock, settings: SourceSettings, owner: Owner) -> None:
        self.database, self.clock = database, clock
        self._settings, self._owner = settings, owner

    async def add(self, url: str, company: str | None = None) -> SourceId:
        async with self.database.as_fleet() as unit:
            return (await add_source(unit, url, company=company, now=self.clock.now())).source_id

    async def pull(self, source: SourceId) -> None:
        done = await pull_handler(self._settings)(self._run(), PullSource(source_id=source))
        await self._finish(done)

    async def look(self) -> int:
        """Do every look that is due now; how many portions there were."""
        portions = 0
        while (payload := self._take()) is not None:
            portions += 1
            await self._finish(await look_handler(self._settings)(self._run(), payload))
        return portions

    async def probe(self, source: SourceId, *ids: object) -> None:
        async with self.database.as_fleet() as unit:
            found = await source_by_id(unit, source)
            assert found is not None
            await ask_for_probes(unit, found, [PostingId(int(str(each))) for each in ids])

    def switch_off(self, source: SourceId) -> None:
        self._owner.connection.execute("UPDATE sources SET enabled = false WHERE id = %s", [source])

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        return self._owner.connection.execute(sql).fetchall()  # type: ignore[arg-type]

    def one(self, sql: str) -> object:
        return self.rows(sql)[0][0]

    def states(self) -> list[tuple[object, ...]]:
        return self.rows("SELECT description_state, count(*) FROM postings GROUP BY 1 ORDER BY 1")

    def waiting(self) -> list[tuple[object, ...]]:
        return self.rows(
            """SELECT CASE WHEN isfinite(not_before) THEN not_before END FROM tasks
               WHERE kind = 'posting.look.v1' AND status = 'pending'"""
        )

    def _take(self) -> LookAtPostings | None:
        row = self._owner.connection.execute(
            """UPDATE tasks SET status = 'cancelled', finished_at = now() WHERE id = (SELECT id FROM tasks
               WHERE kind = 'posting.look.v1' AND status = 'pending' AND not_before <= %s
               ORDER BY priority, id LIMIT 1) RETURNING payload""",
            [self.clock.now()],
        ).fetchone()
        if row is None:
            return None
        return msgspec.json.decode(row[0], type=LookAtPostings)

    async def _finish(self, done: Done) -> None:
        if done.effect is not None:
            async with self.database.as_fleet() as unit:
                await done.effect(unit)

    def _run(self) -> TaskRun:
        async def quiet(_: TaskProgress) -> None: ...

        return TaskRun(
            db=self.database,
            clock=self.clock,
            task_id=TaskId(1),
            account_id=None,
            attempt=1,
            report=quiet,
        )


@pytest.fixture
def catalog(
    database: Database,
    clock: FixedClock,
    web_settings: SourceSettings,
    owner: Owner,
    monkeypatch: pytest.MonkeyPatch,
) -> Catalog:
    monkeypatch.setattr(ask, "PORTION", PORTION)
    # Nothing waits for the pace that a host documents.
    monkeypatch.setattr(manners, "_DOCUMENTED", {})
    return Catalog(database, clock, web_settings, owner)


@pytest.fixture
def site(web: Web) -> WorkdaySite:
    site = WorkdaySite()
    web.sites[site.host] = site
    return site


@pytest.fixture
async def source(catalog: Catalog, site: WorkdaySite) -> SourceId:
    return await catalog.add(f"https://{site.host}/{site.name}")


def lookups(web: Web) -> int:
    return sum("/job/" in asked.path for asked in web.pages())


async def test_texts_are_fetched_in_portions_once_per_version(
    web: Web, catalog: Catalog, site: WorkdaySite, source: SourceId, clock: FixedClock
):
    site.jobs = jobs(PORTION + 3)
    await catalog.pull(source)
    assert catalog.states() == [("not_fetched", PORTION + 3)]
    assert await catalog.look() == 2
    assert catalog.states() == [("stored", PORTION + 3)]
    assert catalog.rows(
        "SELECT DISTINCT company, posted_on::text, posted_meaning, countries FROM postings"
    ) == [("Northwind AS", "2026-02-20", "last_published", ["NO"])]
    assert lookups(web) == PORTION + 3
    clock.move(days=1)
    site.jobs = [{**row, "postedOn": "Posted 6 Days Ago"} for row in site.jobs]
    await catalog.pull(source)
    assert (await catalog.look(), lookups(web)) == (0, PORTION + 3)
    site.jobs[0] = {**site.jobs[0], "title": "Chief Pilot"}
    await catalog.pull(source)
    assert (await catalog.look(), lookups(web)) == (1, PORTION + 4)
    assert catalog.one("SELECT count(*) FROM descriptions") == PORTION + 4
    clock.move(days=1)
    await catalog.pull(source)
    assert (await catalog.look(), lookups(web)) == (0, PORTION + 4)


async def test_a_worker_pulls_a_board_and_looks_at_it_portion_by_portion(
    catalog: Catalog, site: WorkdaySite, source: SourceId, web_settings: SourceSettings
):
    site.jobs = jobs(PORTION + 3)
    handlers = {PullSource: pull_handler(web_settings), LookAtPostings: look_handler(web_settings)}
    worker = Worker(catalog.database, catalog.clock, handlers, QUICK, release="test", jitter=lambda: 0.0)
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop))

    async def looked() -> bool | None:
        ended = "SELECT count(*) FROM tasks WHERE kind = 'posting.look.v1' AND outcome = 'looked'"
        return catalog.one(ended) == 2 or None

    try:
        await until(looked, 30, "two portions looked at")
    finally:
        stop.set()
        await running
    assert (catalog.states(), catalog.waiting()) == ([("stored", PORTION + 3)], [])


async def test_what_the_page_tells_stands_when_the_list_tells_less(
    catalog: Catalog, site: WorkdaySite, source: SourceId, clock: FixedClock
):
    site.jobs = [job(1, locationsText="2 Locations", remoteType="Remote")]
    path = str(site.jobs[0]["externalPath"])
    site.pages[path] = site.info(site.jobs[0], additionalLocations=["Bergen, Norway"])
    await catalog.pull(source)
    told = "SELECT locations, workplace, description_state FROM postings"
    assert catalog.rows(told) == [([], "remote", "not_fetched")]
    await catalog.look()
    whole = [(["Oslo, Norway", "Bergen, Norway"], "remote", "stored")]
    assert catalog.rows(told) == whole
    clock.move(days=1)
    site.jobs = [{**site.jobs[0], "title": "Chief Pilot"}]
    await catalog.pull(source)
    assert catalog.rows(told) == whole


async def test_not_fetched_failed_empty_and_stored_differ(
    web: Web, catalog: Catalog, site: WorkdaySite, source: SourceId, clock: FixedClock
):
    site.jobs = jobs(4)
    paths = [str(row["externalPath"]) for row in site.jobs]
    site.pages[paths[0]] = BROKEN
    site.pages[paths[1]] = site.info(site.jobs[1], jobDescription=" <p>\u00a0</p>")
    site.pages[paths[2]] = answered({"postings": []})
    await catalog.pull(source)
    states = """SELECT description_state, details_tried, description_hash IS NOT NULL AS has_text
                FROM postings ORDER BY vendor_id"""
    for tried in range(1, MOST_TRIES + 1):
        await catalog.look()
        state = "fetch_failed" if tried == MOST_TRIES else "not_fetched"
        assert catalog.rows(states) == [
            (state, tried, False),
            ("empty", 0, False),
            (state, tried, False),
            ("stored", 0, True),
        ]
        await catalog.pull(source)
        assert await catalog.look() == 0, "tried again only after a while"
        clock.move(seconds=TRY_AGAIN_AFTER.total_seconds() + 1)
        await catalog.pull(source)
    assert await catalog.look() == 0
    site.pages.clear()
    site.jobs[0] = {**site.jobs[0], "title": "Chief Pilot"}
    await catalog.pull(source)
    await catalog.look()
    assert catalog.states() == [("empty", 1), ("fetch_failed", 1), ("stored", 2)]
    assert catalog.one("SELECT count(*) FROM postings WHERE closed_at IS NOT NULL") == 0


async def test_a_text_that_is_stored_outlives_pages_that_tell_none(
    catalog: Catalog, site: WorkdaySite, source: SourceId, clock: FixedClock
):
    site.jobs = jobs(1)
    await catalog.pull(source)
    await catalog.look()
    path = str(site.jobs[0]["externalPath"])
    for answer in (BROKEN, refusal(404, "S22"), site.info(job(0), jobDescription="")):
        clock.move(days=1)
        site.pages[path] = answer
        site.jobs = [{**site.jobs[0], "title": f"Pilot {clock.now().day}"}]
        await catalog.pull(source)
        assert await catalog.look() == 1
        assert catalog.states() == [("stored", 1)]
    assert catalog.one("SELECT closed_at FROM postings") is None, "its board shows it"


async def test_a_host_that_wants_to_be_left_alone_gets_the_rest_later(
    web: Web, catalog: Catalog, site: WorkdaySite, source: SourceId, clock: FixedClock
):
    site.jobs = jobs(5)
    await catalog.pull(source)
    site.pages[str(site.jobs[2]["externalPath"])] = Reply(b"", 429, headers={"Retry-After": "120"})
    assert await catalog.look() == 1
    assert catalog.states() == [("not_fetched", 3), ("stored", 2)]
    assert catalog.one("SELECT max(details_tried) FROM postings") == 0
    assert [each[0] > clock.now() for each in catalog.waiting()] == [True]  # type: ignore[operator]


async def test_a_platform_that_fails_throughout_is_not_asked_for_every_posting(
    web: Web, catalog: Catalog, site: WorkdaySite, source: SourceId
):
    site.jobs = jobs(30)
    await catalog.pull(source)
    site.pages.update({str(row["externalPath"]): BROKEN for row in site.jobs})
    assert await catalog.look() == 1
    assert lookups(web) == GIVE_UP_AFTER
    assert catalog.waiting() == []


async def test_pages_that_robots_close_are_left_alone_and_count_as_not_fetched(
    web: Web, catalog: Catalog, site: WorkdaySite, source: SourceId
):
    site.jobs = jobs(3)
    web.robots[site.host] = Reply(b"User-agent: *\nDisallow: /wday/cxs/*/job/\n", 200, "text/plain")
    await catalog.pull(source)
    await catalog.look()
    assert (catalog.states(), lookups(web)) == ([("not_fetched", 3)], 0)


async def test_two_sites_that_show_one_posting_have_it_looked_at_once(
    web: Web, catalog: Catalog, site: WorkdaySite, source: SourceId, clock: FixedClock
):
    site.jobs = jobs(2)
    students = WorkdaySite(jobs=jobs(2), name="Students")

    def both(asked):
        return (students if "/Students/" in asked.path else site)(asked)

    web.sites[site.host] = both
    other = await catalog.add(f"https://{site.host}/Students")
    for _ in range(3):
        await catalog.pull(source)
        await catalog.pull(other)
        await catalog.look()
        clock.move(days=1)
    assert (catalog.states(), lookups(web)) == ([("stored", 2)], 2)
    site.jobs, students.jobs = jobs(3), jobs(3)
    await catalog.pull(source)
    await catalog.pull(other)
    catalog.switch_off(other)
    # The one that describes the new posting is read no more.
    await catalog.look()
    assert (catalog.states(), lookups(web)) == ([("stored", 3)], 3)


async def test_records_of_rippling_fill_in_what_its_lists_leave_out(web: Web, catalog: Catalog):
    platform = Platform(
        {"northwind": rows(1, place("Oslo, Norway", "REMOTE"), place("Bergen, Norway", "REMOTE"))}
    )
    platform.records[uuid(1)] = record(
        1, payRangeDetails=[tier(50, 60, "USD", "HOUR")], workLocations=["Oslo, Norway"]
    )
    web.sites[RIPPLING] = platform
    await catalog.pull(await catalog.add("https://ats.rippling.com/northwind/jobs"))
    await catalog.look()
    (told,) = catalog.rows(
        """SELECT locations, countries, workplace, pay_min::int, pay_max::int, pay_currency, pay_interval,
             company, posted_meaning, description_state FROM postings"""
    )
    assert told[:3] == (["Oslo, Norway", "Bergen, Norway"], ["NO"], "remote")
    assert told[3:7] == (50, 60, "USD", "hour")
    assert told[7:] == ("Northwind AS", "created", "stored")


@pytest.mark.parametrize("answer", [BROKEN, Reply(b"", 403), Reply(b"", 401), Reply(b"{}", 200, kept=1)])
async def test_a_probe_that_learns_nothing_closes_nothing(
    catalog: Catalog, site: WorkdaySite, source: SourceId, answer: Reply
):
    site.jobs = jobs(2)
    await catalog.pull(source)
    await catalog.look()
    site.pages[str(site.jobs[0]["externalPath"])] = answer
    site.jobs = site.jobs[1:]
    await catalog.pull(source)
    await catalog.probe(source, catalog.one("SELECT id FROM postings WHERE vendor_id = 'nw/JR100000'"))
    assert await catalog.look() >= 1
    assert catalog.rows("SELECT * FROM posting_probes") == []
    assert catalog.one("SELECT count(*) FROM postings WHERE closed_at IS NOT NULL") == 0


async def test_a_page_that_is_gone_closes_what_its_board_does_not_show_and_nothing_else(
    catalog: Catalog, site: WorkdaySite, source: SourceId
):
    site.jobs = jobs(12)
    await catalog.pull(source)
    await catalog.look()
    site.pages = {str(site.jobs[0]["externalPath"]): refusal(404, "S22")}
    ids = [each[0] for each in catalog.rows("SELECT id FROM postings ORDER BY vendor_id LIMIT 2")]
    await catalog.probe(source, *ids)
    await catalog.look()
    assert catalog.rows("SELECT state FROM posting_probes ORDER BY posting_id") == [("gone",), ("open",)]
    assert catalog.one("SELECT count(*) FROM postings WHERE closed_at IS NOT NULL") == 0
    site.jobs = site.jobs[1:]
    await catalog.pull(source)
    await catalog.probe(source, *ids)
    await catalog.look()
    closed = "SELECT vendor_id, closed_reason FROM postings WHERE closed_at IS NOT NULL"
    assert catalog.rows(closed) == [("nw/JR100000", "page_gone")]


async def test_nothing_is_asked_for_where_nothing_is_due(
    database: Database, catalog: Catalog, site: WorkdaySite, source: SourceId, clock: FixedClock
):
    async with database.as_fleet() as unit:
        found = await source_by_id(unit, source)
        assert found is not None
        assert not await ask_for_texts(unit, found, now=clock.now())
        await ask_for_probes(unit, found, [])
    assert catalog.waiting() == []
    site.jobs = jobs(1)
    await catalog.pull(source)
    await catalog.pull(source)
    assert len(catalog.waiting()) == 1
