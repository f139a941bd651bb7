"""The register of situations: name, how often, and what makes its answers what they are."""

from collections.abc import Callable

import msgspec

from matcher.training.scene import Family
from matcher.training.types import LANGUAGES, Language


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """`because` says by what a careful person can tell, or why nobody can."""

    name: str
    weight: int
    because: str
    languages: tuple[Language, ...]
    play: Family


_KNOWN: dict[str, Situation] = {}


def situation(
    weight: int, because: str, languages: tuple[Language, ...] = LANGUAGES
) -> Callable[[Family], Family]:
    def registered(play: Family) -> Family:
        name = getattr(play, "__name__", "")
        _KNOWN[name] = Situation(name=name, weight=weight, because=because, languages=languages, play=play)
        return play

    return registered


def known() -> tuple[Situation, ...]:
    """In the order of their names, whatever was imported first."""
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))
