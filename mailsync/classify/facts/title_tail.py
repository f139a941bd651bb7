"""Where a title ends that goes on behind a mark: "Baker - Growth", "Baker, Core Services". Pure.

Phrases find the words before the mark; what stands behind it is of the title when it ends the sentence, or
when the sentence plainly goes on behind it. The employer, a person, a number and words about hiring are no
part of it.
"""

import re

from mailsync.classify.facts.hints import agrees, condensed, hints_of
from mailsync.classify.facts.names import is_brand, says_nothing
from mailsync.classify.facts.page import Page
from mailsync.classify.facts.people import is_given_name, reads_like_a_person
from mailsync.classify.languages.language import Names
from schema.identity.names import comparable_company
from schema.identity.tokens import folded

_NUMBER = re.compile(r"\d{3}")
_MARKS = " \n,()-\u2013\u2014"
_MOST = 2
_LONG_LINE = 48
_CLOSING_QUOTES = frozenset('"\u00bb\u201d\u201c')


def end_of_title(page: Page, text: str, end: int, names: Names, company: str) -> int:
    """Behind at most two such pieces."""
    for _ in range(_MOST):
        found = names.title_tail.match(text, end)
        if found is None or (found[0].startswith("\n") and not _is_wrapped(text, end)):
            break
        quoted = text[found.end() :].lstrip()[:1] in _CLOSING_QUOTES
        if not _is_of_the_title(page, found[0], names, company, quoted=quoted):
            break
        end = found.end()
    return end


def _is_wrapped(text: str, end: int) -> bool:
    """Whether the line is long enough to go on below, though what follows looks like a list."""
    return end - (text.rfind("\n", 0, end) + 1) > _LONG_LINE


def _is_of_the_title(page: Page, tail: str, names: Names, company: str, *, quoted: bool) -> bool:
    piece = tail.rpartition("(")[2].strip(_MARKS) if tail.endswith(")") else tail.strip(_MARKS)
    if not piece or _NUMBER.search(piece) or (says_nothing(piece, names) and not quoted):
        return False
    return not (is_brand(piece) or _is_a_person(page, piece) or _is_the_employer(page, piece, company))


def _is_a_person(page: Page, piece: str) -> bool:
    if reads_like_a_person(piece) or is_given_name(piece.split(maxsplit=1)[0]):
        return True
    readers = {folded(word) for each in page.message.recipients for word in each.name.split()}
    return not readers.isdisjoint(folded(word) for word in piece.split())


def _is_the_employer(page: Page, piece: str, company: str) -> bool:
    told, name = condensed(comparable_company(piece)), condensed(comparable_company(company))
    if name and told and (name.startswith(told) or told.startswith(name)):
        return True
    return any(agrees(piece, hint.token) for hint in hints_of(page))
