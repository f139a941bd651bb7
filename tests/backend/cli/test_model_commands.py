"""What an operator and an owner type about the language model, on a real database."""

import psycopg
import pytest
from fixtures.command_line import Command

from schema.ids import AccountId


@pytest.fixture
def say(command_line: Command, account: AccountId) -> Command:
    return lambda *typed: command_line("model", *typed)


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
