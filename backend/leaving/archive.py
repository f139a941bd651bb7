"""A zip that leaves while it is made: written to a sink part by part, never whole in memory or on disk."""

import asyncio
import zipfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import IO

Send = Callable[[bytes], Awaitable[None]]
_MODE = 0o600


class Archive:
    """One zip on its way out. Files are written one after the other."""

    def __init__(self, send: Send, made_at: datetime) -> None:
        self._send = send
        self._made_at = made_at.timetuple()[:6]
        self._out = _Out()
        self._zip = zipfile.ZipFile(self._out, "w", zipfile.ZIP_DEFLATED)  # type: ignore[arg-type]

    @asynccontextmanager
    async def file(self, name: str) -> AsyncGenerator[Send, None]:
        """`async with archive.file("a.txt") as write` takes its content in as many parts as there are."""
        info = zipfile.ZipInfo(name, date_time=self._made_at)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = _MODE << 16
        opened: IO[bytes] = self._zip.open(info, "w", force_zip64=True)

        async def write(content: bytes) -> None:
            await asyncio.to_thread(opened.write, content)
            await self._pass_on()

        try:
            yield write
        finally:
            await asyncio.to_thread(opened.close)
        await self._pass_on()

    async def add(self, name: str, content: bytes) -> None:
        async with self.file(name) as write:
            await write(content)

    async def end(self) -> None:
        """Without it the zip has no list of its files, and every program says that it is cut short."""
        await asyncio.to_thread(self._zip.close)
        await self._pass_on()

    async def _pass_on(self) -> None:
        if part := self._out.taken():
            await self._send(part)


class _Out:
    """What the zip is written to: cannot seek, so that nothing already sent has to change."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def write(self, part: bytes) -> int:
        self._waiting += part
        return len(part)

    def flush(self) -> None:
        """Nothing is held back here."""

    def taken(self) -> bytes:
        part, self._waiting = bytes(self._waiting), bytearray()
        return part
