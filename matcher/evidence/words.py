"""The names a text could be speaking of: its words in comparable form, with where they stand. Pure.

A name counts as seen only whole: "Acme" is not seen in "Acme Health" or in "Bank of Acme". Words that stand
around names in hiring mail ("Your Acme Application", "Acme Careers") do not make a longer name. A word that
is no name as far as anybody can see is none: "Target your search", "Monday, 9 March", "Dear Otto,".
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec

from matcher.decisions.types import Span
from matcher.evidence.around_names import words_around
from schema.identity.date_words import MONTHS, WEEKDAYS
from schema.identity.name_words import LEGAL, TEAM
from schema.identity.names import company_words
from schema.vocabulary import SpanSource

MAX_TEXT_CHARS = 4_000
MOST_WORDS_OF_A_NAME = 5
MOST_NAMES = 400

_WORD = re.compile(r"[^\W_]+(?:['\u2019&+.-][^\W_]+)*|&")
_SAME_NAME = re.compile(r"[ \u00a0]{1,3}")
_OF_ADDRESSES = frozenset(("com", "www"))
_CALENDAR_WORDS = frozenset((*WEEKDAYS, *MONTHS))
_STARTS_ANEW = re.compile(r"(?:^|[.!?:;*\u2022|\n\u2013\u2014-])[\s\"'(\u201e\u201c\u00ab*>]*$")
_CLOSES_SALUTE = re.compile(r"[ \u00a0]{0,2}(?:[,!:;.]|\n|$)")
_ENDS_A_NAME = frozenset(("", "\n", "'", "\u2019", ",", "|", ")", ":"))
_PARTS_A_NAME = frozenset(("|", "-", "\u2013", "\u2014", "(", "\u00b7"))
_OWNERS = re.compile(r"['\u2019]s$")
_FULL_LINE_CHARS = 41
_AROUND_BREAK = 60
_BEFORE_CHARS = 12


@cache
def _joiners() -> frozenset[str]:
    return words_around(lambda around: around.joiners) | {"&", "van"}


@cache
def _around_names() -> frozenset[str]:
    return TEAM | LEGAL | _OF_ADDRESSES | words_around(lambda around: around.in_mail)


@cache
def _names_follow() -> frozenset[str]:
    return words_around(lambda around: around.name_follows) | {"@"}


@cache
def _salutes() -> frozenset[str]:
    return words_around(lambda around: around.salutes)


@cache
def _of_one_who_acts() -> frozenset[str]:
    return words_around(lambda around: around.acts) | {"com", "io"}


@cache
def ordinary_words() -> frozenset[str]:
    """Words that employers are called by too: "at Target" it is a name, at the head of a sentence none."""
    return words_around(lambda around: around.ordinary)


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
    for run, before, after in _runs(text, words_of(text)):
        if source == "text" and _is_no_name(text, run, before, after):
            continue
        for first, last in _whole_names(run):
            key = "".join(word.key for word in run[first : last + 1])
            span = Span(source=source, start=run[first].start, end=run[last].end)
            found.append(Seen(key=key, span=span))
            if _OWNERS.search(text, run[last].start, run[last].end) is not None:
                # "Northwind's team" speaks of Northwind; "McDonald's" keeps its end.
                end = msgspec.structs.replace(span, end=span.end - 2)
                found.append(Seen(key=key.removesuffix("s"), span=end))
            if len(found) >= MOST_NAMES:
                return found[:MOST_NAMES]
    return found


def names_over_lines(text: str) -> list[Seen]:
    """Names that a line full of words breaks off, and the next one ends."""
    found: list[Seen] = []
    for break_at in _wrapped(text[:MAX_TEXT_CHARS]):
        start = max(0, break_at - _AROUND_BREAK)
        piece = f"{text[start:break_at]} {text[break_at + 1 : break_at + 1 + _AROUND_BREAK]}"
        for name in names_in(piece, "subject"):
            if name.span.start < break_at - start < name.span.end:
                span = Span(source="text", start=name.span.start + start, end=name.span.end + start)
                found.append(Seen(key=name.key, span=span))
    return found


def _wrapped(text: str) -> Iterator[int]:
    """The ends of lines full of words that go on with a capital on the next one."""
    line, end = 0, text.find("\n")
    while end >= 0:
        behind = text[end + 1 : end + 2]
        if end - line >= _FULL_LINE_CHARS and text[end - 1].isalnum() and behind.isalpha():
            yield from [] if behind.islower() else [end]
        line, end = end + 1, text.find("\n", end + 1)


def _runs(text: str, words: list[Word]) -> Iterator[tuple[list[Word], str, str]]:
    """Words that nothing separates, neither signs nor ordinary words, with what stands before and behind."""
    run: list[Word] = []
    first, joiners = 0, _joiners()
    for place, word in enumerate(words):
        joined = bool(run) and _SAME_NAME.fullmatch(text, run[-1].end, word.start) is not None
        if not joined or not (word.starts_name or word.key in joiners):
            if run:
                yield run, _written(text, words, first - 1), _written(text, words, place)
            run, first = [], place
        if word.starts_name or (run and word.key in joiners):
            run.append(word)
        else:
            first = place + 1
    if run:
        yield run, _written(text, words, first - 1), ""


def _written(text: str, words: list[Word], place: int) -> str:
    return text[words[place].start : words[place].end].casefold() if 0 <= place < len(words) else ""


def _is_no_name(text: str, run: list[Word], before: str, after: str) -> bool:
    """One word that stands where any word would, or a person being greeted."""
    greeting = before if before in _salutes() else text[run[0].start : run[0].end].casefold()
    if greeting in _salutes() and _CLOSES_SALUTE.match(text, run[-1].end) is not None:
        return True
    plain = [word for word in run if not belongs_to_no_name(word) and word.key not in _joiners()]
    if len(plain) != 1:
        return False
    word, behind = plain[0], run[run.index(plain[0]) + 1 :]
    if text[word.start : word.end].casefold() in _CALENDAR_WORDS:
        return before not in _names_follow() and not behind
    if run[0] is not word or word.key not in ordinary_words() or (behind and behind[0].key not in _joiners()):
        return False
    starts = _STARTS_ANEW.search(text, max(0, word.start - _BEFORE_CHARS), word.start) is not None
    return starts and not _acts(text[word.end : word.end + 2], behind[0].key if behind else after)


def _acts(behind: str, after: str) -> bool:
    """ "Northwind has ..." and a name alone on its line; "Target your search" is nobody's name."""
    return after in _of_one_who_acts() or behind[:1] in _ENDS_A_NAME or behind[1:] in _PARTS_A_NAME


