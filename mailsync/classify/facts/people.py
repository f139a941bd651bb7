"""Whether a name reads like a person's. A weak sign: many an employer is called after its founder. Pure."""

from functools import cache
from pathlib import Path

from schema.identity.tokens import folded

_FILE = Path(__file__).with_name("given_names.txt")
_MOST_WORDS = 4


@cache
def _given_names() -> frozenset[str]:
    return frozenset(_FILE.read_text(encoding="utf-8").split())


def reads_like_a_person(name: str) -> bool:
    """A common given name with a family name or two behind it, and no sign that joins firms."""
    words = name.replace("-", " ").split()
    if not 1 < len(words) <= _MOST_WORDS or not all(word[:1].isupper() for word in words):
        return False
    return is_given_name(words[0]) and not any(letter.isdigit() for letter in name)


def is_given_name(word: str) -> bool:
    """Alone, with its accents or without."""
    return word.lower() in _given_names() or folded(word) in _given_names()
