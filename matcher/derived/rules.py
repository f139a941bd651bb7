"""Which unmatched mail proves an application, and how many may be derived. Pure.

A receipt, a refusal or a withdrawal says that there was an application; an invitation may come from somebody
who found the person. Outreach alone never derives one.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime

import msgspec

from matcher.evidence.keys import company_key, role_key
from matcher.evidence.types import Letter
from schema.ids import MessageId
from schema.vocabulary import EventKind

MOST_PER_EMPLOYER = 15
"""More derived applications than this at one employer are a sign of a misread name, not of diligence."""

PROVES: frozenset[EventKind] = frozenset(
    {"acknowledgement", "rejection", "position_closed", "withdrawal_confirmed"}
)
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)

Job = tuple[str, str]
"""Company key and role key."""


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The application one message proves, in the message's own words."""

    message_id: MessageId
    sent_at: datetime | None
    company: str
    role: str
    job: Job


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
    (company, company_name), (role, role_name) = *employers.items(), *roles.items()
    return Proof(
        message_id=letter.message_id,
        sent_at=letter.sent_at,
        company=company_name,
        role=role_name,
        job=(company, role),
    )


def to_derive(
    proofs: Iterable[Proof], taken: Collection[Job], derived_per_company: Mapping[str, int]
) -> list[Proof]:
    """One proof per job without an application, the earliest sent; the same for any order of `proofs`."""
    counts = Counter(derived_per_company)
    known = set(taken)
    chosen: list[Proof] = []
    for proof in sorted(proofs, key=lambda found: (found.sent_at or _BEFORE_ALL, found.message_id)):
        company = proof.job[0]
        if proof.job not in known and counts[company] < MOST_PER_EMPLOYER:
            known.add(proof.job)
            counts[company] += 1
            chosen.append(proof)
    return chosen
