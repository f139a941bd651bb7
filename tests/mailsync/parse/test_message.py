from datetime import UTC, datetime
from pathlib import Path

import pytest
from fixtures.mail import WHEN, mail
from hypothesis import given, settings
from hypothesis import strategies as st

from mailsync.parse.message import parse_message
from mailsync.parse.types import Address, ParsedMessage


def test_a_plain_message_is_read_whole():
    message = parse_message(
        mail(
            "Dear Ada,\n\nthank you.\n",
            subject="Your application",
            headers={"In-Reply-To": "<zero@mail.example>", "References": "<a@x> <zero@mail.example>"},
        )
    )
    assert message.message_id == "one@mail.example"
    assert message.in_reply_to == "zero@mail.example"
    assert message.references == ("a@x", "zero@mail.example")
    assert message.sender == Address(address="no-reply@ashbyhq.com", name="Northwind Hiring Team")
    assert message.recipients == (Address(address="ada@example.org", name="Ada"),)
    assert (message.sent_at, message.sent_at_source) == (WHEN, "date")
    assert message.body == "Dear Ada,\n\nthank you."
    assert message.defects == ()


@pytest.mark.parametrize(
    "raw", [b"", b"x", b"\n", b"\x00", b"\x00" * 3000, b"From ", b":", b"\xff\xfe", b"=?"]
)
def test_a_message_of_next_to_nothing_is_still_a_message(raw: bytes):
    message = parse_message(raw)
    assert message.sent_at is None
    assert message.sent_at_source == "unknown"
    assert "no_head" in message.defects


def test_an_unknown_charset_is_a_defect_and_the_text_is_kept():
    raw = b"Subject: =?x-made-up?Q?Caf=E9?=\nContent-Type: text/plain; charset=x-made-up\n\nCaf\xe9 open\n"
    message = parse_message(raw)
    assert message.subject == "Café"
    assert message.body == "Café open"
    assert message.defects == ("unknown_charset",)


@pytest.mark.parametrize(
    "label", ["hex", "punycode", "unicode_escape", "undefined", "a\x00b", "x" * 5000, "rot13"]
)
def test_a_charset_label_never_reaches_a_codec_that_is_not_text(label: str):
    raw = f"Content-Type: text/plain; charset={label}\n\n6162 text\n".encode()
    assert parse_message(raw).body == "6162 text"


def test_a_multipart_without_its_boundary_is_read_as_text():
    raw = b"Content-Type: multipart/mixed\n\nWe received your application.\n"
    assert parse_message(raw).body == "We received your application."
    raw = b"Content-Type: multipart/mixed; boundary=gone\n\nWe received your application.\n"
    assert parse_message(raw).body == "We received your application."


def test_a_part_whose_closing_boundary_is_missing_is_read_to_the_end():
    raw = b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nstill here\n"
    assert parse_message(raw).body == "still here"


def test_an_encoded_word_cut_in_half_stays_as_it_came():
    assert parse_message(b"Subject: =?utf-8?B?SGVsbG\n\n").subject == "=?utf-8?B?SGVsbG"


def test_a_character_split_over_two_encoded_words_is_joined():
    assert parse_message(b"Subject: =?utf-8?B?w?= =?utf-8?B?qQ==?=\n\n").subject != ""
    assert parse_message(b"Subject: =?utf-8?Q?=C3?=\n =?utf-8?Q?=A9t=C3=A9?=\n\n").subject == "été"


def test_a_line_end_hidden_in_an_encoded_word_cannot_make_a_header():
    subject = parse_message(b"Subject: =?utf-8?Q?one=0D=0ABcc:_two?=\n\n").subject
    assert "\n" not in subject
    assert "\r" not in subject


def test_headers_in_eight_bits_are_read():
    assert parse_message("Subject: Grüße\n\n".encode()).subject == "Grüße"
    assert parse_message("Subject: Grüße\n\n".encode("latin-1")).subject == "Grüße"


def test_html_alone_becomes_text_with_its_links_in_place():
    message = parse_message(
        b"Content-Type: text/html; charset=utf-8\n\n"
        b"<style>p{}</style><div style='display:none'>secret preheader</div>"
        b"<p>Please <a href='https://jobs.example/apply/7'>finish the test</a>.</p><p>Bye</p>"
    )
    assert message.body == "Please finish the test.\n\nBye"
    link = message.links[0]
    assert link.url == "https://jobs.example/apply/7"
    assert message.body[link.start : link.end] == "finish the test"


