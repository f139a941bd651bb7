import base64

import pytest

from mailsync.parse.message import parse_message

MIXED = b"Content-Type: multipart/mixed; boundary=b\n\n"


def test_a_part_without_fields_of_its_own_loses_no_line_that_looks_like_one():
    message = parse_message(MIXED + b"--b\n\nPosition: Baker\n\nWe received your application.\n--b--\n")
    assert message.body == "Position: Baker\n\nWe received your application."


def test_fields_behind_one_empty_line_too_many_are_fields():
    raw = MIXED + b"--b\n\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\nSGVsbG8=\n--b--\n"
    assert parse_message(raw).body == "Hello"


def test_what_stands_behind_the_padding_of_base64_is_no_text():
    head = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    first, second = (base64.b64encode(each.encode()) for each in ("Grüße ", "aus Köln"))
    assert first.endswith(b"=")
    assert parse_message(head + first + b" footer words\n" + second).body == "Grüße aus Köln"


def test_the_rendering_for_programs_is_neither_read_nor_listed():
    raw = (
        b"Content-Type: multipart/alternative; boundary=b\n\n--b\n\nHello Ada.\n--b\n"
        b"Content-Type: text/x-amp-html\n\n<html amp4email>live</html>\n--b\n"
        b"Content-Type: text/html\n\n<p>Hello Ada.</p>\n--b--\n"
    )
    message = parse_message(raw)
    assert (message.body, message.attachments) == ("Hello Ada.", ())


@pytest.mark.parametrize("kind", ["plain", "csv", "vcard", "rfc822-headers"])
def test_a_text_file_beside_the_letter_is_a_file(kind: str):
    raw = (
        MIXED + b"--b\n\nSee the file.\n--b\n"
        b"Content-Type: text/%b; name=offer.txt\nContent-Disposition: inline\n\nsecret\n--b--\n"
        % kind.encode()
    )
    message = parse_message(raw)
    assert message.body == "See the file."
    assert [each.name for each in message.attachments] == ["offer.txt"]


def test_text_with_a_file_name_is_the_letter_when_there_is_no_other():
    raw = b"Content-Type: text/plain; name=letter.txt\nContent-Disposition: inline\n\nHello Ada.\n"
    assert parse_message(raw).body == "Hello Ada."


@pytest.mark.parametrize(
    ("field", "line"),
    [
        (b"multipart/mixed\n\tboundary=b", b"--b"),
        (b'multipart/mixed; boundary="two  blanks"', b"--two  blanks"),
        (b'multipart/mixed; boundary="folded\n blank"', b"--folded blank"),
        (b"multipart/mixed; boundary=" + b"b" * 1500, b"--" + b"b" * 1500),
    ],
)
def test_a_boundary_is_found_however_it_is_written(field: bytes, line: bytes):
    raw = b"Content-Type: " + field + b"\n\n" + line + b"\n\nhello\n" + line + b"--\nafterwards\n"
    assert parse_message(raw).body == "hello"


@pytest.mark.parametrize("name", [rb"C:\TEMP\cv.pdf", b"/home/ada/cv.pdf", b"../../cv.pdf", b"cv.pdf"])
def test_a_file_is_named_without_folders(name: bytes):
    raw = MIXED + b'--b\nContent-Type: application/pdf\nContent-Disposition: ;\n filename="%b"\n\nx\n--b--\n'
    # A backslash in a quoted name is written twice.
    attachment = parse_message(raw % name.replace(b"\\", b"\\\\")).attachments[0]
    assert (attachment.name, attachment.media_type) == ("cv.pdf", "application/pdf")


def test_of_several_dates_the_first_that_can_be_read_counts():
    message = parse_message(b"Date: some day\nDate: Tue, 3 Feb 2026 10:30:00 +0000\n\nx\n")
    assert message.sent_at is not None
    assert message.sent_at_source == "date"
