"""What the model sees of a message: hashed words, pairs and letters of its words, and a few signs. Pure.

A sentence that supposes something ("if you are selected") is counted apart from those that assert. Nothing
here depends on the files of the languages, so that a new phrase there leaves the trained weights valid.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

import msgspec

from mailsync.classify.noise import is_personal
from mailsync.classify.senders import known_sender
from mailsync.classify.sentences import Sentence, sentences
from mailsync.parse.types import ParsedMessage

VERSION = 2
BUCKETS = 1 << 18
MOST_SENTENCES = 60
_GRAM = 4
_LONGEST_WORD = 40
_WORDS_KEPT = 20_000

_WORD = re.compile(r"[^\W\d_]+|\d+|[?!%]")
_WRITTEN_OUT = str.maketrans({"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00df": "ss"})
_SUPPOSED = re.compile(
    r"\b(?:if|should (?:you|your|we|there)|unless|whether|in (?:the )?case"
    r"|only (?:those|candidates|applicants)"
    r"|wenn|falls|sofern|sollten?|im falle?|fuer den fall|ohne (?:rueckmeldung|nachricht)"
    r"|nur (?:personen|bewerb\w+|kandidat\w+)"
    r"|si|s'il|en cas|dans le cas|au cas ou|le cas echeant|sans (?:reponse|nouvelles)|faute de"
    r"|a defaut|en l'absence|seule?s les"
    r"|en caso|siempre que|solo (?:los|las|quienes))\b"
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
    pieces = tuple(Piece(sentence=each, indices=frozenset(_buckets(each))) for each in told)
    found = frozenset(map(_bucket, _structure(message, len(told)))).union(
        *(piece.indices for piece in pieces)
    )
    return Features(pieces=pieces, indices=tuple(sorted(found)))


def supposes(sentence: Sentence) -> bool:
    return _SUPPOSED.search(_folded(sentence.lower)) is not None


def _folded(lower: str) -> str:
    """One spelling for what is written with and without its accents; German vowels as "ae"."""
    if lower.isascii():
        return lower
    apart = unicodedata.normalize("NFKD", lower.translate(_WRITTEN_OUT))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _bucket(name: str) -> int:
    return crc32(name.encode()) & (BUCKETS - 1)


def _buckets(sentence: Sentence) -> Iterator[int]:
    text = _folded(sentence.lower)
    words = ["<", *("0" if word.isdigit() else word for word in _WORD.findall(text)), ">"]
    space = "if " if _SUPPOSED.search(text) is not None else ""
    for word in words:
        yield from (_remembered if len(word) <= _LONGEST_WORD else _of_word)(word, space)
    yield from (_bucket(f"{space}{one} {two}") for one, two in pairwise(words))
    if sentence.source == "subject":
        yield from (_bucket(f"subject {word}") for word in words)
        yield from (_bucket(f"subject {one} {two}") for one, two in pairwise(words))


@lru_cache(_WORDS_KEPT)
def _remembered(word: str, space: str) -> tuple[int, ...]:
    return _of_word(word, space)


def _of_word(word: str, space: str) -> tuple[int, ...]:
    """The word itself and its runs of letters, by which one that was never seen resembles those that were."""
    ends = f"<{word[:_LONGEST_WORD]}>"
    runs = (ends[start : start + _GRAM] for start in range(len(ends) - _GRAM + 1) if len(word) >= _GRAM)
    return tuple(map(_bucket, (f"{space}{word}", *(f"{space}#{run}" for run in runs))))


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
