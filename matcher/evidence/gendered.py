"""Titles written for one gender, the other, or both: "Ingénieur(e)", "Técnico/a", "Erzieher*in". Pure.

Only for comparing: a word's ending is put into one form for both genders in four languages, and what is
written behind it for the other gender is left out. Two words made alike this way are one title.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec

from mailsync.classify.languages.load import languages
from schema.identity.names import TitleParts, title_words
from schema.identity.tokens import folded

_SHORTEST = 5
_GLUED = frozenset("(/*:_\u00b7.-")
_GLUED_ENDING = re.compile(r"(?<=[^\W\d_])(?:[ ]?\(|[/*:_\u00b7.-]{1,2})([^\W\d_]{1,6})\)?(?!\w)")


@cache
def _other_gender() -> frozenset[str]:
    """What stands behind a stroke, a star or in brackets for those of the other gender, accents dropped."""
    return frozenset[str]().union(*(language.titles.other_gender for language in languages()))


@cache
def _endings() -> tuple[tuple[str, str], ...]:
    """The longest first, since one may end in another."""
    found = (ending for language in languages() for ending in language.titles.endings)
    return tuple(sorted(found, key=lambda ending: -len(ending[0])))


@cache
def _letters() -> str:
    return "".join(sorted({letter for language in languages() for letter in language.titles.gender_letters}))


@cache
def marked_title() -> re.Pattern[str]:
    """ "(m/w/d)", as it stands behind titles only; a star and "n" stand for neither."""
    return re.compile(rf"\((?:[{_letters()}][/|*]){{1,3}}[{_letters()}n*]\)", re.IGNORECASE)


@cache
def _marks() -> re.Pattern[str]:
    more = rf"(?:\s?[/|*,]\s?[{_letters()}n*]){{1,3}}"
    return re.compile(rf"(?<!\w)[{_letters()}]{more}(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=20_000)
def one_form(word: str) -> str:
    """Of a comparable word; equal for both genders, and the same again for what it returns."""
    if len(word) < _SHORTEST:
        return word
    for ending, plain in _endings():
        if word.endswith(ending):
            return word[: -len(ending)] + plain
    return word


@lru_cache(maxsize=20_000)
def title_keys(written: str) -> tuple[str, ...]:
    """One word of a text as titles spell it, in pieces where a hyphen parts it: "front end developer"."""
    return tuple(title_words(written))


def without_other_gender(title: str) -> str:
    """ "Erzieher*in", "Técnico/a", "Employé(e)" without what is written behind for the other gender."""
    return _GLUED_ENDING.sub(lambda found: "" if folded(found[1]) in _other_gender() else found[0], title)


def in_one_form(parts: TitleParts) -> TitleParts:
    """The title with every word in one form, and nothing in brackets that only names the other gender."""
    role = _once(tuple(one_form(word) for word in parts.role))
    brackets = tuple(
        " ".join(one_form(word) for word in inside.split())
        for inside in parts.brackets
        if not _other_gender().issuperset(inside.split())
    )
    return msgspec.structs.replace(parts, role=role or parts.role, brackets=brackets)


def _once(role: tuple[str, ...]) -> tuple[str, ...]:
    """The title said once: "Gestor de clientes / Gestora de clientes", "Directeur/Directrice"."""
    half = len(role) // 2
    if half > 1 and role[:half] == role[half:]:
        return role[:half]
    return tuple(word for place, word in enumerate(role) if not place or word != role[place - 1])


def is_of_the_other_gender(text: str, start: int, key: str) -> bool:
    """Whether the word that starts there is only the other ending of the one before it."""
    return (
        key in _other_gender() and text[start - 1 : start] in _GLUED and text[start - 2 : start - 1].isalpha()
    )


def marks_in(text: str) -> Iterator[tuple[int, int]]:
    """Where "m/w/d" and its like stand."""
    return (found.span() for found in _marks().finditer(text))
