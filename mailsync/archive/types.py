"""What reading an archive yields, and the refusals of an archive as a whole."""

from collections.abc import Callable
from typing import BinaryIO, ClassVar, Literal

import msgspec

from schema.errors import Kind, Refusal

MOST_MESSAGE_BYTES = 50 * 1024 * 1024
"""A longer message is quarantined unread, so that memory stays bounded whatever the archive holds."""

QuarantineCode = Literal[
    "message_too_large",
    "not_an_mbox",
    "member_encrypted",
    "member_unreadable",
    "member_damaged",
]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One message, or one stretch that cannot be read (`code` set, `raw` empty).

    `position` names it for ever; `resume` is where the walk goes on after it; `done_bytes` counts from the
    start of the archive, in uncompressed bytes.
    """

    position: str
    resume: str
    raw: bytes
    size_bytes: int
    done_bytes: int
    code: QuarantineCode | None = None


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One file of an archive. `name` orders members and is never used as a path to write to."""

    name: str
    kind: Literal["mbox", "eml"]
    size_bytes: int
    opened: Callable[[], BinaryIO]


class MemberEncrypted(Exception):
    """The member needs a password."""


class NotAnArchive(Refusal):
    """This is not a mail archive Jobtrail can read."""

    code: ClassVar[str] = "not_a_mail_archive"
    kind: ClassVar[Kind] = "unsupported"


class ArchiveUnreadable(Refusal):
    """The mail archive cannot be opened."""

    code: ClassVar[str] = "mail_archive_unreadable"
    kind: ClassVar[Kind] = "invalid"


class ArchiveTooLarge(Refusal):
    """The mail archive would unpack to more than is allowed."""

    code: ClassVar[str] = "mail_archive_too_large"
    kind: ClassVar[Kind] = "too_large"
