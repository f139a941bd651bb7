"""Everything of an account taken along, and an account deleted; the catalog tells which tables there are."""

import io
import json
import zipfile
from collections.abc import AsyncGenerator

import psycopg
import pytest
from fixtures.people import FixedClock
from fixtures.samples import Samples, day
from psycopg import sql

from backend.leaving.export import export_account
from backend.leaving.rules import LEFT_OUT, columns_taken, is_taken
from backend.leaving.tasks import delete_account
from pipeline.worker.types import Permanent, TaskProgress, TaskRun
from schema.db import Database
from schema.ids import AccountId, TaskId
from schema.private import PrivateTable, emptied_in_order, private_tables
from schema.tasks import DeleteAccount

CANARY = "canary-7d1f"


@pytest.fixture
async def tables(database: Database, account: AccountId) -> list[PrivateTable]:
    async with database.as_account(account) as unit:
        return await private_tables(unit)


@pytest.fixture
def bare(owner_url: str) -> AsyncGenerator[psycopg.Connection]:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        yield connection  # type: ignore[misc]


def plant(samples: Samples) -> None:
    """A canary in every secret that a row can hold."""
    secret = (CANARY * 6)[:64]
    samples.rows("UPDATE accounts SET password_hash = %s WHERE id = %s", CANARY, samples.account)
    times = {"created_at": day(1), "expires_at": day(30)}
    samples.insert("sessions", token_hash=secret, last_seen_at=day(1), **times)
    samples.insert("invitations", code_hash=secret, **times)
    samples.insert("pairing_codes", code_hash=secret, **times)
    samples.insert("devices", name="Laptop", token_hash=secret, origin="x", created_at=day(1))
    samples.insert("calendar_feeds", token_hash=secret, created_at=day(1))
    samples.insert(
        "gmail_consents",
        state_hash=secret,
        session_hash=secret,
        code_verifier=CANARY,
        redirect_url=CANARY,
        expires_at=day(30),
    )
    samples.rows(
        "INSERT INTO secrets (account_id, name, key_id, nonce, ciphertext, updated_at)"
        " VALUES (%s, 'gmail.token', %s, %s, %s, now())",
        samples.account,
        CANARY,
        CANARY.encode(),
        CANARY.encode(),
    )


def test_every_private_table_is_taken_along_or_left_out_for_a_reason(tables: list[PrivateTable]):
    known = {table.name for table in tables}
    assert known >= set(LEFT_OUT), "a table that is left out is no longer there"
    assert {"accounts", "applications", "messages", "usage", "tracker_rows"} <= {
        table.name for table in tables if is_taken(table)
    }
    assert all(reason.endswith(".") for reason in LEFT_OUT.values())


def test_every_table_under_row_security_is_known(tables: list[PrivateTable], bare: psycopg.Connection):
    rows = bare.execute(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        " AND relrowsecurity"
    ).fetchall()
    assert {table.name for table in tables} == {name for (name,) in rows}


def test_a_new_column_that_may_be_a_secret_is_looked_at(tables: list[PrivateTable]):
    left_out = {
        f"{table.name}.{column}"
        for table in tables
        if is_taken(table)
        for column in table.columns
        if column not in columns_taken(table)
    }
    assert left_out == {
        "accounts.password_hash",
        "calendar_feeds.token_hash",
        "devices.token_hash",
        "documents.content",
        "invitations.code_hash",
        "mail_imports.path",
        "match_decisions.input_hash",
        "sessions.token_hash",
        "tracker_imports.content",
    }


async def test_no_secret_is_in_the_export(database: Database, account: AccountId, samples: Samples):
    plant(samples)
    found = await taken_along(database, account)
    assert not [name for name in found.namelist() if CANARY.encode() in found.read(name)]
    assert b"Laptop" in found.read("data/devices.jsonl")


def test_what_looks_like_a_secret_is_no_column_of_the_export(tables: list[PrivateTable]):
    taken = {(table.name, column) for table in tables if is_taken(table) for column in columns_taken(table)}
    names = {column for _, column in taken}
    assert not names & {"password_hash", "token_hash", "code_hash", "ciphertext", "code_verifier", "content"}
    assert {("messages", "body"), ("messages", "content_sha256"), ("evidence", "says")} <= taken


def test_rows_that_point_at_others_are_deleted_first(tables: list[PrivateTable]):
    order = [table.name for table in emptied_in_order(tables)]
    for table in tables:
        for target in table.points_at:
            if target in order:
                assert order.index(table.name) < order.index(target), (table.name, target)


async def taken_along(database: Database, account: AccountId) -> zipfile.ZipFile:
    parts: list[bytes] = []

    async def send(part: bytes) -> None:
        parts.append(part)

    await export_account(database, account, send, now=day(20))
    return zipfile.ZipFile(io.BytesIO(b"".join(parts)))


