"""The text of one document, taken out in a process that can be stopped: the files come from outside.

    python -m extension_api.documents.extraction MEDIA_TYPE < file

writes an `Extracted` as JSON and ends with 0 whatever the file holds. It limits its own memory and processor
time; how long it may take altogether is its caller's to watch. Nothing of a file goes to a log.
"""

import io
import logging
import re
import sys
import zipfile
from collections.abc import Iterator
from typing import Literal
from xml.parsers import expat

import msgspec

from extension_api.documents.rules import DOCX, PDF, TEXT
from schema.text import clean

MOST_CHARS = 200_000
MOST_PAGES = 100
MOST_XML_BYTES = 30 * 1024 * 1024
_MEMORY_BYTES = 1024 * 1024 * 1024
_PROCESSOR_SECONDS = 20

TextState = Literal["read", "empty", "unreadable", "unsupported"]

_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\n\s*\n\s*")
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_BREAKS = {f"{_WORD}tab": "\t", f"{_WORD}br": "\n", f"{_WORD}cr": "\n"}


class Extracted(msgspec.Struct, frozen=True, kw_only=True):
    """`text` only where the state is `read`. `empty`: a scan, or nothing at all."""

    state: TextState
    text: str | None = None


class _Unreadable(Exception):
    """The file is not what its beginning promised."""


def extracted(media_type: str, content: bytes) -> Extracted:
    """Whatever the library meets in a broken file is no fault of ours: the file is `unreadable`."""
    readers = {PDF.media_type: _pdf, DOCX.media_type: _docx, TEXT.media_type: _plain}
    reader = readers.get(media_type)
    if reader is None:
        return Extracted(state="unsupported")
    try:
        text = _tidied(reader(content))
    except (Exception, MemoryError, RecursionError):  # noqa: BLE001 - any of them says the same of the file
        return Extracted(state="unreadable")
    return Extracted(state="read", text=text) if text else Extracted(state="empty")


def _plain(content: bytes) -> Iterator[str]:
    yield content.decode("utf-8-sig")


def _pdf(content: bytes) -> Iterator[str]:
    import pypdf  # noqa: PLC0415 - only this process ever needs it

    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)
    reader = pypdf.PdfReader(io.BytesIO(content), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise _Unreadable
    for number, page in enumerate(reader.pages):
        if number == MOST_PAGES:
            return
        yield page.extract_text() + "\n\n"


def _docx(content: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open("word/document.xml") as member:
        xml = member.read(MOST_XML_BYTES + 1)
    if len(xml) > MOST_XML_BYTES:
        raise _Unreadable
    words = _Words()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = words.start
    parser.EndElementHandler = words.end
    parser.CharacterDataHandler = words.data
    parser.Parse(xml, True)
    yield from words.parts


def _refuse(*_: object) -> None:
    """No program that writes Word documents declares a type; those that do declare entities."""
    raise _Unreadable


class _Words:
    """Gathers the runs of text of a Word document; what stands twice for older programs is read once."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._in_text = False
        self._fallbacks = 0

    def start(self, name: str, _: object) -> None:
        self._fallbacks += name == _FALLBACK
        self._in_text = name == f"{_WORD}t"
        if not self._fallbacks and name in _BREAKS:
            self.parts.append(_BREAKS[name])

    def end(self, name: str) -> None:
        self._fallbacks -= name == _FALLBACK
        self._in_text = False
        if name == f"{_WORD}p" and not self._fallbacks:
            self.parts.append("\n")

    def data(self, text: str) -> None:
        if self._in_text and not self._fallbacks:
            self.parts.append(text)


def _tidied(parts: Iterator[str]) -> str:
    kept: list[str] = []
    length = 0
    for part in parts:
        kept.append(part[: MOST_CHARS - length])
        length += len(kept[-1])
        if length >= MOST_CHARS:
            break
    text = _SPACES.sub(" ", clean("".join(kept)).replace("\r\n", "\n").replace("\r", "\n"))
    return _LINES.sub("\n\n", text).strip()


def _limit() -> None:
    try:
        import resource  # noqa: PLC0415 - not on Windows, where the caller's clock alone holds
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR_SECONDS, _PROCESSOR_SECONDS))


if __name__ == "__main__":
    _limit()
    sys.stdout.buffer.write(msgspec.json.encode(extracted(sys.argv[1], sys.stdin.buffer.read())))
