"""A message as the review shows it: subject, header and text with their marks, and what other parts say."""

import msgspec

from backend.http.excerpts import Span, Stretch, excerpt, flowing, marked
from backend.http.words import word
from backend.review.store import Elsewhere, said_elsewhere
from matcher.resolutions.types import Excerpt
from schema.db import Unit
from schema.ids import MessageId
from schema.vocabulary import SpanSource

SHORT_CHARS = 1_200
"""A message up to this long is shown whole; of a longer one, what stands around the marks."""
AROUND_SAMPLE = 80
_PARTS: dict[str, str] = {"signature": "In the signature", "calendar": "In the invitation"}


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """`whole` is the rest of a long message, empty when `text` is all there is; `elsewhere` is what the
    signature and an invitation say: the part, and its words."""

    subject: list[Stretch]
    header: list[Stretch]
    text: list[Stretch]
    whole: list[Stretch]
    elsewhere: list[tuple[str, str]]


async def elsewhere(unit: Unit, message_id: MessageId) -> list[tuple[str, str]]:
    """What was read in parts that are not shown as text, in words."""
    return list(dict.fromkeys(map(_told, await said_elsewhere(unit, message_id))))


def letter(shot: Excerpt, also: list[tuple[str, str]]) -> Letter:
    text, spans = flowing(shot.text or ""), _spans(shot, "text")
    is_short = len(text) <= SHORT_CHARS
    return Letter(
        subject=marked(shot.subject, _spans(shot, "subject")),
        header=marked(shot.header, _spans(shot, "header")),
        text=marked(text, spans) if is_short else excerpt(text, spans),
        whole=[] if is_short else marked(text, spans),
        elsewhere=also,
    )


def sentence(shot: Excerpt) -> list[Stretch]:
    """The first marked stretch of the text with a little around it; the beginning where none is marked."""
    spans = sorted(_spans(shot, "text"))[:1]
    return excerpt(flowing(shot.text or ""), spans, around=AROUND_SAMPLE)


def _spans(shot: Excerpt, source: SpanSource) -> list[Span]:
    return [Span(start=mark.start, end=mark.end) for mark in shot.marks if mark.source == source]


def _told(row: Elsewhere) -> tuple[str, str]:
    named = word(row.kind, "kind") if row.kind else word(row.name or "employer", "fact")
    return _PARTS.get(row.span_source or "", "Elsewhere"), f"{named.text}: {row.says or ''}".rstrip(": ")
