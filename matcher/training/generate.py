"""Generates a mailbox: situations of all families in all languages, shuffled over a year and a half."""

import random
from importlib import import_module
from pkgutil import iter_modules

import msgspec

from matcher.training import families
from matcher.training.families.register import Situation, known
from matcher.training.scene import Box, Scene
from matcher.training.types import Language, Mailbox, Message, Split

_TURNS: dict[Language, int] = {"en": 2, "fr": 1, "de": 1, "es": 1}


def generate(seed: int, *, messages: int, split: Split) -> Mailbox:
    """The same bytes for the same arguments. Wording, names and roles of one split occur in no other."""
    chance = random.Random(f"{split}/{seed}")
    box = Box(split, chance)
    while len(box.messages) < messages:
        for situation, language in _shuffled(chance):
            situation.play(Scene(box, situation.name, language))
            if len(box.messages) >= messages:
                break
    return Mailbox(
        name=f"{split}-{seed}",
        owner=box.address,
        owner_name=box.owner.name,
        split=split,
        applications=tuple(box.applications),
        messages=_in_order(box.messages, messages),
    )


def situations() -> tuple[Situation, ...]:
    """Every family there is."""
    for module in iter_modules(families.__path__):
        import_module(f"{families.__name__}.{module.name}")
    return known()


def _shuffled(chance: random.Random) -> list[tuple[Situation, Language]]:
    turns: list[tuple[Situation, Language]] = [
        (situation, language)
        for situation in situations()
        for language in situation.languages
        for _ in range(situation.weight * _TURNS[language])
    ]
    chance.shuffle(turns)
    return turns


def _in_order(sent: list[Message], count: int) -> tuple[Message, ...]:
    """By time of sending; cut at the end, so that no message loses its history."""
    ordered = sorted(sent, key=lambda message: (message.sent_at, message.order))[:count]
    return tuple(
        msgspec.structs.replace(message, id=f"m{place}", order=place)
        for place, message in enumerate(ordered, 1)
    )
