"""The mail inside a zip, with the guards against zips made to exhaust the reader.

At most 32 MiB of directory, 100,000 members, 64 GiB unpacked, and unpacked at most 100 times the size of the
file (above 64 MiB). Declared sizes suffice, as no more than the declared size is ever unpacked. Zips inside
are not opened, and no name is ever used as a path.
"""

import io
import struct
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from mailsync.archive.types import ArchiveTooLarge, ArchiveUnreadable, Member, MemberEncrypted
from schema.text import clean, grouped

MOST_DIRECTORY_BYTES = 32 * 1024 * 1024
MOST_MEMBERS = 100_000
MOST_UNPACKED_BYTES = 64 * 1024**3
MOST_RATIO = 100
_RATIO_COUNTS_FROM_BYTES = 64 * 1024 * 1024
_PIECE_BYTES = 16 * 1024
_ENCRYPTED = 1
_END_OF_DIRECTORY = struct.Struct("<4s4H2LH")
_LONGEST_COMMENT = 65_535
_LARGE_RECORDS_BYTES = 76  # zip64 end record and its locator
_LARGE_DIRECTORY_SIZE_AT = 40
_SAID_IN_LARGE_RECORD = 0xFFFFFFFF


def zip_members(path: Path) -> Iterator[Member]:
    _refuse_huge_directory(path)
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, RuntimeError, ValueError, struct.error) as error:
        raise ArchiveUnreadable(f"{path.name} is a damaged zip file.") from error
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > MOST_MEMBERS:
        raise ArchiveTooLarge(f"The zip holds more than {grouped(MOST_MEMBERS)} files.")
    mail = [info for info in infos if info.filename.lower().endswith((".mbox", ".eml"))]
    _refuse_bomb(sum(info.file_size for info in mail), path.stat().st_size)
    for number, info in enumerate(mail):
        yield _zip_member(archive, info, number)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, number: int) -> Member:
    def opened() -> BinaryIO:
        if info.flag_bits & _ENCRYPTED:
            raise MemberEncrypted
        return cast("BinaryIO", _Unpacked(archive.open(info)))

    name = f"{clean(info.filename)}#{number}"  # two members of a zip may carry one name
    kind = "mbox" if info.filename.lower().endswith(".mbox") else "eml"
    return Member(name=name, kind=kind, size_bytes=info.file_size, opened=opened)


def _refuse_bomb(unpacked: int, packed: int) -> None:
    if unpacked > MOST_UNPACKED_BYTES:
        raise ArchiveTooLarge(f"The zip unpacks to more than {MOST_UNPACKED_BYTES // 1024**3} GiB.")
    if unpacked > _RATIO_COUNTS_FROM_BYTES and unpacked > MOST_RATIO * packed:
        raise ArchiveTooLarge(f"The zip unpacks to more than {MOST_RATIO} times its size.")


def _refuse_huge_directory(path: Path) -> None:
    """The directory is read into memory as a whole, so its size is asked before."""
    with path.open("rb") as stream:
        stream.seek(
            max(0, path.stat().st_size - _END_OF_DIRECTORY.size - _LONGEST_COMMENT - _LARGE_RECORDS_BYTES)
        )
        tail = stream.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or end + _END_OF_DIRECTORY.size > len(tail):
        return
    sizes = [_END_OF_DIRECTORY.unpack_from(tail, end)[5] % _SAID_IN_LARGE_RECORD]
    large = tail.rfind(b"PK\x06\x06", 0, end)
    if large >= 0 and large + _LARGE_DIRECTORY_SIZE_AT + 8 <= len(tail):
        sizes.append(struct.unpack_from("<Q", tail, large + _LARGE_DIRECTORY_SIZE_AT)[0])
    if max(sizes) > MOST_DIRECTORY_BYTES:
        raise ArchiveTooLarge("The zip holds too many files.")


class _Unpacked(io.BufferedIOBase):
    """A member read in small pieces, so that of a damaged one everything before the damage arrives."""

    def __init__(self, member: IO[bytes]) -> None:
        super().__init__()
        self._member = member
        self._damage: Exception | None = None

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        if self._damage is not None:
            raise self._damage
        wanted = sys.maxsize if size is None or size < 0 else size
        whole = bytearray()
        try:
            while len(whole) < wanted and (
                piece := self._member.read(min(_PIECE_BYTES, wanted - len(whole)))
            ):
                whole += piece
        except Exception as damage:
            if not whole:
                raise
            self._damage = damage
        return bytes(whole)

    def close(self) -> None:
        self._member.close()
        super().close()
