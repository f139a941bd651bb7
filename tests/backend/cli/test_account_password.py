"""A forgotten password: a new one is set on the machine itself, by the rules of the pages."""

import io

import psycopg
import pytest
from fixtures.command_line import Command
from fixtures.people import insert_account

from backend.accounts import passwords

NEW = "a wholly new password"


@pytest.fixture
def bare(owner_url: str, empty_database: None) -> psycopg.Connection:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        account = insert_account(owner_url, "ada@example.org", operator=True)
        connection.execute("UPDATE installation SET owner_account_id = %s", (account,))
        connection.execute(
            "INSERT INTO sessions (account_id, token_hash, agent, created_at, last_seen_at, expires_at)"
            " VALUES (%s, repeat('a', 64), '', now(), now(), now() + interval '1 day')",
            (account,),
        )
        yield connection  # type: ignore[misc]


def stands(bare: psycopg.Connection) -> tuple[str, int]:
    row = bare.execute("SELECT password_hash, (SELECT count(*) FROM sessions) FROM accounts").fetchone()
    assert row
    return row


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch):
    def types(*typed: str) -> None:
        answers = iter(typed)

        def asked(_: str) -> str:
            if (answer := next(answers, None)) is None:
                raise EOFError
            return answer

        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("getpass.getpass", asked)

    return types


def test_a_new_password_is_typed_twice_and_signs_every_browser_out(
    command_line: Command, bare: psycopg.Connection, at_a_terminal
):
    at_a_terminal(NEW, NEW)
    done = command_line("account", "password", "Ada@example.org")
    assert (done.code, done.err) == (0, "")
    assert done.out == "ada@example.org has a new password; browsers that were signed out: 1\n"
    stored, sessions = stands(bare)
    assert passwords._verified(stored, NEW)
    assert sessions == 0


def test_it_is_read_from_standard_input_on_request(
    command_line: Command, bare: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{NEW}\r\n"))
    assert command_line("account", "password", "ada@example.org", "--stdin").code == 0
    assert passwords._verified(stands(bare)[0], NEW)


def test_what_cannot_be_is_said_and_changes_nothing(
    command_line: Command, bare: psycopg.Connection, at_a_terminal, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    told = command_line("account", "password", "ada@example.org")
    assert (told.code, "no terminal to ask on" in told.err) == (2, True)
    for email, typed, code, said in (
        ("ben@example.org", (), 1, "nobody here has the address ben@example.org"),
        ("", (), 2, "say whose password"),
        ("ada@example.org", ("short",), 1, "at least 10 characters. Nothing was changed"),
        ("ada@example.org", ("ada@example.org",), 1, "must not be your name or address"),
        ("ada@example.org", (NEW, "another password"), 1, "two different passwords"),
        ("ada@example.org", (), 1, "No password was typed"),
    ):
        at_a_terminal(*typed)
        told = command_line("account", "password", email)
        assert (told.code, said in told.err) == (code, True), told
    assert stands(bare) == ("not a hash", 1)
