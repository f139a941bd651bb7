"""A truth file is read in any reasonable spelling, and what does not fit is told in one line."""

import base64
import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from matcher.evaluation.reading import read_truth, truth_file
from matcher.evaluation.truth import About, TruthFile, TruthUnreadable

MAIL = b"From: Pia <pia@brimvale.example>\r\nSubject: Hello\r\n\r\nHello.\r\n"
PLAIN = {"from": "pia@brimvale.example", "subject": "Hello", "body": "Hello."}


def lines(*rows: object) -> TruthFile:
    return read_truth("\n".join(json.dumps(row) for row in rows).encode(), Path())


def complaint(*rows: object) -> str:
    with pytest.raises(TruthUnreadable) as caught:
        lines(*rows)
    assert "\n" not in caught.value.detail
    return caught.value.detail


def test_rows_say_what_they_are_by_their_key_a_word_or_their_content():
    found = lines(
        {"mailbox": {"name": "one", "owner": "Maren Tolk <Maren@post.example>"}},
        {"application": {"id": "a1", "company": "Brimvale", "role": "Baker", "applied_on": "2025-03-04"}},
        {"type": "application", "id": 2, "employer": "Tessel", "appliedAt": "2025-03-04T10:00:00"},
        {"message": {"id": "m1", "eml": base64.b64encode(MAIL).decode(), "truth": "a1"}},
        {"id": "m2", "eml": MAIL.decode(), "truth": None, "family": "none", "lang": "de"},
        {"application": "2", **PLAIN},
        {"generator": "of somebody else"},
    )
    assert found.people[0].owners == ("maren@post.example",)
    first, second = found.applications
    assert (first.person, first.applied_on, second.company) == ("one", date(2025, 3, 4), "Tessel")
    assert second.applied_at == datetime(2025, 3, 4, 10, tzinfo=UTC)
    assert [(each.id, each.truth) for each in found.messages] == [
        ("m1", ("a1",)),
        ("m2", ()),
        ("line 6", ("2",)),
    ]
    assert found.messages[0].raw == found.messages[1].raw == MAIL
    assert (found.messages[1].family, found.messages[1].language) == ("none", "de")
    assert found.notes == ("1 of 4 rows are of another kind, first line 7.",)


def test_one_object_with_lists_is_the_same():
    told = {
        "owner": ["maren@post.example"],
        "applications": {"a1": {"company": "Brimvale"}},
        "messages": [{"id": "m1", "truth": {"id": "a1", "decidable": False}, **PLAIN}],
    }
    found = read_truth(json.dumps(told, indent=2).encode(), Path())
    assert (found.applications[0].id, found.messages[0].truth) == ("a1", ("a1",))
    assert not found.messages[0].decidable
    assert found.people[0].owners == ("maren@post.example",)


@pytest.mark.parametrize(
    ("row", "truth", "decidable"),
    [
        ({"truth": "a1"}, ("a1",), True),
        ({"truth": ["a1", "a2"]}, ("a1", "a2"), True),
        ({"truth": ["a1", "a2"], "decidable": False}, ("a1", "a2"), False),
        ({"truth": "none"}, (), True),
        ({"truth": None}, (), True),
        ({"truth": []}, (), True),
        ({"truth": "cannot tell"}, (), False),
        ({"truth": "undecidable"}, (), False),
        ({"truth": "none / cannot be told"}, (), False),
        ({"truth": "a1", "must_abstain": True}, ("a1",), False),
        ({"decidable": False}, (), False),
        ({"expected": "open"}, ("open",), True),
    ],
)
def test_the_answer_has_many_spellings(row: dict[str, object], truth: tuple[str, ...], decidable: bool):
    known = [{"application": {"id": name, "company": name}} for name in ("a1", "a2", "open")]
    message = lines(*known, {"message": {**PLAIN, **row}}).messages[0]
    assert (message.truth, message.decidable) == (truth, decidable)


def test_mail_is_put_together_from_fields():
    row = {
        **PLAIN,
        "from_name": "Pia",
        "sent_at": "2025-03-04T10:00:00Z",
        "message_id": "one@x.example",
        "in_reply_to": "<zero@x.example>",
        "thread": "t" * 50,
        "from_owner": True,
        "truth": None,
    }
    raw = lines({"message": row}).messages[0].whole().decode()
    assert "From: Pia <pia@brimvale.example>" in raw and "Message-ID: <one@x.example>" in raw
    assert "In-Reply-To: <zero@x.example>" in raw and "X-Gmail-Labels: Sent" in raw
    thread = next(line for line in raw.splitlines() if line.startswith("X-GM-THRID: "))
    assert len(thread) == len("X-GM-THRID: ") + 40


