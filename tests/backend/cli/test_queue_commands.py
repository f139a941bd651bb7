"""What an operator types about tasks and workers, on a real database: what is printed, and the exit code."""

import asyncio
import json
from collections.abc import Awaitable
from typing import Any, TypeVar

import pytest
from fixtures.command_line import Command, Told
from fixtures.queue_rows import KIND, Rows

from schema.ids import AccountId, TaskId

T = TypeVar("T")
SIGNED = ("--actor", "ada", "--reason", "the board is back")


@pytest.fixture
def say(command_line: Command) -> Command:
    return command_line


def now(awaited: Awaitable[T]) -> T:
    async def result() -> T:
        return await awaited

    return asyncio.run(result())


def made(rows: Rows, status: str = "failed", **columns: Any) -> TaskId:
    return now(rows.insert(status, **columns))


def refused(said: Told) -> str:
    """The one line on standard error of a command that failed."""
    assert said.code == 1
    assert said.err.startswith("jobtrail: ")
    assert said.err.count("\n") == 1
    return said.err


def test_tasks_are_listed_by_every_filter_and_page_by_page(say: Command, rows: Rows, account: AccountId):
    failed = made(rows, account_id=account)
    running = made(rows, "running")
    other = made(rows, kind="test.slow.v1", failure_code="lease_expired")

    def ids(*typed: object) -> list[int]:
        return [int(line.split()[0]) for line in say("tasks", "list", *typed).out.splitlines()]

    assert ids() == [other, running, failed]
    assert ids("--status", "running") == [running]
    assert ids("--kind", "test.slow.v1") == [other]
    assert ids("--code", "handler_error") == [failed]
    assert ids("--account", "ada@example.org") == [failed]
    assert ids("--before", other, "--limit", 1) == [running]
    assert ids("--before", 0) == ids("--before", -1) == []
    assert say("tasks", "list", "--before", 0) == Told(0, "", "No such task.\n")
    first = json.loads(say("tasks", "list", "--json").out.splitlines()[0])
    assert (first["id"], first["word"], first["account_id"]) == (other, "lease_expired", None)


def test_one_task_is_shown_with_its_chain_and_who_and_why(say: Command, rows: Rows):
    failed = made(rows, payload='{"word": "x"}', attempts=3)
    again = int(say("tasks", "replay", "--id", failed, *SIGNED).out.split()[0])
    shown = say("tasks", "show", failed).out
    assert shown.startswith(f"task {failed}: failed (handler_error)\n")
    assert 'payload      {"word": "x"}' in shown
    assert "tries        3 of 3" in shown
    chain = shown.partition("lineage, oldest to newest\n")[2].splitlines()
    assert [(str(failed) in chain[0], "the original" in chain[0]), f" {again} " in chain[1]] == [
        (True, True),
        True,
    ]
    assert chain[1].endswith("replayed by ada: the board is back")
    assert "replayed at try 3 by ada: the board is back" in shown.partition("what happened")[2]
    told = json.loads(say("tasks", "show", again, "--json").out)
    assert [member["id"] for member in told["lineage"]] == [failed, again]
    assert told["task"]["replay_of_id"] == failed


def test_what_people_wrote_steers_no_terminal(say: Command, rows: Rows):
    source = made(rows, dedupe_key="a\u202eb")
    reason = "gone\n  by nobody \x1b[2J"
    assert say("tasks", "replay", "--id", source, "--actor", "ada\x9b", "--reason", reason).code == 0
    shown = say("tasks", "show", source).out
    assert shown.count(r"ada\x9b: gone\n  by nobody \x1b[2J") == 2
    assert r"a\u202eb" in shown
    assert all(each.isprintable() for line in shown.split("\n") for each in line)


def test_a_task_that_is_nowhere_is_refused_and_an_archived_one_still_shown(say: Command, rows: Rows):
    assert "there is no task 999999999; see: jobtrail tasks list" in refused(say("tasks", "show", 999999999))
    failed = made(rows)
    assert say("tasks", "archive", "--id", failed, *SIGNED) == Told(
        0, f"{failed}  archived with its lineage; tasks moved: 1\n", ""
    )
    shown = say("tasks", "show", failed)
    assert shown.code == 0
    assert "by ada: the board is back" in shown.out


