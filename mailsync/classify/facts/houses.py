"""Where a name says what house it is of: "Globex (part of Initech)", "Globex, filiale de Initech". Pure.

The first name is whom the letter speaks of; what stands behind the joint is another house or an earlier name.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from mailsync.classify.facts.mentions import ENOUGH, Mention, mention
from mailsync.classify.facts.page import Page
from mailsync.classify.languages.language import AroundPatterns, Pattern
from mailsync.classify.languages.load import around_names

_BEFORE = 60
_NAME = re.compile(
    r"(?:[A-Z0-9\u00c0-\u00de][\w&.'\u2019+-]*(?:[ ](?:&|and|und|et|y|of|de|del|du|la|des|der)(?=[ ]))?[ ])*"
    r"[A-Z0-9\u00c0-\u00de][\w&.'\u2019+-]*$"
)
_FRONT = frozenset(("the", "your", "ihr", "dein", "votre", "tu", "su", "das", "die"))


def first_names(page: Page) -> Iterator[Mention]:
    """The names that stand before a joint."""
    for source, text in page.parts():
        for joint in _joint().finditer(text):
            before = max(0, joint.start() - _BEFORE)
            front = text[before : joint.start()].rstrip()
            found = _NAME.search(front)
            if found is None:
                continue
            first, _, rest = found[0].partition(" ")
            name = rest if rest and first.lower() in _FRONT else found[0]
            end = before + len(front)
            yield mention(page.text_of(source), source, end - len(name), end, weight=ENOUGH)


def before_joint(text: str, start: int, end: int) -> int:
    """Where the first name ends, when the second is told with it."""
    joint = _joint().search(text, start, end)
    return end if joint is None or joint.start() == start else joint.start()


def is_behind_joint(text: str, start: int) -> bool:
    return any(joint.end() == start for joint in _joint().finditer(text, max(0, start - _BEFORE), start + 1))


@cache
def _joint() -> Pattern:
    return re.compile(
        rf"(?:[,(\[]|\s[-\u2013\u2014]|\b(?:{_either(lambda around: around.is_one)}))\s{{0,2}}"
        rf"(?:{_either(lambda around: around.before_joint)})?(?:{_either(lambda around: around.joint)})\s"
        rf"(?:{_either(lambda around: around.behind_joint)})?"
        rf"(?-i:(?:{_either(lambda around: around.group_in_front)})\s)?(?=[^\W_])",
        re.IGNORECASE,
    )


def _either(of: Callable[[AroundPatterns], Pattern | None]) -> str:
    """The pieces of all languages as alternatives."""
    found = (of(around.patterns) for around in around_names())
    return "|".join(pattern.pattern for pattern in found if pattern is not None) or "(?!)"
