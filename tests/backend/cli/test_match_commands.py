"""What is typed about matching: a mailbox is generated, measured on a database of its own, fitted."""

import json
import os
from pathlib import Path

import pytest

from backend.cli import match_fit
from backend.cli.run import run
from backend.processes import throwaway

TRUTH = (
    '{"application": {"id": "a1", "company": "Brimvale", "role": "Baker", "applied_on": "2025-03-04"}}\n'
    '{"message": {"id": "m1", "truth": "a1", "from": "no-reply@greenhouse.io", "from_name": "Brimvale",'
    ' "sent_at": "2025-03-05", "subject": "Your application",'
    ' "body": "Thank you for applying to the Baker position at Brimvale. We have received it."}}\n'
)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch):
    """Like a fresh shell; and a command may set up logging for the rest of the process."""
    for name in [name for name in os.environ if name.startswith("JOBTRAIL_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr("schema.logs.configure", lambda *_: None)


def left_behind() -> set[Path]:
    return set(Path(throwaway.place() or "/tmp").glob("jobtrail-measuring-*"))


def test_a_truth_file_is_measured_and_nothing_is_left_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "truth.jsonl"
    path.write_text(TRUTH)
    before = left_behind()
    assert run(["match", "eval", str(path), "--json", "--shuffle", "3"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0]["figures"]["recall"]["hits"] == 1
    assert left_behind() <= before


def test_a_bar_that_does_not_hold_ends_with_1_only_when_asked(tmp_path: Path):
    path = tmp_path / "truth.jsonl"
    path.write_text(TRUTH.replace('"from_name": "Brimvale",', "").replace("at Brimvale", "with us"))
    assert [run(["match", "eval", str(path), *more]) for more in ((), ("--strict",))] == [0, 1]


def test_what_cannot_be_read_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "truth.jsonl"
    path.write_text(TRUTH.replace('"truth": "a1"', '"truth": "a2"'))
    assert run(["match", "eval", str(path)]) == 1
    told = capsys.readouterr()
    assert told.err == "jobtrail: line 2, field truth: there is no application 'a2' of this person.\n"


def test_a_mailbox_is_generated_the_same_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    for path in (one, two):
        assert run(["match", "generate", str(path), "--messages", "12", "--seed", "5"]) == 0
    assert one.read_bytes() == two.read_bytes()
    assert sum('"message"' in line[:12] for line in one.read_text().splitlines()) == 12
    assert run(["match", "generate", str(one), "--split", "all"]) == 1
    assert "fit or test" in capsys.readouterr().err


def test_an_interruption_takes_the_database_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    path = tmp_path / "truth.jsonl"
    path.write_text(TRUTH)
    before = left_behind()

    def interrupted(*_: object) -> None:
        throwaway.interrupt(15, None)

    monkeypatch.setattr("backend.cli.match_eval.evaluated", interrupted)
    assert run(["match", "eval", str(path)]) == 130
    assert left_behind() <= before


def test_numbers_are_fitted_and_shown_without_being_written(capsys: pytest.CaptureFixture[str]):
    before = match_fit.TABLE.read_text()
    assert run(["match", "fit", "--mailboxes", "2", "--messages", "60"]) == 0
    told = capsys.readouterr().out
    assert "by hand" in told and "fitted" in told and "kept: " in told and "attach = " in told
    assert match_fit.TABLE.read_text() == before
    assert run(["match", "fit", "--mailboxes", "1"]) == 1


def test_each_kind_of_evidence_is_taken_away_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "truth.jsonl"
    path.write_text(TRUTH)
    assert run(["match", "eval", str(path), "--ablate"]) == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    brings = {row[0].removeprefix("| "): row[-1].removesuffix(" |") for row in rows}
    assert brings["employer"] == "1 links"
    assert brings["calendar"] == "nothing here"
