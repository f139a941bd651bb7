"""When a message was sent: the Date field read leniently, else the newest Received field.

A Date far from any possible time (before mail existed, or long after the message had arrived) is a wrong
clock and not believed. No field, no time: nothing here asks a clock.
"""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_tz

from mailsync.parse.charsets import decode
from mailsync.parse.headers import Head
from mailsync.parse.types import SentAtSource

_LONGEST_FIELD = 300
_MOST_FIELDS = 100
_EARLIEST = datetime(1975, 1, 1, tzinfo=UTC)
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)
_MOST_AHEAD = timedelta(days=2)
_LARGEST_OFFSET_SECONDS = 18 * 3600

_COMMENT = re.compile(r"\([^()]*\)")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?")


def sent_at(head: Head) -> tuple[datetime | None, SentAtSource]:
    read = (parse_date(value) for value in head.every("date")[:_MOST_FIELDS])
    said = next((when for when in read if when is not None), None)
    arrived = _newest_received(head)
    if said is not None and (arrived is None or said - arrived <= _MOST_AHEAD):
        return said, "date"
    if arrived is not None:
        return arrived, "received"
    return None, "unknown"


def _newest_received(head: Head) -> datetime | None:
    """Received fields are prepended by each server, so the first one that can be read is the newest."""
    for value in head.every("received")[:_MOST_FIELDS]:
        arrived = parse_date(value.rpartition(b";")[2])
        if arrived is not None:
            return arrived
    return None


def parse_date(value: bytes) -> datetime | None:
    """An instant in UTC, or None for what is no date. A missing zone counts as UTC (RFC 5322, `-0000`)."""
    text = " ".join(decode(value[:_LONGEST_FIELD])[0].split())
    text = _COMMENT.sub(" ", text).strip()
    when = _iso(text) or _rfc5322(text)
    return when if when is not None and _EARLIEST <= when <= _LATEST else None


def _iso(text: str) -> datetime | None:
    if not _ISO.fullmatch(text):
        return None
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _in_utc(when.replace(tzinfo=when.tzinfo or UTC))


def _rfc5322(text: str) -> datetime | None:
    try:
        fields = parsedate_tz(text)
        if fields is None:
            return None
        when = datetime(*fields[:6], tzinfo=UTC)
        offset = fields[9] or 0
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return None
    if abs(offset) > _LARGEST_OFFSET_SECONDS:
        return when
    return _shift(when, -offset)


def _shift(when: datetime, seconds: int) -> datetime | None:
    try:
        return when + timedelta(seconds=seconds)
    except OverflowError:
        return None


def _in_utc(when: datetime) -> datetime | None:
    try:
        return when.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
