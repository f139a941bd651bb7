"""What may be kept as a résumé or cover letter, known by its bytes and not by its name alone. Pure."""

import re
from pathlib import PurePosixPath

import msgspec

from schema.errors import Refusal
from schema.text import clean

MAX_BYTES = 10 * 1024 * 1024
MAX_DOCUMENTS = 20
MAX_NAME_CHARS = 120

_UNSAFE = re.compile(r'[\x00-\x1f\x7f"<>|*?:]+')
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f]")
_PDF_WITHIN_BYTES = 1024
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_WORD_STREAM = "WordDocument".encode("utf-16-le")


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """`suffixes` are what such a file may be called; the first is given to a file without one."""

    media_type: str
    suffixes: tuple[str, ...]
    words: str


PDF = Format(media_type="application/pdf", suffixes=(".pdf",), words="a PDF")
DOC = Format(media_type="application/msword", suffixes=(".doc", ".dot"), words="an old Word document")
DOCX = Format(
    media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    suffixes=(".docx",),
    words="a Word document",
)
RTF = Format(media_type="application/rtf", suffixes=(".rtf",), words="a rich text document")
TEXT = Format(media_type="text/plain", suffixes=(".txt", ".text", ".md"), words="plain text")


class DocumentEmpty(Refusal):
    """The file is empty; nothing was kept."""

    code = "document_empty"


class DocumentTooLarge(Refusal):
    """The file is larger than 10 MB; nothing was kept."""

    code = "document_too_large"
    kind = "too_large"


class DocumentUnsupported(Refusal):
    """The file is no PDF, Word, RTF or text document; nothing was kept."""

    code = "document_unsupported"
    kind = "unsupported"


class TooManyDocuments(Refusal):
    """There are twenty documents already; delete one first."""

    code = "too_many_documents"
    kind = "conflict"


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    file_name: str
    media_type: str


def accepted(file_name: str, content: bytes) -> Accepted:
    """The safe name and true type of a file, or the refusal that says why it is not kept."""
    if not content:
        raise DocumentEmpty
    if len(content) > MAX_BYTES:
        raise DocumentTooLarge
    name = safe_name(file_name)
    suffix = PurePosixPath(name).suffix.lower()
    found = format_of(content)
    if found is None or (found is TEXT and suffix and suffix not in TEXT.suffixes):
        raise DocumentUnsupported
    if suffix not in found.suffixes:
        if _is_claim(suffix):
            raise DocumentUnsupported(f"The file is called {suffix} but holds {found.words}.")
        name += found.suffixes[0]
    return Accepted(file_name=name, media_type=found.media_type)


def _is_claim(suffix: str) -> bool:
    return any(suffix in known.suffixes for known in (PDF, DOC, DOCX, RTF, TEXT))


def format_of(content: bytes) -> Format | None:
    """The format the bytes themselves show; None for anything else."""
    if b"%PDF-" in content[:_PDF_WITHIN_BYTES]:
        return PDF
    if content.startswith(b"{\\rtf"):
        return RTF
    if content.startswith(_OLE):  # spreadsheets share the container
        return DOC if _OLE_WORD_STREAM in content else None
    if content.startswith(b"PK\x03\x04"):  # names of members stand uncompressed in the directory
        return DOCX if b"word/document.xml" in content else None
    return TEXT if _is_text(content) else None


def _is_text(content: bytes) -> bool:
    if _CONTROL.search(content):
        return False
    try:
        return bool(content.decode("utf-8-sig").strip())
    except UnicodeDecodeError:
        return False


def safe_name(file_name: str) -> str:
    """The last part of a path, without what file systems and headers take amiss; the suffix is kept."""
    last = clean(file_name).replace("\\", "/").rpartition("/")[2]
    name = " ".join(_UNSAFE.sub(" ", last).split()).strip(". ")
    path = PurePosixPath(name or "document")
    suffix = path.suffix[:10]
    return f"{path.stem[: MAX_NAME_CHARS - len(suffix)]}{suffix}"
