"""Reading a stored row says exactly what reading the raw bytes said."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from fixtures.mail import mail
from hypothesis import given
from hypothesis import strategies as st

from mailsync.classify.stages import read
from mailsync.messages.kept import StoredMessage, message_of, parsed_of
from mailsync.messages.rules import read_message
from mailsync.parse.message import parse_message
from mailsync.parse.types import ParsedMessage
from schema.db import Database
from schema.ids import AccountId, MessageId

NOBODY: frozenset[str] = frozenset()
LETTERS = Path(__file__).parents[1] / "classify" / "cases"
CALENDAR = (
    b"From: Northwind <people@northwind.example>\nTo: Ada <ada@example.org>\n"
    b"Reply-To: hr@northwind.example\n"
    b"Subject: Interview with Northwind\nDate: Tue, 03 Feb 2026 10:30:00 +0000\nMIME-Version: 1.0\n"
    b"Message-ID: <c@northwind.example>\nList-Unsubscribe: <mailto:out@northwind.example>\n"
    b"X-Gmail-Labels: Inbox,Important\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
    b"Content-Type: text/plain\n\nYour interview for the Baker position is on Friday.\n"
    b"See https://jobs.ashbyhq.com/northwind/1b0a5f4e-1111-4222-8333-444455556666 please.\n\n-- \n"
    b"Maria Lopez\nNorthwind\n\n--b\nContent-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\n"
    b"METHOD:REQUEST\n"
    b"BEGIN:VEVENT\nDTSTART:20260206T100000Z\nSUMMARY:Interview\nEND:VEVENT\nEND:VCALENDAR\n--b--\n"
)


def stored(message: ParsedMessage) -> StoredMessage:
    """The row as the store writes it and gives it back, through JSON as the column holds it."""
    row = read_message_row(message)
    return msgspec.structs.replace(row, parsed=msgspec.json.encode(parsed_of(message)))


def read_message_row(message: ParsedMessage) -> StoredMessage:
    from mailsync.messages.kept import history_of

    return StoredMessage(
        id=MessageId(1),
        rfc_message_id=message.message_id,
        sent_at=message.sent_at,
        sent_at_source=message.sent_at_source,
        from_owner=False,
        sender_address=message.sender.address,
        sender_name=message.sender.name,
        recipients=[each.address for each in message.recipients],
        subject=message.subject,
        in_reply_to=message.in_reply_to,
        reference_ids=list(message.references),
        provider_thread=message.provider_thread,
        body=message.body,
        quoted=history_of(message),
        parsed=None,
    )


def letters() -> Iterator[bytes]:
    yield CALENDAR
    for path in sorted(LETTERS.glob("*.txt")):
        for number, text in enumerate(path.read_text(encoding="utf-8").split("\n---\n")):
            yield mail(
                text, subject=f"Letter {number}", headers={"Reply-To": "Hiring <hiring@north.example>"}
            )


def assert_same(raw: bytes) -> None:
    message = parse_message(raw)
    again = message_of(stored(message))
    assert again == message
    assert read(again) == read(message)


def test_our_letters_come_back_as_they_were_parsed():
    for raw in letters():
        assert_same(raw)


def test_real_mail_comes_back_as_it_was_parsed(shared_data: Path):
    paths = sorted(path for path in (shared_data / "mail").rglob("*.eml"))[:300]
    if not paths:
        pytest.skip("no .eml among the shared mail")
    for path in paths:
        message = parse_message(path.read_bytes())
        assert message_of(stored(message)) == message


@given(st.binary(max_size=400))
def test_any_bytes_come_back_as_they_were_parsed(raw: bytes):
    message = parse_message(CALENDAR[:300] + raw)
    assert message_of(stored(message)) == message


async def test_the_database_gives_back_what_it_was_given(
    database: Database, account: AccountId, importer, tmp_path: Path
):
    from mailsync.passes.store import stored as stored_rows
    from mailsync.passes.store import waiting

    (tmp_path / "a.eml").write_bytes(CALENDAR)
    await importer(tmp_path)
    async with database.as_account(account) as unit:
        ids = await waiting(unit, 10**9, recheck=True, before=None, limit=10)
        rows = await stored_rows(unit, ids)
    message = parse_message(CALENDAR)
    assert [message_of(row) for row in rows] == [message]
    assert message.calendars
    assert message.links
    assert message.signature
    assert read_message(CALENDAR, NOBODY).reading == read(message)


def test_a_row_of_an_earlier_release_is_read_from_what_it_has():
    message = parse_message(mail("We received your application for the Baker role."))
    row = msgspec.structs.replace(read_message_row(message), from_owner=True)
    assert row.parsed is None
    assert message_of(row).body == message.body
    assert read(message_of(row)).note == "own_mail"
    assert read(message_of(msgspec.structs.replace(row, from_owner=False))).events == read(message).events
