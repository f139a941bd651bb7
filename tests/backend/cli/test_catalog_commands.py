"""What an operator types about boards and postings, on a real database and a platform on loopback."""

import psycopg
import pytest
from emulators.boards import Boards, ashby_job
from fixtures.command_line import Command

from schema.ids import AccountId

BOARD = "https://jobs.ashbyhq.com/northwind"


@pytest.fixture
def say(command_line: Command, boards: Boards, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("JOBTRAIL_SOURCE_GATEWAY", boards.url)
    monkeypatch.setenv("JOBTRAIL_SOURCE_SPACING_SECONDS", "0.001")
    return command_line


def test_a_board_is_looked_at_added_and_read_here_and_now(
    say: Command, boards: Boards, owner_url: str, account: AccountId
):
    cook, ghost = ashby_job("Ship Cook"), ashby_job("Ghost", isListed=False)
    boards.show("northwind", cook, ghost)
    added = say("source", "add", BOARD, "--company", "Northwind")
    assert "2 listings, 1 would be shown" in added.out
    assert "1 refused, rule is_listed: the employer does not list it, such as Ghost" in added.out
    assert "Ashby northwind: added; a worker reads it next" in added.out
    number = added.out.splitlines()[-1].split()[0]
    assert "not read" in say("source", "list").out
    done = say("source", "pull", "--source", number, "--once")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "complete: 2 shown, 1 refused, 2 written, 0 closed (complete)"
    with psycopg.connect(owner_url) as owner:
        assert owner.execute("SELECT task_id FROM pulls").fetchall() == [(None,)]
    assert "complete" in say("source", "list").out
    shown = say("catalog", "show", str(cook["jobUrl"])).out
    assert say("catalog", "show", str(cook["jobUrl"]).removeprefix("https://")).out == shown
    for said in (
        "Ship Cook, Northwind",
        "observed  yes",
        "admitted  yes",
        "reviewed  never looked",
        "open  ",
    ):
        assert said in shown, shown
    refused = say("catalog", "show", str(ghost["jobUrl"])).out
    assert "admitted  no" in refused
    assert "rule is_listed" in refused
    nothing = say("catalog", "show", f"{BOARD}/00000000-0000-0000-0000-000000000000")
    assert (nothing.code, nothing.err.count("\n")) == (1, 1)
    assert "keep for themselves is not looked at" in nothing.err
    wrong = say("catalog", "show", "foo")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err.startswith("jobtrail: 'foo' is not an address; see: ")
    assert say("catalog", "reconcile").out == "Everything agrees.\n"
    with psycopg.connect(owner_url) as owner:
        owner.execute("DELETE FROM posting_events")
    assert "postings have events that say something else" in say("catalog", "reconcile").out
    assert say("catalog", "reconcile", "--mend").out.endswith("All of it is mended.\n")
    assert say("catalog", "reconcile").out == "Everything agrees.\n"


def test_a_board_is_switched_off_and_on_and_a_read_that_fails_says_why(
    say: Command, boards: Boards, account: AccountId
):
    looked = say("source", "add", BOARD, "--yes").out
    assert "the board could not be read: the platform knows no such board; status 404" in looked
    assert "would be shown" not in looked
    number = looked.splitlines()[-1].split()[0]
    failed = say("source", "pull", "--source", number, "--once")
    assert failed.code == 1
    assert failed.err == "jobtrail: the board could not be read: the platform knows no such board\n"
    assert "1 failure: the platform knows no such board" in say("source", "list", "--show", "troubled").out
    assert "its company is Northwind Ltd" in say("source", "name", number, "--company", "Northwind Ltd").out
    assert say("source", "name", "999", "--company", "x").code == 1
    assert "not known" in say("source", "name", number).out
    assert number in say("source", "list", "--show", "behind").out
    assert "left alone" in say("source", "off", number).out
    assert say("source", "list", "--show", "off").out.split()[1] == "off"
    assert "No board is on" in say("source", "pull", "--once").out
    off = say("source", "pull", "--source", number, "--once")
    assert (off.code, "is off" in off.err) == (1, True)
    assert "read again" in say("source", "on", number).out
    boards.show("fabrikam", ashby_job("Cook", board="fabrikam"))
    other = say("source", "add", "https://jobs.ashbyhq.com/fabrikam", "--no-preview").out.split()[0]
    every = say("source", "pull", "--once")
    assert every.code == 1
    assert f"{number}  Ashby northwind: the board could not be read" in every.out
    assert f"{other}  Ashby fabrikam: complete: 1 shown" in every.out
    for typed in (("source", "on", 999), ("source", "pull", "--source", 999, "--once")):
        wrong = say(*typed)
        assert (wrong.code, wrong.err.count("\n")) == (1, 1)
    assert say("source", "list", "--show", "x").code == 2
    assert say("source", "add", "https://www.linkedin.com/jobs/view/1").code == 1
