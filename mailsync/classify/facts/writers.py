"""Who writes, by the names they sign with and mailboxes of their own: people, whom nobody works for. Pure."""

import re

from mailsync.classify.facts.hints import condensed
from mailsync.classify.facts.labels import labelled
from mailsync.classify.facts.mentions import ENOUGH, mentions
from mailsync.classify.facts.page import Page
from mailsync.classify.facts.people import is_given_name
from mailsync.classify.facts.signature import names_a_firm, signers
from mailsync.classify.own_domains import own_label
from mailsync.classify.senders import known_sender
from schema.identity.names import comparable_company

_OF_A_PERSON_ALONE = re.compile(r"[^\W\d_]{1,30}[._-][^\W\d_]{1,30}$")


def writers(page: Page) -> frozenset[str]:
    """Condensed."""
    return _signers(page) | _own_mailboxes(page)


def _signers(page: Page) -> frozenset[str]:
    """Those who sign with a title below, unless a firm stands there."""
    return frozenset(
        condensed(comparable_company(name)) for name in signers(page) if not names_a_firm(page, name)
    )


def _own_mailboxes(page: Page) -> frozenset[str]:
    """Who writes or invites from an address of their own: "Ada Quill" at ada.quill.

    At a service where nobody has a domain of their own, a firm's mailbox looks the same.
    """
    organizers = [entry.organizer for entry in page.calendar.entries[:1]] if page.calendar is not None else []
    found = [
        each
        for each in (page.message.sender, *organizers)
        if each.name
        and _OF_A_PERSON_ALONE.match(each.local_part)
        and condensed(each.local_part) == condensed(each.name)
    ]
    named = _plainly_named(page) if found else frozenset[str]()
    return frozenset(
        condensed(each.name)
        for each in found
        if own_label(each, known_sender(each)) is not None or condensed(each.name) not in named
    )


def _plainly_named(page: Page) -> frozenset[str]:
    """What phrases or a label name as the employer, and no person is called so."""
    found = (
        each
        for names in page.languages
        for each in (
            *mentions(page.subject, "subject", names, names.company_in_subject, company=True),
            *mentions(page.prose, "text", names, names.company_in_text, company=True),
            *labelled(page, names.labels.employer),
        )
    )
    return frozenset(
        condensed(each.value)
        for each in found
        if each.weight >= ENOUGH and each.value and not is_given_name(each.value.split()[0])
    )
