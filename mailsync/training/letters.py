"""Composes letters: parts in the order of their recipe, around a statement of one family. Seeded.

The parts a letter has, its sender and its shape are drawn; what it says is its label.
"""

import random
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from mailsync.classify.model.labels import Label
from mailsync.parse.message import parse_message
from mailsync.parse.types import ParsedMessage
from mailsync.training.phrases import LANGUAGES, Split, chosen, support, wording
from mailsync.training.senders import SenderGroup, sender
from mailsync.training.shapes import Draft, shaped
from mailsync.training.slots import Filling

_RECIPES = Path(__file__).with_name("recipes.toml")
_PART = re.compile(r"([a-z_]+) (\d+)")
_CERTAIN = 100
_VAGUE_SUBJECTS = 0.35
_NEARLY_ALONE = 0.25


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A generated message with what it says; `family` is the group of wordings its statement comes from."""

    label: Label
    language: str
    family: str
    message: ParsedMessage


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    label: Label
    weight: int
    sender: SenderGroup
    parts: str

    @property
    def steps(self) -> list[tuple[str, int]]:
        return [(name, int(share)) for name, share in _PART.findall(self.parts)]


@cache
def recipes() -> tuple[Recipe, ...]:
    told = tomllib.loads(_RECIPES.read_text(encoding="utf-8"))
    return msgspec.convert(told["recipe"], tuple[Recipe, ...])


def letters(split: Split, per_weight: int, *, seed: int = 1) -> Iterator[Letter]:
    """Letters of every kind and language; `per_weight` of them for each point of a recipe's weight."""
    for language in LANGUAGES:
        for recipe in recipes():
            chance = random.Random(f"{seed}/{split}/{language}/{recipe.label}")
            for number in range(per_weight * recipe.weight):
                yield _letter(recipe, language, split, number, chance)


def _letter(recipe: Recipe, language: str, split: Split, number: int, chance: random.Random) -> Letter:
    filling = Filling(language, chance)
    family, statements = _core(recipe, language, split, number)
    told = _sentences(recipe, language, split, statements, filling, chance)
    draft = Draft(
        language=language,
        sender=sender(recipe.sender, filling, chance),
        subject=_said(chance.choice(_subjects(recipe, language, chance)), filling, chance),
        greeting=_line("greeting", language, split, filling, chance),
        sentences=[sentence for sentence, _ in told],
        statement=next((sentence for sentence, is_core in told if is_core), told[0][0]),
        closing=_line("closing", language, split, filling, chance),
        team=_line("team", language, split, filling, chance),
        footer=_line("footer", language, split, filling, chance),
        automatic=recipe.sender == "board",
    )
    return Letter(
        label=recipe.label, language=language, family=family, message=parse_message(shaped(draft, chance))
    )


def _core(recipe: Recipe, language: str, split: Split, number: int) -> tuple[str, tuple[str, ...]]:
    """Families take turns, so that a large one does not outweigh the others."""
    if recipe.label == "unclear":
        return f"{language}/unclear", ()
    families = wording(language, recipe.label).of(split)
    family = families[number % len(families)]
    return family.name, family.statements


def _subjects(recipe: Recipe, language: str, chance: random.Random) -> tuple[str, ...]:
    """Many an employer has one subject for everything, so a vague one stands above any kind."""
    if recipe.label == "unclear" or (recipe.sender == "hiring" and chance.random() < _VAGUE_SUBJECTS):
        return wording(language, chance.choice(("acknowledgement", "rejection", "status_update"))).vague
    return wording(language, recipe.label).subjects


def _sentences(
    recipe: Recipe,
    language: str,
    split: Split,
    statements: tuple[str, ...],
    filling: Filling,
    chance: random.Random,
) -> list[tuple[str, bool]]:
    """Each with whether it is the statement; with one letter in four that stands nearly alone."""
    short = chance.random() < _NEARLY_ALONE
    found: list[tuple[str, bool]] = []
    for part, share in recipe.steps:
        is_core = part == "core"
        if chance.randrange(_CERTAIN) >= (share if is_core or not short else share // 4):
            continue
        options = statements if is_core else support(language, part, split)
        if options:
            found.append((_said(chance.choice(options), filling, chance), is_core))
    return found or [(_said(support(language, "opener", split)[0], filling, chance), False)]


def _line(part: str, language: str, split: Split, filling: Filling, chance: random.Random) -> str:
    options = support(language, part, split)
    return _said(chance.choice(options), filling, chance) if options else ""


def _said(statement: str, filling: Filling, chance: random.Random) -> str:
    """An alternative that is empty leaves no space before the mark behind it."""
    said = " ".join(filling.filled(chosen(statement, chance)).split())
    said = said.replace(" ,", ",").replace(" .", ".")
    return said[:1].upper() + said[1:]
