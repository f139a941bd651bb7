"""Your data by the pages: all of it downloaded, applications exported and brought in again, a deletion."""

import asyncio
import csv
import io
import json
import zipfile

import httpx2
import psycopg
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, see, submit
from fixtures.people import FixedClock
from fixtures.samples import Samples
from fixtures.worker import Tasks, until

from backend.handlers import handlers
from pipeline.worker.loop import Worker
from schema.db import Database
from schema.ids import AccountId
from schema.settings import Settings, WorkerSettings

NOTE = 'first line\r\nsecond, "quoted"\n=1+1'


@pytest.fixture
def kept(samples: Samples, clock: FixedClock) -> None:
    """Applications with an instant, with only a day, dismissed, hostile, and known only by the employer."""
    clock.move(days=20)
    first = samples.application("Northwind", "Data Engineer", applied=5)
    samples.application("=cmd|' /C calc'!A0", "+Writer", applied=6)
    third = samples.application("Contoso", None, applied=7)
    samples.rows("UPDATE applications SET note = %s WHERE id = %s", NOTE, first)
    samples.rows(
        "UPDATE applications SET status = 'rejected', status_at = '2026-03-09 10:00+00', applied_at = NULL,"
        " applied_on = '2026-03-07', canonical_url = 'https://contoso.example/jobs/1',"
        " requisition_id = 'R-7', requisition_key = 'r7' WHERE id = %s",
        third,
    )
    samples.rows("UPDATE applications SET dismissed_at = now() WHERE company LIKE '=cmd%%'")
    samples.rows(
        "UPDATE standings s SET dismissed = true FROM applications a WHERE a.id = s.application_id"
        " AND a.dismissed_at IS NOT NULL"
    )


def table_of(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


FACTS = ("company", "role", "status", "applied", "url", "requisition", "archived", "note")


def facts(rows: list[dict[str, str]]) -> list[tuple[str, ...]]:
    return sorted(tuple(row[name] for name in FACTS) for row in rows)


async def exported(client: httpx2.AsyncClient, query: str = "") -> list[dict[str, str]]:
    answer = await client.get(f"/applications/export.csv{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/csv")
    return table_of(answer.text)


async def test_every_application_is_exported_and_no_cell_is_a_formula(client: httpx2.AsyncClient, kept: None):
    rows = await exported(client)
    assert len(rows) == 3
    assert [row["archived"] for row in rows] == ["no", "no", "yes"]
    assert list(rows[0]) == [
        "jobtrail_id", "company", "role", "status", "status_at", "status_by", "applied", "url", "requisition",
        "archived", "note", "origin", "platform", "recorded_at", "last_news", "last_news_at",
    ]  # fmt: skip
    assert not [cell for row in rows for cell in row.values() if cell[:1] in set("=+-@\t\r") and cell]


@pytest.mark.parametrize("query", ["stage=hired", "silent=soon", "applied_from=2026-02-31"])
async def test_a_filter_that_cannot_be_meant_gives_no_file(client: httpx2.AsyncClient, query: str):
    for suffix in ("csv", "json"):
        answer = await client.get(f"/applications/export.{suffix}?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


async def test_the_csv_brought_into_another_account_loses_nothing(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, kept: None
):
    answer = await client.get("/applications/export.csv")
    chosen = Seen(
        await other_client.post(
            "/applications/import", files={"table": ("a.csv", answer.content)}, headers=PAGE
        )
    )
    page = await see(other_client, chosen.location)
    await submit(other_client, page, chosen.location, act="apply")
    assert facts(await exported(other_client)) == facts(await exported(client))


async def test_the_csv_brought_into_the_same_account_changes_nothing(client: httpx2.AsyncClient, kept: None):
    before = await exported(client)
    answer = await client.get("/applications/export.csv")
    chosen = Seen(
        await client.post("/applications/import", files={"table": ("a.csv", answer.content)}, headers=PAGE)
    )
    page = await see(client, chosen.location)
    assert "New applications 0" in page.text("dl.facts")
    await submit(client, page, chosen.location, act="apply")
    assert facts(await exported(client)) == facts(before)


async def test_filters_in_the_address_hold_for_the_export(client: httpx2.AsyncClient, kept: None):
    assert [row["company"] for row in await exported(client, "?q=northwind")] == ["Northwind"]
    assert len(await exported(client, "?show=dismissed")) == 1
    assert await exported(client, "?q=nobody") == []


async def test_the_json_says_the_same(client: httpx2.AsyncClient, kept: None):
    answer = await client.get("/applications/export.json")
    found = json.loads(answer.content)
    assert found["version"] == 1
    assert sorted(row["company"] for row in found["applications"]) == sorted(
        ["=cmd|' /C calc'!A0", "Contoso", "Northwind"]
    )
    assert json.loads((await client.get("/applications/export.json?q=nobody")).content)["applications"] == []


async def test_everything_is_one_zip(client: httpx2.AsyncClient, kept: None):
    answer = await client.get("/settings/data/everything.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["cache-control"] == "no-store"
    found = zipfile.ZipFile(io.BytesIO(answer.content))
    assert found.testzip() is None
    assert len(json.loads(found.read("applications.json"))) == 3


async def test_the_page_says_what_is_there_and_why_an_owner_stays(
    client: httpx2.AsyncClient, kept: None, account: AccountId, other_account: AccountId, owner_url: str
):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE installation SET owner_account_id = %s", (account,))
    page = await see(client, "/settings/data")
    assert "Applications 3" in page.text("dl.facts")
    assert "The owner of this Jobtrail leaves last" in page.text("main")
    assert not page.has('a[href="/settings/data/delete"]')
    refused = await client.post("/settings/data/delete", data={"email": "ada@example.org"}, headers=PAGE)
    assert refused.status_code == 409
    assert (await see(client, "/settings/data")).status == 200


async def test_an_account_is_deleted_only_by_typing_its_address(
    other_client: httpx2.AsyncClient, tasks: Tasks
):
    page = await see(other_client, "/settings/data/delete")
    wrong = await submit(other_client, page, "/settings/data/delete", email="ada@example.org")
    assert wrong.status == 400
    assert "Nothing was deleted" in wrong.text("#e-email")
    assert wrong.text("#faults h2") == "Nothing was deleted"
    assert "Gmail" not in wrong.text("main"), "none is connected"
    assert await tasks.fetch("SELECT 1 FROM tasks") == []


async def test_a_deleted_account_is_out_at_once_and_gone_when_a_worker_was_there(
    client: httpx2.AsyncClient,
    other_client: httpx2.AsyncClient,
    other_account: AccountId,
    database: Database,
    settings: Settings,
    clock: FixedClock,
    tasks: Tasks,
):
    page = await see(other_client, "/settings/data/delete")
    left = await submit(other_client, page, "/settings/data/delete", email=" Ben@Example.org ")
    assert left.status == 200
    assert left.title == "Your account is being deleted"
    assert (await other_client.get("/api/sessions")).status_code == 401
    assert await tasks.fetch("SELECT kind, account_id FROM tasks") == [("account.delete.v1", other_account)]
    worker = Worker(
        database,
        clock,
        handlers(settings),
        WorkerSettings(poll_seconds=0.05),
        release="t",
        jitter=lambda: 0.0,
    )
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop))

    async def gone() -> bool | None:
        return None if await tasks.fetch("SELECT 1 FROM accounts WHERE id = %s", other_account) else True

    try:
        await until(gone, 10, "the account is gone")
    finally:
        stop.set()
        await running
    assert await tasks.fetch("SELECT 1 FROM tasks") == []
    assert (await see(client, "/")).status == 200
