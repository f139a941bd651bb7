"""Moving in and out by the command line: a tracker brought in, everything taken along, an account deleted."""

import json
import zipfile
from pathlib import Path

import psycopg
import pytest
from fixtures.command_line import Command
from fixtures.people import insert_account

TABLE = """Firma,Stelle,Beworben am,Status,Laune
Acme,Bäcker,03/04/2025,Blue sky,froh
Beta,Koch,05/06/2025,Absage,
"""


@pytest.fixture
def bare(owner_url: str, empty_database: None) -> psycopg.Connection:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        account = insert_account(owner_url, "ada@example.org", operator=True)
        connection.execute("UPDATE installation SET owner_account_id = %s", (account,))
        yield connection  # type: ignore[misc]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "bewerbungen.csv"
    path.write_bytes(TABLE.encode("cp1252"))
    return path


def rows(bare: psycopg.Connection) -> list[tuple[object, ...]]:
    return bare.execute(
        "SELECT company, applied_on::text, status, note FROM applications ORDER BY id"
    ).fetchall()


def test_a_tracker_is_tried_then_brought_in(command_line: Command, bare: psycopg.Connection, table: Path):
    asked = command_line("tracker", "import", table)
    assert asked.code == 1
    assert "can be read two ways: say --day-first or --month-first" in asked.err
    tried = command_line("tracker", "import", table, "--day-first", "--dry-run")
    assert tried.code == 0
    assert "Laune: extra" in tried.out
    assert "2 would be new, 0 known already, 0 would be refused" in tried.out
    assert rows(bare) == []
    done = command_line(
        "tracker", "import", table, "--day-first", "--map", "Laune=skip", "--status", "Blue sky=offer"
    )
    assert done.out.splitlines()[-1] == "2 new, 0 known already, 0 refused"
    assert rows(bare) == [
        ("Acme", "2025-04-03", "offer", "Status: Blue sky"),
        ("Beta", "2025-06-05", "rejected", ""),
    ]
    again = command_line("tracker", "import", table, "--day-first")
    assert again.out.splitlines()[-1] == "0 new, 2 known already, 0 refused"
    table.write_text("Company,Applied\nAcme,2025-04-03\nAcme,\n")
    doubted = command_line("tracker", "import", table, "--dry-run")
    assert "line 3: new, and may be the same as an application there is; see Review" in doubted.out


def test_a_long_tracker_is_brought_in_without_a_worker(
    command_line: Command, bare: psycopg.Connection, tmp_path: Path
):
    path = tmp_path / "long.csv"
    path.write_text("Company,Role\n" + "".join(f"Company {n},Engineer\n" for n in range(450)))
    done = command_line("tracker", "import", path)
    assert done.out.splitlines()[-1] == "450 new, 0 known already, 0 refused"
    assert len(rows(bare)) == 450


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--map", "Firma"), "--map takes pairs"),
        (("--map", "Firma=boss"), "they can be company"),
        (("--map", "Nobody=company"), "the columns are Firma"),
        (("--status", "Absage=sad"), "a word can mean"),
        (("--day-first", "--month-first"), "exclude each other"),
    ],
)
def test_wrong_use_is_one_line_and_code_2(
    command_line: Command, bare: psycopg.Connection, table: Path, typed: tuple[str, ...], said: str
):
    told = command_line("tracker", "import", table, *typed)
    assert told.code == 2
    assert said in told.err
    assert len(told.err.splitlines()) == 1


def test_everything_is_written_into_a_zip_nobody_else_reads(
    command_line: Command, bare: psycopg.Connection, tmp_path: Path
):
    path = tmp_path / "all.zip"
    assert command_line("account", "export", path).code == 0
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    with zipfile.ZipFile(path) as found:
        assert json.loads(found.read("manifest.json"))["format"] == 1
    again = command_line("account", "export", path)
    assert again.code == 1
    assert "is there already" in again.err
    assert list(tmp_path.glob("*.part")) == []


def test_an_account_is_deleted_with_yes_and_the_owner_goes_last(
    command_line: Command, bare: psycopg.Connection, owner_url: str
):
    insert_account(owner_url, "ben@example.org")
    stays = command_line("account", "delete", "ada@example.org", "--yes")
    assert stays.code == 1
    assert "leaves last" in stays.err
    asked = command_line("account", "delete", "ben@example.org")
    assert "Nothing was deleted" in asked.out
    assert command_line("account", "delete", "ben@example.org", "--yes").out == "ben@example.org is deleted\n"
    assert bare.execute("SELECT email FROM accounts").fetchall() == [("ada@example.org",)]
    assert command_line("account", "delete", "ada@example.org", "--yes").code == 0
    assert bare.execute("SELECT count(*) FROM accounts").fetchone() == (0,)
    assert bare.execute("SELECT owner_account_id FROM installation").fetchone() == (None,)
    missing = command_line("account", "delete", "ben@example.org", "--yes")
    assert missing.code == 1
