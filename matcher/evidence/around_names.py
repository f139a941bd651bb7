"""What stands around names in any language there are rules for, those of all of them together. Pure.

Who asks keeps the answer: put together it costs more than a look-up, and no import may read the files.
"""

from collections.abc import Callable

from mailsync.classify.languages.language import AroundNames, AroundPatterns, Pattern
from mailsync.classify.languages.load import around_names


def words_around(of: Callable[[AroundNames], frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*(of(around) for around in around_names()))


def patterns_around(of: Callable[[AroundPatterns], Pattern | None]) -> list[Pattern]:
    """One a language that has any."""
    found = (of(around.patterns) for around in around_names())
    return [pattern for pattern in found if pattern is not None]


def either(of: Callable[[AroundPatterns], Pattern | None]) -> str:
    """A pattern of alternatives, to stand in brackets; one that never matches where no language has any."""
    return "|".join(pattern.pattern for pattern in patterns_around(of)) or "(?!)"
