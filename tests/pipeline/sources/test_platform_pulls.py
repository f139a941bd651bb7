"""Boards of one answer, from the address a person pastes to postings, by real HTTP and a real PostgreSQL."""

import psycopg
from emulators.greenhouse import Greenhouse, greenhouse_job
from emulators.lever import EUROPEAN, Lever, lever_job
from emulators.web import Web
from emulators.workable import Workable, workable_job
from fixtures.people import FixedClock

from pipeline.sources.add import add_source
from pipeline.sources.tasks import pull_handler
from pipeline.worker.types import TaskProgress, TaskRun
from schema.db import Database
from schema.identity.urls import posting_url
from schema.ids import SourceId, TaskId
from schema.settings import SourceSettings
from schema.tasks import PullSource

ADDRESSES = {
    "greenhouse": "https://job-boards.greenhouse.io/Northwind/jobs/4012345101",
    "lever": "https://jobs.eu.lever.co/Northwind",
    "workable": "https://apply.workable.com/northwind/",
}


def standing(web: Web) -> None:
    Greenhouse(web).boards["northwind"] = [
        greenhouse_job("Pilot"),
        greenhouse_job("Cook", absolute_url="https://northwind.example/jobs/cook"),
    ]
    Lever(web).sites[EUROPEAN, "Northwind"] = [lever_job("Mate", site="Northwind", side=".eu")]
    places = (("Spain", "ES"), ("Norway", "NO"))
    Workable(web).accounts["northwind"] = [workable_job("Purser", country=country) for country in places]


async def test_pasted_addresses_become_postings_and_an_unchanged_board_is_not_read_again(
    database: Database, clock: FixedClock, web: Web, web_settings: SourceSettings, owner_url: str
):
    standing(web)
    handler = pull_handler(web_settings)

    async def quiet(_: TaskProgress) -> None: ...

    async def pull(source_id: SourceId) -> None:
        run = TaskRun(db=database, clock=clock, task_id=TaskId(1), account_id=None, attempt=1, report=quiet)
        await handler(run, PullSource(source_id=source_id))

    ids: list[SourceId] = []
    for address in ADDRESSES.values():
        async with database.as_fleet() as unit:
            ids.append((await add_source(unit, address, now=clock.now())).source_id)
    for _ in range(2):
        for source_id in ids:
            await pull(source_id)
        clock.move(hours=7)

    with psycopg.connect(owner_url) as connection:
        postings = connection.execute(
            "SELECT platform, board, title, countries, posted_meaning, description_state,"
            " canonical_url, vendor_id FROM postings ORDER BY platform, title"
        ).fetchall()
        pulls = connection.execute(
            "SELECT s.platform, p.coverage, p.observed, p.evidence ? 'is_unchanged' FROM pulls p"
            " JOIN sources s ON s.id = p.source_id ORDER BY s.platform, p.id"
        ).fetchall()
    assert [row[:6] for row in postings] == [
        ("greenhouse", "northwind", "Cook", ["NO"], "first_published", "stored"),
        ("greenhouse", "northwind", "Pilot", ["NO"], "first_published", "stored"),
        ("lever", "eu/Northwind", "Mate", ["NO"], "created", "stored"),
        ("workable", "northwind", "Purser", ["ES", "NO"], "last_published", "stored"),
    ]
    for platform, *_, canonical, vendor_id in postings:
        found = posting_url(canonical)
        assert found is not None
        assert (found.platform, found.vendor_id) == (platform, vendor_id)
    assert [(platform, coverage, unchanged) for platform, coverage, _, unchanged in pulls] == [
        ("greenhouse", "complete", False),
        ("greenhouse", "complete", True),
        ("lever", "complete", False),
        ("lever", "complete", True),
        ("workable", "complete", False),
        ("workable", "complete", False),
    ]
