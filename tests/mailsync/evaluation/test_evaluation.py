"""A labelled folder gives figures that can be checked by hand, and a line for everything that is wrong."""

import json
from pathlib import Path

import msgspec
import pytest
from fixtures.mail import mail

from backend.cli.run import run
from mailsync.evaluation.figures import figures, share
from mailsync.evaluation.labels import NotLabelled
from mailsync.evaluation.run import evaluated

REFUSAL = "After careful consideration we have decided not to move forward with your application."
RECEIPT = "We have received your application for the Baker role."


def folder(tmp_path: Path, lines: list[tuple[str, dict[str, str]]]) -> Path:
    """Each text as a file, with what its line says beside the name."""
    rows: list[str] = []
    for number, (text, told) in enumerate(lines):
        if text:
            (tmp_path / f"{number}.eml").write_bytes(mail(text, subject="Your application"))
        rows.append(json.dumps({"file": f"{number}.eml", **told}))
    (tmp_path / "labels.jsonl").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_figures_are_counted(tmp_path: Path):
    told = figures(
        evaluated(
            folder(
                tmp_path,
                [
                    (REFUSAL, {"label": "rejection"}),
                    (REFUSAL, {"label": "acknowledgement"}),
                    (RECEIPT, {"label": "confirmation", "role": "Baker"}),
                    (RECEIPT, {"label": "rejection", "employer": "Tessel"}),
                    ("About the Baker role you applied for: more soon.", {"label": "recruiter"}),
                    ("Shall we have soup?", {"label": "unrelated"}),
                ],
            )
        ).judged
    )
    by_answer = {each.answer: each for each in told.classes}
    refusal, receipt = by_answer["rejection"], by_answer["acknowledgement"]
    assert (refusal.precision.value, refusal.recall.value, refusal.f1.value) == (0.5, 0.5, 0.5)
    assert (receipt.count, receipt.precision.value) == (2, 0.5)
    assert by_answer["outreach"].recall.value == 0.0
    assert (told.refusals_as_good_news, told.letters_as_refusals) == (1, 1)
    assert by_answer["none"].f1.value == 1.0
    assert (told.role.value, told.employer.value) == (1.0, 0.0)
    assert told.macro_f1 == pytest.approx((0.5 + 0.5 + 0 + 1) / 4)


def test_intervals_are_those_of_wilson():
    half = share(50, 100)
    assert (round(half.low, 4), round(half.high, 4)) == (0.4038, 0.5962)
    assert share(0, 0).value is None and share(10, 10).high == 1.0 and share(10, 10).low < 0.75


def test_missing_files_and_unknown_labels_are_told_and_do_not_count(tmp_path: Path):
    lines = [
        ("", {"label": "rejection"}),
        (RECEIPT, {"label": "applause"}),
        (RECEIPT, {"label": "confirmation"}),
    ]
    outcome = evaluated(folder(tmp_path, lines))
    assert len(outcome.judged) == 1
    assert "no such file" in outcome.unread[0] and "applause" in outcome.unread[1]


def test_a_folder_without_labels_is_refused(tmp_path: Path):
    with pytest.raises(NotLabelled):
        evaluated(tmp_path)
    (tmp_path / "labels.jsonl").write_text("{\n")
    with pytest.raises(NotLabelled, match="Line 1"):
        evaluated(tmp_path)


def test_the_command_tells_errors_and_figures_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    where = folder(tmp_path, [(RECEIPT, {"label": "rejection", "role": "Baker"}), ("", {"label": "none"})])
    assert run(["mail", "eval", str(where), "--json"]) == 0
    rows = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["row"] for row in rows if row["row"] != "class"] == ["whole", "error", "unread"]
    wrong = next(row for row in rows if row["row"] == "error")
    assert wrong["dangerous"] and wrong["file"] == "0.eml" and wrong["read_as"] == "acknowledgement"
    assert wrong["span"] == RECEIPT


def test_the_command_prints_a_table_and_a_line_for_each_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    where = folder(
        tmp_path, [(RECEIPT, {"label": "rejection", "role": "Cook"}), (REFUSAL, {"label": "rejection"})]
    )
    assert run(["mail", "eval", str(where)]) == 0
    told = capsys.readouterr().out
    assert "macro-F1" in told and "DANGEROUS 0.eml" in told and "role 'Cook' read as 'Baker'" in told
