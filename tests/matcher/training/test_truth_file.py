"""A mailbox stands in its truth file whole: applications first, then every message as it was delivered."""

import base64
import json
from pathlib import Path

from matcher.training.generate import generate
from matcher.training.truth_file import write


def test_a_truth_file_holds_everything_there_is(tmp_path: Path):
    mailbox = generate(2, messages=500, split="fit")
    write(mailbox, tmp_path / "truth.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert rows[0]["mailbox"]["owner"].endswith(f"<{mailbox.owner}>")
    applications = [row["application"] for row in rows if "application" in row]
    messages = [row["message"] for row in rows if "message" in row]
    assert [each["id"] for each in applications] == [each.id for each in mailbox.applications]
    assert [base64.b64decode(each["eml"]) for each in messages] == [each.raw for each in mailbox.messages]


def test_truth_is_one_name_none_or_a_list(tmp_path: Path):
    mailbox = generate(2, messages=1500, split="fit")
    write(mailbox, tmp_path / "truth.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    told = {row["message"]["family"]: row["message"] for row in rows if "message" in row}
    assert isinstance(told["one_role"]["truth"], str)
    assert told["unrelated"]["truth"] is None
    assert told["unrelated"]["decidable"]
    assert len(told["one_refusal_for_several"]["truth"]) == 2
    assert told["one_refusal_for_several"]["decidable"]
    assert not told["two_roles_unnamed"]["decidable"]
