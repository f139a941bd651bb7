"""The lines under a letter: who signs, as what, and for whom. Pure.

Under a signature mark every line counts; in the text only the short lines behind a closing such as "Kind
regards", or the last ones of the letter.
"""

import itertools
import re
from collections.abc import Iterator

import msgspec

from mailsync.classify.facts.mentions import Mention, mention
from mailsync.classify.facts.page import Page
from mailsync.classify.facts.people import reads_like_a_person
from schema.identity.name_words import TEAM
from schema.identity.tokens import folded
from schema.vocabulary import SpanSource

_MOST_LINES = 7
_LAST_LINES = 3
_LONGEST_LINE = 70
_LINE = re.compile(r"[^\n]+")
_SEPARATORS = re.compile(
    r"\s+[|\u2013\u2014\u00b7\u2022@/-]+\s+|,\s+|\s+(?:at|chez|bei|en|de)\s+(?=[A-Z])|\s*\|\s*"
)
_NOT_A_NAME = re.compile(r"https?:|www\.|@\w|[?!]|\+?\d[\d ()./-]{5,}|[:.]$")


class Line(msgspec.Struct, frozen=True, kw_only=True):
    source: SpanSource
    start: int
    text: str


def signed_lines(page: Page) -> list[Line]:
    """The lines that sign the letter, in order; without the closing itself."""
    marked = [_line(found, "signature") for found in _LINE.finditer(page.signature)][:_MOST_LINES]
    lines = [_line(found, "text") for found in _LINE.finditer(page.body)]
    lines = [line for line in lines if line.text.strip()]
    closing = _closing(page, lines)
    if closing is None:
        last = itertools.takewhile(_is_short, reversed(lines[-_LAST_LINES:]))
        return [*reversed(list(last)), *marked]
    behind = lines[closing + 1 : closing + 1 + _MOST_LINES]
    return [*itertools.takewhile(_is_short, behind), *marked]


def _closing(page: Page, lines: list[Line]) -> int | None:
    patterns = [names.closings for names in page.languages if names.closings is not None]
    return next(
        (
            place
            for place in range(len(lines) - 1, -1, -1)
            if any(pattern.match(lines[place].text.strip()[:_LONGEST_LINE]) for pattern in patterns)
        ),
        None,
    )


def closing_lines(page: Page) -> Iterator[Mention]:
    """Names that could be the employer's: a line of its own, or what a title is joined to. Weak."""
    above = ""
    for line in signed_lines(page):
        if _is_sender(page, above):
            yield from _piece(page, line, 0, len(line.text), weight=2)
        above = line.text.strip()
        position = 0
        pieces = [*_SEPARATORS.finditer(line.text)]
        for found in pieces:
            yield from _piece(page, line, position, found.start())
            position = found.end()
        behind_title = position > 0 and _holds_title(page, line.text[:position])
        yield from _piece(page, line, position, len(line.text), weight=2 if behind_title else 1)
        if pieces:
            yield from _piece(page, line, 0, len(line.text))


def _is_sender(page: Page, line: str) -> bool:
    """What stands under the name of the one who writes is mostly a title or the employer."""
    return reads_like_a_person(line) and folded(line) == folded(page.shown.strip())


def _holds_title(page: Page, text: str) -> bool:
    words = {word.strip(".,()|").lower() for word in text.split()}
    return any(words & names.role_heads for names in page.languages) or bool(words & TEAM)


def _piece(page: Page, line: Line, first: int, last: int, *, weight: int = 1) -> Iterator[Mention]:
    text = line.text[first:last].strip(" \t,;-\u2013\u2014*_|")
    if not text or _NOT_A_NAME.search(text) or len(text) > _LONGEST_LINE:
        return
    start = line.start + line.text.index(text, first)
    yield mention(page.text_of(line.source), line.source, start, start + len(text), weight=weight)


def _line(found: re.Match[str], source: SpanSource) -> Line:
    return Line(source=source, start=found.start(), text=found[0])


def _is_short(line: Line) -> bool:
    text = line.text.strip()
    return len(text) <= _LONGEST_LINE and text[-1:] not in (".", "?", ":")
