"""What an operator and an owner type about the language model, on a real database."""

import os
from collections.abc import Callable
from typing import NamedTuple

import psycopg
import pytest

from backend.cli.run import run
from schema.ids import AccountId


class Said(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def say(
    login_url: str,
    account: AccountId,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Said]:
    for name in [name for name in os.environ if name.startswith("JOBTRAIL_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("JOBTRAIL_DATABASE_URL", login_url)
    monkeypatch.setattr("schema.logs.configure", lambda *_: None)

    def said(*typed: str) -> Said:
        capsys.readouterr()
        code = run(["model", *typed])
        return Said(code, *capsys.readouterr())

    return said


WHOSE = ("--account", "ada@example.org")
SIGNED = ("--actor", "ada", "--reason", "a surprising bill")


def test_without_a_key_there_is_no_model_and_nobody_is_read(say):
    told = say("status", *WHOSE)
    assert (told.code, told.err) == (0, "")
    assert told.out.splitlines() == [
        "model     none: no key or no name",
        "switch    on",
        "account   is not read",
    ]


def test_the_switch_and_the_owners_leave_are_told_and_the_key_is_not(say, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JOBTRAIL_MODEL_KEY", "canary")
    monkeypatch.setenv("JOBTRAIL_MODEL_NAME", "small")
    assert say("stop", *SIGNED).code == 0
    assert "0 tasks" in say("allow", *WHOSE).out
    told = say("status", *WHOSE).out
    assert "small at https://api.openai.com/v1" in told
    assert "off since " in told
    assert "ada: a surprising bill" in told
    assert "may be read" in told
    assert "canary" not in told
    say("start", *SIGNED)
    say("forbid", *WHOSE)
    told = say("status", *WHOSE).out
    assert "switch    on since " in told
    assert "is not read" in told
    monkeypatch.setenv("JOBTRAIL_MODEL_ENABLED", "false")
    assert "off, by JOBTRAIL_MODEL_ENABLED" in say("status", *WHOSE).out


def test_the_switch_is_not_touched_without_who_and_why(say, owner_url: str):
    refused = say("stop", "--actor", "ada", "--reason", "  ")
    assert refused.code == 2
    assert "needs --actor and --reason" in refused.err
    with psycopg.connect(owner_url) as connection:
        assert connection.execute("SELECT count(*) FROM submission_switches").fetchone() == (0,)


def test_a_setting_that_is_wrong_does_not_show_the_key(say, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JOBTRAIL_MODEL_KEY", "canary with spaces")
    refused = say("status", *WHOSE)
    assert refused.code == 2
    assert "JOBTRAIL_MODEL_KEY: allowed is a word without spaces" in refused.err
    assert "canary" not in refused.err