def test_html_is_read_when_the_plain_alternative_only_points_to_it():
    message = parse_message(
        mail("Please use an HTML reader.", html="<p>Your application was not selected for the role.</p>")
    )
    assert message.body == "Your application was not selected for the role."


def test_plain_text_is_read_when_it_says_the_same_as_the_html():
    message = parse_message(mail("Hello Ada, see you.", html="<b>Hello Ada</b>, <i>see you</i>."))
    assert message.body == "Hello Ada, see you."


def test_an_attachment_is_listed_and_not_read():
    raw = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n"
        b'Content-Type: application/pdf; name="offer.pdf"\nContent-Disposition: attachment\n'
        b"Content-Transfer-Encoding: base64\n\n" + b"QUJD" * 100 + b"\n--b--\n"
    )
    attachment = parse_message(raw).attachments[0]
    assert (attachment.name, attachment.media_type) == ("offer.pdf", "application/pdf")
    assert 280 <= attachment.size_bytes <= 310


def test_an_attached_message_is_read_only_when_nothing_else_was_written():
    inner = b"Subject: old\n\nforwarded words\n"
    raw = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n"
        + inner
        + b"--b--\n"
    )
    alone = parse_message(raw)
    assert alone.body == "forwarded words"
    assert "only_an_attached_message" in alone.defects
    beside = parse_message(raw.replace(b"--b\n", b"--b\n\nsee below\n--b\n", 1))
    assert beside.body == "see below"


def test_a_calendar_part_is_kept_as_sent_with_its_method():
    raw = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n"
        b"Content-Type: text/calendar; method=request\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"BEGIN:VCALENDAR=\n\nEND:VCALENDAR\n--b--\n"
    )
    calendar = parse_message(raw).calendars[0]
    assert calendar.method == "REQUEST"
    assert calendar.content.startswith(b"BEGIN:VCALENDAR\nEND")


def test_flowed_text_is_joined_and_stuffing_undone():
    raw = b"Content-Type: text/plain; format=flowed\n\nWe will not \nmove forward.\n From here.\n-- \nsig\n"
    message = parse_message(raw)
    assert message.body == "We will not move forward.\nFrom here."
    assert message.signature == "sig"


def test_invisible_marks_and_nul_are_dropped():
    raw = "Subject: a\u200fb\n\nun\u200bfortu\u00adnately\x00 no\u202e\n".encode()
    message = parse_message(raw)
    assert message.subject == "ab"
    assert message.body == "unfortunately no"


def test_the_newest_received_time_stands_in_for_a_missing_or_impossible_date():
    received = (
        b"Received: by b.example; Tue, 3 Feb 2026 10:31:00 +0100\n"
        b"Received: by a.example; Tue, 3 Feb 2026 09:00:00 +0100\n"
    )
    at = datetime(2026, 2, 3, 9, 31, tzinfo=UTC)
    for date in (b"", b"Date: yesterday\n", b"Date: Tue, 3 Feb 2099 10:00:00 +0000\n"):
        message = parse_message(received + date + b"\nx\n")
        assert (message.sent_at, message.sent_at_source) == (at, "received")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Tue, 3 Feb 2026 10:30:00 +0100 (CET)", datetime(2026, 2, 3, 9, 30, tzinfo=UTC)),
        ("3 Feb 2026 10:30 -0000", datetime(2026, 2, 3, 10, 30, tzinfo=UTC)),
        ("2026-02-03T10:30:00Z", datetime(2026, 2, 3, 10, 30, tzinfo=UTC)),
        ("Tue Feb  3 10:30:00 2026", datetime(2026, 2, 3, 10, 30, tzinfo=UTC)),
        ("Tue, 99 Feb 2026 10:30:00 +0000", None),
        ("Tue, 3 Feb 2026 10:30:00 +99999999999999999999", datetime(2026, 2, 3, 10, 30, tzinfo=UTC)),
    ],
)
def test_dates_are_read_leniently(value: str, expected: datetime | None):
    assert parse_message(f"Date: {value}\n\n".encode()).sent_at == expected


def test_bulk_headers_and_gmail_headers_are_hints():
    message = parse_message(
        b"X-GM-THRID: 1849\nX-Gmail-Labels: Inbox,Sent\nList-Unsubscribe: <x>\nPrecedence: Bulk\n"
        b"Auto-Submitted: auto-generated\nList-Id: <a.b>\n\nx"
    )
    assert message.provider_thread == "1849"
    assert message.labels == ("Inbox", "Sent")
    assert message.bulk.list_unsubscribe
    assert message.bulk.precedence == "bulk"
    assert message.bulk.auto_submitted


