"""What is typed about stored mail, on a real database."""

import asyncio
import json
import uuid

import pytest
from fixtures.command_line import Command, Told
from fixtures.samples import Samples

from mailsync.passes.turn.store import take
from schema.db import Database
from schema.ids import AccountId

REFUSAL = "Unfortunately, we have decided not to move forward with your application for the Baker position."
UNTOLD = (
    "Unfortunately, we have decided not to move forward with your application. "
    "We would like to invite you to an interview."
)
WHOSE = ("--account", "ada@example.org")


@pytest.fixture
def say(command_line: Command, account: AccountId) -> Command:
    return lambda *typed: command_line("mail", *typed, *WHOSE)


def everything(samples: Samples) -> list[tuple[object, ...]]:
    return samples.rows(
        "SELECT 'message', id, examined_version FROM messages UNION ALL SELECT 'reading', id, 0 FROM readings"
        " UNION ALL SELECT 'task', id, 0 FROM tasks ORDER BY 1, 2"
    )


def test_a_pass_ends_with_one_line_that_adds_up(say: Command, samples: Samples):
    samples.message(body=REFUSAL, sender="hr@north.example")
    samples.message(body=UNTOLD, sender="maria@north.example")
    before = everything(samples)
    dry = say("classify", "--dry-run")
    line = "2 read again: 1 told now, 0 changed, 1 as before; {} still open, {} left to read"
    assert dry == (0, f"nothing was changed; it would be {line.format(2, 2)}\n", "")
    assert everything(samples) == before
    assert say("classify", "--until-done") == (0, line.format(1, 0) + "\n", "")
    nothing = "0 read again: 0 told now, 0 changed, 0 as before; 1 still open, 0 left to read\n"
    assert say("classify") == (0, nothing, "")


def test_a_pass_in_json_and_with_a_limit(say: Command, samples: Samples):
    for _ in range(3):
        samples.message(body=REFUSAL, sender="hr@north.example")
    told = json.loads(say("classify", "--json", "--max", "2", "--no-model").out)
    assert (told["examined"], told["decided"], told["left"]) == (2, 2, 1)


async def held(database: Database, account: AccountId) -> None:
    async with database.as_account(account) as unit:
        await take(unit, uuid.uuid4(), "Ben at work")


async def test_a_second_operator_is_told_who_is_at_it_and_exits_with_75(
    say: Command, samples: Samples, database: Database, account: AccountId
):
    samples.message(body=UNTOLD)
    await held(database, account)
    told = await asyncio.to_thread(say, "classify")
    assert (told.code, told.out) == (75, "")
    assert told.err.count("\n") == 1
    assert "being read by Ben at work (since 20" in told.err


@pytest.mark.parametrize(
    "typed",
    [
        ("classify", "--max", "0"),
        ("explain", "--sample", "0"),
        ("explain", "--sample", "10001"),
        ("unknown", "--by", "love"),
        ("unknown", "--limit", "-1"),
        ("quarantine", "--limit", "0"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(say: Command, typed: tuple[str, ...]):
    told = say(*typed)
    assert (told.code, told.out) == (2, "")
    assert "--help" in told.err


def test_explaining_shows_the_sentence_with_stage_rule_and_span_and_writes_nothing(
    say: Command, samples: Samples
):
    made = samples.message(body="Bread. " + REFUSAL, subject="About it", sender="hr@north.example")
    say("classify")
    open_ = samples.message(body=UNTOLD, subject="A chat", sender="maria@north.example")
    unread = samples.message(read=False, subject="Nobody read it")
    before = everything(samples)
    told = say("explain", "--sample", "10", "--seed", "3")
    assert told.code == 0
    text = told.out
    assert f"{made}" in text
    assert "hr@north.example  About it" in text
    start = len("Bread. ")
    assert f"text {start}-{start + len(REFUSAL)}\n    {REFUSAL}" in text
    assert "  rejection  rules " in text
    assert f"{open_}" in text
    assert "  open  rules 1  contradiction" in text
    assert f"{unread}" in text
    assert "  not read yet" in text
    assert everything(samples) == before
    assert say("explain", "--sample", "10", "--seed", "3").out == text


def test_explaining_tells_which_message_another_was_kept_for(say: Command, samples: Samples):
    first = samples.message("interview_invite", subject="Your interview")
    made = samples.message(subject="Tuesday", body="Tuesday works.")
    samples.rows("UPDATE messages SET kept_because = 'thread', continues_id = %s WHERE id = %s", first, made)
    told = say("explain", "--sample", "10")
    assert f"  kept because it stands in one thread with message {first}\n" in told.out
    samples.rows("UPDATE messages SET continues_id = NULL WHERE id = %s", made)
    assert "one thread with a message that is gone\n" in say("explain", "--sample", "10").out


def test_the_same_seed_gives_the_same_sample_and_another_one_another(say: Command, samples: Samples):
    for number in range(30):
        samples.message("rejection", subject=f"Number {number}", body=REFUSAL)

    def sampled(seed: str) -> list[int]:
        out = say("explain", "--sample", "5", "--seed", seed, "--json").out
        return [json.loads(line)["message_id"] for line in out.splitlines()]

    assert len(sampled("1")) == 5
    assert sampled("1") == sampled("1")
    assert sampled("1") != sampled("2")


def test_what_nobody_knows_is_ranked_with_its_cumulative_share(say: Command, samples: Samples):
    for number in range(3):
        samples.message(subject=f"News about request {number}", body=UNTOLD, sender="a@north.example")
    samples.message(subject="Hello", body=UNTOLD, sender="b@other.example")
    samples.message("rejection", subject="Known", body=REFUSAL)
    told = say("unknown", "--by", "occurrences")
    assert told.code == 0
    first, second = (line.split() for line in told.out.splitlines())
    assert first[:3] == ["3", "75.0%", "75.0%"]
    assert first[4:] == ["north.example", "news", "about", "request", "[number]"]
    assert second[:3] == ["1", "25.0%", "100.0%"]
    one = json.loads(say("unknown", "--json", "--limit", "1").out)
    assert (one["messages"], one["cumulative"], one["domain"]) == (3, 0.75, "north.example")


def test_nothing_to_tell_is_said_to_a_person(say: Command, samples: Samples):
    samples.mailbox()
    assert say("unknown") == Told(0, "", "Nothing was left open.\n")
    assert say("quarantine") == Told(0, "", "No mail was unreadable.\n")
    assert say("quarantine", "--json") == Told(0, "", "")


def test_what_could_not_be_read_is_listed_whichever_door_it_came_by(say: Command, samples: Samples):
    made = samples.insert(
        "mail_imports",
        mailbox_id=samples.mailbox(),
        name="a.mbox",
        path="/a",
        spooled=False,
        created_at="2026-03-01",
    )
    row = {"created_at": "2026-03-01 10:00Z", "code": "message_too_large"}
    samples.insert("quarantine", import_id=made, position="mbox:4711", size_bytes=99, **row)
    samples.insert("quarantine", position="gmail:3:18c", **row)
    lines = [line.split() for line in say("quarantine").out.splitlines()]
    assert [line[1:] for line in lines] == [
        ["2026-03-01", "10:00:00", "message_too_large", "unknown", "gmail", "gmail:3:18c"],
        ["2026-03-01", "10:00:00", "message_too_large", "99", "B", "a.mbox", "mbox:4711"],
    ]
    below = say("quarantine", "--before", lines[0][0], "--json").out.splitlines()
    assert [json.loads(line)["position"] for line in below] == ["mbox:4711"]
