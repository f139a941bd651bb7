"""Names as phrases tell them, with how far each phrase is believed. Pure."""

from collections.abc import Iterator

import msgspec

from mailsync.classify.facts.names import trimmed
from mailsync.classify.facts.page import span_of
from mailsync.classify.languages.language import Names, Naming
from mailsync.classify.types import Span
from schema.vocabulary import SpanSource

ENOUGH = 2
MOST_OF_ONE_NAME = 10


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """`weight` counts towards believing it. `sure` when the phrase alone says what kind of name it is."""

    value: str
    weight: int
    span: Span
    sure: bool = False


def mention(
    text: str, source: SpanSource, start: int, end: int, *, weight: int, sure: bool = False
) -> Mention:
    span = span_of(text, source, start, end)
    return Mention(value=" ".join(span.text.split()), weight=weight, span=span, sure=sure)


def mentions(
    text: str, source: SpanSource, names: Names, namings: tuple[Naming, ...], *, company: bool
) -> Iterator[Mention]:
    """What the patterns find, trimmed to the name; what is no name is still among them."""
    for naming in namings:
        for found in naming.pattern.finditer(text):
            start, end = trimmed(text, found.start("name"), found.end("name"), names, company=company)
            if end > start:
                yield mention(text, source, start, end, weight=naming.weight, sure=naming.sure)
