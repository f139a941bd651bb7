"""What keeps the model from saying anything positive: bad news, or that something does not go on. Pure.

The model weighs words and can be wrong about which weigh most; these signs can only take a decision away. Its
own signs are heard in every language; to them come those of bad news that the rules know.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from mailsync.classify.model.features import Features, supposes
from mailsync.classify.said import Text

_FILE = Path(__file__).with_name("brakes.toml")


class _Brake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    pattern: str


class _Brakes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    harmless: str
    brake: tuple[_Brake, ...]


@cache
def _brakes() -> tuple[re.Pattern[str], tuple[re.Pattern[str], ...]]:
    told = msgspec.convert(tomllib.loads(_FILE.read_text(encoding="utf-8")), _Brakes)
    return _compiled(told.harmless), tuple(_compiled(row.pattern) for row in told.brake)


def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(text.replace("\n", ""))


def asserts_bad_news(features: Features) -> bool:
    """By the brakes alone, in sentences that do not suppose something."""
    harmless, brakes = _brakes()
    return any(
        brake.search(piece.sentence.lower) is not None
        for piece in features.pieces
        if not supposes(piece.sentence) and harmless.search(piece.sentence.lower) is None
        for brake in brakes
    )


def sounds_bad(text: Text) -> bool:
    """By what the rules know of bad news, in the clauses that assert something."""
    return any(
        each.language.signs.bad_news.search(clause.full) is not None
        for each in text.said
        for clause in each.clauses
    )
