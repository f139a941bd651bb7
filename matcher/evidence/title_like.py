"""Where a sentence speaks of a job by a title that no phrase marks: "the requirements of Truck Driver". Pure.

What is found may speak against an application, never for a decision: it is told by one word of it only.
"""

import itertools
import re
from collections.abc import Sequence
from functools import cache

from mailsync.classify.facts.page import unwrapped
from mailsync.classify.languages.load import languages
from mailsync.classify.senders import is_relay_brand
from matcher.decisions.types import Span
from matcher.evidence.around_names import either, words_around
from matcher.evidence.words import MAX_TEXT_CHARS, Word, belongs_to_no_name, words_of
from schema.identity.name_words import TEAM

MOST_TITLES = 4
MOST_WORDS = 6
_TOGETHER = re.compile(r"[ \u00a0]?[,/&]?[ \u00a0]?")
_LOWER = re.compile(r"[a-z\u00df-\u00ff]+[ \u00a0]{1,2}$")
_BEFORE_CHARS = 24
_SHORTEST_HEAD = 6
_LABEL_LINE = re.compile(r"^[^\W\d][^:\n]{2,24}[ \u00a0]?:[ \u00a0]{1,3}([^\n:.!?]{3,60})$", re.MULTILINE)


@cache
def heads() -> frozenset[str]:
    """Words of which one stands in nearly every title, in all languages read."""
    return frozenset[str]().union(*(language.names.role_heads for language in languages()))


@cache
def _not_titles() -> frozenset[str]:
    return TEAM | words_around(lambda around: around.not_a_title)


@cache
def _after_writer() -> re.Pattern[str]:
    return re.compile(rf"(?:{either(lambda around: around.writer_is)})[ \n]$", re.IGNORECASE)


@cache
def _between() -> re.Pattern[str]:
    """ "Baker is no longer open": a title ends at a sign, or where the sentence about it goes on."""
    verbs = "|".join(re.escape(word) for word in sorted(words_around(lambda around: around.behind_title)))
    return re.compile(
        rf"[ \u00a0]?[:|\u2013\u2014/][ \u00a0]|[ \u00a0]-[ \u00a0]|[ \u00a0](?:{verbs})[ \u00a0]"
    )


def titles_like(text: str) -> list[Span]:
    """At most four, in the order of the text; none that stands on a line of its own, as under a signature."""
    text = unwrapped(text[:MAX_TEXT_CHARS])
    read = words_of(text)
    found = _behind_labels(text)
    place = 0
    while place < len(read) and len(found) < MOST_TITLES:
        run = _run(text, read, place)
        place += len(run)
        own = list(itertools.dropwhile(belongs_to_no_name, run))
        is_a_desk = any(word.key in TEAM for word in run[: len(run) - len(own)])
        if own and not is_a_desk and _is_title(text, own):
            found.append(Span(source="text", start=own[0].start, end=own[-1].end))
        place += 1
    return found


def titles_in_subject(subject: str) -> list[Span]:
    """ "Quality Inspector: no longer open": a piece between signs that has a title's word."""
    cuts = [(0, 0), *(found.span() for found in _between().finditer(subject, 0, MAX_TEXT_CHARS))]
    ends = [*(start for start, _ in cuts[1:]), len(subject)]
    pieces = [(start, end) for (_, start), end in zip(cuts, ends, strict=True)]
    return [
        Span(source="subject", start=start, end=end)
        for start, end in pieces
        if len(pieces) > 1 and _has_head(subject[start:end].split())
    ][:MOST_TITLES]


def _behind_labels(text: str) -> list[Span]:
    """ "Betreff: Vertriebsmanager" on a line of its own."""
    lines = [found for found in _LABEL_LINE.finditer(text) if _has_head(found[1].split())]
    return [Span(source="text", start=found.start(1), end=found.end(1)) for found in lines[:MOST_TITLES]]


def _has_head(written: Sequence[str]) -> bool:
    """Few words in capitals, of which the first or the last stands in titles."""
    plain = [word.strip(".,:;()").casefold() for word in written]
    if (
        not 0 < len(plain) <= MOST_WORDS
        or not _not_titles().isdisjoint(plain)
        or not written[0][:1].isupper()
    ):
        return False
    return any(is_a_head(word) for word in (plain[0], plain[-1]))


def is_a_head(word: str) -> bool:
    """Also as the end of a compound: "Qualit\u00e4tspr\u00fcfer"."""
    return word in heads() or any(
        word[cut:] in heads()
        for cut in range(3, len(word) - _SHORTEST_HEAD + 1)
        if not word.isascii() or cut > 3  # noqa: PLR2004
    )


def _run(text: str, read: Sequence[Word], first: int) -> list[Word]:
    """Capital words next to one another."""
    run: list[Word] = []
    for word in read[first:]:
        if not word.starts_name or (run and _TOGETHER.fullmatch(text, run[-1].end, word.start) is None):
            break
        run.append(word)
    return run


def _is_title(text: str, run: Sequence[Word]) -> bool:
    written = [text[word.start : word.end] for word in run]
    if not _has_head(written) or (len(run) == 1 and is_relay_brand(written[0])):
        return False
    before = text[max(0, run[0].start - _BEFORE_CHARS) : run[0].start]
    return _LOWER.search(before) is not None and _after_writer().search(before) is None
