"""Names that stand alone under a letter: on a line of their own, or between marks on one. Pure.

"Northwind", "Recruiting | Northwind" and "Northwind - Leeds" say who writes, whatever the letter is about.
"""

import re
from collections.abc import Iterable, Iterator

from matcher.evidence.words import Seen

_LAST_LINES = 12
_AROUND = 4
_BEGINS = re.compile(r"(?:\n[ \t]*|[ \u00a0][|\u00b7\u2013\u2014-][ \u00a0]|,[ \u00a0])$")
_ENDS = re.compile(r"[ \t]*(?:\n|$)|[ \u00a0][|\u00b7\u2013\u2014-][ \u00a0]")


def signing(text: str, in_body: Iterable[Seen]) -> Iterator[str]:
    """Their keys, in the order of the text."""
    last = _last_lines(text)
    for found in in_body:
        start, end = found.span.start, found.span.end
        if (
            start >= last
            and _BEGINS.search(text, max(last, start - _AROUND), start)
            and _ENDS.match(text, end)
        ):
            yield found.key


def _last_lines(text: str) -> int:
    """Where the last lines begin; the first line is none of them."""
    place = len(text.rstrip())
    for _ in range(_LAST_LINES):
        place = text.rfind("\n", 0, max(place, 0))
    return max(place, text.find("\n"), 0)
