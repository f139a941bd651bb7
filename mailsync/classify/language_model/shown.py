"""What of a message is shown to a model, and where a quotation of it stands in the message. Pure.

Shown are the sender's name and domain, the subject, and the beginning of what the sender wrote. Addresses of
mail and of the web are masked: a link can carry a secret, and says nothing the rules have not read already.
"""

import re
from collections.abc import Iterator

import msgspec

from mailsync.classify.language_model.types import Letter
from mailsync.classify.types import Span
from schema.text import shorten
from schema.vocabulary import SpanSource

MOST_SUBJECT = 300
MOST_TEXT = 6000
_MOST_SENDER = 100
_LINK, _ADDRESS = "[link]", "[address]"
_PIECE = re.compile(
    r"(?P<link>(?:https?://|www\.)[^\s<>\"]{1,4000})|(?P<address>[^\s<>\"@]{1,64}@[^\s<>\"@]{1,255})|(?P<space>\s+)"
)


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """`shown` is what is sent. `plain` is the same with each run of spaces as one; each of its characters
    stands for a stretch of the original from `starts` to `ends`."""

    source: SpanSource
    original: str
    shown: str
    plain: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def find(self, quote: str) -> Span | None:
        """The first place where `quote` stands as whole words; masks are no words of the message."""
        place = self.plain.find(quote)
        while place >= 0:
            end = place + len(quote)
            if not (_splits_a_word(self.plain, place) or _splits_a_word(self.plain, end)):
                start, stop = self.starts[place], self.ends[end - 1]
                return Span(source=self.source, start=start, end=stop, text=self.original[start:stop])
            place = self.plain.find(quote, place + 1)
        return None


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    sender: str
    domain: str
    subject: _Part
    text: _Part

    def find(self, quote: str) -> Span | None:
        """Where the quotation stands in the message, whitespace aside; None when it does not stand there."""
        plain = " ".join(quote.split())
        if not any(letter.isalnum() for letter in plain.replace(_LINK, "").replace(_ADDRESS, "")):
            return None
        return self.text.find(plain) or self.subject.find(plain)


def shown_of(letter: Letter) -> Shown:
    return Shown(
        sender=_masked(shorten(letter.sender_name, _MOST_SENDER)),
        domain=shorten(letter.sender_address.rpartition("@")[2], _MOST_SENDER),
        subject=_part("subject", letter.subject[:MOST_SUBJECT]),
        text=_part("text", letter.body[:MOST_TEXT]),
    )


def _masked(text: str) -> str:
    return _part("header", text).shown


def _part(source: SpanSource, original: str) -> _Part:
    shown: list[str] = []
    plain: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end, sent, said in _pieces(original):
        shown.append(sent)
        plain.append(said)
        whole = len(said) != end - start or sent != said
        starts.extend([start] * len(said) if whole else range(start, end))
        ends.extend([end] * len(said) if whole else range(start + 1, end + 1))
    return _Part(
        source=source,
        original=original,
        shown="".join(shown),
        plain="".join(plain),
        starts=tuple(starts),
        ends=tuple(ends),
    )


def _pieces(original: str) -> Iterator[tuple[int, int, str, str]]:
    """Stretches of the original, each with what is sent for it and what it is compared by."""
    position = 0
    for found in _PIECE.finditer(original):
        if found.start() > position:
            between = original[position : found.start()]
            yield position, found.start(), between, between
        mask = {"link": _LINK, "address": _ADDRESS}.get(found.lastgroup or "")
        yield found.start(), found.end(), mask or found[0], mask or " "
        position = found.end()
    if position < len(original):
        yield position, len(original), original[position:], original[position:]


def _splits_a_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()