def _whole_names(run: list[Word]) -> Iterator[tuple[int, int]]:
    for first, word in enumerate(run):
        if not word.starts_name or not word.key or not _ends_before(run, first):
            continue
        for last in range(first, min(first + MOST_WORDS_OF_A_NAME, len(run))):
            if run[last].starts_name and _begins_after(run, last):
                yield first, last


def is_a_date_word(word: Word) -> bool:
    return word.key in _CALENDAR_WORDS


def is_a_salute(word: Word) -> bool:
    return word.key in _salutes()


def belongs_to_no_name(word: Word) -> bool:
    """Written like a name or not, it stands around names in hiring mail ("Your", "Team", "2026")."""
    return word.key in _around_names() or _is_year(word.key)


def _ends_before(run: list[Word], first: int) -> bool:
    """Nothing that could belong to the name stands right in front of it."""
    return first == 0 or belongs_to_no_name(run[first - 1])


def _begins_after(run: list[Word], last: int) -> bool:
    rest = run[last + 1 :]
    if not rest or belongs_to_no_name(rest[0]):
        return True
    # A joiner at the end of the run joins nothing: "Acme and we ...".
    return rest[0].key in _joiners() and not any(word.starts_name for word in rest[:2])


@lru_cache(maxsize=20_000)
def _like_a_name(word: str) -> bool:
    if not word.islower():
        return word[0].isalnum()
    # Georgian has no capitals that names are written with.
    return any(letter.isdigit() for letter in word) or (word[0].isalpha() and word[0].title() == word[0])


def _is_year(key: str) -> bool:
    return len(key) == 4 and key.startswith(("19", "20")) and key.isdigit()  # noqa: PLR2004 - digits of a year


@lru_cache(maxsize=20_000)
def _key(word: str) -> str:
    return "".join(company_words(word)) or word.casefold()
