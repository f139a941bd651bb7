"""Text into sentences that know where they stand, and each sentence into one plain spelling for patterns.

The span of an event is its sentence, so patterns never have to keep count of characters: they see a lower
case text with contractions written out, fillers gone and addresses masked.
"""

import re
from collections.abc import Iterator

import msgspec

from mailsync.classify.types import Span
from schema.vocabulary import SpanSource

MOST_SENTENCES = 300
LONGEST_SENTENCE = 1000
_SHORT_LINE = 48

_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_END = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019)\]*_]*(?=\s|$)|[.!?](?=[A-Z][a-z])")
_ABBREVIATION = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|inc|ltd|co|corp|llc|e\.g|i\.e|etc|st|no|sr|jr|vs|approx|dept|ref|req|tel|ext"
    r"|pos|fig|u\.s|u\.k|a\.m|p\.m|[a-z])$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"\s*(?:[-*\u2022\u00b7\u25cf>]|\d{1,2}[.)])\s")

_URL = re.compile(r"(?:https?://|www\.)\S{1,2000}|\S{1,64}@\S{1,200}")
_MARKUP = re.compile(r"[*_|#<>\[\]\u2022\u25cf\u00b7\"\u201c\u201d]+")
_SPELLINGS = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "`": "'", "\u2013": "-", "\u2014": "-"}
)
_DASH = re.compile(r"\s*(?:\s--?\s|\u2014|---?)\s*")
_CONTRACTIONS = (
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"\bcan(?:no|')t\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"'d (?=like|love|be|want|prefer)"), " would "),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\bgonna\b"), "going to"),
    (re.compile(r"\b(it|that|this)'s\b"), r"\1 is"),
)
_SAME = (
    (re.compile(r"\b(?:are |is |am |be |were |was |been )?"
                r"(?:unable|not able|not in a position|not possible(?: for us)?) to\b"), "can not"),
    (re.compile(r"\bcould not\b"), "can not"),
    (re.compile(r"\bwill can not\b"), "can not"),
    (re.compile(r"\bkindly\b"), "please"),
    (re.compile(r"\br[e\u00e9]sum[e\u00e9]s?\b|\bc\.v\.|\bcurriculum vitae\b"), "resume"),
    (re.compile(r"\bmove (?:you |your application )?(?:onto|on to)\b"), "move forward to"),
    (re.compile(r"\bshort-list"), "shortlist"),
)  # fmt: skip
_FILLERS = re.compile(
    r"\b(?:therefore|thus|hence|unfortunately|regretfully|regrettably|sadly|respectfully|currently|presently"
    r"|ultimately|actually|simply|also|now|just|however|finally|sincerely|truly|genuinely|really|very"
    r"|officially"
    r"|already|formally|internally"
    r"|at this (?:\w+ )?(?:time|stage|point|moment|juncture)|at the moment|at present|for now|as of now|today"
    r"|(?:on|for|in) this (?:particular )?(?:occasion|instance|case)|this time(?: around)?"
    r"|at the present time"
    r"|after (?:\w+ ){0,4}(?:consideration|review|evaluation|deliberation|thought|assessment|discussion)"
    r"(?: (?:of|and) [^,.;]{0,80}(?=,))?|with (?:regret|disappointment|a heavy heart))\b,?"
)
_SPACES = re.compile(r"[^\w'&/+%$\u20ac-]+|(?<!\w)['/+-]+|['/+-]+(?!\w)")


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
    """The first 300 sentences in order. Hard-wrapped lines are one sentence; a short line stands alone."""
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
        if len(found) >= MOST_SENTENCES:
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


def written_out(lower: str) -> str:
    """Contractions and synonyms in one form; commas kept."""
    for pattern, full in _CONTRACTIONS:
        lower = pattern.sub(full, lower)
    for pattern, full in _SAME:
        lower = pattern.sub(full, lower)
    return lower


def bare(clause: str) -> str:
    """Without fillers and commas: the form every pattern is written for."""
    return _SPACES.sub(" ", _FILLERS.sub(" ", clause)).strip()
