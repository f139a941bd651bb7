"""Hosts that let nobody ask as often as a board needs, or never answer: they are asked ever less."""

from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, LiteralString

import psycopg
import pytest
from emulators.feeds import pinpoint_posting, pinpoint_site
from emulators.paged_boards import TeamtailorSite, teamtailor_item
from emulators.web import Reply, Web
from emulators.workday import WorkdaySite, jobs
from fixtures.people import FixedClock

from pipeline.sources import patient
from pipeline.sources.add import add_source
from pipeline.sources.rules import MOST_FAILURES
from pipeline.sources.tasks import pull_handler
from pipeline.worker.types import Deferred, Done, Permanent, TaskProgress, TaskRun
from schema.db import Database
from schema.ids import SourceId, TaskId
from schema.settings import SourceSettings
from schema.tasks import PullSource

HOSTS = ("northwind.teamtailor.com", "northwind.pinpointhq.com")
SLOW = Reply(b"User-agent: *\nCrawl-delay: 600\n", content_type="text/plain")
Pull = Callable[[SourceId], Coroutine[None, None, Done]]


@pytest.fixture
def slow(web: Web) -> Web:
    items: list[dict[str, object]] = [teamtailor_item(number) for number in range(3)]
    web.sites.update(zip(HOSTS, (TeamtailorSite(items), pinpoint_site([pinpoint_posting(1)])), strict=True))
    web.robots.update(dict.fromkeys(HOSTS, SLOW))
    return web


@pytest.fixture
def pull(database: Database, clock: FixedClock, web_settings: SourceSettings) -> Pull:
    async def quiet(progress: TaskProgress) -> None: ...

    async def run(source: SourceId) -> Done:
        task = TaskRun(db=database, clock=clock, task_id=TaskId(1), account_id=None, attempt=1, report=quiet)
        return await pull_handler(web_settings)(task, PullSource(source_id=source))

    return run


async def added(database: Database, clock: FixedClock, host: str) -> SourceId:
    async with database.as_fleet() as unit:
        return (await add_source(unit, f"https://{host}/jobs", now=clock.now())).source_id


def turn_comes(owner_url: str, clock: FixedClock, **later: float) -> None:
    """What all workers know of a host goes by the clock of the server, which stands."""
    clock.move(**later)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(
            "UPDATE host_paces SET arrival_at = clock_timestamp(), blocked_until = '-infinity'"
        )


def told(owner_url: str, sql: LiteralString) -> tuple[object, ...]:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row: tuple[Any, ...] | None = connection.execute(sql).fetchone()
    assert row is not None
    return row


async def test_a_board_of_one_answer_is_read_when_its_turn_comes(
    slow: Web, pull: Pull, database: Database, clock: FixedClock, owner_url: str
):
    source = await added(database, clock, HOSTS[1])
    assert (await pull(source)).word == "complete"
    with pytest.raises(Deferred):
        await pull(source)
    turn_comes(owner_url, clock, minutes=10)
    assert (await pull(source)).word == "nothing_new"


async def test_a_board_that_needs_more_answers_than_its_host_gives_is_not_put_off_for_ever(
    slow: Web, pull: Pull, database: Database, clock: FixedClock, owner_url: str
):
    source = await added(database, clock, HOSTS[0])
    for _ in range(MOST_FAILURES):
        turn_comes(owner_url, clock, hours=73)
        with pytest.raises(Permanent) as raised:
            await pull(source)
        assert raised.value.code == "source_unreadable"
    enabled, why = told(owner_url, "SELECT enabled, off_reason FROM sources")
    assert not enabled
    assert "too_slow" in str(why)
    assert told(owner_url, "SELECT count(*) FROM postings") == (0,)


async def test_a_board_that_would_keep_a_worker_for_hours_gives_it_back_and_says_why(
    web: Web,
    pull: Pull,
    database: Database,
    clock: FixedClock,
    owner_url: str,
    monkeypatch: pytest.MonkeyPatch,
):
    web.sites[HOSTS[0]] = TeamtailorSite([teamtailor_item(number) for number in range(250)])
    monkeypatch.setattr(patient, "MOST_HELD_SECONDS", 0.0)
    monkeypatch.setattr(patient, "SLOW_ANSWER_SECONDS", 0.0)
    source = await added(database, clock, HOSTS[0])
    with pytest.raises(Permanent):
        await pull(source)
    assert len(web.pages()) == 0
    monkeypatch.setattr(patient, "MOST_HELD_SECONDS", 1200.0)
    site = WorkdaySite(jobs=jobs(130))
    web.sites[site.host] = site

    def slow_down(number: int) -> None:
        monkeypatch.setattr(patient, "MOST_HELD_SECONDS", 0.0 if number else 1200.0)

    site.before = slow_down
    async with database.as_fleet() as unit:
        paged = await add_source(unit, f"https://{site.host}/{site.name}", now=clock.now())
    assert (await pull(paged.source_id)).word == "partial"
    assert told(owner_url, "SELECT evidence->>'problem', observed FROM pulls WHERE coverage = 'partial'") == (
        "too_slow",
        39,
    )


async def test_a_host_that_throttles_without_end_is_asked_ever_less(
    web: Web, pull: Pull, database: Database, clock: FixedClock, owner_url: str
):
    web.sites[HOSTS[1]] = lambda _: Reply(b"", 429, headers={"Retry-After": "30"})
    source = await added(database, clock, HOSTS[1])
    waits: list[float] = []
    for _ in range(4):
        with pytest.raises(Deferred) as raised:
            await pull(source)
        waits.append((raised.value.until - clock.now()) / timedelta(seconds=1))
        turn_comes(owner_url, clock, seconds=waits[-1])
    assert waits == [30, 60, 120, 240]
    web.sites[HOSTS[1]] = pinpoint_site([pinpoint_posting(1)])
    assert (await pull(source)).word == "complete"
    assert told(owner_url, "SELECT blocked_until FROM sources") == (None,)
