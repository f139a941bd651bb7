"""Which unmatched mail proves an application, and how many may be derived. Pure.

A receipt, a refusal or a withdrawal says that there was an application; an invitation may come from somebody
who found the person. Outreach alone never derives one.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time

import msgspec

from matcher.evidence.also_named import pairs_of
from matcher.evidence.keys import company_key, role_key
from matcher.evidence.role import comparable, compare, without_tail
from matcher.evidence.rules import PROVES
from matcher.evidence.timing import DAY_OF_GRACE, SOON
from matcher.evidence.types import Letter
from schema.identity.requisitions import requisition_key
from schema.ids import MessageId

MOST_PER_EMPLOYER = 15
"""More derived applications than this at one employer are a sign of a misread name, not of diligence."""

_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The application one message proves, in the message's own words."""

    message_id: MessageId
    sent_at: datetime | None
    company: str
    company_key: str
    role: str
    requisition: str | None = None


class Existing(msgspec.Struct, frozen=True, kw_only=True):
    """An application there is, dismissed ones included; one without a role stands in nobody's way."""

    company_key: str
    role: str
    is_derived: bool
    requisition_key: str = ""


class Unanswered(msgspec.Struct, frozen=True, kw_only=True):
    """An application the person recorded and no message is attached to."""

    role: str
    applied_at: datetime | None
    applied_on: date | None


def proof_of(letter: Letter) -> Proof | None:
    """None unless it says that there was an application and names one employer and one role for sure."""
    if letter.from_owner or not PROVES.intersection(letter.kinds):
        return None
    employers = {
        key: fact.value
        for fact in letter.all_named("employer")
        if fact.sure and (key := company_key(fact.value))
    }
    roles = {
        key: fact.value for fact in letter.all_named("role") if fact.sure and (key := role_key(fact.value))
    }
    if len(employers) != 1 or len(roles) != 1:
        return None
    company_name, role = _who_hires(letter, *employers.items()), next(iter(roles.values()))
    return Proof(
        message_id=letter.message_id,
        sent_at=letter.sent_at,
        company=company_name,
        company_key=company_key(company_name) or "",
        role=role,
        requisition=_requisition(letter),
    )


def _who_hires(letter: Letter, employer: tuple[str, str]) -> str:
    """ "Globex, part of the Initech Group" hires as Globex, though the group's domain carried the letter."""
    key, name = employer
    return next((pair.name for pair in pairs_of(letter) if pair.second == key), name)


def _requisition(letter: Letter) -> str | None:
    """The one number it names; of several nobody knows which is meant."""
    numbers = {
        requisition_key(fact.value): fact.value for fact in letter.all_named("requisition") if fact.sure
    }
    return next(iter(numbers.values())) if len(numbers) == 1 else None


def to_derive(proofs: Iterable[Proof], existing: Iterable[Existing]) -> list[Proof]:
    """One proof per job without an application, the earliest sent; the same for any order of `proofs`.

    Two messages may write one title differently; the second finds the application that the first one made.
    """
    known: dict[str, list[Existing]] = defaultdict(list)
    for application in existing:
        known[application.company_key].append(application)
    chosen: list[Proof] = []
    numbers: set[str] = set()
    for proof in sorted(proofs, key=lambda found: (found.sent_at or _BEFORE_ALL, found.message_id)):
        there = known[proof.company_key]
        derived = sum(application.is_derived for application in there)
        number = requisition_key(proof.requisition) if proof.requisition else ""
        if number in numbers:
            continue  # the same opening under another spelling of the employer: it meets it by its number
        if derived < MOST_PER_EMPLOYER and not any(_may_be(proof, application) for application in there):
            numbers |= {number} - {""}
            made = Existing(
                company_key=proof.company_key, role=proof.role, is_derived=True, requisition_key=number
            )
            there.append(made)
            chosen.append(proof)
    return chosen


def may_answer(proof: Proof, unanswered: Iterable[Unanswered]) -> bool:
    """Whether the person applied for that title elsewhere, lately, and nobody answered under the name
    recorded: the employer may write under another one, and name the title without its place or team."""
    title = comparable(proof.role)
    return any(
        compare(title, comparable(one.role)) in {"same", "shorter", "longer"} and _is_in_time(proof, one)
        for one in unanswered
    )


def _is_in_time(proof: Proof, one: Unanswered) -> bool:
    applied = one.applied_at or (datetime.combine(one.applied_on, time.min, UTC) if one.applied_on else None)
    if proof.sent_at is None or applied is None:
        return True
    return -DAY_OF_GRACE <= proof.sent_at - applied <= SOON


def _may_be(proof: Proof, application: Existing) -> bool:
    """The same title; or, where the person wrote it, one with all the words of the other: that is asked."""
    number = requisition_key(proof.requisition) if proof.requisition else ""
    if number and application.requisition_key and number != application.requisition_key:
        return False  # a second opening of the title: its number says so
    one, other = comparable(proof.role), comparable(application.role)
    beginning = comparable(without_tail(application.role))
    if any(compare(one, title) not in {"other", "level_other", "intern"} for title in (other, beginning)):
        return True
    contained = set(one.role) <= set(other.role) or set(other.role) <= set(one.role)
    return contained and not application.is_derived
