"""What of a message is kept. Pure, and decided by the message alone: the order of an import changes nothing.

Bodies of messages that are not about jobs are not kept. A message that the rules left open stays whole when
it speaks of hiring, its quoted history included: an answer of one line is told by what it answers.
"""

import re
from typing import Literal

import msgspec

from mailsync.classify.english.contact import APPLIED, HINTS, PLAIN, STRONG, WEAK
from mailsync.classify.rules import BULK, is_personal
from mailsync.classify.senders import known_sender
from mailsync.classify.types import Reading
from mailsync.parse.types import ParsedMessage

VERSION = 2
_MOST_CHARACTERS = 20_000
_LEAST_WORDS = 2
_SPACE = re.compile(r"\s+")

Kept = Literal["whole", "headers", "identity"]


class Screened(msgspec.Struct, frozen=True, kw_only=True):
    kept: Kept
    reason: str | None = None


WHOLE = Screened(kept="whole")


def screen(message: ParsedMessage, reading: Reading) -> Screened:
    """`headers` for mail about jobs in general (alerts, accounts), `identity` for all other mail."""
    if reading.events and reading.events[0].kind == "not_job_related":
        return Screened(kept="headers", reason=reading.events[0].reason or "not_job_related")
    if reading.events or _speaks_of_hiring(message):
        return WHOLE
    return Screened(kept="identity", reason="no_hiring_words")


def _speaks_of_hiring(message: ParsedMessage) -> bool:
    sender = known_sender(message.sender)
    if sender is not None and sender.kind in ("ats", "vendor"):
        return True
    parts = (message.subject, message.body[:_MOST_CHARACTERS], message.quoted[:_MOST_CHARACTERS])
    text = _SPACE.sub(" ", " ".join(parts)).lower()
    if APPLIED.search(text):
        return True
    if not is_personal(message) and message.bulk.list_unsubscribe:
        return False
    if STRONG.search(text) or len(set(WEAK.findall(text))) >= _LEAST_WORDS:
        return True
    return not _is_bulk(message) and _speaks_plainly(text)


def _speaks_plainly(text: str) -> bool:
    """As one person writes to another about a job: "the offer went to the other finalist"."""
    return PLAIN.search(text) is not None or len(set(HINTS.findall(text))) >= _LEAST_WORDS


def _is_bulk(message: ParsedMessage) -> bool:
    bulk = message.bulk
    return bulk.list_unsubscribe or bool(bulk.list_id) or bulk.precedence in BULK
