"""In which languages a message is written, by words that stand in nearly every text of a language. Pure."""

import re
from collections import Counter

from mailsync.classify.languages.language import Language
from mailsync.classify.languages.load import languages

MOST_CHARACTERS = 6_000
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_WORDS = 4
_LEAST_SHARE = 0.08
_BESIDE = 0.35
"""A second language with so large a part of the first one's share is read too."""


def languages_of(text: str) -> tuple[Language, ...]:
    """The languages to read `text` in, likeliest first. A text too short to tell is read in all of them."""
    words = Counter(word.lower() for word in _WORD.findall(text[:MOST_CHARACTERS]))
    total = sum(words.values())
    found = sorted(
        ((sum(words[word] for word in language.stopwords), language) for language in languages()),
        key=lambda item: -item[0],
    )
    most = found[0][0]
    if most < _LEAST_WORDS or most < total * _LEAST_SHARE:
        return languages()
    return tuple(language for hits, language in found if hits >= max(_LEAST_WORDS, most * _BESIDE))
