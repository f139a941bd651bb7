"""A message as the finders of names read it: its parts side by side, offsets kept. Pure.

In `prose` the line ends of hard-wrapped paragraphs are spaces, one character for one, so that a name broken
over two lines is one name. Only the first 8,000 characters of the body are read, and nothing from where other
jobs are listed.
"""

import itertools
import re
from collections.abc import Iterator

import msgspec

from mailsync.classify.languages.language import Names
from mailsync.classify.said import Text
from mailsync.classify.senders import Sender
from mailsync.classify.types import Fact, Span
from mailsync.parse.calendars import Calendar, first_calendar
from mailsync.parse.types import Address, ParsedMessage
from schema.vocabulary import FactName, SpanSource

MOST_TEXT_CHARACTERS = 8000
MOST_SIGNATURE_CHARACTERS = 1000
_WRAPPED_CHARACTERS = 48
_CLOSING_WORDS = 3
"""A line as short as "Kind regards," stands alone, whatever it ends with."""
_MARKED = re.compile(r"\s*(?:[-*\u2022\u00b7\u25cf>|]|\d{1,2}[.)]\s)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S{1,2000}|\S{1,64}@\S{1,200}")


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """`shown` is the name part of the header; spans of it count from the header's start too."""

    message: ParsedMessage
    sender: Sender | None
    languages: tuple[Names, ...]
    subject: str
    body: str
    prose: str
    signature: str
    header: str
    shown: str
    calendar: Calendar | None

    def parts(self) -> Iterator[tuple[SpanSource, str]]:
        """What is read as running text or lines, addresses left in."""
        yield "subject", self.subject
        yield "text", self.prose
        yield "signature", self.signature
        yield "header", self.shown

    def text_of(self, source: SpanSource) -> str:
        return {"subject": self.subject, "text": self.body, "signature": self.signature}.get(
            source, self.header
        )


def page_of(text: Text) -> Page:
    message = text.message
    names = tuple(language.names for language in text.languages)
    body = _without_other_jobs(message.body[:MOST_TEXT_CHARACTERS], names)
    return Page(
        message=message,
        sender=text.sender,
        languages=names,
        subject=message.subject,
        body=body,
        prose=unwrapped(body),
        signature=message.signature[:MOST_SIGNATURE_CHARACTERS],
        header=header_text(message.sender),
        shown=message.sender.name,
        calendar=first_calendar(message.calendars),
    )


def _without_other_jobs(body: str, languages: tuple[Names, ...]) -> str:
    found = (names.elsewhere.search(body) for names in languages if names.elsewhere is not None)
    return body[: min((each.start() for each in found if each is not None), default=len(body))]


def header_text(address: Address) -> str:
    """What spans of the header count in: the sender as mail programs show it."""
    return f"{address.name} <{address.address}>" if address.name else address.address


def unwrapped(text: str) -> str:
    lines = text.split("\n")
    joints = [" " if _is_wrapped(*pair) else "\n" for pair in itertools.pairwise(lines)]
    return "".join(part for pair in zip(lines, [*joints, ""], strict=True) for part in pair)


def _is_wrapped(line: str, following: str) -> bool:
    start = following.lstrip()[:1]
    if not line.strip() or not start or _MARKED.match(following):
        return False
    return (
        len(line) > _WRAPPED_CHARACTERS
        or (start.islower() and len(line) > _WRAPPED_CHARACTERS // 3)
        or (line.endswith(",") and len(line.split()) > _CLOSING_WORDS)
    )


def masked(text: str) -> str:
    """Web and mail addresses blanked out, every place kept."""
    return _ADDRESS.sub(lambda found: " " * len(found[0]), text)


def span_of(text: str, source: SpanSource, start: int, end: int) -> Span:
    return Span(source=source, start=start, end=end, text=text[start:end])


def fact(name: FactName, value: str, comparable: str, span: Span) -> Fact:
    return Fact(name=name, value=" ".join(value.split()), comparable=comparable, span=span)
