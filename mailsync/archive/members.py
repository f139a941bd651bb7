"""What an archive is made of: the members of a file, a folder or a zip, found by looking at their bytes.

A folder is walked without following links and holds at most a million messages.
"""

import os
import re
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from mailsync.archive.mbox import looks_like_mbox
from mailsync.archive.types import ArchiveTooLarge, ArchiveUnreadable, Member, NotAnArchive
from mailsync.archive.zips import zip_members
from mailsync.parse.headers import read_head
from schema.text import grouped

MOST_FILES = 1_000_000
_BEGINNING_BYTES = 8192

EXPECTED_UPLOAD = "an .mbox file, an .eml file, or a Takeout .zip"
EXPECTED = "an .mbox file, an .eml file, a folder of .eml files, a Maildir, or a Takeout .zip"
_INSIDE_ZIP = "in a zip only files ending in .mbox or .eml are read"
_INSIDE_FOLDER = "in a folder only files ending in .eml or .mbox are read"

_MAIL_FIELDS = frozenset(
    ("from", "to", "subject", "date", "received", "message-id", "return-path", "delivered-to", "mime-version")
)
_LEAST_FIELDS = 2
_MAILDIR = frozenset(("cur", "new"))
_ZIP = b"PK\x03\x04"
_MAGIC = (
    (b"%PDF", "a PDF document"),
    (b"\x1f\x8b", "a gzip or .tgz file (unpack it, or ask Takeout for .zip)"),
    (b"!BDN", "an Outlook .pst file (export it as .mbox or .eml)"),
    (b"\xd0\xcf\x11\xe0", "an Outlook .msg or old Office file (save it as .eml)"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"Rar!", "a .rar file"),
    (b"7z\xbc\xaf", "a .7z file"),
    (b"SQLite format 3", "a database file"),
)
_HTML = re.compile(rb"\s*(?:<!doctype html|<html)", re.IGNORECASE)


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """Members in the order they are read; `total_bytes` unpacked."""

    members: tuple[Member, ...]

    @property
    def total_bytes(self) -> int:
        return sum(member.size_bytes for member in self.members)


def open_archive(path: Path, *, uploaded_as: str = "") -> Archive:
    """The archive at `path`, called `uploaded_as` when it came by upload, where nobody can send a folder.

    Raises `NotAnArchive`, `ArchiveUnreadable` or `ArchiveTooLarge`, naming the file.
    """
    name = uploaded_as or path.absolute().name
    expected = EXPECTED_UPLOAD if uploaded_as else EXPECTED
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            members = sorted(_folder_members(path), key=lambda member: member.name)
        elif stat.S_ISREG(mode):
            members = _file_members(path, name, expected)
        else:
            raise NotAnArchive(f"{name}: expected {expected}; this is neither a file nor a folder.")
    except OSError as error:
        # Whole: the person looks for what is wrong in the way to it too.
        raise ArchiveUnreadable(f"{uploaded_as or path}: {error.strerror or 'cannot be read'}.") from error
    if not members:
        inside = _INSIDE_FOLDER if stat.S_ISDIR(mode) else _INSIDE_ZIP
        raise NotAnArchive(f"{name}: found no mail inside; {inside}.")
    return Archive(members=tuple(members))


def _file_members(path: Path, name: str, expected: str) -> list[Member]:
    with path.open("rb") as stream:
        beginning = stream.read(_BEGINNING_BYTES)
    if zipfile.is_zipfile(path):
        return sorted(zip_members(path), key=lambda member: member.name)
    if beginning.startswith(_ZIP):
        # Mail stored without packing would look like a letter with a strange beginning.
        raise ArchiveUnreadable(f"{path.name}: this zip is cut short or damaged; download it again.")
    kind = _kind_by_content(beginning)
    if kind is None:
        raise NotAnArchive(f"{name}: expected {expected}; found {describe(beginning)}.")
    return [_file_member(path, "", kind)]


def _kind_by_content(beginning: bytes) -> str | None:
    if looks_like_mbox(beginning):
        return "mbox"
    head, _ = read_head(beginning)
    fields = sum(1 for name in _MAIL_FIELDS if head.has(name))
    return "eml" if fields >= _LEAST_FIELDS else None


def describe(beginning: bytes) -> str:
    """What a file seems to be, for a person who chose the wrong one."""
    if not beginning:
        return "an empty file"
    for magic, name in _MAGIC:
        if beginning.startswith(magic):
            return name
    if _HTML.match(beginning):
        return "a web page"
    if beginning.lstrip()[:1] in (b"{", b"["):
        return "a JSON file"
    return "a file with other content" if b"\x00" in beginning else "text that is not mail"


def _file_member(path: Path, name: str, kind: str) -> Member:
    def opened() -> BinaryIO:
        return path.open("rb")

    return Member(
        name=name, kind="mbox" if kind == "mbox" else "eml", size_bytes=path.stat().st_size, opened=opened
    )


def _folder_members(root: Path) -> Iterator[Member]:
    count = 0
    for folder, names, files in os.walk(root, followlinks=False, onerror=_refuse):
        # A Maildir's tmp holds what was never delivered whole.
        names[:] = sorted(name for name in names if name != "tmp" or _MAILDIR.isdisjoint(names))
        is_maildir = _is_of_maildir(Path(folder))
        for name in files:
            path = Path(folder, name)
            kind = "eml" if is_maildir else _kind_by_name(path)
            if kind is None or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > MOST_FILES:
                raise ArchiveTooLarge(f"The folder holds more than {grouped(MOST_FILES)} messages.")
            yield _file_member(path, _name(path.relative_to(root)), kind)


def _is_of_maildir(folder: Path) -> bool:
    """Whether every file in it is a message, whatever it is called."""
    beside = {*_MAILDIR, "tmp"} - {folder.name}
    return folder.name in _MAILDIR and any((folder.parent / name).is_dir() for name in beside)


def _refuse(error: OSError) -> None:
    """A folder that cannot be listed is not an empty one."""
    raise ArchiveUnreadable(f"{error.filename}: {error.strerror}.") from error


def _name(path: Path) -> str:
    """Storable, and still another for another file, when the name is no valid UTF-8."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _kind_by_name(path: Path) -> str | None:
    match path.suffix.lower():
        case ".eml":
            return "eml"
        case ".mbox":
            return "mbox"
        case "":
            return "mbox" if _begins_like_mbox(path) else None
        case _:
            return None


def _begins_like_mbox(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    try:
        with path.open("rb") as stream:
            return looks_like_mbox(stream.read(_BEGINNING_BYTES))
    except OSError:
        return False
