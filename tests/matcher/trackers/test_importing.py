"""A file brought in, applied, brought in again, and taken back, on the real database."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from fixtures.samples import Samples
from fixtures.trackers import Tables, told

from matcher.applications.store import application, record_application, set_note, set_status
from matcher.applications.types import NewApplication
from matcher.trackers import store
from matcher.trackers.importing import (
    AlreadyApplied,
    NothingToUndo,
    OrderOpen,
    start,
    start_undo,
)
from matcher.trackers.tasks import apply_tracker, undo_tracker
from pipeline.worker.types import TaskProgress, TaskRun
from schema.db import Unit
from schema.errors import Missing
from schema.ids import AccountId, ApplicationId
from schema.query import Query, Statement
from schema.tasks import ApplyTracker, UndoTracker

TABLE = """Company,Role,Link,Applied,Status,Status date,Notes,Salary
Northwind,Data Engineer,URL,2026-01-05,Rejected,2026-01-20,Kim wrote,90k
Contoso,Writer,,2026-01-06,Applied,,,
Fabrikam,Pilot,,2 weeks ago,Applied,,,
Contoso,Editor,,,2nd Interview,,,
""".replace("URL", "https://jobs.lever.co/northwind/6d1c8a4e-2f0b-4c7d-9a51-1b2c3d4e5f60")


def present(samples: Samples) -> list[tuple[object, ...]]:
    return samples.rows(
        "SELECT company, role, origin, status, note FROM applications"
        " WHERE account_id = %s AND dismissed_at IS NULL ORDER BY company, role",
        samples.account,
    )


async def test_a_file_becomes_applications_with_the_persons_own_status(tables: Tables, samples: Samples):
    assert await tables.counts(TABLE) == (3, 0, 1)
    done = await tables.applied(TABLE)
    assert told(done) == ("applied", 3, 0, 1)
    assert present(samples) == [
        ("Contoso", "Editor", "import", "interviewing", "Status: 2nd Interview"),
        ("Contoso", "Writer", "import", None, ""),
        ("Northwind", "Data Engineer", "import", "rejected", "Kim wrote\nSalary: 90k"),
    ]
    async with tables.unit() as unit:
        (first, *_) = await store.made(unit, done.id, limit=1)
        one = await application(unit, first)
        (refused,) = await store.refused_rows(unit, done.id, limit=10)
    assert (one.stage, one.platform, one.applied_on) == ("rejected", "lever", date(2026, 1, 5))
    assert one.status_at == datetime(2026, 1, 20, tzinfo=UTC)
    assert (refused.line, refused.cells[0]) == (4, "Fabrikam")
    assert refused.reason == "Applied: “2 weeks ago” is no day."
    assert samples.rows("SELECT kind FROM tasks WHERE status = 'pending'") == [("match.account.v1",)]
    assert samples.rows("SELECT content FROM tracker_imports WHERE id = %s", done.id) == [(None,)]


async def test_the_same_file_again_makes_no_double(tables: Tables, samples: Samples):
    await tables.applied(TABLE)
    before = present(samples)
    assert await tables.counts(TABLE) == (0, 3, 1)
    again = await tables.applied(TABLE)
    assert told(again) == ("applied", 0, 3, 1)
    assert present(samples) == before


async def test_a_row_that_stands_twice_is_one_application(tables: Tables, samples: Samples):
    done = await tables.applied("Company,Role,Notes\nAcme,Pilot,one\nAcme GmbH,Pilot,two\n")
    assert told(done) == ("applied", 1, 1, 0)
    assert present(samples) == [("Acme", "Pilot", "import", None, "one\ntwo")]


async def test_what_the_person_dismissed_is_not_brought_back(tables: Tables, samples: Samples):
    await tables.applied(TABLE)
    samples.rows("UPDATE applications SET dismissed_at = now() WHERE role = 'Writer'")
    assert told(await tables.applied(TABLE))[1:3] == (0, 3)
    assert len(present(samples)) == 2


async def test_a_known_application_is_only_completed_and_put_back_by_the_undo(
    tables: Tables, samples: Samples
):
    async with tables.unit() as unit:
        known = await record_application(
            unit,
            NewApplication(origin="manual", company="Contoso", role="Writer", applied_on=date(2026, 1, 6)),
            now=tables.clock.now(),
        )
        await set_note(unit, known, "mine", now=tables.clock.now())
    done = await tables.applied(
        "Company,Role,Applied,Status,Notes,Link\nContoso,Writer,2026-01-06,Offer,theirs,https://contoso.example/1\n"
    )
    assert told(done) == ("applied", 0, 1, 0)
    async with tables.unit() as unit:
        one = await application(unit, known)
    assert (one.origin, one.status, one.note) == ("manual", "offer", "mine\ntheirs")
    assert one.canonical_url == "https://contoso.example/1"
    back = await tables.undone(done.id)
    assert (back.state, back.rows_kept) == ("undone", 0)
    async with tables.unit() as unit:
        one = await application(unit, known)
    assert (one.status, one.note, one.canonical_url, one.stage) == (None, "mine", None, "applied")


async def test_the_undo_takes_back_what_was_made_and_nothing_touched_since(tables: Tables, samples: Samples):
    done = await tables.applied(TABLE)
    async with tables.unit() as unit:
        first, second, third = await store.made(unit, done.id, limit=3)
        await set_status(unit, second, "offer", now=tables.clock.now())
    message = samples.message("rejection", employer="Contoso")
    samples.rows(
        "INSERT INTO match_decisions (account_id, message_id, outcome, application_id, actor, choice,"
        " policy_version, input_hash, created_at) VALUES (%s, %s, 'attached', %s, 'person', 'assign', 1,"
        " repeat('a', 64), now())",
        samples.account,
        message,
        third,
    )
    samples.rows(
        "INSERT INTO matches (account_id, message_id, decision_id, outcome, application_id, by_person,"
        " decided_at) SELECT account_id, message_id, id, outcome, application_id, true, now()"
        " FROM match_decisions"
    )
    back = await tables.undone(done.id)
    assert (back.state, back.rows_kept) == ("undone", 2)
    rows = samples.rows("SELECT id FROM applications WHERE dismissed_at IS NULL ORDER BY id")
    assert [ApplicationId(row[0]) for row in rows] == [second, third]  # type: ignore[arg-type]
    assert first not in {second, third}
    with pytest.raises(NothingToUndo):
        await tables.undone(done.id)


async def test_what_was_taken_back_can_be_brought_in_again(tables: Tables, samples: Samples):
    done = await tables.applied(TABLE)
    await tables.undone(done.id)
    assert present(samples) == []
    assert told(await tables.applied(TABLE)) == ("applied", 3, 0, 1)
    assert len(present(samples)) == 3


async def test_a_later_status_of_the_file_is_taken_an_earlier_one_is_not(tables: Tables, samples: Samples):
    await tables.applied("Company,Role,Status,Status date\nAcme,Pilot,Interview,2026-01-10\n")
    for stage, day, holds in (
        ("Offer", "2026-01-05", "interviewing"),
        ("Rejected", "2026-01-20", "rejected"),
    ):
        await tables.applied(f"Company,Role,Status,Status date\nAcme,Pilot,{stage},{day}\n")
        assert [row[3] for row in present(samples)] == [holds]


async def test_a_file_with_open_dates_is_not_applied(tables: Tables, samples: Samples):
    import_id = await tables.brought("Company,Role,Applied\nAcme,Pilot,03/04/2025\n")
    with pytest.raises(OrderOpen):
        async with tables.unit() as unit:
            await start(unit, import_id, now=tables.clock.now())
    assert (await tables.one(import_id)).state == "read"


def long_table(rows: int) -> str:
    return "Company,Role,Applied\n" + "".join(
        f"Company {n} Works,Engineer {n % 7},2026-01-{n % 28 + 1:02}\n" for n in range(rows)
    )


async def test_a_long_file_is_applied_by_a_task_that_goes_on_where_it_was_cut(
    tables: Tables, samples: Samples
):
    import_id = await tables.brought(long_table(650))
    async with tables.unit() as unit:
        assert await start(unit, import_id, now=tables.clock.now()) is not None

    class CutShort(Exception):
        pass

    async def cut(progress: TaskProgress) -> None:
        if progress.done == 400:
            raise CutShort

    run = tables.run()
    payload = ApplyTracker(import_id=import_id)
    broken = TaskRun(
        db=run.db, clock=run.clock, task_id=run.task_id, account_id=run.account_id, attempt=1, report=cut
    )
    with pytest.raises(CutShort):
        await apply_tracker(broken, payload)
    assert samples.rows("SELECT count(*) FROM applications") == [(400,)]
    assert (await apply_tracker(run, payload)).word == "applied"
    assert (await apply_tracker(run, payload)).word == "applied_already"
    assert told(await tables.one(import_id)) == ("applied", 650, 0, 0)
    assert samples.rows("SELECT count(*) FROM applications") == [(650,)]
    with pytest.raises(AlreadyApplied):
        async with tables.unit() as unit:
            await start(unit, import_id, now=tables.clock.now())
    samples.rows("DELETE FROM tasks")
    async with tables.unit() as unit:
        assert await start_undo(unit, import_id, now=tables.clock.now()) is not None
    assert (await undo_tracker(run, UndoTracker(import_id=import_id))).word == "undone"
    assert present(samples) == []


async def test_employers_applied_to_often_cost_no_statement_each(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
):
    asked: list[str] = []
    plain_all, plain_run = Unit.all, Unit.run

    async def all_told(unit: Unit, query: Query[Any], **params: object) -> list[Any]:
        asked.append(query.name)
        return await plain_all(unit, query, **params)

    async def run_told(unit: Unit, statement: Statement, **params: object) -> int:
        asked.append(statement.name)
        return await plain_run(unit, statement, **params)

    monkeypatch.setattr(Unit, "all", all_told)
    monkeypatch.setattr(Unit, "run", run_told)
    header = "Company,Role,Link,Applied\n"
    rows = [
        f"Company {n % 40},Role {'ABCDE'[n % 5]} {n},https://company{n % 40}.example/careers,2026-01-05\n"
        for n in range(160)
    ]
    found = await tables.applied(header + "".join(rows))
    assert told(found) == ("applied", 160, 0, 0), "openings under one address are several"
    await tables.undone(found.id)
    assert len(asked) < 60, sorted(asked)


async def test_a_row_without_a_title_is_any_opening_of_its_address(tables: Tables):
    header = "Company,Role,Link,Applied\n"
    link = "https://jobs.lever.co/northwind/6d1c8a4e-2f0b-4c7d-9a51-1b2c3d4e5f60"
    page = "https://northwind.example/careers/open"
    named = f"Northwind,Data Engineer,{page},2026-01-05\nNorthwind,Writer,{page},2026-01-05\n"
    assert await tables.counts(f"{header}{named}Northwind,,{page},2026-01-07\n") == (2, 1, 0)
    filled = f"{header}Northwind,,{page},2026-01-07\n{named}Northwind,Data Engineer,,2026-01-07\n"
    assert await tables.counts(filled) == (2, 2, 0), "the title it was given counts for the rows after it"
    assert await tables.counts(f"{header}Northwind,Writer,{link},2026-01-05\n,Pilot,{link},2026-01-06\n") == (
        1,
        1,
        0,
    )
    await tables.applied(header + named)
    assert await tables.counts(f"{header}Northwind,,{page},2026-01-07\n") == (0, 1, 0)
    assert await tables.counts(f"{header}Northwind,Pilot,{page},2026-01-07\n") == (1, 0, 0)


async def test_another_accounts_import_is_missing(tables: Tables, other_account: AccountId):
    import_id = await tables.brought(TABLE)
    with pytest.raises(Missing):
        async with tables.database.as_account(other_account) as unit:
            await start(unit, import_id, now=tables.clock.now())
