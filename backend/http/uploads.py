"""A form that brings a file, read as it arrives: the file goes straight to disk, never whole into memory.

Litestar's own form parser would keep the file in the machine's temporary folder and we would copy it again.
The file lies in a folder of ours, readable by nobody else, and is gone when the block ends unless it is kept.
"""

import asyncio
import errno
import hashlib
import os
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from litestar.exceptions import ClientException
from multipart import MultipartError, MultipartSegment, PushMultipartParser

from backend.http.forms import Form
from backend.http.parts import Parts
from backend.http.refusals import Malformed, TooLarge, WrongMediaType
from backend.http.requests import Req
from schema.errors import Refusal
from schema.text import clean, shorten

NAME_MAX = 200
_MEGABYTE = 1024 * 1024
_FIELD_MAX = 256 * 1024
_FIELDS_MAX = 50
_UNFINISHED = ".part"
_UNFINISHED_SECONDS = 86_400.0
_HEADERS_ALLOWANCE = _MEGABYTE
"""What the fields and the frame around a file may add to it."""


class NoRoom(Refusal):
    """There is no room left where Jobtrail keeps its files; nothing was kept of what you sent."""

    code = "no_room"
    kind = "unavailable"


class Upload(msgspec.Struct, frozen=True, kw_only=True):
    """A file that came with a form. `name` is what the sender calls it, without any folder."""

    name: str
    path: Path
    size_bytes: int
    sha256: str


class Sent:
    """What arrived. `keep()` lets the file outlive a block that ends well."""

    def __init__(self, spool: "Spool") -> None:
        self.form = Form({})
        self.file: Upload | None = None
        self.kept = False
        self._spool = spool

    def keep(self) -> Path:
        """The file's lasting place; until now it was called unfinished."""
        self.kept = True
        return self._spool.settle()


def spool_of(parts: Parts) -> Path:
    """The folder of files on their way in; a worker on this machine reads them from here."""
    return parts.settings.home.folder() / "spool"


@asynccontextmanager
async def received(request: Req, folder: Path, *, field: str, limit_bytes: int) -> AsyncGenerator[Sent, None]:
    """The submitted form and the file sent in `field`; None when no file was chosen.

    Raises `TooLarge`, `Malformed`, `WrongMediaType` or `NoRoom`, and then nothing stays on disk.
    """
    _require_size(request, limit_bytes)
    spool = Spool(folder, limit_bytes)
    sent, ended_well = Sent(spool), False
    try:
        await _read(request, field, sent, spool)
        yield sent
        ended_well = True
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise NoRoom from error
        raise
    finally:
        await asyncio.to_thread(spool.close)
        if not (sent.kept and ended_well):
            await asyncio.to_thread(spool.discard)


def forget_unfinished(folder: Path) -> int:
    """Remove what a process that was killed left half-sent, once nobody can be sending it any more."""
    limit = time.time() - _UNFINISHED_SECONDS
    return sum(_forgotten(path, limit) for path in folder.glob(f"upload-*{_UNFINISHED}"))


def _forgotten(path: Path, limit: float) -> bool:
    """Whether it was old and is removed now; another process that starts may have been faster."""
    try:
        old = path.stat().st_mtime < limit
        if old:
            path.unlink()
    except FileNotFoundError:
        return False
    return old


