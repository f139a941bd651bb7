"""How a body arrives: unpacked within a limit, and known to be whole. Pure; `client.py` feeds it.

A packed answer of a few kilobytes can unpack to gigabytes, and a packing library that is asked for everything
gives everything: here what comes out is counted while it comes out. A packed stream that stops early is cut
short even where the transfer itself looked complete.
"""

import zlib
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pipeline.sources.types import FetchFailed

_STEP_BYTES = 64 * 1024
_GZIP = 16 + zlib.MAX_WBITS
_MEMBER = b"\x1f\x8b"
_MEGABYTE = 1024 * 1024


class Unpacking:
    """`take` chunks as they arrive, then `whole()`. `is_full`: the rest is not needed (only when clipped)."""

    def __init__(self, encoding: str, *, most_bytes: int, is_clipped: bool = False) -> None:
        named = encoding.strip().lower()
        if named not in {"", "identity", "gzip", "x-gzip"}:
            # Also packings one inside the other: nobody asked for any of them.
            raise FetchFailed("cut_short", "it came packed in a way that was not asked for")
        self._gzip = zlib.decompressobj(_GZIP) if named.endswith("gzip") else None
        self._most = most_bytes
        self._is_clipped = is_clipped
        self._body = bytearray()
        self._sent = 0
        self.is_full = False

    def take(self, chunk: bytes) -> None:
        self._sent += len(chunk)
        if self._sent > self._most and not self._is_clipped:
            raise FetchFailed("too_large", f"more than {self._most // _MEGABYTE} MB")
        if self._gzip is None:
            self._add(chunk)
        while self._gzip is not None and chunk and not self.is_full:
            self._add(self._unpacked(chunk))
            chunk = self._gzip.unconsumed_tail or self._next_member()

    def whole(self) -> bytes:
        """Raises `FetchFailed` when the packing says that something is missing."""
        while self._gzip is not None and self._sent and not self._gzip.eof and not self.is_full:
            piece = self._unpacked(b"")
            if not piece and not self._gzip.eof:
                raise FetchFailed("cut_short", "the packed body stops early")
            self._add(piece)
        return bytes(self._body)

    def _next_member(self) -> bytes:
        """What follows a packed stream that ended: another one begins, or it is padding."""
        after = self._gzip.unused_data if self._gzip is not None and self._gzip.eof else b""
        if not after.startswith(_MEMBER):
            return b""
        self._gzip = zlib.decompressobj(_GZIP)
        return after

    def _unpacked(self, chunk: bytes) -> bytes:
        if self._gzip is None:
            return chunk
        try:
            return self._gzip.decompress(chunk, _STEP_BYTES)
        except zlib.error as error:
            raise FetchFailed("cut_short", "the packed body cannot be unpacked") from error

    def _add(self, piece: bytes) -> None:
        self._body += piece
        if len(self._body) <= self._most:
            return
        if not self._is_clipped:
            raise FetchFailed("too_large", f"more than {self._most // _MEGABYTE} MB")
        del self._body[self._most :]
        self.is_full = True


def retry_after_seconds(text: str, date: str = "") -> int | None:
    """Seconds the platform asks to wait; a date is measured from the platform's own clock, `date`."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return int(text[:9])
    until, since = _http_date(text), _http_date(date)
    return None if until is None or since is None else max(0, int((until - since).total_seconds()))


def _http_date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
