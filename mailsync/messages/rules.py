"""From bytes to a row: parse, read, screen, and drop what is not kept. Pure.

The key of a message is its RFC Message-ID with its sender and date, else a hash of its content that is the
same in every export: line ends, transfer encodings and labels do not count. An id alone would let anybody who
uses it again hide the message it belongs to.
"""

import hashlib

import msgspec

from mailsync.classify.rules import classify
from mailsync.classify.screen import WHOLE, Screened, screen
from mailsync.classify.stages import STAGES_VERSION, read
from mailsync.classify.types import Event, Reading
from mailsync.conversations.rules import bond_of
from mailsync.messages.kept import history_of, parsed_of
from mailsync.messages.types import Aside, NewMessage, Read
from mailsync.parse.message import parse_message
from mailsync.parse.types import ParsedMessage
from mailsync.tracked.rules import mentions_of

_MARK_CHARS = 16
_encode = msgspec.json.Encoder(order="deterministic").encode


def read_message(raw: bytes, owner_addresses: frozenset[str]) -> Read:
    """Everything about one message that goes into the store. The same bytes give the same row."""
    message = parse_message(raw)
    reading = read(message, owner_addresses)
    screened = screen(message, reading)
    row = _row(message, reading, screened, len(raw))
    aside = _aside(message, reading, screened, len(raw), owner_addresses)
    return Read(message=row, reading=reading_to_keep(reading, screened), aside=aside)


def _aside(
    message: ParsedMessage, reading: Reading, screened: Screened, size_bytes: int, own: frozenset[str]
) -> Aside | None:
    bond = bond_of(message, reading, screened)
    mentions = mentions_of(message, reading, screened)
    if bond is None and mentions is None:
        return None
    # The model was asked what a message alone says; of one that continues another that is not the question.
    said = classify(message, own) if reading.stage == "local_model" else reading
    return Aside(message=_row(message, said, WHOLE, size_bytes), reading=said, bond=bond, mentions=mentions)


def content_sha256(message: ParsedMessage) -> str:
    told = (
        message.message_id,
        message.sender,
        message.recipients,
        message.subject,
        message.sent_at,
        message.body,
        message.signature,
        message.quoted,
        message.attachments,
    )
    return hashlib.sha256(_encode(told)).hexdigest()


def message_key(message: ParsedMessage, content_digest: str) -> str:
    if message.message_id is None:
        return f"sha256:{content_digest}"
    dated = message.sent_at if message.sent_at_source == "date" else None
    told = _encode((message.sender.address, dated))
    return f"{message.message_id} {hashlib.sha256(told).hexdigest()[:_MARK_CHARS]}"


def _row(message: ParsedMessage, reading: Reading, screened: Screened, size_bytes: int) -> NewMessage:
    digest = content_sha256(message)
    whole = screened.kept == "whole"
    shown = screened.kept != "identity"
    return NewMessage(
        message_key=message_key(message, digest),
        rfc_message_id=message.message_id,
        content_sha256=digest,
        sent_at=message.sent_at,
        sent_at_source=message.sent_at_source,
        from_owner=reading.note == "own_mail",
        sender_address=message.sender.address if shown else "",
        sender_name=message.sender.name if shown else "",
        recipients=[each.address for each in message.recipients] if whole else [],
        subject=message.subject if shown else "",
        in_reply_to=message.in_reply_to if whole else None,
        reference_ids=list(message.references) if whole else [],
        provider_thread=message.provider_thread if whole else None,
        body=message.body if whole else None,
        quoted=history_of(message) if whole else None,
        parsed=parsed_of(message) if whole else None,
        kept=screened.kept,
        not_kept_reason=screened.reason,
        size_bytes=size_bytes,
        examined_version=STAGES_VERSION,
    )


def reading_to_keep(reading: Reading, screened: Screened) -> Reading | None:
    """What remains of a reading: of a body that is not kept no words."""
    if screened.kept == "identity":
        return None
    if screened.kept == "headers":
        events = tuple(_without_body(event) for event in reading.events)
        return msgspec.structs.replace(reading, events=events, facts=())
    return reading


def _without_body(event: Event) -> Event:
    """A sentence of a body that is not kept is not kept as a span either."""
    if event.span is None or event.span.source in ("subject", "header"):
        return event
    return msgspec.structs.replace(event, span=None)
