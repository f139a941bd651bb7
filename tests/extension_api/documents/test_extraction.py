"""What a document says, taken out of every format, and what is said of one that says nothing."""

import pytest
from fixtures.documents import docx, pdf

from extension_api.documents.extraction import MOST_CHARS, extracted
from extension_api.documents.rules import DOC, DOCX, PDF, RTF, TEXT

RUN = "<w:p><w:r><w:t>Ada </w:t></w:r><w:r><w:t>Lovelace</w:t><w:tab/><w:t>1843</w:t></w:r></w:p>"


def text(media_type: str, content: bytes) -> str | None:
    found = extracted(media_type, content)
    assert found.state == "read"
    return found.text


def test_the_lines_of_a_pdf_are_read():
    assert text(PDF.media_type, pdf("Ada Lovelace", "Analytical Engine, 1843")) == (
        "Ada Lovelace\nAnalytical Engine, 1843"
    )


def test_the_paragraphs_of_a_word_document_are_read():
    assert text(DOCX.media_type, docx(RUN + RUN)) == "Ada Lovelace 1843\nAda Lovelace 1843"


def test_what_stands_twice_for_older_programs_is_read_once():
    twice = f"<mc:Choice>{RUN}</mc:Choice><mc:Fallback>{RUN}</mc:Fallback>"
    body = f"<mc:AlternateContent>{twice}</mc:AlternateContent>"
    assert text(DOCX.media_type, docx(body)) == "Ada Lovelace 1843"


def test_plain_text_is_taken_as_it_is():
    assert text(TEXT.media_type, "\ufeffAda\r\n\r\n\r\n\r\nLovelace\x00 ".encode()) == "Ada\n\nLovelace"


def test_no_text_is_longer_than_can_be_kept():
    assert len(text(TEXT.media_type, b"a " * MOST_CHARS) or "") <= MOST_CHARS


@pytest.mark.parametrize(
    ("media_type", "content"),
    [(PDF.media_type, pdf()), (DOCX.media_type, docx("<w:p/>")), (TEXT.media_type, b" \n ")],
)
def test_a_document_without_text_is_empty(media_type: str, content: bytes):
    assert extracted(media_type, content).state == "empty"


@pytest.mark.parametrize(
    ("media_type", "content"),
    [
        (PDF.media_type, b"%PDF-1.7 and then nothing"),
        (PDF.media_type, pdf("Ada")[:200]),
        (DOCX.media_type, b"PK\x03\x04 word/document.xml"),
        (DOCX.media_type, docx("<w:p>")),
        (DOCX.media_type, docx(RUN, before='<!DOCTYPE x [<!ENTITY a "aaaa">]>')),
        (TEXT.media_type, b"\xff\xfe\x00"),
    ],
)
def test_a_broken_document_is_unreadable(media_type: str, content: bytes):
    assert extracted(media_type, content).state == "unreadable"


def test_a_word_document_that_unpacks_to_a_flood_is_unreadable():
    assert extracted(DOCX.media_type, docx(" " * 32_000_000)).state == "unreadable"


@pytest.mark.parametrize("media_type", [DOC.media_type, RTF.media_type])
def test_formats_nothing_here_reads_are_named_so(media_type: str):
    assert extracted(media_type, b"x").state == "unsupported"
