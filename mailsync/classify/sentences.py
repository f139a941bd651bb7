"""Text into sentences that know where they stand, in lower case with plain marks beside.

The span of an event is its sentence, so patterns never have to keep count of characters: what they see is
made of `lower` by the language (`clauses.py`), addresses masked.
"""

import re
from collections.abc import Iterator

import msgspec

from mailsync.classify.types import Span
from schema.vocabulary import SpanSource

MOST_SENTENCES = 300
LONGEST_SENTENCE = 1000
MOST_CHARACTERS = 30_000
_SHORT_LINE = 48

_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_END = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019)\]*_]*(?=\s|$)|[.!?](?=[A-Z][a-z])")
_ABBREVIATION = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|inc|ltd|co|corp|llc|e\.g|i\.e|etc|st|no|sr|jr|vs|approx|dept|r[e\u00e9]f"
    r"|req|t[e\u00e9]l|ext|pos|fig|u\.s|u\.k|a\.m|p\.m|mme|mlle|env|bzw|ca|inkl|ggf|usw|evtl|nr|sra|srta|ud|uds|[a-z])$",
    re.IGNORECASE,
)
# "am 12. Februar", "zur 2. Runde": the number is spoken as an ordinal, and the noun goes on.
_ORDINAL = re.compile(
    r"(?<![\d.,:])\d{1,2}\.\s{1,3}(?:Jan|Feb|M\u00e4r|Maerz|Apr|Mai\b|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Runde|Stock\b|Etage|OG\b"
    r"|Obergeschoss|Gespr\u00e4ch|Schritt|Woche|Quartal|Platz\b|Auswahlrunde|Lehrjahr)"
)
_BULLET = re.compile(r"\s*(?:[-*\u2022\u00b7\u25cf>]|\d{1,2}[.)])\s")

_URL = re.compile(r"(?:https?://|www\.)\S{1,2000}|\S{1,64}@\S{1,200}")
_MARKUP = re.compile(r"[*_|#<>\[\]\u2022\u25cf\u00b7\"\u201c\u201d]+")
_SPELLINGS = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "`": "'", "\u2013": "-", "\u2014": "-"}
)
_DASH = re.compile(r"\s*(?:\s--?\s|\u2014|---?)\s*")


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """`text` exactly as it stands between the offsets; `lower` in lower case with plain marks."""

    source: SpanSource
    start: int
    end: int
    text: str
    lower: str

    def span(self) -> Span:
        return Span(source=self.source, start=self.start, end=self.end, text=self.text)


def sentences(text: str, source: SpanSource) -> list[Sentence]:
    """The first 300 sentences, none behind 30,000 characters.

    Hard-wrapped lines are one sentence; a short line stands alone.
    """
    found: list[Sentence] = []
    for start, end in _stretches(text):
        first = start + len(text[start:end]) - len(text[start:end].lstrip(" \t\n*>_-\u2022"))
        exact = text[first:end].rstrip()
        if not exact:
            continue
        found.append(
            Sentence(
                source=source,
                start=first,
                end=first + len(exact),
                text=exact,
                lower=plain_marks(exact.lower()),
            )
        )
        if len(found) >= MOST_SENTENCES or end >= MOST_CHARACTERS:
            break
    return found


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for gap in _PARAGRAPH.finditer(text):
        yield from _in_paragraph(text, position, gap.start())
        position = gap.end()
    yield from _in_paragraph(text, position, len(text))


def _in_paragraph(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in _joined_lines(text, start, end):
        position = first
        for mark in _END.finditer(text, first, last):
            if _is_abbreviation(text, mark):
                continue
            yield from _capped(position, mark.end())
            position = mark.end()
        yield from _capped(position, last)


def _is_abbreviation(text: str, mark: re.Match[str]) -> bool:
    if mark[0][0] != ".":
        return False
    if _ORDINAL.match(text, mark.start() - 2) or _ORDINAL.match(text, mark.start() - 1):
        return True
    following = text[mark.end() : mark.end() + 3].lstrip()[:1]
    goes_on = following.islower() or following.isdigit()
    return _ABBREVIATION.search(text, max(0, mark.start() - 8), mark.start()) is not None and (
        goes_on or mark.start() - 1 < 0 or text[mark.start() - 2 : mark.start()].strip().istitle()
    )


def _capped(start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST_SENTENCE:
        yield start, start + LONGEST_SENTENCE
        start += LONGEST_SENTENCE
    if end > start:
        yield start, end


def _joined_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Runs of lines that are one hard-wrapped text."""
    first = start
    while (newline := text.find("\n", first, end)) >= 0:
        while newline >= 0 and not _breaks(text, first, newline, end):
            newline = text.find("\n", newline + 1, end)
        if newline < 0:
            break
        yield first, newline
        first = newline + 1
    yield first, end


def _breaks(text: str, first: int, newline: int, end: int) -> bool:
    """Whether the line end is a break and not a wrap: a short line before, or a new item behind."""
    if _BULLET.match(text, newline + 1, min(end, newline + 8)):
        return True
    line = text[text.rfind("\n", first, newline) + 1 : newline].strip()
    following = text[newline + 1 : newline + 3].strip()[:1]
    return len(line) <= _SHORT_LINE and not following.islower() and not line.endswith(",")


def plain_marks(text: str) -> str:
    """Typographic quotes and dashes in their plain form, markup and addresses masked."""
    text = _URL.sub(" url ", text)
    text = _DASH.sub(" - ", text)
    return " ".join(_MARKUP.sub(" ", text.translate(_SPELLINGS)).split())
