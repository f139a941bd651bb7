"""No message takes long, whoever wrote it and whatever for."""

import pytest

from benchmarks.mail.costly import BAR_MS, SHAPES, seconds_to_parse
from mailsync.parse.message import parse_message

# Neighbours on one core make even processor time longer; more than linear work took thirty times the bar.
GENEROUS = 8


@pytest.mark.parametrize("shape", SHAPES)
def test_a_message_written_to_take_long_does_not(shape: str):
    assert 1000 * seconds_to_parse(SHAPES[shape]()) < GENEROUS * BAR_MS


@pytest.mark.parametrize(
    "part", [b"\n" + b"word " * 50_000, b"Content-Type: text/html\n\n" + b"<p>word</p>" * 9_000]
)
def test_many_parts_are_read_no_further_than_one_large_one(part: bytes):
    counts = list[int]()
    for count in (8, 80):
        raw = b"Content-Type: multipart/mixed; boundary=b\n\n" + (b"--b\n" + part + b"\n") * count
        message = parse_message(raw)
        assert "text_cut" in message.defects
        counts.append(len(message.body))
    assert counts[0] == counts[1]
