"""Boards of the smaller platforms: from any address of one to postings found again by any link to them."""

import json
from datetime import UTC, datetime

import pytest
from emulators.feeds import (
    PersonioSite,
    jazzhr_feed,
    jazzhr_job,
    personio_feed,
    personio_position,
    pinpoint_posting,
    pinpoint_site,
    recruitee_offer,
)
from emulators.paged_boards import (
    IcimsSite,
    ManatalSite,
    SuccessFactorsSite,
    TeamtailorSite,
    icims_card,
    manatal_job,
    successfactors_tile,
    teamtailor_item,
)
from emulators.web import Reply, Web
from fixtures.people import FixedClock

from pipeline.catalog.store import posting_at
from pipeline.sources.add import add_source
from pipeline.sources.tasks import pull_handler
from pipeline.worker.types import Done, Permanent, TaskProgress, TaskRun
from schema.db import Database
from schema.ids import TaskId
from schema.settings import SourceSettings
from schema.tasks import PullSource

SUITE = "jobs.northwind.example"
#: By platform: an address of its board, and one of its posting as mails and people write it.
ADDRESSES = {
    "personio": (
        "https://northwind-jobs.personio.com/",
        "https://northwind.jobs.personio.de/job/77?language=de",
    ),
    "jazzhr": (
        "https://northwind.applytojob.com/apply/",
        "https://northwind.applytojob.com/apply/AbCd123456/Deckhand?source=mail",
    ),
    "pinpoint": ("https://northwind.pinpointhq.com/en", "https://northwind.pinpointhq.com/postings/0a1b-7"),
    "recruitee": ("https://northwind.recruitee.com/", "https://northwind.recruitee.com/l/en/o/cook-5/c/new"),
    "teamtailor": (
        "https://northwind.teamtailor.com/",
        "https://northwind.teamtailor.com/en-GB/jobs/12345-stoker/applications/new",
    ),
    "manatal": (
        "https://careers-page.com/Northwind",
        "https://www.careers-page.com/northwind/job/7X4W43WX/apply",
    ),
    "icims": (
        "https://careers-nw.icims.com/jobs/intro",
        "https://careers-nw.icims.com/jobs/1234/login?iis=Mail",
    ),
    "successfactors": (
        f"https://{SUITE}/tile-search-results/?startrow=25",
        f"https://{SUITE}/job/Noida-Helmsman-NCR/1069456701/?utm_source=mail",
    ),
}


@pytest.fixture
def sites(web: Web) -> None:
    feed = jazzhr_feed(jazzhr_job("AbCd123456"))
    web.sites |= {
        "northwind.jobs.personio.de": PersonioSite(personio_feed(personio_position(77))),
        "app.jazz.co": lambda _: Reply(feed),
        "northwind.pinpointhq.com": pinpoint_site([pinpoint_posting(7)]),
        "northwind.recruitee.com": lambda _: Reply(json.dumps({"offers": [recruitee_offer(5)]}).encode()),
        "northwind.teamtailor.com": TeamtailorSite([teamtailor_item(12345)]),
        "www.careers-page.com": ManatalSite([manatal_job("7X4W43WX")]),
        "careers-nw.icims.com": IcimsSite([icims_card(1234)]),
        SUITE: SuccessFactorsSite([successfactors_tile(1069456701)]),
    }


def task(database: Database, clock: FixedClock) -> TaskRun:
    async def quiet(_: TaskProgress) -> None: ...

    return TaskRun(db=database, clock=clock, task_id=TaskId(1), account_id=None, attempt=1, report=quiet)


async def test_a_board_added_by_any_address_is_pulled_and_its_postings_found_by_any_link(
    database: Database, clock: FixedClock, sites, web_settings: SourceSettings
):
    for platform, (board, link) in ADDRESSES.items():
        async with database.as_fleet() as unit:
            added = await add_source(unit, board, now=clock.now())
        assert added.place.platform == platform
        done = await pull_handler(web_settings)(task(database, clock), PullSource(source_id=added.source_id))
        assert done == Done("complete"), platform
        async with database.as_fleet() as unit:
            assert await posting_at(unit, link) is not None, platform


async def test_a_platform_that_has_closed_is_not_asked_any_more(
    database: Database, clock: FixedClock, sites, web: Web, web_settings: SourceSettings
):
    async with database.as_fleet() as unit:
        added = await add_source(unit, ADDRESSES["recruitee"][0], now=clock.now())
    clock.at = datetime(2027, 2, 10, tzinfo=UTC)
    with pytest.raises(Permanent):
        await pull_handler(web_settings)(task(database, clock), PullSource(source_id=added.source_id))
    assert web.asked == []
