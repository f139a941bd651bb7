"""Under which keys a message looks for its applications. Pure.

The same keys are stored beside the message, so that a later application finds the message again. What a
message does not look for, no evidence can say of it.
"""

import re

import msgspec

from mailsync.classify.senders import known_sender
from mailsync.parse.types import Address
from matcher.evidence import keys
from matcher.evidence.types import Letter
from matcher.evidence.weighing import Reading
from matcher.evidence.writer import own_domain

_AUTOMATIC = re.compile(
    r"(?:^|[._+-])(?:no|do[._-]?not)[._-]?reply|^(?:notifications?|mailer-daemon|alerts?|news)\b"
)
_ADDRESS = re.compile(r"[^\s<>@]{1,64}@[^\s<>@]{1,200}")


class Lookup(msgspec.Struct, frozen=True, kw_only=True):
    """Comparable forms as the columns of `applications` and `messages` hold them."""

    companies: frozenset[str]
    titles: frozenset[str]
    canonical_urls: frozenset[str]
    vendor_ids: frozenset[str]
    requisitions: frozenset[str]
    boards: frozenset[tuple[str, str]]
    cites: tuple[str, ...]
    thread: str | None
    correspondents: frozenset[str]
    meetings: frozenset[str]
    akin: frozenset[str]
    domain: str | None
    domain_label: str | None


def lookup(reading: Reading) -> Lookup:
    links = reading.identifiers.links
    numbers = reading.identifiers.numbers
    letter = reading.letter
    domain = reading.writer.domain
    return Lookup(
        companies=reading.writer.keys,
        titles=frozenset(key for title in reading.titles.named if (key := keys.title_key(title.fact.value))),
        canonical_urls=frozenset(link.target.canonical for link in links),
        vendor_ids=frozenset(link.target.vendor_id for link in links if link.target.vendor_id)
        | frozenset(number.fact.value for number in numbers),
        requisitions=frozenset(number.key for number in numbers),
        boards=reading.identifiers.boards,
        cites=letter.cites,
        thread=letter.thread,
        correspondents=correspondents(letter),
        meetings=frozenset(fact.value for fact in letter.all_named("meeting")),
        akin=reading.writer.akin,
        domain=domain.name if domain else None,
        domain_label=domain.key if domain else None,
    )


def correspondents(letter: Letter) -> frozenset[str]:
    """The people one could answer: who writes, and whom the message names as its contact."""
    named = (_ADDRESS.search(fact.value) for fact in letter.all_named("contact") if fact.sure)
    addresses = [letter.sender_address, *(found[0] for found in named if found is not None)]
    return frozenset(each for address in addresses if (each := correspondent(address)) is not None)


def correspondent(address: str) -> str | None:
    """The address when a person seems to write from it; one of a relay or a machine lends nothing."""
    parsed = Address(address=address.casefold())
    relay = known_sender(parsed)
    automatic = _AUTOMATIC.search(parsed.local_part) is not None
    return None if not parsed.domain or automatic or (relay and not relay.plain) else parsed.address


def hashes(reading: Reading) -> frozenset[int]:
    """Every key as stored; the counterpart of `keys.keys_of_application`."""
    found = lookup(reading)
    postings = {key for link in reading.identifiers.links for key in link.keys}
    named = {keys.company(key) for key in found.companies}
    named |= {keys.lone_title(key) for key in found.titles}
    named |= {keys.posting(key) for key in postings}
    named |= {keys.requisition(key) for key in found.requisitions}
    named |= {keys.board(platform, board) for platform, board in found.boards}
    named |= {keys.cites(rfc_id) for rfc_id in found.cites}
    named |= {keys.thread(found.thread)} if found.thread else set()
    named |= {keys.sender(address) for address in found.correspondents}
    named |= {keys.meeting(uid) for uid in found.meetings}
    named |= {keys.akin(name) for name in found.akin}
    if found.domain:
        named.add(keys.domain(found.domain))
        named |= set() if reading.writer.named_keys else {keys.asks_domain(found.domain)}
    return keys.hashed(named)


def answered_by(letter: Letter) -> frozenset[int]:
    """The keys of the messages that this one lends to once it is settled."""
    domain = own_domain(letter)
    named: set[keys.Key | None] = {
        keys.cites(letter.rfc_message_id) if letter.rfc_message_id else None,
        keys.thread(letter.thread) if letter.thread else None,
        keys.asks_domain(domain.name) if domain else None,
        *(keys.sender(address) for address in correspondents(letter)),
        *(keys.meeting(fact.value) for fact in letter.all_named("meeting")),
    }
    return keys.hashed(key for key in named if key)
