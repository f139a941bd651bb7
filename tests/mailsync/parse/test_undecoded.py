import base64
import quopri
import time

import pytest

from mailsync.parse.message import parse_message
from mailsync.parse.undecoded import undone

LETTER = (
    "Hello Ada,\n\nthank you for the time you took \u2013 we\u2019ll let you know how the story of the "
    "M\u00fcller bakery goes on, and whether the oven is still warm when you come by.\n\nKind regards\nBo\n"
)
BASE64 = base64.encodebytes(LETTER.encode())
QUOTED = quopri.encodestring(LETTER.encode())


@pytest.mark.parametrize(
    "body",
    [BASE64, BASE64.replace(b"\n", b" "), base64.b64encode(LETTER.encode()), QUOTED],
    ids=["base64", "base64 on one line", "base64 unbroken", "quoted-printable"],
)
def test_a_body_that_is_plainly_encoded_is_read_decoded(body: bytes):
    message = parse_message(b"\n" + body)
    assert "bakery goes on" in message.body
    assert "M\u00fcller" in message.body
    assert message.defects == ("no_head", "undeclared_encoding")


def test_the_text_around_an_encoded_block_stays():
    message = parse_message(b"\nBefore it.\n\n" + BASE64 + b"\nBehind it.\n")
    assert message.body.startswith("Before it.")
    assert "the oven is still warm" in message.body
    assert message.body.endswith("Behind it.")


def test_encoded_html_is_read_as_a_page():
    page = f"<html><body><p>{LETTER}</p><p>Second</p></body></html>".encode()
    for body in (base64.encodebytes(page), quopri.encodestring(page)):
        text = parse_message(b"\n" + body).body
        assert "<p>" not in text
        assert "Second" in text


def test_a_block_that_was_cut_short_is_read_as_far_as_it_goes():
    assert parse_message(b"\n" + BASE64[:150]).body.startswith("Hello Ada,")


@pytest.mark.parametrize(
    "text",
    [
        b"See https://jobs.example/apply?id=20&ref=3Dx and reply.\n",
        b"Profit = income - costs. A=B and C=D. =20 percent.\n",
        b"Title\n=====\nText below a line.\n",
        b"Key: " + b"a1B2" * 30 + b"\nKeep it.\n",
        base64.b64encode(bytes(range(256))) + b"\n",
        b"Donaudampfschifffahrtsgesellschaftskapitaenskajuetentuerschloss ist ein Wort.\n",
        b"abcdefghijklmnopqrstuvwxyz\n",
    ],
)
def test_other_text_is_left_alone(text: bytes):
    assert undone(text) == text


@pytest.mark.parametrize("piece", [b"A" * 57 + b" ", b"QUJD" * 19 + b"\n", b"=E2=80=99", b"=3Da= ", b"A"])
def test_hostile_bodies_take_linear_time(piece: bytes):
    started = time.process_time()
    undone(piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 2
