"""Google's answers as Google spells them, and what they are to us. Only the client reads these.

Nothing in an answer may stop a mailbox for good: ids and numbers our tables cannot hold are left out here.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import msgspec
import structlog

from mailsync.gmail.answers.rules import GmailTrouble, unreachable
from mailsync.gmail.types import (
    Change,
    ChangeKind,
    GmailId,
    HistoryPage,
    Letter,
    Listed,
    ListPage,
    Profile,
    Record,
)
from schema.text import clean

log = structlog.get_logger()
_LONGEST_ID = 100
_MOST_DIGITS = 40
"""Of a history id, as the cursor's column takes them; Google's have 20 at most."""
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
    labelIds: tuple[str, ...] | None = None  # noqa: N815
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


def letter_of(answer: bytes, asked: GmailId) -> Part:
    try:
        return letter_of_shape(decoded(answer, RawShape), asked)
    except GmailTrouble as error:
        return error


def letter_of_shape(raw: RawShape, asked: GmailId) -> Letter:
    """Raises `GmailTrouble` when this is another message than was asked for."""
    if raw.id != asked:
        raise unreachable()
    at = raw.internalDate or ""
    received = _EPOCH + timedelta(milliseconds=int(at)) if at.isdecimal() and len(at) < _INSTANT else None
    return Letter(
        gmail_id=asked,
        thread_id=_cleaned(raw.threadId),
        labels=_clean_all(raw.labelIds or ()),
        received_at=received,
        raw=raw.raw,
    )


def profile_of(found: ProfileShape) -> Profile:
    return Profile(address=found.emailAddress.lower(), history_id=history_id_of(found.historyId))


def history_id_of(told: str) -> str:
    """Raises `GmailTrouble`: without a number there is nothing to begin from."""
    if not _is_number(told):
        raise unreachable()
    return told


def list_page_of(found: ListShape) -> ListPage:
    """Each id once, also when the page tells it twice."""
    shapes = {shape.id: shape for shape in _with_usable_ids(found.messages)}
    items = tuple(
        Listed(gmail_id=GmailId(shape.id), thread_id=_cleaned(shape.threadId)) for shape in shapes.values()
    )
    return ListPage(items=items, next_page=found.nextPageToken or None)


def history_page_of(found: HistoryShape) -> HistoryPage:
    told = found.historyId or ""
    return HistoryPage(
        records=tuple(record_of(record) for record in found.history),
        next_page=found.nextPageToken or None,
        history_id=told if _is_number(told) else None,
    )


def record_of(record: RecordShape) -> Record:
    """One without a number has no place in the order and comes first."""
    changes = (
        *_changes("added", record.messagesAdded),
        *_changes("labels_added", record.labelsAdded),
        *_changes("labels_removed", record.labelsRemoved),
        *_changes("deleted", record.messagesDeleted),
    )
    return Record(number=int(record.id) if _is_number(record.id) else 0, changes=changes)


def _changes(kind: ChangeKind, moves: Sequence[MovedShape]) -> list[Change]:
    usable = {shape.id for shape in _with_usable_ids([moved.message for moved in moves])}
    return [_change(kind, moved) for moved in moves if moved.message.id in usable]


def _change(kind: ChangeKind, moved: MovedShape) -> Change:
    message = moved.message
    return Change(
        kind=kind,
        gmail_id=GmailId(message.id),
        thread_id=_cleaned(message.threadId),
        labels=_clean_all(moved.labelIds),
        has=None if message.labelIds is None else _clean_all(message.labelIds),
    )


def _with_usable_ids(shapes: Sequence[MessageShape]) -> list[MessageShape]:
    usable = [shape for shape in shapes if _is_id(shape.id)]
    if len(usable) < len(shapes):
        log.warning("Gmail told ids that no message can have", count=len(shapes) - len(usable))
    return usable


def _is_id(gmail_id: str) -> bool:
    return 0 < len(gmail_id) <= _LONGEST_ID and gmail_id.isascii() and gmail_id.isprintable()


def _is_number(text: str) -> bool:
    return len(text) <= _MOST_DIGITS and text.isascii() and text.isdecimal()


def _cleaned(text: str | None) -> str | None:
    return None if text is None else clean(text)


def _clean_all(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(clean(text) for text in texts)
