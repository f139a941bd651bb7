"""Where a sentence speaks of a job by a title that no phrase marks: "the requirements of Truck Driver". Pure.

What is found may speak against an application, never for a decision: it is told by one word of it only.
"""

import re
from collections.abc import Sequence
from functools import cache

from mailsync.classify.languages.load import languages
from matcher.decisions.types import Span
from matcher.evidence.words import MAX_TEXT_CHARS, Word, words_of
from schema.identity.name_words import TEAM

MOST_TITLES = 4
MOST_WORDS = 6
_TOGETHER = re.compile(r"[ \u00a0]?[\n ,/&-]{0,2}[ \u00a0]?")
_LOWER = re.compile(r"[a-z\u00df-\u00ff]+[ \u00a0\n]{1,2}$")
_AFTER_WRITER = re.compile(r"(?:our|unser[em]?|notre|nuestr[oa]|the)[ \n]$", re.IGNORECASE)
_NOT_TITLES = TEAM | {
    "hiring",
    "board",
    "service",
    "support",
    "office",
    "human",
    "resources",
    "rh",
    "personal",
}
_BEFORE_CHARS = 24


@cache
def heads() -> frozenset[str]:
    """Words of which one stands in nearly every title, in all languages read."""
    return frozenset[str]().union(*(language.names.role_heads for language in languages()))


def titles_like(text: str) -> list[Span]:
    """At most four, in the order of the text; none that stands on a line of its own, as under a signature."""
    text = text[:MAX_TEXT_CHARS]
    read = words_of(text)
    found: list[Span] = []
    place = 0
    while place < len(read) and len(found) < MOST_TITLES:
        run = _run(text, read, place)
        if run and _is_title(text, run):
            found.append(Span(source="text", start=run[0].start, end=run[-1].end))
        place += max(len(run), 1)
    return found


def _run(text: str, read: Sequence[Word], first: int) -> list[Word]:
    """Capital words next to one another."""
    run: list[Word] = []
    for word in read[first : first + MOST_WORDS]:
        if not word.starts_name or (run and _TOGETHER.fullmatch(text, run[-1].end, word.start) is None):
            break
        run.append(word)
    return run


def _is_title(text: str, run: Sequence[Word]) -> bool:
    plain = [text[word.start : word.end].casefold() for word in run]
    if not _NOT_TITLES.isdisjoint(plain) or heads().isdisjoint((plain[0], plain[-1])):
        return False
    before = text[max(0, run[0].start - _BEFORE_CHARS) : run[0].start]
    return _LOWER.search(before) is not None and _AFTER_WRITER.search(before) is None
