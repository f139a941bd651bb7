"""Which files are kept, by their bytes, and under which names."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension_api.documents.rules import (
    MAX_BYTES,
    DocumentEmpty,
    DocumentTooLarge,
    DocumentUnsupported,
    accepted,
    format_of,
    safe_name,
)

PDF = b"%PDF-1.7\n1 0 obj"
RTF = b"{\\rtf1 Hello}"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 64


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, "<xml/>")
    return buffer.getvalue()


DOCX = zipped("[Content_Types].xml", "word/document.xml")
DOC = OLE + "WordDocument".encode("utf-16-le")


@pytest.mark.parametrize(
    ("name", "content", "kept", "media_type"),
    [
        ("cv.pdf", PDF, "cv.pdf", "application/pdf"),
        ("cv.PDF", b"junk\n" + PDF, "cv.PDF", "application/pdf"),
        ("cv", PDF, "cv.pdf", "application/pdf"),
        ("Ada v1.2", PDF, "Ada v1.2.pdf", "application/pdf"),
        ("cv.doc", DOC, "cv.doc", "application/msword"),
        (
            "cv.docx",
            DOCX,
            "cv.docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        ("cv.rtf", RTF, "cv.rtf", "application/rtf"),
        ("letter.txt", "Grüße\n".encode(), "letter.txt", "text/plain"),
        ("", b"Dear all", "document.txt", "text/plain"),
    ],
)
def test_a_document_is_known_by_its_bytes(name: str, content: bytes, kept: str, media_type: str):
    found = accepted(name, content)
    assert (found.file_name, found.media_type) == (kept, media_type)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cv.pdf", DOCX),
        ("cv.docx", PDF),
        ("cv.pdf", b"MZ\x90\x00"),
        ("cv.docx", zipped("xl/workbook.xml")),
        ("cv.doc", OLE),
        ("page.html", b"<script>alert(1)</script>"),
        ("cv.txt", b"a\x00b"),
        ("cv.txt", b"\xff\xfe\x41"),
        ("cv.pdf", b"plain words"),
        ("cv.txt", b"   "),
    ],
)
def test_what_is_not_what_it_says_is_refused(name: str, content: bytes):
    with pytest.raises(DocumentUnsupported):
        accepted(name, content)


def test_empty_and_too_large_files_are_refused():
    with pytest.raises(DocumentEmpty):
        accepted("cv.pdf", b"")
    with pytest.raises(DocumentTooLarge):
        accepted("cv.pdf", PDF + b"x" * MAX_BYTES)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("C:\\Users\\ada\\cv.pdf", "cv.pdf"),
        ("../../etc/passwd", "passwd"),
        ('a"b\r\nX: y.pdf', "a b X y.pdf"),
        ("...", "document"),
        ("/", "document"),
        ("x" * 500 + ".pdf", "x" * 116 + ".pdf"),
        ("Lebenslauf, Zoë Ö.pdf", "Lebenslauf, Zoë Ö.pdf"),
    ],
)
def test_a_name_is_made_safe(given: str, kept: str):
    assert safe_name(given) == kept


@given(st.text(), st.binary(max_size=64))
def test_any_name_and_bytes_are_answered(name: str, content: bytes):
    assert 1 <= len(safe_name(name)) <= 200
    format_of(content)
