"""A stored message as it was parsed: what goes into `messages.parsed`, and the way back. Pure.

Body, history and signature stand in columns of their own; here is only what those do not tell. Rows without
it, stored by an earlier release, are read from what they have.
"""

from datetime import datetime

import msgspec

from mailsync.parse.types import (
    Address,
    Attachment,
    BulkHints,
    CalendarPart,
    Link,
    ParsedMessage,
    SentAtSource,
)
from schema.ids import MessageId
from schema.vocabulary import ContinuedBy

_BETWEEN = "\n\n"


class Parsed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`recipient_names` beside the addresses of the row; the history of the row begins with the signature."""

    recipient_names: tuple[str, ...] = ()
    reply_to: tuple[Address, ...] = ()
    bulk: BulkHints = BulkHints()
    labels: tuple[str, ...] = ()
    signature_length: int = 0
    is_forward: bool = False
    links: tuple[Link, ...] = ()
    calendars: tuple[CalendarPart, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    defects: tuple[str, ...] = ()


class StoredMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A row that is kept whole; `parsed` as stored, None where it was never."""

    id: MessageId
    rfc_message_id: str | None
    sent_at: datetime | None
    sent_at_source: SentAtSource
    from_owner: bool
    sender_address: str
    sender_name: str
    recipients: list[str]
    subject: str
    in_reply_to: str | None
    reference_ids: list[str]
    provider_thread: str | None
    body: str
    quoted: str | None
    parsed: bytes | None
    kept_because: ContinuedBy | None = None


_decoder = msgspec.json.Decoder(Parsed)


def parsed_of(message: ParsedMessage) -> Parsed:
    return Parsed(
        recipient_names=tuple(each.name for each in message.recipients),
        reply_to=message.reply_to,
        bulk=message.bulk,
        labels=message.labels,
        signature_length=len(message.signature),
        is_forward=message.is_forward,
        links=message.links,
        calendars=message.calendars,
        attachments=message.attachments,
        defects=message.defects,
    )


def history_of(message: ParsedMessage) -> str | None:
    """The signature goes with the history: kept, and evidence for nothing."""
    return _BETWEEN.join(part for part in (message.signature, message.quoted) if part) or None


def message_of(row: StoredMessage) -> ParsedMessage:
    """The message as the parser gave it."""
    parsed = _decoder.decode(row.parsed) if row.parsed is not None else _guessed(row)
    signature, quoted = _parts(row.quoted or "", parsed.signature_length)
    names = parsed.recipient_names or ("",) * len(row.recipients)
    return ParsedMessage(
        message_id=row.rfc_message_id,
        in_reply_to=row.in_reply_to,
        references=tuple(row.reference_ids),
        sender=Address(address=row.sender_address, name=row.sender_name),
        reply_to=parsed.reply_to,
        recipients=tuple(
            Address(address=address, name=name) for address, name in zip(row.recipients, names, strict=True)
        ),
        subject=row.subject,
        sent_at=row.sent_at,
        sent_at_source=row.sent_at_source,
        bulk=parsed.bulk,
        provider_thread=row.provider_thread,
        labels=parsed.labels,
        body=row.body,
        signature=signature,
        quoted=quoted,
        is_forward=parsed.is_forward,
        links=parsed.links,
        calendars=parsed.calendars,
        attachments=parsed.attachments,
        defects=parsed.defects,
    )


def _guessed(row: StoredMessage) -> Parsed:
    """Nobody knows the labels any more, but whose mail it is stands in the row."""
    return Parsed(labels=("Sent",) if row.from_owner else ())


def _parts(history: str, signature_length: int) -> tuple[str, str]:
    signature = history[:signature_length]
    behind = signature_length + (len(_BETWEEN) if signature else 0)
    return signature, history[behind:]
