"""Titles written for one gender, the other, or both: "Ingénieur(e)", "Técnico/a", "Erzieher*in". Pure.

Only for comparing: a word's ending is put into one form for both genders in four languages, and what is
written behind it for the other gender is left out. Two words made alike this way are one title.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from schema.identity.names import TitleParts, title_words

_SHORTEST = 5
_OTHER_GENDER = frozenset((
    "a", "o", "e", "as", "os", "es", "in", "innen", "r", "n", "ne", "nes", "euse", "euses", "rice", "trice",
    "ere", "iere", "ora", "oras", "esa", "frau", "mann",
))  # fmt: skip
"""What stands behind a stroke, a star or in brackets for those of the other gender, accents dropped."""
_ENDINGS = (
    ("erinnen", "er"), ("orinnen", "or"), ("erin", "er"), ("orin", "or"), ("eurin", "eur"), ("istin", "ist"),
    ("entin", "ent"), ("antin", "ant"), ("ologin", "ologe"), ("agogin", "agoge"),
    ("euse", "eur"), ("trice", "teur"), ("ieure", "ieur"), ("teure", "teur"), ("iere", "ier"),
    ("ienne", "ien"), ("ante", "ant"), ("ee", "e"),
    ("tora", "tor"), ("dora", "dor"), ("sora", "sor"), ("enta", "ente"), ("jefa", "jefe"), ("a", "o"),
)  # fmt: skip
_GLUED = frozenset("(/*:_\u00b7.-")
_MARKS = re.compile(r"(?<!\w)[mwfdhx](?:\s?[/|*,]\s?[mwfdhxn*]){1,3}(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=20_000)
def one_form(word: str) -> str:
    """Of a comparable word; equal for both genders, and the same again for what it returns."""
    if len(word) < _SHORTEST:
        return word
    for ending, plain in _ENDINGS:
        if word.endswith(ending):
            return word[: -len(ending)] + plain
    return word


@lru_cache(maxsize=20_000)
def title_keys(written: str) -> tuple[str, ...]:
    """One word of a text as titles spell it, in pieces where a hyphen parts it: "front end developer"."""
    return tuple(title_words(written))


def in_one_form(parts: TitleParts) -> TitleParts:
    """The title with every word in one form, and nothing left that only names the other gender."""
    role = tuple(one_form(word) for word in parts.role if word not in _OTHER_GENDER)
    brackets = tuple(
        " ".join(one_form(word) for word in inside.split())
        for inside in parts.brackets
        if not _OTHER_GENDER.issuperset(inside.split())
    )
    return msgspec.structs.replace(parts, role=role or parts.role, brackets=brackets)


def is_of_the_other_gender(text: str, start: int, key: str) -> bool:
    """Whether the word that starts there is only the other ending of the one before it."""
    return (
        key in _OTHER_GENDER and text[start - 1 : start] in _GLUED and text[start - 2 : start - 1].isalpha()
    )


def marks_in(text: str) -> Iterator[tuple[int, int]]:
    """Where "m/w/d" and its like stand."""
    return (found.span() for found in _MARKS.finditer(text))
