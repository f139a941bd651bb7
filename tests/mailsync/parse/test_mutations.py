"""Real hard messages, broken on purpose by Hypothesis: seeded, so every run tries the same ones."""

import re
from functools import lru_cache
from pathlib import Path

import pytest
from fixtures.shared_data import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mailsync.classify.stages import read
from mailsync.messages.rules import read_message
from mailsync.parse.calendars import first_calendar
from mailsync.parse.message import parse_message
from mailsync.parse.types import ParsedMessage

MOST_BYTES = 60_000
EXAMPLES = 400
LABELS = (
    b"utf-8",
    b"utf-16",
    b"utf-7",
    b"gb2312",
    b"iso-2022-jp",
    b"koi8-r",
    b"x-none",
    b"hex",
    b"\xff",
    b"",
)
CHARSET = re.compile(rb"(?i)(?<=charset=)\"?[\w-]+\"?|(?<==\?)[\w-]+(?=\?[bq]\?)")
ENCODING = re.compile(rb"(?im)^(content-transfer-encoding:\s*)[\w-]+")
BOUNDARY = re.compile(rb"(?i)boundary=\"?([^\";\s]+)")
LOOSE = re.compile("[\x00\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff]")


@lru_cache(maxsize=1)
def originals() -> tuple[bytes, ...]:
    folder = ROOT.parent / "shared" / "data"
    paths = sorted(
        path
        for kind in ("mime", "mail")
        for path in (folder / kind).rglob("*")
        if path.suffix in (".eml", ".msg")
    )
    return tuple(raw for path in paths if len(raw := path.read_bytes()) <= MOST_BYTES)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    raw = draw(st.sampled_from(originals()))
    for _ in range(draw(st.integers(1, 4))):
        raw = draw(st.sampled_from(MUTATIONS))(draw, raw)
    return raw


def place(draw: st.DrawFn, raw: bytes) -> int:
    return draw(st.integers(0, len(raw)))


def flip(draw: st.DrawFn, raw: bytes) -> bytes:
    broken = bytearray(raw)
    for _ in range(min(len(raw), draw(st.integers(1, 20)))):
        broken[draw(st.integers(0, len(raw) - 1))] = draw(st.integers(0, 255))
    return bytes(broken)


def cut_off(draw: st.DrawFn, raw: bytes) -> bytes:
    return raw[: place(draw, raw)]


def cut_out(draw: st.DrawFn, raw: bytes) -> bytes:
    start = place(draw, raw)
    return raw[:start] + raw[start + draw(st.integers(1, 2_000)) :]


def double_a_stretch(draw: st.DrawFn, raw: bytes) -> bytes:
    start = place(draw, raw)
    stretch = raw[start : start + draw(st.integers(1, 2_000))]
    return raw[:start] + stretch * draw(st.integers(2, 5)) + raw[start:]


def double_the_head(draw: st.DrawFn, raw: bytes) -> bytes:
    head, gap, body = raw.partition(b"\n\n")
    lines = head.split(b"\n")
    return b"\n".join([*lines, *draw(st.permutations(lines[:20])), *lines]) + gap + body


def lose_boundaries(draw: st.DrawFn, raw: bytes) -> bytes:
    for boundary in BOUNDARY.findall(raw)[:5]:
        raw = raw.replace(b"--" + boundary, draw(st.sampled_from((b"", b"--", boundary[:-1]))), 1)
    return raw


def swap_charsets(draw: st.DrawFn, raw: bytes) -> bytes:
    label = draw(st.sampled_from(LABELS))
    return CHARSET.sub(lambda _: label, raw)


def swap_encodings(draw: st.DrawFn, raw: bytes) -> bytes:
    told = draw(st.sampled_from((b"base64", b"quoted-printable", b"8bit", b"x-uuencode", b"")))
    return ENCODING.sub(lambda found: found[1] + told, raw)


def put_inside(draw: st.DrawFn, raw: bytes) -> bytes:
    other = draw(st.sampled_from(originals()))
    kind = draw(st.sampled_from((b"message/rfc822", b"text/plain", b"text/html", b"text/calendar")))
    mixed = b"Subject: outer\nContent-Type: multipart/mixed; boundary=outer\n\n"
    return (
        mixed
        + b"--outer\nContent-Type: "
        + kind
        + b"\n\n"
        + raw
        + b"\n--outer\n\n"
        + other
        + b"\n--outer--\n"
    )


def other_line_ends(draw: st.DrawFn, raw: bytes) -> bytes:
    return raw.replace(b"\n", draw(st.sampled_from((b"\r\n", b"\r", b"\n\n", b"\r\r\n"))))


def put_in_a_mark(draw: st.DrawFn, raw: bytes) -> bytes:
    mark = draw(st.sampled_from(("\u202e", "\u0301", "\x00", "\u200b", "\ufeff", "\U0001f600")))
    at = place(draw, raw)
    return raw[:at] + mark.encode() * draw(st.integers(1, 50)) + raw[at:]


MUTATIONS = (
    flip,
    cut_off,
    cut_out,
    double_a_stretch,
    double_the_head,
    lose_boundaries,
    swap_charsets,
    swap_encodings,
    put_inside,
    other_line_ends,
    put_in_a_mark,
)


@pytest.mark.usefixtures("shared_data")
@settings(derandomize=True, max_examples=EXAMPLES, deadline=None, database=None,
          suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large,
                                 HealthCheck.function_scoped_fixture])  # fmt: skip
@given(data=st.data())
def test_a_broken_real_message_is_read_alike_twice_and_each_span_stands_in_it(data: st.DataObject):
    raw = data.draw(mutated())
    message = parse_message(raw)
    assert message == parse_message(raw)
    assert_whole(message)
    first_calendar(message.calendars)
    read_message(raw, frozenset())
    for event in read(message).events:
        if event.span is not None and event.span.source == "text":
            assert message.body[event.span.start : event.span.end] == event.span.text


def assert_whole(message: ParsedMessage) -> None:
    texts = (message.subject, message.body, message.quoted, message.signature, message.sender.name)
    for text in (*texts, *message.labels, *(each.name for each in message.attachments)):
        assert not LOOSE.search(text)
        text.encode()
    for link in message.links:
        assert 0 <= link.start < link.end <= len(message.body)


def test_the_originals_are_there_where_the_corpora_are(shared_data: Path):
    assert len(originals()) > 150, shared_data
