"""What HTML would cost a parser that keeps a stack, told before it is given to one. Pure.

Such parsers walk their stack for many a tag, so that a page made for it takes time that grows with the square
of its length: by depth, or by ends without a beginning inside of it.
"""

import re
from collections import Counter

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
#: Elements without content; inside drawings and formulas they hold some like every other.
_EMPTY = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
})  # fmt: skip
#: Mostly closed by their next of kin, so that leaving out their ends nests nothing: no sign of depth.
_CLOSED_BY_KIN = frozenset({"p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option"})
_NO_SIGN = _EMPTY | _CLOSED_BY_KIN
_NESTING = re.compile(rf"<(?!(?:{'|'.join(sorted(_NO_SIGN))})(?![a-z0-9]))[a-z]", re.IGNORECASE | re.ASCII)
_FOREIGN = frozenset({"svg", "math"})
_MOST_STEPS = 100_000_000


def is_deeper_than(limit: int, html: str) -> bool:
    """Whether elements lie deeper in each other than `limit`, or would have a parser walk for a second."""
    tags = html.count("<")
    if tags <= limit or (tags * tags <= _MOST_STEPS and len(_NESTING.findall(html)) <= limit):
        return False  # not even if everything that nests lay in each other
    stack = _Stack()
    for tag in _TAG.finditer(html):
        stack.took(tag[2].lower(), is_end=bool(tag[1]))
        if stack.depth > limit or stack.steps > _MOST_STEPS:
            return True
    return False


class _Stack:
    """At least as much as a parser may hold open. An end without its beginning ends nothing."""

    def __init__(self) -> None:
        self.depth = self.steps = 0
        self._open: Counter[str] = Counter()
        self._held = self._foreign = 0

    def took(self, name: str, *, is_end: bool) -> None:
        if name in _EMPTY and not self._foreign:
            return
        self.steps += self._held
        if is_end and not self._open[name]:
            return
        step = -1 if is_end else 1
        self._open[name] += step
        self._held += step
        if name in _FOREIGN:
            self._foreign += step
            self._drop_empty()
        if name not in _NO_SIGN:
            self.depth += step

    def _drop_empty(self) -> None:
        """The end of a drawing ends whatever was left open in it."""
        if not self._foreign:
            for name in _EMPTY:
                self._held -= self._open.pop(name, 0)
