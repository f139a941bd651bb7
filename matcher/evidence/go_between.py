"""Names that were read as the employer's and are not: a hiring desk, an agency that has a client. Pure.

An agency's own mail names it more often than the client. What is left out here may still stand in the text,
so that an application recorded under the agency's name is found by it all the same.
"""

import re
from functools import cache

import msgspec

from mailsync.classify.own_domains import own_label
from mailsync.classify.senders import known_sender
from mailsync.parse.types import Address
from matcher.evidence.around_names import either, words_around
from matcher.evidence.keys import company_key
from matcher.evidence.types import Letter, Named
from schema.identity.name_words import TEAM
from schema.identity.tokens import folded, words

MOST_TEXT_CHARS = 4_000
_LOCAL = re.compile(r"([^\s<@]{1,64})@")


@cache
def _desks() -> frozenset[str]:
    return TEAM | words_around(lambda around: around.desk)


@cache
def _agency_endings() -> tuple[str, ...]:
    return tuple(words_around(lambda around: around.agency_endings))


@cache
def _goes_on() -> re.Pattern[str]:
    return re.compile(rf"\s(?:{either(lambda around: around.goes_on)})")


@cache
def _of_a_client() -> re.Pattern[str]:
    return re.compile(either(lambda around: around.of_a_client), re.IGNORECASE)


def without_go_betweens(letter: Letter) -> Letter:
    """The same message without the employers it does not have."""
    agency = _agency_label(letter)
    named = (_without_sentence(fact) if fact.name == "employer" else fact for fact in letter.named)
    kept = tuple(
        fact
        for fact in named
        if fact.name != "employer"
        or not (
            is_desk(fact.value)
            or _is_agency(fact, agency)
            or _is_a_number(letter, fact)
            or _is_said_by_a_calendar(letter, fact)
            or _is_a_person(letter, fact)
        )
    )
    return letter if kept == letter.named else msgspec.structs.replace(letter, named=kept)


def _without_sentence(fact: Named) -> Named:
    """ "Northwind is an equal opportunity employer" and "Northwind and" name Northwind."""
    cut = _goes_on().search(fact.value)
    if cut is None or not cut.start():
        return fact
    span = msgspec.structs.replace(fact.span, end=fact.span.start + cut.start())
    return msgspec.structs.replace(fact, value=fact.value[: cut.start()], span=span)


def is_desk(name: str) -> bool:
    """ "Talent Acquisition", "People Operations": nothing but words of hiring."""
    return _desks().issuperset(words(folded(name)))


def speaks_of_a_client(letter: Letter) -> bool:
    texts = (letter.subject, letter.body[:MOST_TEXT_CHARS])
    return any(_of_a_client().search(text) is not None for text in texts)


def _is_a_number(letter: Letter, fact: Named) -> bool:
    """ "Reference 2025-88164" as read from the subject: part of it is the number of the job."""
    return any(
        number.span.source == fact.span.source
        and number.span.start < fact.span.end
        and fact.span.start < number.span.end
        for number in letter.all_named("requisition")
    )


def _is_said_by_a_calendar(letter: Letter, fact: Named) -> bool:
    """ "Rescheduled: Ada and Maren": a calendar's own word stands before the name of an entry."""
    ends = letter.subject[fact.span.end : fact.span.end + 2].lstrip()
    return bool(letter.all_named("meeting")) and fact.span.source == "subject" and ends.startswith(":")


def _is_a_person(letter: Letter, fact: Named) -> bool:
    """Somebody whose address spells the name: an appointment is called by the two who meet."""
    key = "".join(words(folded(fact.value)))
    locals_of = (_LOCAL.search(contact.value) for contact in letter.all_named("contact"))
    return any(found is not None and _letters(found[1]) == key for found in locals_of)


def _letters(local: str) -> str:
    return "".join(letter for letter in folded(local) if letter.isalpha())


def _agency_label(letter: Letter) -> str:
    """The sender's own domain when it calls itself an agency, or writes about a client."""
    address = Address(address=letter.sender_address)
    label = (own_label(address, known_sender(address)) or "").replace("-", "")
    return label if label.endswith(_agency_endings()) or speaks_of_a_client(letter) else ""


def _is_agency(fact: Named, label: str) -> bool:
    """The name, with what agencies call themselves behind it or not, is the domain."""
    key = company_key(fact.value) or ""
    rest = label.removeprefix(key)
    return bool(key) and label.startswith(key) and (not rest or rest in _agency_endings())
