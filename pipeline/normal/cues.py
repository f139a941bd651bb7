"""Whether a text holds any of the pieces that a set of patterns cannot do without: most titles hold none.

Patterns of a hundred words are searched at every letter. Titles are made of few words, over and over, so each
word is asked once whether it can matter, and a title of words that cannot is searched for nothing. Pure.
"""

import re
from functools import lru_cache

_WORDS_KEPT = 20_000


class Cues:
    """`pieces` are expressions: one of them matches inside a word of whatever the patterns match, and none
    reaches over a space. One too many costs time, one too few would lose what a title says."""

    def __init__(self, *pieces: str) -> None:
        self._is_in = lru_cache(maxsize=_WORDS_KEPT)(re.compile("|".join(pieces), re.IGNORECASE).search)

    def are_in(self, text: str) -> bool:
        return any(map(self._is_in, text.split()))
