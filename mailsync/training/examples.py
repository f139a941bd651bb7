"""Letters and public mail as the numbers the fit works on: features, a scale and a label each."""

from collections.abc import Iterable, Iterator

import msgspec

from mailsync.classify.model.features import Features, features_of
from mailsync.classify.model.labels import Label
from mailsync.parse.message import parse_message
from mailsync.training.letters import letters
from mailsync.training.phrases import Split
from mailsync.training.public_mail import public_mail

PUBLIC = "public"
_LETTERS_TO_PUBLIC = 50
"""Real mail is seen once for so many letters a weight: there are only so many of it, and they count most."""


class Example(msgspec.Struct, frozen=True, kw_only=True):
    label: Label
    language: str
    family: str
    features: Features


def examples(split: Split, per_weight: int, *, with_public_mail: bool = True) -> list[Example]:
    found = list(_written(split, per_weight))
    if with_public_mail:
        found += list(_public(public_mail(split))) * max(1, per_weight // _LETTERS_TO_PUBLIC)
    return found


def _written(split: Split, per_weight: int) -> Iterator[Example]:
    for letter in letters(split, per_weight):
        yield Example(
            label=letter.label,
            language=letter.language,
            family=letter.family,
            features=features_of(letter.message),
        )


def _public(messages: Iterable[bytes]) -> Iterator[Example]:
    for content in messages:
        yield Example(
            label="unrelated", language=PUBLIC, family=PUBLIC, features=features_of(parse_message(content))
        )
