"""Just enough HTTP/1 for probes and scrapes: GET and HEAD of a few paths, one answer to a connection.

Whatever comes in is answered plainly or cut off: requests are short, connections few and over within seconds,
and the oldest one goes when too many come. It reads no body and keeps no connection open.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus

import msgspec
import structlog

from schema.faults import told

log = structlog.get_logger()

LINE_BYTES = 8192
MOST_HEADERS = 100
MOST_CONNECTIONS = 32
PATIENCE_SECONDS = 5.0
"""The time a connection has from its first byte to its last."""

_REQUEST = re.compile(rb"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.[01]\r?\n")


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    status: HTTPStatus
    body: bytes
    media_type: str = "text/plain; charset=utf-8"


Page = Callable[[], Awaitable[Answer]]


class Conversations:
    """`meet` is asyncio's callback for a new connection. `pages` are known by their path."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self._pages = pages
        self._open: dict[asyncio.StreamWriter, None] = {}

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._open) >= MOST_CONNECTIONS:
            self._cut_off(next(iter(self._open)))
        self._open[writer] = None
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._talk(reader, writer)
        except (TimeoutError, OSError):
            pass  # it took too long, or left
        finally:
            self._cut_off(writer)

    def end(self) -> None:
        for writer in list(self._open):
            self._cut_off(writer)

    def _cut_off(self, writer: asyncio.StreamWriter) -> None:
        self._open.pop(writer, None)
        writer.transport.abort()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            method, path = await _request(reader)
        except ValueError:
            method, answer = "GET", _plain(HTTPStatus.BAD_REQUEST)
        else:
            answer = await self._answer(method, path)
        writer.write(_head(answer) + (b"" if method == "HEAD" else answer.body))
        await writer.drain()
        writer.write_eof()
        # Closing over unread bytes would take the answer back before the client has read it.
        while await reader.read(LINE_BYTES):
            continue

    async def _answer(self, method: str, path: str) -> Answer:
        if (page := self._pages.get(path.partition("?")[0])) is None:
            return _plain(HTTPStatus.NOT_FOUND)
        if method not in {"GET", "HEAD"}:
            return _plain(HTTPStatus.METHOD_NOT_ALLOWED)
        try:
            return await page()
        except Exception as error:  # noqa: BLE001 - whoever asks gets an answer, the log the fault
            log.error("a monitor's question met a fault", path=path.partition("?")[0], error=told(error))
            return _plain(HTTPStatus.INTERNAL_SERVER_ERROR)


async def _request(reader: asyncio.StreamReader) -> tuple[str, str]:
    """Method and path. Raises `ValueError` for anything that is not a short request."""
    found = _REQUEST.fullmatch(await reader.readline())
    if found is None:
        raise ValueError
    for _ in range(MOST_HEADERS):
        if not (await reader.readline()).rstrip(b"\r\n"):
            return found[1].decode(), found[2].decode()
    raise ValueError


def _plain(status: HTTPStatus) -> Answer:
    return Answer(status=status, body=f"{status.phrase}\n".encode())


def _head(answer: Answer) -> bytes:
    lines = [
        f"HTTP/1.1 {answer.status.value} {answer.status.phrase}",
        f"Content-Type: {answer.media_type}",
        f"Content-Length: {len(answer.body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
    ]
    if answer.status == HTTPStatus.METHOD_NOT_ALLOWED:
        lines.append("Allow: GET, HEAD")
    return "\r\n".join([*lines, "", ""]).encode()
