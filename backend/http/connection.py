"""One browser's connection: a request's head may be so large and take so long, then the line is cut.

uvicorn's fast parser takes a head of any size at any pace, so that one program could fill our memory, or hold
every connection, before it said who it is. Bodies have limits of their own, where they are read.
"""

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Connection(HttpToolsProtocol):
    HEAD_MAX_BYTES: ClassVar[int] = 128 * 1024
    HEAD_SECONDS: ClassVar[float] = 30.0

    _head_bytes = 0
    _in_head = True
    _head_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - as uvicorn narrows it
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > self.HEAD_MAX_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of this request is too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        if self._head_due is None:
            self._expect_head()

    def on_headers_complete(self) -> None:
        self._in_head, self._head_bytes = False, 0
        self._forget_due()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head = True

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_due()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        self._head_due = self.loop.call_later(self.HEAD_SECONDS, self._too_slow)

    def _too_slow(self) -> None:
        self._head_due = None
        if not self.transport.is_closing():
            self.transport.close()

    def _forget_due(self) -> None:
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None