def test_the_thread_of_a_whole_message_is_added_unless_it_has_one():
    row = {"eml": MAIL.decode(), "thread": "77", "truth": None}
    raw = lines({"message": row}).messages[0].whole()
    assert raw == b"X-GM-THRID: 77\r\n" + MAIL
    again = {"eml": raw.decode(), "thread": "78", "truth": None}
    assert lines({"message": again}).messages[0].whole() == raw


def test_files_lie_beside_the_truth(tmp_path: Path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail/1.eml").write_bytes(MAIL)
    (tmp_path / "truth.jsonl").write_text('{"message": {"file": "mail/1.eml", "truth": null}}\n')
    found = truth_file(tmp_path / "truth.jsonl").messages[0]
    assert (found.id, found.whole()) == ("mail/1.eml", MAIL)


def test_rows_belong_to_the_mailbox_above_or_the_one_they_name():
    found = lines(
        {"mailbox": {"name": "one"}},
        {"application": {"id": "a1", "company": "Brimvale"}},
        {"mailbox": {"name": "two"}},
        {"application": {"id": "a1", "company": "Tessel"}},
        {"message": {"id": "m1", "truth": "a1", **PLAIN}},
        {"message": {"id": "m1", "mailbox": "one", "truth": "a1", **PLAIN}},
    )
    assert [(each.person, each.id) for each in found.messages] == [("two", "m1"), ("one", "m1")]


def test_what_was_known_before_is_read():
    row = {
        "id": "a1",
        "company": "Brimvale",
        "aliases": ["BV"],
        "known": {"threads": ["17"], "contacts": ["pia@brimvale.example"]},
        "state_history": [
            {"state": "rejected", "at": "2025-04-01"},
            {"state": "interview", "at": "2025-03-20"},
            {"state": "applied", "at": "2025-03-01"},
        ],
    }
    about = {"truth": None, "about": {"employer": "Tessel", "title": "Baker"}, **PLAIN}
    found = lines({"application": row}, {"message": about})
    application = found.applications[0]
    assert (application.aliases, application.threads) == (("BV",), ("17",))
    assert application.contacts == ("pia@brimvale.example",)
    assert [state.stage for state in application.states] == ["interviewing", "rejected"]
    assert found.messages[0].about == About(company="Tessel", role="Baker")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"message": {**PLAIN, "truth": "a9"}}], "line 1, field truth: there is no application 'a9'"),
        ([{"message": PLAIN}], "line 1, field truth: a message needs one"),
        ([{"message": {"id": "m", "truth": None}}], "line 1, field eml: a message needs eml, file, or"),
        ([{"message": {"file": "no.eml", "truth": None}}], "line 1, field file: there is no file no.eml."),
        ([{"message": {"eml": "???", "truth": None}}], "line 1, field eml: this is neither base64 nor"),
        ([{"message": {**PLAIN, "truth": None, "sent_at": "soon"}}], "field sent_at: 'soon' is no date"),
        ([{"message": {**PLAIN, "truth": None, "decidable": "maybe"}}], "field decidable: true or false"),
        ([{"message": {**PLAIN, "truth": 1.5, "id": [[]]}}], "field truth: texts are expected, not 1.5"),
        ([{"application": {"company": "B"}}], "line 1, field id: an application needs one."),
        (
            [{"application": {"id": "a", "company": "B"}}] * 2,
            "line 2, field id: 'a' was used already at line 1",
        ),
        ([{"application": {"id": "a", "company": "B"}}], "The file holds no message"),
        ([[1]], "line 1 is no JSON object"),
    ],
)
def test_what_does_not_fit_is_told_with_its_line_and_field(rows: list[object], told: str):
    assert told in complaint(*rows, {"note": "so that it is lines"}).replace("[0]", "line 1")


@pytest.mark.parametrize("data", [b"", b"{\n", b'{"message": {}}\n{"mess'])
def test_what_is_no_json_is_refused(data: bytes):
    with pytest.raises(TruthUnreadable, match="is not JSON"):
        read_truth(data, Path())


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(TruthUnreadable, match="No such file"):
        truth_file(tmp_path / "no.jsonl")
