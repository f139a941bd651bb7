"""The names a text could be speaking of: its words in comparable form, with where they stand. Pure.

A name counts as seen only whole: "Acme" is not seen in "Acme Health" or in "Bank of Acme". Words that stand
around names in hiring mail ("Your Acme Application", "Acme Careers") do not make a longer name.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from matcher.decisions.types import Span
from schema.identity.name_words import LEGAL, TEAM
from schema.identity.names import company_words
from schema.vocabulary import SpanSource

MAX_TEXT_CHARS = 4_000
MOST_WORDS_OF_A_NAME = 5
MOST_NAMES = 400

_WORD = re.compile(r"[^\W_]+(?:['\u2019&+.-][^\W_]+)*|&")
_SAME_NAME = re.compile(r"[ \u00a0]{1,3}")
_JOINERS = frozenset((
    "of", "and", "the", "for", "de", "la", "le", "du", "des", "der", "die", "das", "und", "et", "y", "e",
    "&", "von", "van",
))  # fmt: skip
_MAIL_WORDS = frozenset((
    "a", "an", "the", "your", "our", "my", "we", "you", "it", "its", "this", "that", "thank", "thanks",
    "hi", "hello", "dear", "re", "fw", "fwd", "aw", "wg", "at", "to", "with", "from", "for", "by", "via",
    "in", "on", "as", "is", "are", "has", "have", "been", "was", "will", "us", "application", "applicant",
    "apply", "applying", "applied", "update", "updates", "status", "interview", "interviews", "invitation",
    "invite", "assessment", "test", "offer", "role", "position", "opening", "opportunity", "candidate",
    "candidacy", "confirmation", "confirmed", "received", "receipt", "regarding", "about", "next", "steps",
    "step", "follow", "following", "up", "new", "message", "messages", "welcome", "important", "please",
    "submitted", "submission", "interest", "decision", "powered", "information", "com", "www", "team",
))  # fmt: skip
_AROUND_NAMES = TEAM | LEGAL | _MAIL_WORDS


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """`key` is the word in comparable form; `starts_name` when it is written like part of a name."""

    key: str
    start: int
    end: int
    starts_name: bool


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A run of words that could be a whole name."""

    key: str
    span: Span


def words_of(text: str) -> list[Word]:
    return [
        Word(key=_key(found[0]), start=found.start(), end=found.end(), starts_name=_like_a_name(found[0]))
        for found in _WORD.finditer(text, 0, MAX_TEXT_CHARS)
    ]


def names_in(text: str, source: SpanSource) -> list[Seen]:
    """Every run of up to five words that stands as a whole name; at most 400."""
    found: list[Seen] = []
    for run in _runs(text, words_of(text)):
        for first, last in _whole_names(run):
            key = "".join(word.key for word in run[first : last + 1])
            span = Span(source=source, start=run[first].start, end=run[last].end)
            found.append(Seen(key=key, span=span))
            if len(found) >= MOST_NAMES:
                return found
    return found


def _runs(text: str, words: list[Word]) -> Iterator[list[Word]]:
    """Words that punctuation, line ends and ordinary words do not separate."""
    run: list[Word] = []
    for word in words:
        joined = bool(run) and _SAME_NAME.fullmatch(text, run[-1].end, word.start) is not None
        if not joined or not (word.starts_name or word.key in _JOINERS):
            yield from [run] if run else []
            run = []
        if word.starts_name or (run and word.key in _JOINERS):
            run.append(word)
    yield from [run] if run else []


def _whole_names(run: list[Word]) -> Iterator[tuple[int, int]]:
    for first, word in enumerate(run):
        if not word.starts_name or not word.key or not _ends_before(run, first):
            continue
        for last in range(first, min(first + MOST_WORDS_OF_A_NAME, len(run))):
            if run[last].starts_name and _begins_after(run, last):
                yield first, last


def belongs_to_no_name(word: Word) -> bool:
    """Written like a name or not, it stands around names in hiring mail ("Your", "Team", "2026")."""
    return word.key in _AROUND_NAMES or _is_year(word.key)


def _ends_before(run: list[Word], first: int) -> bool:
    """Nothing that could belong to the name stands right in front of it."""
    return first == 0 or belongs_to_no_name(run[first - 1])


def _begins_after(run: list[Word], last: int) -> bool:
    rest = run[last + 1 :]
    if not rest or belongs_to_no_name(rest[0]):
        return True
    # A joiner at the end of the run joins nothing: "Acme and we ...".
    return rest[0].key in _JOINERS and not any(word.starts_name for word in rest[:2])


def _like_a_name(word: str) -> bool:
    return (word[0].isalnum() and not word.islower()) or any(letter.isdigit() for letter in word)


def _is_year(key: str) -> bool:
    return len(key) == 4 and key.startswith(("19", "20")) and key.isdigit()  # noqa: PLR2004 - digits of a year


@lru_cache(maxsize=20_000)
def _key(word: str) -> str:
    return "".join(company_words(word)) or word.casefold()
