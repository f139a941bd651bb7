"""Which mail may be kept for the conversation it stands in, and which kept mail lends it that. Pure.

Narrow on purpose, for whatever is kept here is mail that says nothing of jobs. Bulk mail belongs to no
conversation, and a relay, a desk or a mailbox nobody reads is no person. A lender is known to be about a job:
it says so, or it is attached to an application; a person's word against it ends that.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta

from mailsync.classify.facts.meeting import meetings_of
from mailsync.classify.noise import is_bulk
from mailsync.classify.own_domains import own_label
from mailsync.classify.screen import Screened, is_a_desk, names_a_job
from mailsync.classify.senders import known_sender
from mailsync.classify.types import Reading
from mailsync.conversations.types import Bond, Continued, Lender, Tie
from mailsync.parse.calendars import read_calendar
from mailsync.parse.types import Address, ParsedMessage

MOST_ANSWERED = 30
MOST_MEETINGS = 5
LONGEST_KNOWN = timedelta(days=180)
"""How long somebody who wrote about a job is expected to write about it, before and after."""
_NOBODY = re.compile(
    r"no[-_.]?reply|do[-_.]?not[-_.]?reply|ne[-_.]?pas[-_.]?repondre|nicht[-_.]?antworten"
    r"|notif\w{0,12}|mailer|bounces?|alerts?|news\w{0,8}|info|hello|hola|contact\w{0,4}|kontakt|support|service"
    r"|team|office|admin|system|automated|mail|marketing|events?|updates?|calendar"
)


def bond_of(message: ParsedMessage, reading: Reading, screened: Screened) -> Bond | None:
    """None for mail that is kept anyway, and for mail that is told to be something else than job mail."""
    if screened.kept == "whole" or (reading.events and reading.stage != "local_model"):
        return None
    is_personal = not is_bulk(message) and not message.bulk.auto_submitted and is_a_person(message.sender)
    is_own = reading.note == "own_mail"
    bond = Bond(
        message_id=message.message_id,
        answers=() if is_bulk(message) else _answered(message),
        thread=message.provider_thread if is_own or is_personal else None,
        meetings=_meetings(message),
        writer=message.sender.address if is_personal and not is_own and not message.is_forward else None,
        sent_at=message.sent_at,
    )
    return bond if next(bond.ties(), None) is not None else None


def is_a_person(sender: Address) -> bool:
    """Whether one person reads and writes at this address, as far as it tells."""
    if not sender.local_part or known_sender(sender) is not None or is_a_desk(sender):
        return False
    return not _NOBODY.fullmatch(sender.local_part.split("+")[0])


def is_public(address: str) -> bool:
    """At a service where anybody has an address."""
    return own_label(Address(address=address), None) is None


def continued(bonds: Sequence[Bond], lenders: Sequence[Lender]) -> dict[int, Continued]:
    """Of the bonds, by their places, those that continue something; answers to each other are followed.

    The same for any order of `bonds`, and for lenders in the order of preference.
    """
    by_tie: dict[Tie, list[Lender]] = {}
    for lender in lenders:
        by_tie.setdefault(Tie(way=lender.way, key=lender.key), []).append(lender)
    found: dict[int, Continued] = {}
    for place, bond in enumerate(bonds):
        if (first := _first(bond, by_tie)) is not None:
            found[place] = first
    return _followed(bonds, found)


def _first(bond: Bond, by_tie: Mapping[Tie, Sequence[Lender]]) -> Continued | None:
    for tie in bond.ties():
        for lender in by_tie.get(tie, ()):
            if lends(lender, bond):
                return Continued(way=tie.way, message_id=lender.message_id)
    return None


def _followed(bonds: Sequence[Bond], found: dict[int, Continued]) -> dict[int, Continued]:
    given = {tie: told for place, told in found.items() for tie in bonds[place].gives()}
    left = [place for place in range(len(bonds)) if place not in found]
    while left:
        new = {
            place: Continued(way=tie.way, message_id=given[tie].message_id)
            for place in left
            if (tie := next((each for each in bonds[place].ties() if each in given), None)) is not None
        }
        if not new:
            break
        found = {**found, **new}
        given = {**{tie: told for place, told in new.items() for tie in bonds[place].gives()}, **given}
        left = [place for place in left if place not in new]
    return found


def may_lend(reading: Reading) -> bool:
    """Whether what stands in one thread with a message kept whole should be looked at once more."""
    return any(event.kind != "not_job_related" for event in reading.events) or names_a_job(reading)


def lends(lender: Lender, bond: Bond) -> bool:
    says_a_job = any(kind != "not_job_related" for kind in lender.kinds)
    if lender.is_decided and not says_a_job and not lender.is_attached:
        return False
    if lender.way == "writer":
        return _is_known_by(lender, bond, says_a_job=says_a_job)
    if says_a_job or lender.is_attached or lender.way == "calendar":
        return True
    # What nobody could tell counts where it names an opening, and comes from a domain of its own.
    return lender.names_a_job and not is_public(lender.sender_address)


def _is_known_by(lender: Lender, bond: Bond, *, says_a_job: bool) -> bool:
    """Whether the lender shows that its writer writes about jobs: not one friend who passed an offer on."""
    if lender.from_owner or lender.is_continuing or lender.is_bulk or lender.is_forward:
        return False
    if not lender.is_attached and (not says_a_job or is_public(lender.sender_address)):
        return False
    if lender.sent_at is None or bond.sent_at is None:
        return False
    return abs(lender.sent_at - bond.sent_at) <= LONGEST_KNOWN


def _answered(message: ParsedMessage) -> tuple[str, ...]:
    """The nearest first."""
    told = (message.in_reply_to, *reversed(message.references))
    return tuple(dict.fromkeys(each for each in told if each))[:MOST_ANSWERED]


def _meetings(message: ParsedMessage) -> tuple[str, ...]:
    found = (
        fact.value
        for part in message.calendars
        for fact in meetings_of(read_calendar(part.content, part.method))
    )
    return tuple(dict.fromkeys(found))[:MOST_MEETINGS]
