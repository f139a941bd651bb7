"""How deep the elements of HTML lie in each other, told before a parser is given it. Pure.

Parsers take time that grows with the square of the depth.
"""

import re
from collections import Counter

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
#: Parsers close these by themselves, so that leaving out their end tags nests nothing.
_SELF_CLOSED = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option",
})  # fmt: skip


def is_deeper_than(limit: int, html: str) -> bool:
    """An end without its beginning ends nothing; an element that is never ended stays open."""
    if html.count("<") <= limit:
        return False
    is_open: Counter[str] = Counter()
    depth = 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _SELF_CLOSED or (tag[1] and not is_open[name]):
            continue
        step = -1 if tag[1] else 1
        is_open[name] += step
        depth += step
        if depth > limit:
            return True
    return False
