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
from mailsync.classify.sentences import Sentence

_FILE = Path(__file__).with_name("brakes.toml")
_WITHOUT_ACCENT = {
    "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "à": "a", "á": "a", "â": "a", "ç": "c", "é": "e", "è": "e",
    "ê": "e", "í": "i", "î": "i", "ó": "o", "ô": "o", "ú": "u", "û": "u", "ñ": "n",
}  # fmt: skip
"""How each is written where the keyboard lacks it; the file has them outside of sets of characters only."""


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    says: str
    pattern: str


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    harmless: tuple[_Row, ...]
    concession: tuple[_Row, ...]
    innocent: tuple[_Row, ...]
    brake: tuple[_Row, ...]


class _Brakes(msgspec.Struct, frozen=True):
    """A `concession` sounds like a supposition and is none; `innocent` phrases are not heard."""

    harmless: re.Pattern[str]
    concession: re.Pattern[str]
    innocent: re.Pattern[str]
    bad: tuple[re.Pattern[str], ...]

    def hear(self, sentence: Sentence) -> bool:
        told = msgspec.structs.replace(sentence, lower=self.concession.sub(" ", sentence.lower))
        if supposes(told) or self.harmless.search(told.lower) is not None:
            return False
        left = self.innocent.sub(" ", told.lower)
        return any(each.search(left) is not None for each in self.bad)


@cache
def _brakes() -> _Brakes:
    told = msgspec.convert(tomllib.loads(_FILE.read_text(encoding="utf-8")), _Told)
    return _Brakes(
        harmless=_any_of(told.harmless),
        concession=_any_of(told.concession),
        innocent=_any_of(told.innocent),
        bad=tuple(_compiled(row.pattern) for row in told.brake),
    )


def _any_of(rows: tuple[_Row, ...]) -> re.Pattern[str]:
    return _compiled("|".join(row.pattern for row in rows))


def _compiled(text: str) -> re.Pattern[str]:
    for accented, plain in _WITHOUT_ACCENT.items():
        text = text.replace(accented, f"(?:{accented}|{plain})")
    return re.compile(text.replace("\n", ""))


def asserts_bad_news(features: Features) -> bool:
    """By the brakes alone, in sentences that do not suppose something."""
    brakes = _brakes()
    return any(brakes.hear(piece.sentence) for piece in features.pieces)


def sounds_bad(text: Text) -> bool:
    """By what the rules know of bad news, in the clauses that assert something."""
    return any(
        each.language.signs.bad_news.search(clause.full) is not None
        for each in text.said
        for clause in each.clauses
    )
