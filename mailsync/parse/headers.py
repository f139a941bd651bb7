"""The head of a message: split, unfold, decode. Caps: 256 KiB of head, 1,000 fields, 16 KiB a field.

RFC 2047 words are decoded here and not by `email.header`, which raises on a word cut in half and does not
join a character that was split over two words.
"""

import binascii
import re

from mailsync.parse.characters import as_seen
from mailsync.parse.charsets import decode
from schema.text import clean

MOST_HEAD_BYTES = 256 * 1024
MOST_FIELDS = 1000
MOST_FIELD_BYTES = 16 * 1024

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_FIELD = re.compile(rb"([!-9;-~]{1,200})[ \t]*:")
_EMPTY_LINES = re.compile(rb"[\r\n]*")
_ENVELOPE = re.compile(rb">?From [^\r\n]{1,500}\r?\n")
# Fields of mail. A text that begins "Update: we ..." has none of them, and so no head.
_OF_MAIL = re.compile(
    r"(?:from|sender|to|cc|bcc|subject|date|received|references|precedence|priority|importance|status|organization"
    r"|keywords|comments|lines|newsgroups|path|user-agent"
    r"|(?:x|content|list|mime|message|return|reply|in-reply|delivered|dkim|domainkey|arc|authentication"
    r"|received|resent|auto|feedback|envelope|original|apparently|errors|thread|disposition|old)-.+)"
)
_FOLD = re.compile(r"\r\n[ \t]|[\r\n]")
_WORD = re.compile(r"=\?([^?\s]{1,80})\?([bBqQ])\?([^?]*)\?=(\s*(?==\?))?")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_AFTER_PADDING = re.compile(rb"=[^\r\n]*")
_MOST_PADDINGS = 1000


class Head:
    """Fields in their order, names lower case, values as sent. Asking never raises."""

    def __init__(self, fields: list[tuple[str, bytes]]) -> None:
        self._fields = fields

    def raw(self, name: str) -> bytes:
        """The first value, or empty."""
        return next((value for field, value in self._fields if field == name), b"")

    def every(self, name: str) -> list[bytes]:
        return [value for field, value in self._fields if field == name]

    def text(self, name: str, limit: int = 2000) -> str:
        """The first value decoded for reading, in one line, at most `limit` characters."""
        return decode_text(self.raw(name))[:limit].strip()

    def has(self, name: str) -> bool:
        return any(field == name for field, _ in self._fields)

    def is_of_mail(self) -> bool:
        return any(_OF_MAIL.fullmatch(field) for field, _ in self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def read_head(raw: bytes, start: int = 0, end: int | None = None) -> tuple[Head, int]:
    """The head that begins at `start` and where the body begins.

    Before the head of a message empty lines count for nothing; a part that begins with one has no head. A
    message without one field of mail is all body: a text was saved without its head.
    """
    stop = len(raw) if end is None else end
    if start:
        return _fields(raw, start, stop)
    begins = _after_envelope(raw, start, stop)
    head, body = _fields(raw, begins, stop)
    return (head, body) if head.is_of_mail() else (Head([]), begins)


def _fields(raw: bytes, position: int, stop: int) -> tuple[Head, int]:
    last = min(stop, position + MOST_HEAD_BYTES)
    fields: list[tuple[str, bytes]] = []
    while position < last:
        line_end = _line_end(raw, position, stop)
        line = raw[position : min(line_end, position + MOST_FIELD_BYTES)]
        if not line.strip(b"\r\n"):
            return Head(fields), line_end
        if not _take(fields, line) and not _head_goes_on(raw, line_end, stop):
            return Head(fields), position
        position = line_end
    return Head(fields), position


def _after_envelope(raw: bytes, start: int, stop: int) -> int:
    """Behind a byte order mark, empty lines and an envelope line, which exports leave before the head."""
    start += len(_BYTE_ORDER_MARK) if raw.startswith(_BYTE_ORDER_MARK, start, stop) else 0
    empty = _EMPTY_LINES.match(raw, start, stop)
    start = empty.end() if empty else start
    envelope = _ENVELOPE.match(raw, start, stop)
    return envelope.end() if envelope else start


def _line_end(raw: bytes, position: int, stop: int) -> int:
    newline = raw.find(b"\n", position, stop)
    return stop if newline < 0 else newline + 1


def _take(fields: list[tuple[str, bytes]], line: bytes) -> bool:
    """Adds the line to the fields; False when it is no part of a head."""
    if line[:1] in b" \t":
        if fields:
            name, value = fields[-1]
            if len(value) < MOST_FIELD_BYTES:
                fields[-1] = (name, value + line)
        return True
    field = _FIELD.match(line)
    if field is None:
        return False
    if len(fields) < MOST_FIELDS:
        fields.append((field[1].decode("ascii").lower(), line[field.end() :]))
    return True


def _head_goes_on(raw: bytes, position: int, stop: int) -> bool:
    """One broken line between two fields is skipped; anything else ends the head."""
    return _FIELD.match(raw, position, min(stop, position + 300)) is not None


def decode_text(value: bytes) -> str:
    """A field for reading: charset guessed, folds and encoded words undone, invisible marks dropped."""
    text, _ = decode(value[:MOST_FIELD_BYTES])
    return one_line(decode_words(_FOLD.sub(" ", text)))


def one_line(text: str) -> str:
    """Spaces collapsed, control and direction marks gone: an encoded word can hide CR LF."""
    return as_seen(clean(" ".join(text.split())))


def decode_words(text: str) -> str:
    """RFC 2047 words decoded; neighbours of one charset are joined as bytes first; a broken word stays."""
    if "=?" not in text:
        return text
    out: list[str] = []
    pending = b""
    charset = ""
    position = 0
    for word in _WORD.finditer(text):
        if word.start() > position or word[1].lower() != charset:
            out.append(decode(pending, charset)[0])
            pending = b""
        out.append(text[position : word.start()])
        charset = word[1].lower().partition("*")[0]
        pending += _word_bytes(word[2], word[3])
        position = word.end()
    out.extend((decode(pending, charset)[0], text[position:]))
    return "".join(out)


def _word_bytes(encoding: str, payload: str) -> bytes:
    raw = payload.encode("latin-1", errors="replace")
    if encoding in "bB":
        return decode_base64(raw)
    return binascii.a2b_qp(raw, header=True)


def decode_base64(raw: bytes) -> bytes:
    """Lenient: foreign characters skipped, missing padding added, a lone last character dropped.

    Padding ends a block: what follows it on its line says nothing, and the next line begins another block.
    """
    if raw.count(b"=") > _MOST_PADDINGS:
        return _block(raw)
    return b"".join(_block(block) for block in _AFTER_PADDING.split(raw))


def _block(raw: bytes) -> bytes:
    sextets = _NOT_BASE64.sub(b"", raw)
    whole = sextets[: len(sextets) - 1] if len(sextets) % 4 == 1 else sextets
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