def test_a_replay_prints_the_new_task(say: Command, rows: Rows):
    failed = made(rows)
    said = say("tasks", "replay", "--id", failed, *SIGNED, "--json")
    told = json.loads(said.out)
    assert (said.code, said.err, told["replay_of_id"]) == (0, "", failed)
    assert now(rows.states())[told["task_id"]] == "pending"


def test_foreign_unknown_and_not_failed_are_refused_in_one_wording_and_insert_nothing(
    say: Command, rows: Rows, account: AccountId, other_account: AccountId
):
    asked = [
        made(rows, account_id=other_account),
        999_999_999,
        made(rows, "done", account_id=account),
        made(rows, kind="test.unheard_of.v9", account_id=account),
    ]
    told = {
        refused(say("tasks", "replay", "--id", each, *SIGNED, "--account", "ada@example.org")).replace(
            str(each), "N"
        )
        for each in asked
    }
    assert told == {"jobtrail: there is no failed task N of a kind this release knows\n"}
    assert now(rows.count()) == 3


def test_a_refused_replay_names_the_task_in_the_way(say: Command, rows: Rows):
    failed = made(rows)
    again = now(rows.replay_of(failed, "running"))
    line = refused(say("tasks", "replay", "--id", failed, *SIGNED))
    assert f"task {again} of its lineage is running" in line
    assert now(rows.count()) == 2


def test_many_are_replayed_and_what_was_refused_is_counted(say: Command, rows: Rows):
    for _ in range(2):
        made(rows)
    done = made(rows)
    now(rows.replay_of(done, "done"))
    dry = say("tasks", "replay", "--kind", KIND, "--since", "2026-02-01", *SIGNED, "--dry-run")
    assert dry.out.startswith("2 would be replayed, 1 refused\n     1  task_lineage_blocked: task ")
    assert now(rows.count()) == 4
    real = say("tasks", "replay", "--code", "handler_error", *SIGNED, "--json")
    assert "not replayed: 1 of 3; the list says why" in refused(real)
    assert json.loads(real.out)["done"] == 2
    assert now(rows.count()) == 6
    nothing = say("tasks", "replay", "--kind", KIND, "--since", "2100-01-01", *SIGNED)
    assert nothing == Told(0, "0 replayed, 0 refused\n", "")


def test_a_cancel_says_how_much_went_with_it_and_refuses_what_has_ended(say: Command, rows: Rows):
    parent = made(rows, "waiting")
    made(rows, "pending", parent_id=parent)
    said = say("tasks", "cancel", "--id", parent, *SIGNED)
    assert said == Told(0, f"{parent}  cancelled with 1 not yet started below it\n", "")
    assert "is cancelled already" in refused(say("tasks", "cancel", "--id", parent, *SIGNED))
    alone = json.loads(say("tasks", "cancel", "--id", made(rows, "pending"), *SIGNED, "--json").out)
    assert alone["below"] == 0


def test_a_kind_is_held_open_until_its_failures_are_archived(say: Command, rows: Rows, account: AccountId):
    made(rows, account_id=account)
    made(rows)
    held = say("tasks", "retire-check", KIND)
    assert f"{KIND} is held open by 2" in refused(held)
    assert [line.split() for line in held.out.splitlines()] == [
        ["the", "fleet", "failed", "1"],
        ["account", str(account), "failed", "1"],
    ]
    assert [
        json.loads(line)["count"] for line in say("tasks", "retire-check", KIND, "--json").out.splitlines()
    ] == [
        1,
        1,
    ]
    assert say("tasks", "archive", "--kind", KIND, "--before", "1m", *SIGNED).out == "2 archived, 0 refused\n"
    done = say("tasks", "retire-check", KIND)
    assert (done.code, done.out.startswith(f"{KIND} can be retired")) == (0, True)


def test_tasks_of_unknown_kinds_are_counted(say: Command, rows: Rows):
    assert say("tasks", "unsupported") == Told(0, "", "No task is of an unknown kind.\n")
    assert say("tasks", "unsupported", "--json") == Told(0, "", "")
    made(rows, "pending", kind="test.unheard_of.v9", created_at="2026-03-01Z")
    made(rows, kind="test.unheard_of.v9")
    lines = say("tasks", "unsupported").out.splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["test.unheard_of.v9", "failed", "1"],
        ["test.unheard_of.v9", "pending", "1"],
    ]
    assert "oldest due for" in lines[1]
    assert json.loads(say("tasks", "unsupported", "--json").out.splitlines()[1])["due_since"].startswith(
        "2026-03"
    )


