"""Replies of real mail programs, with what was written in them, as two other projects keep them."""

import re
from pathlib import Path

import pytest

from mailsync.parse.message import parse_message

_BLANK = re.compile(r"\s+")
# What a telephone signs with is part of the reply for talon, and apart for us.
_WITHOUT_SIGNATURE = re.compile(r"\n-- \n|\nSent from ")
WRITTEN_IN_HTML = "Hi. I am fine.\n\nThanks,\nAlex"


@pytest.fixture
def mime(shared_data: Path) -> Path:
    return shared_data / "mime"


def squeezed(text: str) -> str:
    return _BLANK.sub("", text)


def test_of_each_mail_programs_reply_what_was_written_is_left(mime: Path):
    paths = sorted((mime / "talon" / "fixtures" / "standard_replies").glob("*.eml"))
    assert len(paths) >= 12
    for path in paths:
        beside = path.with_name(f"{path.stem}_reply_text")
        expected = _WITHOUT_SIGNATURE.split(beside.read_text())[0] if beside.exists() else "Hello"
        assert squeezed(parse_message(path.read_bytes()).body) == squeezed(expected), path.name


def test_of_each_mail_programs_html_reply_what_was_written_is_left(mime: Path):
    paths = sorted((mime / "talon" / "fixtures" / "html_replies").glob("*.html"))
    assert len(paths) >= 9
    for path in paths:
        message = parse_message(b"Content-Type: text/html; charset=utf-8\n\n" + path.read_bytes())
        assert squeezed(message.body) == squeezed(WRITTEN_IN_HTML), path.name


def test_no_line_of_a_plain_reply_is_lost_and_no_marked_one_is_taken_for_written(mime: Path):
    paths = sorted((mime / "zapier-reply-parser" / "emails").glob("*.txt"))
    assert len(paths) >= 24
    for path in paths:
        raw = path.read_bytes()
        message = parse_message(b"Content-Type: text/plain; charset=utf-8\n\n" + raw)
        assert message.body, path.name
        assert not any(line.startswith(">") for line in message.body.split("\n")), path.name
        everything = words(f"{message.body}\n{message.quoted}\n{message.signature}")
        assert everything == words(raw.decode()), path.name


def words(text: str) -> list[str]:
    return sorted(re.findall(r"[^\W_]+", text))
