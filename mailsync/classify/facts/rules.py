"""The door: every fact a message names, each with its span. Pure, and linear in the length of the message.

An employer or a role is only told when a phrase or the sender's surroundings say what it is; a name that
merely occurs is left to the matcher.
"""

from collections.abc import Iterator

from mailsync.classify.facts.contact import contacts
from mailsync.classify.facts.employer import employers
from mailsync.classify.facts.identifiers import platforms, postings, requisitions
from mailsync.classify.facts.invitation import appointment_of, contact_of
from mailsync.classify.facts.meeting import meetings_of
from mailsync.classify.facts.page import Page, page_of
from mailsync.classify.facts.place import places
from mailsync.classify.facts.role import roles
from mailsync.classify.facts.when import appointments, deadlines
from mailsync.classify.said import Text
from mailsync.classify.types import Fact


def facts_of(text: Text) -> tuple[Fact, ...]:
    page = page_of(text)
    employer = next(employers(page), None)
    role = next(roles(page, employer), None)
    return (
        *(each for each in (employer, role) if each is not None),
        *requisitions(page, role),
        *postings(page),
        *platforms(page),
        *places(page, employer),
        *_contact(page, employer),
        *_when(page, text),
        *(meetings_of(page.calendar) if page.calendar is not None else ()),
    )


def _contact(page: Page, employer: Fact | None) -> Iterator[Fact]:
    invited = contact_of(page.calendar) if page.calendar is not None else None
    if invited is not None:
        yield invited
    else:
        yield from contacts(page, employer)


def _when(page: Page, text: Text) -> Iterator[Fact]:
    whens = tuple(names.when for names in page.languages)
    codes = frozenset(language.code for language in text.languages)
    yield from deadlines(page, text.sentences, whens, codes)
    invited = appointment_of(page.calendar) if page.calendar is not None else None
    if invited is not None:
        yield invited
    elif page.calendar is None:
        yield from appointments(page, text.sentences, whens, codes)
