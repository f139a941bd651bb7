"""An mbox stream cut into messages without holding more than one of them.

Reads mboxo, mboxrd and Takeout files, with LF or CRLF. A message begins where a line reads like an envelope
(`From somebody ... 10:30 ...`) and a header field follows, so prose that begins with "From" cuts nothing.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from mailsync.archive.types import MOST_MESSAGE_BYTES

_CHUNK_BYTES = 1024 * 1024
_LOOK_AHEAD_BYTES = 2048

_ENVELOPE = re.compile(
    rb"From [^\r\n]{1,400}\d\d?:\d\d[^\r\n]{0,200}\r?\n(?=[!-9;-~]{1,200}[ \t]*:|\r?\n|>?From |\Z)"
)
_START = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*")
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """One message between two offsets of the stream; `raw` is None when it was longer than the cap."""

    start: int
    end: int
    raw: bytes | None


def looks_like_mbox(beginning: bytes) -> bool:
    """Whether a file that begins so is an mbox. Needs the first 2 KiB."""
    start = _START.match(beginning)
    return _ENVELOPE.match(beginning, start.end() if start else 0) is not None


def stretches(stream: BinaryIO, start: int = 0, cap_bytes: int = MOST_MESSAGE_BYTES) -> Iterator[Stretch]:
    """The messages from offset `start` on; the stream must stand there already."""
    scanner = _Scanner(stream, start, cap_bytes)
    while (stretch := scanner.next()) is not None:
        if stretch.raw is None or (stretch.raw and not stretch.raw.isspace()):
            yield stretch
        del stretch


class _Scanner:
    """Keeps the current message in a buffer, or only its offsets once it is longer than the cap."""

    def __init__(self, stream: BinaryIO, start: int, cap_bytes: int) -> None:
        self._stream = stream
        self._cap_bytes = cap_bytes
        self._buffer = bytearray()
        self._message_start = start
        self._buffer_start = start
        self._searched = 0
        self._ended = False
        self._damage: Exception | None = None

    def next(self) -> Stretch | None:
        while True:
            cut = self._find()
            if cut is not None:
                return self._take(cut)
            if self._damage is not None:
                raise self._damage
            if self._ended:
                return self._take(len(self._buffer)) if self._buffer or self._dropped else None
            self._read()

    @property
    def _dropped(self) -> bool:
        return self._buffer_start > self._message_start

    def _read(self) -> None:
        if len(self._buffer) > self._cap_bytes:
            kept = _LOOK_AHEAD_BYTES
            self._buffer_start += len(self._buffer) - kept
            del self._buffer[:-kept]
            self._searched = 0
        try:
            chunk = self._stream.read(_CHUNK_BYTES)
        except Exception as damage:  # noqa: BLE001 - raised again behind the whole messages that came before
            self._damage, chunk = damage, b""
        self._ended = not chunk
        self._buffer += chunk

    def _find(self) -> int | None:
        """Where the next message begins in the buffer, once enough of what follows is there to tell."""
        last = len(self._buffer) if self._ended else len(self._buffer) - _LOOK_AHEAD_BYTES
        while (newline := self._buffer.find(b"\nFrom ", self._searched)) >= 0 and newline < last:
            self._searched = newline + 1
            if _ENVELOPE.match(self._buffer, newline + 1):
                return newline + 1
        if newline < 0:
            self._searched = max(self._searched, last - len(b"\nFrom "), 0)
        return None

    def _take(self, cut: int) -> Stretch:
        end = self._buffer_start + cut
        whole = not self._dropped and cut <= self._cap_bytes
        raw = bytes(memoryview(self._buffer)[self._head_start() : cut]) if whole else None
        # Freed before the quoting is undone, so that a large message is never held three times.
        del self._buffer[:cut]
        stretch = Stretch(start=self._message_start, end=end, raw=None if raw is None else _unquoted(raw))
        self._message_start = self._buffer_start = end
        self._searched = 0
        return stretch

    def _head_start(self) -> int:
        """Behind the envelope line."""
        start = _START.match(self._buffer)
        begin = start.end() if start else 0
        envelope = _ENVELOPE.match(self._buffer, begin)
        return envelope.end() if envelope else begin


def _unquoted(raw: bytes) -> bytes:
    return _QUOTED_FROM.sub(rb"\1", raw) if b">From " in raw else raw
