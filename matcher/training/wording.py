"""Reads what letters say: one file per language and split, so that nothing measured was learnt from.

`{role}` in a text is a slot, `[a|b]` stands for one of its alternatives. A text is only chosen where all of
its slots have a value: which facts a letter may tell is decided before how it tells them.
"""

import random
import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from matcher.training.types import Language, Split

_FOLDER = Path(__file__).with_name("wording")
_SLOT = re.compile(r"\{([a-z_]+)\}")
_ALTERNATIVES = re.compile(r"\[([^\[\]]*)\]")


class Kind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`extras` may stand behind any of the bodies. What is not `framed` does not come from who is hiring."""

    subjects: tuple[str, ...]
    bodies: tuple[str, ...]
    extras: tuple[str, ...] = ()
    framed: bool = True


class Frame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands around a letter, and the lines that state one fact each."""

    greetings: tuple[str, ...]
    closings: tuple[str, ...]
    teams: tuple[str, ...]
    jobs: tuple[str, ...]
    footers: tuple[str, ...]
    automatic: tuple[str, ...]
    role_lines: tuple[str, ...]
    company_lines: tuple[str, ...]
    requisition_lines: tuple[str, ...]
    url_lines: tuple[str, ...]
    quote_heads: tuple[str, ...]
    forward_heads: tuple[str, ...]
    days: tuple[str, ...]
    times: tuple[str, ...]
    amounts: tuple[str, ...]

    def lines_of(self, slot: str) -> tuple[str, ...]:
        return {
            "role": self.role_lines,
            "company": self.company_lines,
            "requisition": self.requisition_lines,
            "url": self.url_lines,
        }[slot]


class Wording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    frame: Frame
    kind: dict[str, Kind]


@cache
def wording(language: Language, split: Split) -> Wording:
    text = (_FOLDER / language / f"{split}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Wording)


@cache
def slots_of(text: str) -> frozenset[str]:
    return frozenset(_SLOT.findall(text))


def chosen(texts: tuple[str, ...], known: frozenset[str], chance: random.Random) -> str | None:
    """One of those whose slots are all known; None when there is none."""
    open_ones = [text for text in texts if slots_of(text) <= known]
    return chance.choice(open_ones) if open_ones else None


def filled(text: str, values: dict[str, str], chance: random.Random) -> str:
    said = _ALTERNATIVES.sub(lambda found: chance.choice(found[1].split("|")), text)
    return _SLOT.sub(lambda found: values[found[1]], said)
