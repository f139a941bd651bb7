"""A text with the spans that say something marked, whole or as an excerpt around them. Pure.

Spans come from stored evidence and may no longer fit a text that was cut since: what does not fit is left
out, never guessed. Overlapping spans become one mark.
"""

from collections.abc import Iterable
from itertools import pairwise

import msgspec

AROUND_CHARS = 160
GAP = " … "
_WRAPPED_MIN, _WRAPPED_MAX = 50, 100
"""How long the longest line of a text is that a program wrapped."""
_BEGINS_A_LINE = frozenset("\t>-*•·|=_#\u2013\u2014")
_WORD_CHARS = 20
"""How far a cut moves to fall between words."""


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of text; `marked` when a span covers it."""

    text: str
    marked: bool = False


class Span(msgspec.Struct, frozen=True, kw_only=True, order=True):
    start: int
    end: int


def marked(text: str, spans: Iterable[Span]) -> list[Stretch]:
    """The whole of `text`, cut where marks begin and end."""
    return _cut(text, 0, len(text), _fitting(text, spans))


def excerpt(text: str, spans: Iterable[Span], around: int = AROUND_CHARS) -> list[Stretch]:
    """What stands around the spans, gaps shown; the beginning of the text when there are none."""
    fitting = _fitting(text, spans)
    if not fitting:
        return _opening(text, 2 * around)
    pieces: list[Stretch] = []
    windows = _windows(text, fitting, around)
    for place, (start, end) in enumerate(windows):
        if start > 0:
            pieces.append(Stretch(text=GAP if place else GAP.lstrip()))
        pieces.extend(_cut(text, start, end, fitting))
    if windows[-1][1] < len(text):
        pieces.append(Stretch(text=GAP.rstrip()))
    return pieces


def flowing(text: str) -> str:
    """`text` with the line breaks its sender's program put in taken out, each for one space.

    No place moves, so spans still fit. A break stays where the next word would have fitted, and before a
    list, a quote or an indented line.
    """
    lines = text.split("\n")
    width = max((len(line) for line in lines if len(line) <= _WRAPPED_MAX), default=0)
    if width < _WRAPPED_MIN:
        return text
    breaks = (" " if _is_wrapped(above, below, width) else "\n" for above, below in pairwise(lines))
    return lines[0] + "".join(mark + line for mark, line in zip(breaks, lines[1:], strict=True))


def _is_wrapped(above: str, below: str, width: int) -> bool:
    word = below.split(" ", 1)[0]
    if not word or word[0] in _BEGINS_A_LINE or word.rstrip(".)").isdigit() != word.isdigit():
        return False
    return len(above) <= width < len(above) + 1 + len(word)


def _opening(text: str, limit: int) -> list[Stretch]:
    if len(text) <= limit:
        return [Stretch(text=text)] if text else []
    return [Stretch(text=text[: _word_start(text, limit)].rstrip()), Stretch(text=GAP.rstrip())]


def _fitting(text: str, spans: Iterable[Span]) -> list[Span]:
    """The spans that lie in the text, in order, overlapping ones joined."""
    joined: list[Span] = []
    for span in sorted(span for span in spans if 0 <= span.start < span.end <= len(text)):
        if joined and span.start <= joined[-1].end:
            last = joined.pop()
            joined.append(Span(start=last.start, end=max(last.end, span.end)))
        else:
            joined.append(span)
    return joined


def _windows(text: str, spans: list[Span], around: int) -> list[tuple[int, int]]:
    windows: list[tuple[int, int]] = []
    for span in spans:
        start = _word_start(text, max(span.start - around, 0))
        end = _word_end(text, min(span.end + around, len(text)))
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(end, windows[-1][1]))
        else:
            windows.append((min(start, span.start), max(end, span.end)))
    return windows


def _cut(text: str, start: int, end: int, spans: list[Span]) -> list[Stretch]:
    inside = [span for span in spans if span.start < end and span.end > start]
    edges = sorted({start, end, *(edge for span in inside for edge in (span.start, span.end))})
    starts = {span.start for span in inside}
    return [Stretch(text=text[a:b], marked=a in starts) for a, b in pairwise(edges)]


def _word_start(text: str, place: int) -> int:
    """`place` moved back to where a word begins, at most a few letters."""
    if place in {0, len(text)}:
        return place
    space = max(text.rfind(mark, max(place - _WORD_CHARS, 0), place) for mark in " \n")
    return place if space < 0 else space + 1


def _word_end(text: str, place: int) -> int:
    """`place` moved on to where a word ends, at most a few letters."""
    ends = [found for mark in " \n" if (found := text.find(mark, place, place + _WORD_CHARS)) >= 0]
    return min(ends, default=len(text) if len(text) - place < _WORD_CHARS else place)