class Spool:
    """One private file that grows in steps of a megabyte, written and hashed off the event loop."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._waiting = bytearray()
        self._hash = hashlib.sha256()
        self._descriptor = -1
        self.path: Path | None = None
        self.size_bytes = 0

    async def write(self, part: bytes | bytearray) -> None:
        self.size_bytes += len(part)
        if self.size_bytes > self._limit_bytes:
            raise TooLarge(f"The file is larger than {self._limit_bytes // _MEGABYTE:,} MB.")
        self._waiting += part
        if len(self._waiting) >= _MEGABYTE:
            await self.flush()

    async def flush(self) -> None:
        whole, self._waiting = bytes(self._waiting), bytearray()
        await asyncio.to_thread(self._append, whole)

    def _append(self, whole: bytes) -> None:
        if self._descriptor < 0:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._descriptor, name = tempfile.mkstemp(prefix="upload-", suffix=_UNFINISHED, dir=self._folder)
            self.path = Path(name)
        self._hash.update(whole)
        rest = memoryview(whole)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def upload(self, name: str) -> Upload:
        if self.path is None:
            raise TypeError("nothing was flushed yet")
        return Upload(name=name, path=self.path, size_bytes=self.size_bytes, sha256=self._hash.hexdigest())

    def settle(self) -> Path:
        if self.path is None:
            raise TypeError("nothing was flushed yet")
        self.path = self.path.rename(self.path.with_suffix(""))
        return self.path

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def discard(self) -> None:
        if self.path is not None:
            self.path.unlink(missing_ok=True)


async def _read(request: Req, field: str, sent: Sent, spool: Spool) -> None:
    fields: dict[str, list[str]] = {}
    reader = _Reader(field, fields, spool)
    try:
        with PushMultipartParser(_boundary(request), max_segment_count=_FIELDS_MAX) as parser:
            async for chunk in request.stream():
                for event in parser.parse(chunk):
                    await reader.take(event)
    except MultipartError as error:
        raise Malformed("The form arrived broken; nothing was kept. Send it again.") from error
    sent.form = Form(fields)
    sent.file = await reader.file()


class _Reader:
    """Sorts the parts of a form: the one file to the spool, everything else into the fields."""

    def __init__(self, field: str, fields: dict[str, list[str]], spool: Spool) -> None:
        self._field = field
        self._fields = fields
        self._spool = spool
        self._segment: MultipartSegment | None = None
        self._text = bytearray()
        self._name: str | None = None

    async def take(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        if isinstance(event, MultipartSegment):
            self._begin(event)
        elif event is None:
            self._end()
        elif self._segment is None or self._segment.filename is None:
            self._text += event
            if len(self._text) > _FIELD_MAX:
                raise TooLarge("One field of the form is larger than this address takes.")
        elif self._name and self._segment.name == self._field:
            await self._spool.write(event)

    async def file(self) -> Upload | None:
        """The file that came, an empty one included; None when the form names none."""
        if not self._name:
            return None
        await self._spool.flush()
        return self._spool.upload(self._name)

    def _begin(self, segment: MultipartSegment) -> None:
        self._segment = segment
        self._text = bytearray()
        if segment.name != self._field or segment.filename is None:
            return
        if self._name:
            raise Malformed("Send one file at a time.")
        self._name = file_name(segment.filename)

    def _end(self) -> None:
        segment, self._segment = self._segment, None
        if segment is not None and segment.filename is None:
            text = clean(self._text.decode("utf-8", errors="replace")).replace("\r\n", "\n")
            self._fields.setdefault(clean(segment.name or ""), []).append(text)


def file_name(sent: str) -> str:
    """What a file may be called here: the last part of what was sent, in at most `NAME_MAX` characters."""
    last = clean(sent).replace("\\", "/").rpartition("/")[2].strip()
    return shorten("".join(letter for letter in last if letter.isprintable()), NAME_MAX)


def _boundary(request: Req) -> str:
    content_type, options = request.content_type
    boundary = options.get("boundary", "")
    if content_type != "multipart/form-data" or not boundary:
        raise WrongMediaType("This address reads a form that brings a file.")
    return boundary


def _require_size(request: Req, limit_bytes: int) -> None:
    try:
        announced = request.content_length or 0
    except ClientException as error:
        raise Malformed from error
    if announced > limit_bytes + _HEADERS_ALLOWANCE:
        raise TooLarge(f"The file is larger than {limit_bytes // _MEGABYTE:,} MB.")
