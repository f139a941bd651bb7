from datetime import timedelta

from fixtures.mail import WHEN, mail

from mailsync.messages.rules import content_sha256, read_message
from mailsync.parse.message import parse_message

NOBODY: frozenset[str] = frozenset()


def test_the_content_hash_is_the_same_for_every_export_of_a_message():
    letter = mail("We received your application.\n", message_id=None)
    exports = [
        letter,
        letter.replace(b"\n", b"\r\n"),
        b"X-GM-THRID: 1\nX-Gmail-Labels: Inbox\n" + letter,
        b"From 1@x Tue Feb 03 10:30:00 +0000 2026\n" + letter,
        b"\xef\xbb\xbf" + letter,
    ]
    assert len({content_sha256(parse_message(export)) for export in exports}) == 1


def test_a_message_is_known_by_its_id_and_without_one_by_its_content():
    known = read_message(mail("a"), NOBODY).message.message_key
    assert known.startswith("one@mail.example ")
    assert (
        read_message(b"X-Gmail-Labels: Inbox\n" + mail("a, with a list's footer"), NOBODY).message.message_key
        == known
    )
    one = read_message(mail("a", message_id=None), NOBODY).message
    other = read_message(mail("b", message_id=None), NOBODY).message
    assert one.message_key == f"sha256:{one.content_sha256}" != other.message_key


def test_a_message_id_used_again_by_another_sender_or_on_another_day_hides_nothing():
    offer = mail("We would like to offer you the position of Baker.", sender="Bo <bo@northwind.example>")
    forged = mail("Your application: all is fine.", sender="Eve <eve@elsewhere.example>")
    later = mail("Your application.", sender="Bo <bo@northwind.example>", date=WHEN + timedelta(days=1))
    rows = [read_message(raw, NOBODY).message for raw in (offer, forged, later)]
    assert len({row.rfc_message_id for row in rows}) == 1
    assert len({row.message_key for row in rows}) == 3


def test_what_is_kept_whole_keeps_the_history_apart_from_the_body():
    letter = mail("Your application: yes.\n-- \nBo\n\nOn 2 Feb 2026, at 10:00, Ada wrote:\n> May I?")
    message = read_message(letter, NOBODY).message
    assert message.body == "Your application: yes."
    assert message.quoted == "Bo\n\nOn 2 Feb 2026, at 10:00, Ada wrote:\n> May I?"


def test_what_is_not_kept_is_not_in_the_row():
    letter = mail("Lunch?", subject="Friday", sender="bo@friends.example", to="ada@example.org")
    read = read_message(letter, NOBODY)
    message = read.message
    assert (message.kept, message.not_kept_reason) == ("identity", "no_hiring_words")
    assert (message.subject, message.sender_address, message.body, message.quoted) == ("", "", None, None)
    assert message.recipients == message.reference_ids == []
    assert read.reading is None
    assert message.sent_at is not None
