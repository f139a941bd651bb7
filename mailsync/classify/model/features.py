"""What the model sees of a message: hashed words, pairs and stems of its sentences, and a few signs. Pure.

A sentence that supposes something ("if you are selected") is counted apart from those that assert. Nothing
here depends on the files of the languages, so that a new phrase there leaves the trained weights valid.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from zlib import crc32

import msgspec

from mailsync.classify.noise import is_personal
from mailsync.classify.senders import known_sender
from mailsync.classify.sentences import Sentence, sentences
from mailsync.parse.types import ParsedMessage

VERSION = 1
BUCKETS = 1 << 17
MOST_SENTENCES = 60
_STEM = 5
_FARTHEST = 4

_WORD = re.compile(r"[^\W\d_]+|\d+|[?!%]")
_SUPPOSED = re.compile(
    r"\b(?:if|should (?:you|your|we|there)|unless|whether|in (?:the )?case"
    r"|only (?:those|candidates|applicants)"
    r"|wenn|falls|sollten?|si|s'il|en cas|dans le cas|sans (?:r\u00e9ponse|nouvelles)"
    r"|en l'absence|en caso)\b"
)


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    sentence: Sentence
    indices: frozenset[int]


class Features(msgspec.Struct, frozen=True, kw_only=True):
    """`indices` of the whole message, each once, in order; `pieces` say which sentence brought which."""

    pieces: tuple[Piece, ...]
    indices: tuple[int, ...]


def features_of(message: ParsedMessage) -> Features:
    told = [*sentences(message.subject, "subject"), *sentences(message.body, "text")][:MOST_SENTENCES]
    pieces = tuple(Piece(sentence=each, indices=frozenset(map(_bucket, _names(each)))) for each in told)
    found = frozenset(map(_bucket, _structure(message, len(told)))).union(
        *(piece.indices for piece in pieces)
    )
    return Features(pieces=pieces, indices=tuple(sorted(found)))


def supposes(sentence: Sentence) -> bool:
    return _SUPPOSED.search(sentence.lower) is not None


def _bucket(name: str) -> int:
    return crc32(name.encode()) & (BUCKETS - 1)


def _names(sentence: Sentence) -> Iterator[str]:
    words = ["<", *("0" if word.isdigit() else word for word in _WORD.findall(sentence.lower)), ">"]
    space = "if " if supposes(sentence) else ""
    yield from _in_order(words, space)
    yield from _stems([word[:_STEM] for word in words], space)
    if sentence.source == "subject":
        yield from _in_order(words, "subject ")


def _in_order(words: list[str], space: str) -> Iterator[str]:
    for one in words:
        yield f"{space}{one}"
    for one, two in pairwise(words):
        yield f"{space}{one} {two}"
    for one, two, three in zip(words, words[1:], words[2:], strict=False):
        yield f"{space}{one} {two} {three}"


def _stems(stems: list[str], space: str) -> Iterator[str]:
    """Beginnings of words, alone and with a later one: "not ... forwa", "nicht ... berue"."""
    for stem in stems:
        if len(stem) == _STEM:
            yield f"{space}~{stem}"
    for gap in range(1, _FARTHEST + 1):
        for one, two in zip(stems, stems[gap:], strict=False):
            yield f"{space}~{one}+{two}"


def _structure(message: ParsedMessage, count: int) -> Iterator[str]:
    sender = known_sender(message.sender)
    yield f"@sender {sender.kind if sender else 'unknown' if message.sender.address else 'none'}"
    yield f"@unsubscribe {message.bulk.list_unsubscribe}"
    yield f"@list {bool(message.bulk.list_id)}"
    yield f"@personal {is_personal(message)}"
    yield f"@subject {bool(message.subject)}"
    yield f"@length {count.bit_length()}"
    yield f"@links {len(message.links).bit_length()}"
    yield f"@calendar {bool(message.calendars)}"
    yield f"@attached {bool(message.attachments)}"
