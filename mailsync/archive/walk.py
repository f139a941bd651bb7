"""Every message of an archive in a fixed order, from any point again. Memory is one message, capped.

A position is `offset:member`. What cannot be read is yielded with a code and the walk goes on behind it.
"""

import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from mailsync.archive.mbox import Stretch, looks_like_mbox, stretches
from mailsync.archive.members import Archive
from mailsync.archive.types import MOST_MESSAGE_BYTES, Found, Member, MemberEncrypted, QuarantineCode

_BEGINNING_BYTES = 8192
_SKIP_BYTES = 1024 * 1024


def messages(archive: Archive, resume: str | None = None) -> Iterator[Found]:
    """All messages behind `resume`, the value of the last `Found.resume` that was dealt with."""
    offset, name = _parsed(resume)
    before = 0
    for member in archive.members:
        if member.name >= name:
            start = offset if member.name == name else 0
            yield from _guarded(member, start, before)
        before += member.size_bytes


def _parsed(resume: str | None) -> tuple[int, str]:
    if not resume:
        return 0, ""
    offset, _, name = resume.partition(":")
    return int(offset), name


def _guarded(member: Member, start: int, before: int) -> Iterator[Found]:
    """The member's messages; a member that breaks is one quarantined stretch from where it broke."""
    if start >= _end(member):
        return
    reached = start
    try:
        for found in _read(member, start, before):
            reached = found.done_bytes - before
            yield found
            del found  # or two messages would lie in memory, here and in the two loops below
    except MemberEncrypted:
        yield _lost(member, reached, before, "member_encrypted")
    except (zipfile.BadZipFile, zlib.error, EOFError):
        yield _lost(member, reached, before, "member_damaged")
    except (OSError, RuntimeError):  # an unknown compression is a RuntimeError of zipfile
        yield _lost(member, reached, before, "member_unreadable")


def _read(member: Member, start: int, before: int) -> Iterator[Found]:
    if member.kind == "eml":
        yield _whole(member, before)
        return
    with member.opened() as stream:
        if not looks_like_mbox(stream.read(_BEGINNING_BYTES)):
            yield _lost(member, start, before, "not_an_mbox")
            return
    with member.opened() as stream:
        _skip(stream, start)
        for stretch in stretches(stream, start):
            yield _cut_out(member, stretch, before)
            del stretch


def _cut_out(member: Member, stretch: Stretch, before: int) -> Found:
    return Found(
        position=f"{stretch.start}:{member.name}",
        resume=f"{stretch.end}:{member.name}",
        raw=stretch.raw or b"",
        size_bytes=stretch.end - stretch.start,
        done_bytes=before + stretch.end,
        code=None if stretch.raw is not None else "message_too_large",
    )


def _whole(member: Member, before: int) -> Found:
    raw = b""
    too_large = member.size_bytes > MOST_MESSAGE_BYTES
    if not too_large:
        with member.opened() as stream:
            raw = stream.read(MOST_MESSAGE_BYTES)
    return Found(
        position=f"0:{member.name}",
        resume=f"{_end(member)}:{member.name}",
        raw=raw,
        size_bytes=member.size_bytes,
        done_bytes=before + member.size_bytes,
        code="message_too_large" if too_large else None,
    )


def _lost(member: Member, start: int, before: int, code: QuarantineCode) -> Found:
    return Found(
        position=f"{start}:{member.name}",
        resume=f"{_end(member)}:{member.name}",
        raw=b"",
        size_bytes=member.size_bytes - start,
        done_bytes=before + member.size_bytes,
        code=code,
    )


def _end(member: Member) -> int:
    """Past the last byte; at least 1, so that an empty file too is dealt with once."""
    return max(member.size_bytes, 1)


def _skip(stream: BinaryIO, count: int) -> None:
    if stream.seekable():
        stream.seek(count)
        return
    while count > 0 and (skipped := stream.read(min(count, _SKIP_BYTES))):
        count -= len(skipped)
