"""What is made of a fetched message, and when something that failed is tried again. Pure.

The message gets two lines in front that say what Gmail knows of it, in the way Google's own archives say it:
so the same message gives the same row by whichever door it comes, and mail from the Sent label is the
person's own.
"""

import base64
import binascii
from datetime import datetime, timedelta

import msgspec

from mailsync.classify import screen
from mailsync.gmail.history.rules import left_out
from mailsync.gmail.ledger.types import Settled
from mailsync.gmail.types import Letter, Scope
from mailsync.messages.rules import read_message
from mailsync.messages.types import NewMessage, Read
from schema.ids import MailboxId

MOST_BYTES = 50 * 1024 * 1024
MOST_TRIES = 8
_HEX_DIGITS = 16
_PUT_OFF = timedelta(minutes=1)
_LONGEST_PUT_OFF = timedelta(hours=6)
_FIRST_BACKOFF_SECONDS = 2.0
_LONGEST_BACKOFF_SECONDS = 300.0


_PROBE = b"Subject: Your application\n\nWe received your application."


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a message, and how it was read. Whether it is kept is known when it is stored."""

    settled: Settled
    read: Read | None = None


def require_reader() -> None:
    """Raises what would keep every message from being read: none of them is to blame for that."""
    read_message(_PROBE, frozenset())


def outcome(letter: Letter, scope: Scope, own: frozenset[str]) -> Outcome:
    """Raises what reading raises: the caller makes that a case of its own."""
    seen = Settled(
        gmail_id=letter.gmail_id,
        state="left_out",
        thread_id=letter.thread_id,
        labels=sorted(set(letter.labels)),
        received_at=letter.received_at,
    )
    unwanted = left_out(letter.labels, scope)
    if unwanted:
        return Outcome(settled=msgspec.structs.replace(seen, reason=unwanted))
    if len(letter.raw) > MOST_BYTES * 4 // 3 + 4:
        return Outcome(settled=quarantined(seen, "message_too_large", len(letter.raw) * 3 // 4))
    raw = decoded(letter.raw)
    if not raw:
        return Outcome(settled=quarantined(seen, "message_undecodable", None))
    return _read(seen, read_message(dressed(raw, letter), own), len(raw))


def quarantined(seen: Settled, code: str, size_bytes: int | None) -> Settled:
    return msgspec.structs.replace(seen, state="quarantined", reason=code, size_bytes=size_bytes)


def _read(seen: Settled, read: Read, size_bytes: int) -> Outcome:
    row = read.message
    read_as = msgspec.structs.replace(
        seen, content_sha256=row.content_sha256, screen_version=screen.VERSION, size_bytes=size_bytes
    )
    return Outcome(settled=settled_as(read_as, row), read=_sized(read, size_bytes))


def settled_as(seen: Settled, row: NewMessage) -> Settled:
    """Of mail that is not kept nothing goes into the store, and the ledger notes why."""
    if row.kept == "identity":
        reason = row.not_kept_reason or "not_kept"
        return msgspec.structs.replace(seen, state="not_kept", reason=reason, message_id=None)
    return msgspec.structs.replace(seen, state="stored", reason=None)


def _sized(read: Read, size_bytes: int) -> Read:
    """As Gmail counts, without the lines in front."""
    aside = read.aside
    if aside is not None:
        larger = msgspec.structs.replace(aside.message, size_bytes=size_bytes)
        aside = msgspec.structs.replace(aside, message=larger)
    message = msgspec.structs.replace(read.message, size_bytes=size_bytes)
    return msgspec.structs.replace(read, message=message, aside=aside)


def decoded(raw: str) -> bytes:
    """URL-safe base64 with or without padding; empty when it is none."""
    try:
        return base64.urlsafe_b64decode(raw + "=" * (-len(raw) % 4))
    except (binascii.Error, ValueError):
        return b""


def dressed(raw: bytes, letter: Letter) -> bytes:
    """The first field of a name counts, so what a sender wrote under these names counts for nothing."""
    end = b"\r\n" if b"\r\n" in raw[:10_000] else b"\n"
    label = b"Sent" if "SENT" in letter.labels else b"Inbox"
    thread = _decimal(letter.thread_id).encode()
    fields = [b"X-Gmail-Labels: " + label, *([b"X-GM-THRID: " + thread] if thread else [])]
    return end.join((*fields, raw))


def _decimal(thread_id: str | None) -> str:
    """As archives write a thread; ids of the interface are the same number in hexadecimal."""
    if not thread_id or len(thread_id) > _HEX_DIGITS:
        return ""
    try:
        return str(int(thread_id, 16))
    except ValueError:
        return ""


def put_off_until(tries: int, now: datetime) -> datetime:
    """When a message that failed by itself is asked for again; others go on meanwhile."""
    return now + min(_PUT_OFF * 2 ** min(tries, 12), _LONGEST_PUT_OFF)


def backoff_seconds(troubles: int, jitter: float) -> float:
    """How long a mailbox rests after so many troubles in a row; `jitter` in [0, 1) takes up to half off."""
    whole = min(_FIRST_BACKOFF_SECONDS * 2.0 ** min(troubles, 20), _LONGEST_BACKOFF_SECONDS)
    return whole * (1.0 - jitter / 2)


def later_cursor(cursor: str, told: str | None) -> str:
    """The greater of the two as numbers: a server that lags behind must not take us back."""
    if told is None or not told.isdecimal():
        return cursor
    return told if int(told) > int(cursor) else cursor


def earlier(*times: datetime | None) -> datetime | None:
    present = [time for time in times if time is not None]
    return min(present) if present else None


def quarantine_of(mailbox_id: MailboxId) -> str:
    """How positions in quarantine begin that belong to this mailbox."""
    return f"gmail:{mailbox_id}:"
