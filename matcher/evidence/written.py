"""Where a title stands in the message's own words, with the level beside it. Pure.

Not as part of a longer title: a capital word right beside it belongs to it, unless that is a level.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from matcher.decisions.types import Span
from matcher.evidence.around_names import words_around
from matcher.evidence.gendered import is_of_the_other_gender, marks_in, one_form, title_keys
from matcher.evidence.words import MAX_TEXT_CHARS, Word, belongs_to_no_name, words_of
from schema.identity.name_words import JOINS_A_LEVEL, LEVELS
from schema.identity.names import TitleParts
from schema.vocabulary import SpanSource

RARE_WORD_CHARS = 6
"""A title of one shorter word stands in too many sentences that are not about it."""

_WORDS_AROUND = 2
_MOST_BETWEEN = 3
_DIGITS_OF_A_NUMBER = 3
_BLANKS = frozenset((" ", "\u00a0"))
_PARTS = frozenset("\n/|;\u2022\u00b7")
"""Between two of these stand two titles."""


@cache
def beside_titles() -> frozenset[str]:
    """Written large right beside a title and no part of it: "Stelle", "Position"."""
    return words_around(lambda around: around.beside_titles)


def is_beside_titles(key: str) -> bool:
    """Also at the end of a compound, and of several: "Stellenausschreibung", "Ausschreibungen"."""
    return key in beside_titles() or key.endswith(_ends_beside_titles())


@cache
def _ends_beside_titles() -> tuple[str, ...]:
    long = (word for word in beside_titles() if len(word) > RARE_WORD_CHARS)
    return tuple(ending for word in long for ending in (word, f"{word}en"))


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the message as words; `forms` are their keys as titles are compared."""

    source: SpanSource
    text: str
    words: tuple[Word, ...]
    forms: tuple[str, ...]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a title in a text; `levels` stand beside them, and all its brackets follow or do not."""

    written: Written
    first: int
    last: int
    levels: frozenset[str]
    has_brackets: bool

    @property
    def span(self) -> Span:
        words = self.written.words
        return Span(source=self.written.source, start=words[self.first].start, end=words[self.last].end)


def written(source: SpanSource, text: str) -> Written:
    """Without the words that only say for whom a title is: "(m/w/d)", "Ingenieur*in"."""
    text = text[:MAX_TEXT_CHARS]
    marks = list(marks_in(text))
    found = [
        word
        for word in words_of(text)
        if not is_of_the_other_gender(text, word.start, word.key)
        and not any(start <= word.start < end for start, end in marks)
    ]
    pieces = [
        msgspec.structs.replace(word, key=key)
        for word in found
        for key in title_keys(text[word.start : word.end]) or (word.key,)
    ]
    forms = tuple(one_form(word.key) for word in pieces)
    return Written(source=source, text=text, words=tuple(pieces), forms=forms)


def places(text: Sequence[Written], title: TitleParts) -> Iterator[Place]:
    """Everywhere the title stands, in the order of the text."""
    if len(title.role) == 1 and len(title.role[0]) < RARE_WORD_CHARS:
        return
    for part in text:
        for first, last in _runs(part, title.role):
            inside = (part.words[place].key for place in range(first, last))
            within = frozenset(LEVELS[key] for key in inside if key in LEVELS and key not in title.role)
            yield Place(
                written=part,
                first=first,
                last=last,
                levels=_levels_around(part, first, last) | within,
                has_brackets=_brackets_follow(part.words, last + 1, title),
            )


def _runs(written: Written, wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the words stand one behind the other, levels between them left out: "Analyst II, Fraud"."""
    words = written.words
    for first, key in enumerate(written.forms):
        if key != wanted[0] or (last := _end_of_run(written, first, wanted)) is None:
            continue
        before = words[first - 1] if first and _touch(written, first - 1) else None
        after = words[last + 1] if last + 1 < len(words) and _touch(written, last) else None
        if not _goes_on(before) and not _goes_on(after):
            yield first, last


def _end_of_run(written: Written, first: int, wanted: Sequence[str]) -> int | None:
    place = first
    for key in wanted:
        while place > first and place < len(written.forms) and key != written.forms[place]:
            if written.words[place].key not in LEVELS:
                return None
            place += 1
        if place >= len(written.forms) or written.forms[place] != key:
            return None
        place += 1
    return place - 1


def _touch(written: Written, place: int) -> bool:
    """Nothing but one blank stands between this word and the next, or they are one: "Front-End"."""
    if written.words[place].start == written.words[place + 1].start:
        return True
    return written.text[written.words[place].end : written.words[place + 1].start] in _BLANKS


def _goes_on(word: Word | None) -> bool:
    """A capital word right beside a title belongs to it, unless it is a level or stands around names."""
    if word is None or not word.starts_name or word.key in LEVELS or is_beside_titles(word.key):
        return False
    if sum(letter.isdigit() for letter in word.key) >= _DIGITS_OF_A_NUMBER:
        return False
    return not belongs_to_no_name(word)


def _brackets_follow(words: Sequence[Word], place: int, ours: TitleParts) -> bool:
    """ "Engineer (Cloud)" is not written out where only "Engineer" stands."""
    wanted = tuple(word for bracket in ours.brackets for word in bracket.split())
    return tuple(one_form(word.key) for word in words[place : place + len(wanted)]) == wanted


def _levels_around(written: Written, first: int, last: int) -> frozenset[str]:
    """Of the words on the same line, with hardly anything between: "Senior", "en pr\u00e1cticas"."""
    before = _beside(written, range(first - 1, max(first - _WORDS_AROUND, 0) - 1, -1), 0)
    after = _beside(written, range(last + 1, min(last + 1 + _WORDS_AROUND, len(written.words))), 1)
    return frozenset(LEVELS[word.key] for word in (*before, *after) if word.key in LEVELS and word.key != "i")


def _beside(written: Written, line: range, behind: int) -> Iterator[Word]:
    """A level belongs to the title that it stands next to: none behind a plain word is this one's."""
    for place in line:
        word = written.words[place]
        if not _on_one_line(written, place - behind):
            return
        if word.key not in LEVELS and not word.starts_name and word.key not in JOINS_A_LEVEL:
            return
        yield word


def _on_one_line(written: Written, place: int) -> bool:
    between = written.text[written.words[place].end : written.words[place + 1].start]
    return len(between) <= _MOST_BETWEEN and not _PARTS.intersection(between)