@pytest.mark.parametrize(
    "field",
    [
        'From: "Doe, Jane" <jane@x.example>',
        "From: =?utf-8?Q?Doe=2C_Jane?= <JANE@x.example>",
        "From: jane@x.example (Doe, Jane)",
        "From: Team: Doe\\, Jane <jane@x.example>;",
    ],
)
def test_one_sender_is_found_however_it_is_written(field: str):
    sender = parse_message(f"{field}\n\n".encode()).sender
    assert sender.address == "jane@x.example"
    assert "Jane" in sender.name or field.startswith("From: Team")


def test_a_quote_left_open_does_not_lose_the_address():
    assert parse_message(b'From: "Jane <jane@x.example>\n\n').sender.address == "jane@x.example"


def test_nesting_without_end_is_cut_and_said():
    raw = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000))
    assert "too_many_parts" in parse_message(raw + b"\ndeep\n").defects


def test_parts_without_end_are_cut_and_said():
    raw = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 5000
    message = parse_message(raw)
    assert message.body.count("x") <= 200


def test_text_beyond_the_cap_is_cut_and_said():
    message = parse_message(b"\n" + b"words and words\n" * 60_000)
    assert len(message.body) <= 200_000
    assert "text_cut" in message.defects


SAMPLES = (
    mail("Dear Ada,\n\nwe regret.\n\nOn Mon, 2 Feb 2026 at 10:00, Bo <b@x.y> wrote:\n> hi\n-- \nBo"),
    mail("a", html="<table><tr><td>x<a href='https://x.y'>z</a></table><blockquote type=cite>q</blockquote>"),
    "Subject: =?gb2312?B?xOO6ww==?= =?utf-8?Q?=E2=98?=\nFrom: a (b (c) <d@e>\n\nträ\n".encode("latin-1"),
    (
        b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n'
        b"Content-Type: message/rfc822\n\nSubject: i\n\nt\n"
        b"--b\nContent-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\n--b\n"
        b"Content-Type: text/plain; format=flowed; delsp=yes\n"
        b"Content-Transfer-Encoding: base64\n\nYWJj \n--b--\n"
    ),
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A sample with bytes overwritten, stretches cut out, doubled or moved."""
    raw = bytearray(draw(st.sampled_from(SAMPLES)))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, max(len(raw) - 1, 0)))
        end = min(len(raw), start + draw(st.integers(0, 40)))
        raw[start:end] = draw(st.one_of(st.binary(max_size=12), st.just(bytes(raw[start:end]) * 3)))
    return bytes(raw)


@settings(derandomize=True, max_examples=400, deadline=None)
@given(st.one_of(mutated(), st.binary(max_size=400)))
def test_no_input_raises_and_the_same_bytes_give_the_same_message(raw: bytes):
    message = parse_message(raw)
    assert message == parse_message(raw)
    assert_storable(message)


def assert_storable(message: ParsedMessage) -> None:
    texts = [message.subject, message.body, message.quoted, message.signature, message.sender.name]
    assert not any(character in text for text in texts for character in ("\x00", "\ud800"))
    for text in texts:
        text.encode()
    for link in message.links:
        assert 0 <= link.start < link.end <= len(message.body)


def test_every_hard_message_of_the_real_corpora_is_read_twice_alike(shared_data: Path):
    paths = [path for path in sorted((shared_data / "mime").rglob("*")) if path.is_file()]
    assert len(paths) > 1000
    for path in paths:
        raw = path.read_bytes()
        message = parse_message(raw)
        assert message == parse_message(raw), path
        assert_storable(message)


@pytest.mark.parametrize(
    "raw", [b"\n[NAME]: thank you.\nWe decided.", b"Update: it is filled.\n\nWe decided."]
)
def test_a_text_saved_without_its_head_loses_no_line_that_looks_like_a_field(raw: bytes):
    message = parse_message(raw)
    assert message.body == raw.decode().strip()
    assert message.defects == ("no_head",)


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ('"Nour Price (Ormormexa)" <nour@x.example>', "Nour Price (Ormormexa)"),
        ("nour@x.example (Nour Price)", "Nour Price"),
        ("=?utf-8?Q?Nour_Price_=28Ormormexa=29?= <nour@x.example>", "Nour Price (Ormormexa)"),
        ('"Nour Price)" <nour@x.example>', "Nour Price"),
    ],
)
def test_a_name_keeps_the_bracket_it_opened(field: str, name: str):
    assert parse_message(f"From: {field}\n\n".encode()).sender.name == name
