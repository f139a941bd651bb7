"""Where the message itself says that two names are one house: "Globex (formerly Initech)". Pure.

The words between the two names say so; which of both the application stands under is not known here. Speaks
of no client: whom an agency recruits for is another house.
"""

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from mailsync.classify.languages.load import around_names
from matcher.decisions.types import Span
from matcher.evidence.around_names import either, patterns_around, words_around
from matcher.evidence.keys import company_key
from matcher.evidence.types import Letter
from matcher.evidence.words import MAX_TEXT_CHARS, belongs_to_no_name, names_in, words_of
from schema.vocabulary import SpanSource

MOST_PAIRS = 10
_LEFT_CHARS = 60
_RIGHT_CHARS = 80


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<open>[,(\[]|\s[-\u2013\u2014]|\b(?:{either(lambda around: around.is_one)}))?\s{{0,2}}"
        rf"(?:(?:{either(lambda around: around.before_joint)})?(?:{either(lambda around: around.joint)})\s"
        rf"(?:{either(lambda around: around.behind_joint)})?)"
        rf"(?-i:(?:{either(lambda around: around.group_in_front)})\s)?(?=[^\W_])",
        re.IGNORECASE,
    )


@cache
def _cues() -> tuple[str, ...]:
    """Without any of these no joint is there: most messages hold none, and looking for one is dear."""
    return tuple(dict.fromkeys(cue for around in around_names() for cue in around.joint_cues))


@cache
def _of_a_house() -> list[re.Pattern[str]]:
    return patterns_around(lambda around: around.house)


@cache
def _group() -> frozenset[str]:
    return words_around(lambda around: around.group)


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two names of one house in comparable form; `span` and `says` are the words that say so.

    `name` is the first as it is written: the one that hires, where the second is of the house it belongs to.
    """

    first: str
    second: str
    name: str
    says: str
    span: Span


def pairs_of(letter: Letter) -> list[Pair]:
    """Of the name the sender shows, the subject and the text."""
    shown = [
        msgspec.structs.replace(pair, span=letter.sender_span(pair.name))
        for pair in pairs_in(letter.sender_name, "header")
    ]
    return [*shown, *pairs_in(letter.subject, "subject"), *pairs_in(letter.body, "text")]


def pairs_in(text: str, source: SpanSource) -> list[Pair]:
    """At most ten, in the order of the text."""
    text = text[:MAX_TEXT_CHARS]
    found: list[Pair] = []
    for start, right in _joints(text):
        left = _left(text, start)
        if left is None or right is None:
            continue
        (first, place), (second, last) = left, right
        name = " ".join(text[place:start].split()).rstrip(" ,(-\u2013\u2014")
        span = Span(source=source, start=place, end=last)
        for key in with_and_without_group(second):
            if key != first:
                says = " ".join(text[place:last].split())
                found.append(Pair(first=first, second=key, name=name, says=says, span=span))
    return found[:MOST_PAIRS]


def _joints(text: str) -> Iterator[tuple[int, tuple[str, int] | None]]:
    """Where what joins two names starts, and the name behind it."""
    folded = " ".join(text.casefold().split())
    may_join = any(word in folded for word in _cues())
    for joint in _joint().finditer(text) if may_join else ():
        yield joint.start(), _right(text, joint.end())
    for joint in (found for pattern in _of_a_house() for found in pattern.finditer(text)):
        name = _right(text, joint.start(1))
        yield joint.start(), name if name and name[1] >= joint.end(1) else None


def _left(text: str, end: int) -> tuple[str, int] | None:
    """The longest name that ends where the joint starts."""
    start = max(0, end - _LEFT_CHARS)
    piece = text[start:end].rstrip(" ,(-\u2013\u2014")
    ending = [
        found.span.start
        for found in names_in(piece, "subject")
        if found.span.end == len(piece) and not _stands_around(piece[found.span.start :])
    ]
    first = min(ending, default=None)
    key = None if first is None else company_key(piece[first:])
    return None if first is None or key is None else (key, start + first)


def _right(text: str, start: int) -> tuple[str, int] | None:
    """The longest name that begins there."""
    beginning = [
        found for found in names_in(text[start : start + _RIGHT_CHARS], "subject") if not found.span.start
    ]
    length = max((found.span.end for found in beginning), default=0)
    key = company_key(text[start : start + length]) if length else None
    return None if key is None else (key, start + length)


def _stands_around(name: str) -> bool:
    """ "Your Globex" is Globex."""
    return belongs_to_no_name(words_of(name)[0])


def with_and_without_group(key: str) -> list[str]:
    """ "the Initech Group" is Initech as well."""
    plain = {key.removesuffix(word) for word in _group()} | {key.removeprefix(word) for word in _group()}
    return [key, *sorted(one for one in plain if one != key and len(one) > 1)]
