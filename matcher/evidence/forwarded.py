"""A message the person forwarded, read as the one who wrote it first sent it. Pure.

What the person typed above it is blanked out, so that it is no evidence and every span keeps its place. A
subject counts when it is the one the original had; the day the original was sent is the latest it can be.
"""

import re
from datetime import UTC, datetime, time
from functools import cache

import msgspec

from mailsync.parse.addresses import parse_address
from mailsync.parse.quotes import LONGEST_LINE
from matcher.evidence.around_names import either
from matcher.evidence.types import Letter, Named
from schema.identity.dates import dates_in

_HEAD_LINES = 10
_LEAST_FIELDS = 2


@cache
def _field() -> re.Pattern[str]:
    """ "da" and "cc" are of no language there are rules for, or of all."""
    return re.compile(
        rf"[>*\s]{{0,6}}(?:(?P<from>{either(lambda around: around.head_from)}|da)"
        rf"|(?P<date>{either(lambda around: around.head_date)})"
        rf"|(?P<subject>{either(lambda around: around.head_subject)})"
        rf"|(?P<to>{either(lambda around: around.head_to)}|cc))\s?[*]{{0,2}}\s?:[*\s]{{0,3}}(?P<value>.*)",
        re.IGNORECASE,
    )


@cache
def _prefixes() -> re.Pattern[str]:
    return re.compile(rf"(?:\s*(?:{either(lambda around: around.reply)}|enc)\s*:)+\s*", re.IGNORECASE)


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What stands above a forwarded original; `start` and `end` are the lines it takes of the body."""

    start: int
    end: int
    sender: str
    sender_at: int
    subject: str
    date: str


def original_of(letter: Letter) -> Letter:
    """The same message as its first sender's; a forward without a head tells nothing of who that was."""
    head = head_of(letter.body)
    start = head.end if head else 0
    sender = parse_address(head.sender.encode("utf-8", "replace")) if head and head.sender else None
    keeps_subject = head is not None and _is_subject(letter.subject, head.subject)
    return msgspec.structs.replace(
        letter,
        from_owner=False,
        forwarded=True,
        forwarded_from=head.sender if head else "",
        forwarded_at=head.sender_at if head else 0,
        sent_at=_sent_at(letter.sent_at, head.date if head else ""),
        sender_address=sender.address if sender else "",
        sender_name=sender.name if sender else "",
        subject=letter.subject if keeps_subject else "",
        body=" " * start + letter.body[start:],
        named=tuple(
            fact for fact in letter.named if _is_of_original(fact, start, keeps_subject=keeps_subject)
        ),
    )


def head_of(body: str) -> Head | None:
    """The first block of lines that names a sender and at least one thing more."""
    position = 0
    lines = body.split("\n")
    for place, line in enumerate(lines):
        found = _field().match(line[:LONGEST_LINE])
        if found is not None and found["from"] is not None:
            head = _block(lines[place : place + _HEAD_LINES], position, position + found.start("value"))
            if head is not None:
                return head
        position += len(line) + 1
    return None


def _block(lines: list[str], start: int, sender_at: int) -> Head | None:
    told: dict[str, str] = {}
    end = start
    for line in lines:
        found = _field().match(line[:LONGEST_LINE])
        if found is None:
            break
        told.setdefault(_kind(found), found["value"].strip())
        end += len(line) + 1
    if len(told) < _LEAST_FIELDS:
        return None
    return Head(
        start=start,
        end=end,
        sender=told.get("from", ""),
        sender_at=sender_at,
        subject=told.get("subject", ""),
        date=told.get("date", ""),
    )


def _kind(found: re.Match[str]) -> str:
    return next(kind for kind in ("from", "date", "subject", "to") if found[kind] is not None)


def _is_subject(outer: str, inner: str) -> bool:
    plain = _prefixes().sub("", inner, count=1).strip().casefold()
    return bool(plain) and _prefixes().sub("", outer, count=1).strip().casefold() == plain


def _is_of_original(fact: Named, start: int, *, keeps_subject: bool) -> bool:
    if fact.span.source == "text":
        return fact.span.start >= start
    return fact.span.source == "subject" and keeps_subject


def _sent_at(forwarded: datetime | None, written: str) -> datetime | None:
    anchor = forwarded.date() if forwarded else None
    day = next((found.day for found in dates_in(written, anchor=anchor) if found.precision != "month"), None)
    if day is None:
        return forwarded
    latest = datetime.combine(day, time.max, UTC)
    return latest if forwarded is None else min(latest, forwarded)
