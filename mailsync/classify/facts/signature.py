"""The lines under a letter: who signs, as what, and for whom. Pure.

Under a signature mark every line counts; in the text only the short lines behind a closing such as "Kind
regards", or the last ones of the letter.
"""

import itertools
import re
from collections.abc import Iterator

import msgspec

from mailsync.classify.facts.mentions import Mention, mention
from mailsync.classify.facts.names import is_brand, says_nothing
from mailsync.classify.facts.page import Page
from mailsync.classify.facts.people import is_given_name, reads_like_a_person
from schema.identity.name_words import TEAM
from schema.identity.tokens import folded
from schema.vocabulary import SpanSource

_MOST_LINES = 7
_LAST_LINES = 3
_LONGEST_LINE = 70
_MOST_WORDS = 6
_JOINING = 3
_DESKS = TEAM | {
    "personnel",
    "resources",
    "humaines",
    "recrutement",
    "rh",
    "personal",
    "seleccion",
    "humanos",
}
_ENDS_FIRMS = frozenset((
    "bank", "games", "studios", "robotics", "therapeutics", "pharmaceuticals", "technologies", "holdings",
    "mutual", "airlines", "airways", "aerospace", "motors", "laboratories", "university", "college",
    "hospital", "foundation", "council", "county", "brewery", "bakery", "museum", "theatre", "institute",
    "ltd", "limited", "inc", "llc", "plc", "gmbh", "ag", "sas", "sarl", "bv", "railways", "shipping",
))  # fmt: skip
_BEGINS_FIRMS = frozenset((
    "groupe", "transports", "banque", "mairie", "ville", "clinique", "laboratoires", "laboratoire",
    "ateliers", "atelier", "maison", "universit\u00e9", "stadtwerke", "universit\u00e4t", "grupo", "banco",
))  # fmt: skip
_AGENCIES = frozenset(("search", "executive", "resourcing", "personnel", "headhunters", "recruits"))
# "L'Atelier", which no person is called.
_ARTICLE = re.compile(r"L['\u2019][A-Z\u00c0-\u00de\u0152]")
_LINE = re.compile(r"[^\n]+")
_SEPARATORS = re.compile(
    r"\s+[|\u2013\u2014\u00b7\u2022@/-]+\s+|,\s+|\s+(?:at|chez|bei|en|de)\s+(?=[A-Z])|\s*\|\s*"
)
_PARTS = re.compile(r"[|\u2013\u2014\u00b7\u2022@-]")
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


def behind_closing(page: Page) -> frozenset[int]:
    """Where the lines of the text start that stand under its closing; none when nothing closes it."""
    lines = [line for found in _LINE.finditer(page.body) if (line := _line(found, "text")).text.strip()]
    closing = _closing(page, lines)
    behind = lines[closing + 1 :] if closing is not None else []
    return frozenset(line.start for line in itertools.takewhile(_is_short, behind[:_MOST_LINES]))


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
    lines = signed_lines(page)
    yield from _of_a_machine(page, lines)
    for line in lines:
        if _is_sender(page, above) or _is_desk(page, above) or names_a_firm(page, line.text):
            yield from _piece(page, line, 0, len(line.text), weight=2)
        above = line.text.strip()
        position = 0
        pieces = [*_SEPARATORS.finditer(line.text)]
        for found in pieces:
            yield from _piece(page, line, position, found.start())
            position = found.end()
        behind_title = position > 0 and _holds_title(page, line.text[:position])
        yield from _piece(page, line, position, len(line.text), weight=2 if behind_title else 1)
        if pieces and not any(_PARTS.search(found[0]) for found in pieces):
            yield from _piece(page, line, 0, len(line.text))


def _is_sender(page: Page, line: str) -> bool:
    """What stands under the name of the one who writes is mostly a title or the employer."""
    return reads_like_a_person(line) and folded(line) == folded(page.shown.strip())


def signers(page: Page) -> Iterator[str]:
    """Who stands above a title of those who hire: "Senior Recruiter" is said of a person."""
    for line, below in itertools.pairwise(signed_lines(page)):
        words = below.text.replace(",", " ").split()
        held = {word.strip(".()|").lower() for word in words}
        titled = held & TEAM and any(held & names.role_heads for names in page.languages)
        if titled and len(words) <= _MOST_WORDS:
            yield line.text.strip(" \t,.-\u2013\u2014*_")


def names_a_firm(page: Page, line: str) -> bool:
    """Words enough for a name, of which one is a firm's; nobody's title, and no agency."""
    words = line.strip(" \t,.*_").split()
    if not 1 < len(words) <= _MOST_WORDS or not _all_capitalised(words):
        return False
    lower = {word.strip(".,()").lower() for word in words}
    titles = any(lower & (names.role_heads - names.also_companies) for names in page.languages)
    is_firm = lower & _ENDS_FIRMS or words[0].lower() in _BEGINS_FIRMS or _ARTICLE.match(words[0])
    return bool(is_firm) and not titles and lower.isdisjoint(TEAM | _AGENCIES)


def letterhead(page: Page) -> Iterator[Mention]:
    """The first line, when the next one names a desk, or when firms end so."""
    lines = [_line(found, "text") for found in itertools.islice(_LINE.finditer(page.body), _MOST_LINES)]
    lines = [line for line in lines if line.text.strip()]
    for line, below in itertools.pairwise(lines[:2]):
        if _is_desk(page, below.text) or names_a_firm(page, line.text):
            yield from _piece(page, line, 0, len(line.text), weight=2)


def _of_a_machine(page: Page, lines: list[Line]) -> Iterator[Mention]:
    """A platform that shows its own name writes for the one who signs alone."""
    if page.sender is None or page.sender.kind != "ats" or len(lines) != 1:
        return
    shown = page.shown.strip()
    words = lines[0].text.split()
    if len(words) > _MOST_WORDS or _SEPARATORS.search(lines[0].text):
        return
    if shown and is_brand(shown) and _all_capitalised(words) and not is_given_name(words[0]):
        yield from _piece(page, lines[0], 0, len(lines[0].text), weight=2)


def _is_desk(page: Page, line: str) -> bool:
    """ "Graduate Recruitment", "HR": nothing but words about hiring."""
    words = {word.strip(".,()|").lower() for word in line.split()}
    return not words.isdisjoint(_DESKS) and any(says_nothing(line, names) for names in page.languages)


def _all_capitalised(words: list[str]) -> bool:
    return all(not word[:1].islower() or len(word) <= _JOINING for word in words)


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
