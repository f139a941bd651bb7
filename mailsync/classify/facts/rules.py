"""The door: every fact a message names, each with its span. Pure, and linear in the length of the message.

An employer or a role is only told when a phrase or the sender's surroundings say what it is; a name that
merely occurs is left to the matcher.
"""

from mailsync.classify.facts.employer import employers
from mailsync.classify.facts.identifiers import platforms, postings, requisitions
from mailsync.classify.facts.page import page_of
from mailsync.classify.facts.role import roles
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
    )
