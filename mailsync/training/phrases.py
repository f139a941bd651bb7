"""Reads the letters' parts: `# name` begins a family, each line below it is one statement.

A subject behind `!` tells its kind and stands above no other.

`[a|b]` in a statement stands for one of its alternatives, `{c}` for a slot. A whole family of statements goes
to one of fit, calibration and test, so that no wording is measured that was learnt. Parts that say nothing by
themselves (`support.txt`) are split line by line.
"""

import random
import re
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

Split = Literal["fit", "calibrate", "test"]
LANGUAGES = ("en", "fr", "de", "es")

_FOLDER = Path(__file__).with_name("letters")
_ALTERNATIVES = re.compile(r"\[([^\[\]]*)\]")
_ROUND_OF_FAMILIES: tuple[Split, ...] = ("fit", "fit", "calibrate", "fit", "test", "fit", "fit")
_ROUND_OF_LINES: tuple[Split, ...] = ("fit", "fit", "fit", "calibrate", "fit", "test", "fit")
_FOR_EVERYBODY = ("greeting", "closing", "team", "footer")


class Family(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    split: Split
    statements: tuple[str, ...]


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """What one kind says in one language: subjects for all splits, families each for one.

    The vague subjects stand above other kinds too.
    """

    subjects: tuple[str, ...]
    vague: tuple[str, ...]
    families: tuple[Family, ...]

    def of(self, split: Split) -> tuple[Family, ...]:
        return tuple(family for family in self.families if family.split == split)


@cache
def wording(language: str, label: str) -> Wording:
    blocks = _blocks(f"{language}/{label}")
    subjects = blocks.pop("subject")
    families = tuple(
        Family(name=f"{language}/{label}/{name}", split=_turn(_ROUND_OF_FAMILIES, place), statements=lines)
        for place, (name, lines) in enumerate(blocks.items())
    )
    return Wording(
        subjects=tuple(subject.removeprefix("! ") for subject in subjects),
        vague=tuple(subject for subject in subjects if not subject.startswith("! ")),
        families=families,
    )


@cache
def support(language: str, part: str, split: Split) -> tuple[str, ...]:
    """Lines of a part that says nothing by itself; () when the language has none for this split."""
    lines = _blocks(f"{language}/support").get(part, ())
    if part in _FOR_EVERYBODY:
        return lines
    return tuple(line for place, line in enumerate(lines) if _turn(_ROUND_OF_LINES, place) == split)


def chosen(statement: str, chance: random.Random) -> str:
    """The statement with one of each group of alternatives."""
    return _ALTERNATIVES.sub(lambda found: chance.choice(found[1].split("|")), statement)


def _turn(turns: tuple[Split, ...], place: int) -> Split:
    return turns[place % len(turns)]


@cache
def _blocks(name: str) -> dict[str, tuple[str, ...]]:
    text = "\n" + (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for block in text.split("\n# ")[1:]:
        title, _, lines = block.partition("\n")
        found[title.strip()] = tuple(line.strip() for line in lines.split("\n") if line.strip())
    return found