async def test_the_export_holds_what_is_kept_and_counts_it(
    database: Database, account: AccountId, other_account: AccountId, samples: Samples
):
    samples.application("Northwind", "Data Engineer", applied=5)
    samples.rows("UPDATE applications SET note = 'mine, ünïcode'")
    message = samples.message("rejection", subject="No", body="Sadly, no.", employer="Northwind")
    samples.of(other_account).application("Contoso", "theirs", applied=1)
    document = samples.insert(
        "documents",
        kind="resume",
        file_name="my résumé/../x.pdf",
        media_type="application/pdf",
        content=b"%PDF-1.7 text",
        sha256="a" * 64,
        created_at=day(1),
    )
    found = await taken_along(database, account)
    assert found.testzip() is None
    names = found.namelist()
    manifest = json.loads(found.read("manifest.json"))
    by_name = {table["name"]: table for table in manifest["tables"]}
    assert by_name["messages"]["rows"] == 1
    assert by_name["applications"]["columns_left_out"] == []
    assert manifest["left_out"] == LEFT_OUT
    (line,) = found.read("data/messages.jsonl").splitlines()
    assert json.loads(line)["id"] == message
    assert json.loads(line)["body"] == "Sadly, no."
    applications = json.loads(found.read("applications.json"))
    assert [(row["company"], row["note"]) for row in applications] == [("Northwind", "mine, ünïcode")]
    kept = [name for name in names if name.startswith("documents/")]
    assert len(kept) == 1
    assert kept[0].startswith(f"documents/{document}-")
    assert "/" not in kept[0].removeprefix("documents/")
    assert found.read(kept[0]) == b"%PDF-1.7 text"
    assert not [name for name in names if "theirs" in found.read(name).decode("utf-8", "replace")]
    assert {table["file"] for table in manifest["tables"]} <= set(names)


class Cut(Exception):
    pass


def run_of(database: Database, account: AccountId, clock: FixedClock, cut_at: int | None = None) -> TaskRun:
    reports = 0

    async def report(_: TaskProgress) -> None:
        nonlocal reports
        reports += 1
        if reports == cut_at:
            raise Cut

    return TaskRun(db=database, clock=clock, task_id=TaskId(1), account_id=account, attempt=1, report=report)


async def test_an_account_that_did_not_ask_stays(
    database: Database, account: AccountId, other_account: AccountId, clock: FixedClock
):
    with pytest.raises(Permanent, match="account_stays"):
        await delete_account(run_of(database, other_account, clock), DeleteAccount())


def busy_account(samples: Samples) -> None:
    """Applications and mail with decisions that replace and undo each other, and two merged records."""
    first = samples.application("Northwind", "Data Engineer", applied=5)
    second = samples.application("Northwind", "Data Engineer II", applied=6)
    samples.rows("UPDATE applications SET merged_into_id = %s WHERE id = %s", first, second)
    for number in range(20):
        message = samples.message("rejection", subject=f"No {number}", employer="Northwind", thread="t")
        before = None
        for _ in range(3):
            before = samples.insert(
                "match_decisions",
                message_id=message,
                outcome="attached",
                application_id=first,
                actor="machine",
                policy_version=1,
                input_hash="a" * 64,
                replaces_id=before,
                created_at=day(10),
            )
        samples.rows(
            "INSERT INTO matches (account_id, message_id, decision_id, outcome, application_id, by_person,"
            " decided_at) VALUES (%s, %s, %s, 'attached', %s, false, now())",
            samples.account,
            message,
            before,
            first,
        )


def left_over(bare: psycopg.Connection, tables: list[PrivateTable], account: AccountId) -> dict[str, int]:
    found: dict[str, int] = {}
    for table in tables:
        key = "id" if table.name == "accounts" else "account_id"
        row = bare.execute(
            sql.SQL("SELECT count(*) FROM {} WHERE {} = %s").format(
                sql.Identifier(table.name), sql.Identifier(key)
            ),
            (account,),
        ).fetchone()
        assert row
        if row[0]:
            found[table.name] = row[0]
    return found


async def finished(database: Database, account: AccountId, run: TaskRun) -> None:
    done = await delete_account(run, DeleteAccount())
    assert done.effect
    async with database.as_account(account) as unit:
        await done.effect(unit)


async def test_nothing_is_left_of_a_deleted_account_and_others_are_untouched(
    database: Database,
    account: AccountId,
    other_account: AccountId,
    clock: FixedClock,
    samples: Samples,
    bare: psycopg.Connection,
    tables: list[PrivateTable],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("backend.leaving.tasks.PORTION", 7)
    busy_account(samples.of(other_account))
    busy_account(samples)
    theirs = left_over(bare, tables, account)
    bare.execute(
        "UPDATE accounts SET disabled_at = now(), leaving_at = now() WHERE id = %s", (other_account,)
    )
    for cut_at in (3, 11):
        with pytest.raises(Cut):
            await delete_account(run_of(database, other_account, clock, cut_at), DeleteAccount())
    assert left_over(bare, tables, other_account)
    await finished(database, other_account, run_of(database, other_account, clock))
    assert left_over(bare, tables, other_account) == {}
    assert left_over(bare, tables, account) == theirs


async def test_the_owners_installation_waits_for_a_new_owner(
    database: Database, account: AccountId, clock: FixedClock, bare: psycopg.Connection
):
    bare.execute("UPDATE installation SET owner_account_id = %s", (account,))
    bare.execute("UPDATE accounts SET disabled_at = now(), leaving_at = now() WHERE id = %s", (account,))
    await finished(database, account, run_of(database, account, clock))
    assert bare.execute("SELECT owner_account_id FROM installation").fetchall() == [(None,)]


async def test_an_account_cannot_be_removed_before_it_asked(
    database: Database, account: AccountId, other_account: AccountId, bare: psycopg.Connection
):
    async with database.as_account(other_account) as unit:
        cursor = await unit.connection.execute("DELETE FROM accounts")
        assert cursor.rowcount == 0
    bare.execute("UPDATE installation SET owner_account_id = %s", (account,))
    with pytest.raises(psycopg.errors.CheckViolation):
        async with database.as_account(account) as unit:
            await unit.connection.execute("UPDATE installation SET owner_account_id = NULL")
