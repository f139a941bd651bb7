"""Deriving applications from mail: what was asked for and found no candidate, and what exists already.

Writes through `applications/store.py`, as everybody does. Dismissing a derived application is lasting: the
same mail does not bring it back.
"""

from datetime import datetime

import msgspec

from matcher.applications.rules import completed
from matcher.applications.store import insert_application
from matcher.applications.types import NewApplication
from matcher.derived.rules import Existing, Proof, Unanswered, may_answer, proof_of, to_derive
from matcher.evidence.keys import role_key
from matcher.evidence.store import letters
from schema.db import Unit
from schema.ids import MessageId
from schema.query import Query


class _Unclaimed(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId


UNCLAIMED = Query(
    "derived.unclaimed",
    _Unclaimed,
    """SELECT m.message_id FROM matches m
       JOIN match_decisions d ON d.account_id = m.account_id AND d.id = m.decision_id
       WHERE m.outcome = 'asks' AND NOT m.by_person AND NOT m.stale AND d.actor = 'machine'
         AND d.pattern = 'alone' AND m.message_id > %(after)s
       ORDER BY m.message_id LIMIT %(limit)s""",
)
EXISTING = Query(
    "derived.existing",
    Existing,
    """SELECT coalesce(company_key, '') AS company_key, coalesce(role, '') AS role,
         origin = 'derived' AS is_derived, coalesce(requisition_key, '') AS requisition_key
       FROM applications WHERE company_key = ANY(%(companies)s::text[]) AND role IS NOT NULL""",
)

UNANSWERED = Query(
    "derived.unanswered",
    Unanswered,
    """SELECT coalesce(a.role, '') AS role, a.applied_at, a.applied_on FROM applications a
       WHERE split_part(a.role_key, ' ', 1) = ANY(%(first_words)s::text[])
         AND a.origin <> 'derived' AND a.dismissed_at IS NULL
         AND NOT EXISTS (SELECT FROM attachments t WHERE t.application_id = a.id)""",
)

BATCH = 500


async def derive_applications(unit: Unit, *, now: datetime) -> int:
    """Record what unclaimed mail proves; how many applications. The caller holds the account's lock.

    The messages themselves are only marked for another look: they attach on the same evidence as any other.
    """
    proofs = await _proofs(unit)
    if not proofs:
        return 0
    companies = sorted({proof.company_key for proof in proofs})
    titles = {key for proof in proofs if (key := role_key(proof.role))}
    unanswered = await unit.all(UNANSWERED, first_words=sorted({key.partition(" ")[0] for key in titles}))
    open_ones = [proof for proof in proofs if not may_answer(proof, unanswered)]
    chosen = to_derive(open_ones, await unit.all(EXISTING, companies=companies))
    for proof in chosen:
        new = NewApplication(
            origin="derived", company=proof.company, role=proof.role, requisition_id=proof.requisition
        )
        await insert_application(unit, completed(new, None), now=now, ask_for_match=False)
    return len(chosen)


async def _proofs(unit: Unit) -> list[Proof]:
    found: list[Proof] = []
    after = MessageId(0)
    while rows := await unit.all(UNCLAIMED, after=after, limit=BATCH):
        after = rows[-1].message_id
        read = await letters(unit, [row.message_id for row in rows])
        found += [proof for letter in read if (proof := proof_of(letter)) is not None]
    return found
