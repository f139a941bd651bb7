"""The words people keep a status in, in four languages, and the stage each stands for. Pure.

A word that is not here is asked about, never guessed. What a word says beyond its stage ("2nd interview") is
kept in the note.
"""

import re
import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from matcher.trackers.types import Meaning
from schema.identity.tokens import folded
from schema.text import shorten

MAX_WORD_CHARS = 100

_WORD = re.compile(r"[^\W_]+")


class Word(msgspec.Struct, frozen=True):
    """`is_all`: the stage says everything the word says, so that nothing has to be noted."""

    meaning: Meaning
    is_all: bool


def status_key(text: str) -> str:
    """A status as statuses are compared: without case, accents, marks and what stands before the words."""
    return shorten(" ".join(_WORD.findall(folded(text))), MAX_WORD_CHARS)


def _table() -> dict[str, Word]:
    text = Path(__file__).with_name("statuses.toml").read_text(encoding="utf-8")
    table = msgspec.convert(tomllib.loads(text), dict[Literal["all", "more"], dict[Meaning, list[str]]])
    found: dict[str, Word] = {}
    for share in ("more", "all"):
        for meaning, words in table[share].items():
            found |= {status_key(word): Word(meaning, share == "all") for word in words}
    return found


KNOWN = _table()


def meaning_of(text: str) -> Meaning | None:
    """What everybody means by this word; None: ask."""
    found = KNOWN.get(status_key(text))
    return found.meaning if found else None


def says_all(text: str, meaning: Meaning) -> bool:
    """Whether the stage alone keeps what the word says."""
    found = KNOWN.get(status_key(text))
    return found is not None and found.is_all and found.meaning == meaning