def test_workers_are_listed_with_what_they_do(say: Command, rows: Rows):
    assert say("workers").out == "No worker yet; jobtrail worker starts one.\n"
    now(rows.arrive("north"))
    running = made(rows, "running")
    head, hands, kinds = say("workers").out.splitlines()
    assert head.startswith("north  alive  1.2 sha256:ab  south  seen 0 s ago")
    assert f"1 of 4 slots: task {running} {KIND} for " in hands
    assert kinds == f"  kinds: {KIND}"
    told = json.loads(say("workers", "--json").out)
    assert (told["worker"]["state"], [task["id"] for task in told["tasks"]]) == ("alive", [running])


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("tasks replay --id 7 --reason why", "jobtrail tasks replay needs --actor and --reason"),
        ("tasks replay --id 7 --actor ada", "jobtrail tasks replay needs --actor and --reason"),
        ("tasks replay --actor ada --reason why", "give --id, or --kind or --code"),
        ("tasks replay --id 7 --kind a.b.v1 --actor ada --reason why", "give --id, or --kind or --code"),
        ("tasks replay --id x --actor ada --reason why", "invalid int value"),
        ("tasks replay --id 7 --dry-run --actor ada --reason why", "go with --kind or --code"),
        ("tasks replay --id 7 --since 6h --actor ada --reason why", "go with --kind or --code"),
        ("tasks replay --kind a.b.v1 --since soon --actor ada --reason why", "--since: 'soon' is no time"),
        ("tasks replay --kind a.b.v1 --account a@b.c --actor ada --reason why", "--account goes with --id"),
        ("tasks cancel --actor ada --reason why", "--id is needed"),
        ("tasks cancel --id 7", "jobtrail tasks cancel needs --actor and --reason"),
        ("tasks archive --actor ada --reason why", "give --id, or --kind or --code"),
        ("tasks archive --id 7 --before 6h --actor ada --reason why", "go with --kind or --code"),
        ("tasks retire-check nonsense", "'nonsense' is no kind"),
        ("tasks retire-check", "required"),
        ("tasks show", "required"),
        ("tasks list --status gone", "--status: allowed are pending"),
        ("tasks list --limit 0", "--limit: allowed is 1 to"),
    ],
)
def test_wrong_use_is_one_line_that_says_what_is_right(say: Command, typed: str, named: str):
    said = say(*typed.split())
    assert (said.code, said.out) == (2, "")
    assert named in said.err
    assert said.err.count("\n") == 1
    assert "see: " in said.err or "allowed are" in said.err or "docs/queue.md" in said.err


@pytest.mark.parametrize(
    ("command", "empty"),
    [
        ("replay --kind a.b.v1", "since"),
        ("replay --kind a.b.v1", "code"),
        ("replay --code handler_error", "kind"),
        ("replay --id 7", "account"),
        ("archive --kind a.b.v1", "before"),
        ("archive --kind a.b.v1", "code"),
        ("archive --code handler_error", "kind"),
    ],
)
def test_a_word_left_empty_narrows_nothing_and_is_refused(say: Command, command: str, empty: str):
    for word in ("", " "):
        said = say("tasks", *command.split(), f"--{empty}", word, *SIGNED)
        assert (said.code, said.out) == (2, "")
        assert f"--{empty}: nothing stands behind it" in said.err


def test_bytes_that_are_no_text_are_refused_in_a_sentence(say: Command, rows: Rows):
    assert "a text cannot have" in refused(say("tasks", "list", "--kind", "x\udcff"))
    assert "a text cannot have" in refused(say("tasks", "replay", "--code", "x\udcff", *SIGNED))


def test_an_account_nobody_has_is_refused(say: Command, rows: Rows):
    failed = made(rows)
    said = say("tasks", "replay", "--id", failed, *SIGNED, "--account", "nobody@example.org")
    assert "nobody here has the address nobody@example.org" in refused(said)
