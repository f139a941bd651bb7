"""Fills the slots of a statement. One letter speaks of one employer, one role and one person throughout."""

import random
import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec

_FILE = Path(__file__).with_name("slots.toml")
_SLOT = re.compile(r"\{([a-z])\}")
_LETTERS = {
    "c": "companies",
    "f": "first_names",
    "p": "people",
    "k": "places",
    "b": "boards",
    "v": "vendors",
    "t": "times",
    "m": "money",
    "u": "links",
    "n": "numbers",
    "q": "requisitions",
}
_AGAIN = frozenset("tmunkd")
"""Drawn anew at every mention; the others are the letter's own throughout."""


class _Own(msgspec.Struct, frozen=True, kw_only=True):
    dates: str
    roles: str


@cache
def _table() -> dict[str, object]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def _list(name: str) -> tuple[str, ...]:
    text = msgspec.convert(_table()[name], str)
    return tuple(" ".join(each.split()) for each in text.split("|"))


@cache
def _own(language: str) -> dict[str, tuple[str, ...]]:
    own = msgspec.convert(_table()[language], _Own)
    return {
        "d": tuple(each.strip() for each in own.dates.split("|")),
        "r": tuple(" ".join(each.split()) for each in own.roles.split("|")),
    }


class Filling:
    """What the slots of one letter stand for."""

    def __init__(self, language: str, chance: random.Random) -> None:
        self._language = language
        self._chance = chance
        self._kept: dict[str, str] = {}

    def filled(self, statement: str) -> str:
        return _SLOT.sub(lambda found: self.value(found[1]), statement)

    def value(self, slot: str) -> str:
        if slot in self._kept:
            return self._kept[slot]
        own = _own(self._language)
        options = own[slot] if slot in own else _list(_LETTERS[slot])
        drawn = self._chance.choice(options)
        if slot not in _AGAIN:
            self._kept[slot] = drawn
        return drawn
