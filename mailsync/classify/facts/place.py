"""Where the post is: what a label calls so, and what a board writes behind the employer's name. Pure."""

import re
from collections.abc import Iterator

from mailsync.classify.facts.labels import labelled
from mailsync.classify.facts.page import Page, fact, span_of
from mailsync.classify.types import Fact

_BEHIND_EMPLOYER = re.compile(r"[ \t]*[\u00b7\u2022-][ \t]*([^\n]{2,80})")
_MANNER = re.compile(
    r"\s*\((?:on-?site|remote|hybride?|sur site|\u00e0 distance|t\u00e9l\u00e9travail|vor ort|homeoffice"
    r"|presencial|en remoto|h\u00edbrido)\)\s*$",
    re.IGNORECASE,
)
_LONGEST = 80


def places(page: Page, employer: Fact | None) -> Iterator[Fact]:
    found = _of_label(page) or _of_board(page, employer)
    if found is not None:
        yield found


def _of_label(page: Page) -> Fact | None:
    for names in page.languages:
        for found in labelled(page, names.labels.place):
            if found.sure and len(found.value) <= _LONGEST and "://" not in found.value:
                return fact("place", found.value, found.value.casefold(), found.span)
    return None


def _of_board(page: Page, employer: Fact | None) -> Fact | None:
    """ "Northwind · Leeds, England (Hybrid)" under the title."""
    if employer is None or page.sender is None or page.sender.kind != "board":
        return None
    position = page.body.find(f"\n{employer.value}")
    if position < 0:
        return None
    found = _BEHIND_EMPLOYER.match(page.body, position + 1 + len(employer.value))
    if found is None:
        return None
    value = _MANNER.sub("", found[1]).strip()
    span = span_of(page.body, "text", found.start(1), found.start(1) + len(value))
    return fact("place", value, value.casefold(), span) if value else None
