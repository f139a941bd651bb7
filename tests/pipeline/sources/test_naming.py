"""A board whose platform tells no employer is named later, together with what it showed before."""

import psycopg
from emulators.boards import Boards, ashby_job
from fixtures.people import FixedClock

from pipeline.sources.add import Added, add_source
from pipeline.sources.tasks import pull_handler
from pipeline.twins.rules import twin_key
from pipeline.worker.types import TaskProgress, TaskRun
from schema.db import Database
from schema.ids import TaskId
from schema.settings import SourceSettings
from schema.tasks import PullSource

BOARD = "https://jobs.ashbyhq.com/northwind"


async def quiet(_: TaskProgress) -> None: ...


async def added(database: Database, clock: FixedClock, company: str | None) -> Added:
    async with database.as_fleet() as unit:
        return await add_source(unit, BOARD, company=company, now=clock.now())


async def test_a_board_is_named_later_and_only_where_no_employer_was_told(
    database: Database, clock: FixedClock, source_settings: SourceSettings, boards: Boards, owner_url: str
):
    boards.show("northwind", ashby_job("Pilot"), ashby_job("Cook"))
    first = await added(database, clock, None)
    task = TaskRun(db=database, clock=clock, task_id=TaskId(1), account_id=None, attempt=1, report=quiet)
    await pull_handler(source_settings)(task, PullSource(source_id=first.source_id))
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE postings SET company = 'Southwind' WHERE title = 'Cook'")
        later = [await added(database, clock, company) for company in ("Northwind", "Eastwind")]
        shown = owner.execute("SELECT title, company, twin_key FROM postings ORDER BY title").fetchall()
        ids = owner.execute("SELECT format('[%s]', id) FROM postings WHERE title = 'Pilot'").fetchall()
        asked = owner.execute(
            "SELECT payload->>'posting_ids' FROM tasks WHERE kind = 'catalog.twins.v1'"
        ).fetchall()
    assert [each.named for each in (first, *later)] == [None, "Northwind", None]
    assert shown == [("Cook", "Southwind", None), ("Pilot", "Northwind", twin_key("Northwind", "Pilot"))]
    assert asked == ids
