"""Google's answers as Google spells them, and what they are to us. Only the client reads these."""

from datetime import UTC, datetime, timedelta
from typing import TypeVar

import msgspec

from mailsync.gmail.answers.rules import GmailTrouble, unreachable
from mailsync.gmail.types import Change, ChangeKind, GmailId, Letter, Record

_INSTANT = 15
"""Digits of a time in milliseconds, with room."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Part = Letter | GmailTrouble
ShapeT = TypeVar("ShapeT", bound=msgspec.Struct)


class MessageShape(msgspec.Struct, frozen=True):
    id: str
    threadId: str | None = None  # noqa: N815 - as Google spells it
    labelIds: tuple[str, ...] | None = None  # noqa: N815


class MovedShape(msgspec.Struct, frozen=True):
    message: MessageShape
    labelIds: tuple[str, ...] = ()  # noqa: N815


class RecordShape(msgspec.Struct, frozen=True):
    id: str
    messagesAdded: tuple[MovedShape, ...] = ()  # noqa: N815
    messagesDeleted: tuple[MovedShape, ...] = ()  # noqa: N815
    labelsAdded: tuple[MovedShape, ...] = ()  # noqa: N815
    labelsRemoved: tuple[MovedShape, ...] = ()  # noqa: N815


class HistoryShape(msgspec.Struct, frozen=True):
    history: tuple[RecordShape, ...] = ()
    nextPageToken: str | None = None  # noqa: N815
    historyId: str | None = None  # noqa: N815


class ListShape(msgspec.Struct, frozen=True):
    messages: tuple[MessageShape, ...] = ()
    nextPageToken: str | None = None  # noqa: N815


class RawShape(msgspec.Struct, frozen=True):
    id: str
    raw: str = ""
    threadId: str | None = None  # noqa: N815
    labelIds: tuple[str, ...] = ()  # noqa: N815
    internalDate: str | None = None  # noqa: N815


class ProfileShape(msgspec.Struct, frozen=True):
    emailAddress: str  # noqa: N815
    historyId: str  # noqa: N815


class AliasShape(msgspec.Struct, frozen=True):
    sendAsEmail: str = ""  # noqa: N815


class AliasesShape(msgspec.Struct, frozen=True):
    sendAs: tuple[AliasShape, ...] = ()  # noqa: N815


class LabelShape(msgspec.Struct, frozen=True):
    id: str
    name: str = ""
    type: str = ""


class LabelsShape(msgspec.Struct, frozen=True):
    labels: tuple[LabelShape, ...] = ()


class NumberedShape(msgspec.Struct, frozen=True):
    historyId: str = "1"  # noqa: N815


def decoded(answer: bytes, shape: type[ShapeT]) -> ShapeT:
    try:
        return msgspec.json.decode(answer, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise unreachable() from None


def letter_of(answer: bytes) -> Part:
    try:
        return letter_of_shape(decoded(answer, RawShape))
    except GmailTrouble as error:
        return error


def letter_of_shape(raw: RawShape) -> Letter:
    at = raw.internalDate or ""
    received = _EPOCH + timedelta(milliseconds=int(at)) if at.isdecimal() and len(at) < _INSTANT else None
    return Letter(
        gmail_id=GmailId(raw.id),
        thread_id=raw.threadId,
        labels=raw.labelIds,
        received_at=received,
        raw=raw.raw,
    )


def record_of(record: RecordShape) -> Record:
    """Records without a number would have no place in the order; ids are numbers."""
    changes = (
        *(_change("added", moved) for moved in record.messagesAdded),
        *(_change("labels_added", moved) for moved in record.labelsAdded),
        *(_change("labels_removed", moved) for moved in record.labelsRemoved),
        *(_change("deleted", moved) for moved in record.messagesDeleted),
    )
    return Record(number=int(record.id) if record.id.isdecimal() else 0, changes=changes)


def _change(kind: ChangeKind, moved: MovedShape) -> Change:
    message = moved.message
    return Change(
        kind=kind,
        gmail_id=GmailId(message.id),
        thread_id=message.threadId,
        labels=moved.labelIds,
        has=message.labelIds,
    )
