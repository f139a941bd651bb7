"""What stands behind a label: "Position: Baker", the same in a table cell, or on the line below. Pure."""

from collections.abc import Iterator

from mailsync.classify.facts.mentions import Mention, mention
from mailsync.classify.facts.page import Page
from mailsync.classify.languages.language import Pattern

_LONGEST_VALUE = 120
_MOST = 10


def labelled(page: Page, label: Pattern | None) -> Iterator[Mention]:
    """Sure behind a colon. A label without one may be a word of a sentence: weak, never of a long line."""
    if label is None:
        return
    for count, found in enumerate(label.finditer(page.body)):
        if count >= _MOST:
            return
        start = found.end()
        newline = page.body.find("\n", start)
        end = len(page.body) if newline < 0 else newline
        value = page.body[start:end].rstrip(" \t*|")
        sure = ":" in found["mark"] or "\uff1a" in found["mark"]
        if not value or len(value) > _LONGEST_VALUE or (not sure and not _stands_alone(value)):
            continue
        yield mention(page.body, "text", start, start + len(value), weight=3 if sure else 2, sure=sure)


def _stands_alone(value: str) -> bool:
    return not value[0].islower() and value[-1] not in ".,;:!?" and len(value) <= _LONGEST_VALUE // 2
