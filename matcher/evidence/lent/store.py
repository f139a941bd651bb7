"""Which settled messages share a conversation, an invitation, a person or a domain with those looked at.

Every question is answered through an index, and of one person's messages only so many are read that their
number does not matter. Reads only.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from matcher.evidence import keys
from matcher.evidence.lookup import Lookup
from matcher.evidence.types import Lent, Via
from schema.db import Unit
from schema.ids import ApplicationId, MessageId
from schema.query import Query

MOST_LENDERS = 100
"""Of one person; two of them with different applications already say that the person speaks for neither."""


class _LentRow(msgspec.Struct, frozen=True, kw_only=True):
    lender_id: MessageId
    application_id: ApplicationId
    by_person: bool
    key: str


class _HashRow(msgspec.Struct, frozen=True, kw_only=True):
    lender_id: MessageId
    application_id: ApplicationId
    by_person: bool
    key_hash: int


class _Vouched(msgspec.Struct, frozen=True, kw_only=True):
    key_hash: int
    company_key: str


CITED = Query(
    "lent.by_cited",
    _LentRow,
    """SELECT m.message_id AS lender_id, coalesce(a.merged_into_id, a.id) AS application_id, m.by_person,
         w.rfc_id AS key
       FROM unnest(%(rfc_ids)s::text[]) w (rfc_id)
       JOIN messages g ON g.rfc_message_id = w.rfc_id
       JOIN matches m ON m.account_id = g.account_id AND m.message_id = g.id
       JOIN applications a ON a.account_id = m.account_id AND a.id = m.anchor_application_id""",
)
IN_THREAD = Query(
    "lent.by_thread",
    _LentRow,
    """SELECT l.lender_id, l.application_id, l.by_person, w.thread AS key
       FROM unnest(%(threads)s::text[]) w (thread)
       CROSS JOIN LATERAL (
         SELECT m.message_id AS lender_id, coalesce(a.merged_into_id, a.id) AS application_id, m.by_person
         FROM messages g JOIN matches m ON m.account_id = g.account_id AND m.message_id = g.id
         JOIN applications a ON a.account_id = m.account_id AND a.id = m.anchor_application_id
         WHERE g.provider_thread = w.thread LIMIT %(limit)s) l""",
)
BY_KEY = Query(
    "lent.by_key",
    _HashRow,
    """SELECT l.lender_id, l.application_id, l.by_person, w.key_hash
       FROM unnest(%(hashes)s::bigint[]) w (key_hash)
       CROSS JOIN LATERAL (
         SELECT m.message_id AS lender_id, coalesce(a.merged_into_id, a.id) AS application_id, m.by_person
         FROM match_keys k JOIN matches m ON m.account_id = k.account_id AND m.message_id = k.message_id
         JOIN applications a ON a.account_id = m.account_id AND a.id = m.anchor_application_id
         WHERE k.key_hash = w.key_hash LIMIT %(limit)s) l""",
)
INVITED_IN_ANSWER = Query(
    "lent.invited_in_answer",
    _HashRow,
    # Looked up one by one: on an account without statistics a join would read every message for each other.
    """SELECT l.lender_id, l.application_id, l.by_person, w.key_hash
       FROM unnest(%(hashes)s::bigint[]) w (key_hash)
       CROSS JOIN LATERAL (
         SELECT k.account_id, k.message_id FROM match_keys k
         WHERE k.key_hash = w.key_hash LIMIT %(limit)s) k
       CROSS JOIN LATERAL (
         SELECT i.reference_ids || i.in_reply_to AS rfc_ids FROM messages i
         WHERE i.account_id = k.account_id AND i.id = k.message_id OFFSET 0) i
       CROSS JOIN LATERAL unnest(i.rfc_ids) r (rfc_id)
       CROSS JOIN LATERAL (
         SELECT m.message_id AS lender_id, coalesce(a.merged_into_id, a.id) AS application_id, m.by_person
         FROM messages g JOIN matches m ON m.account_id = g.account_id AND m.message_id = g.id
         JOIN applications a ON a.account_id = m.account_id AND a.id = m.anchor_application_id
         WHERE g.account_id = k.account_id AND g.rfc_message_id = r.rfc_id LIMIT %(limit)s) l""",
)
VOUCHED = Query(
    "lent.vouched",
    _Vouched,
    """SELECT w.key_hash, w.company_key
       FROM unnest(%(hashes)s::bigint[], %(companies)s::text[]) w (key_hash, company_key)
       CROSS JOIN LATERAL (
         SELECT m.message_id
         FROM match_keys k JOIN matches m ON m.account_id = k.account_id AND m.message_id = k.message_id
         JOIN applications a ON a.account_id = m.account_id AND a.id = m.anchor_application_id
         WHERE k.key_hash = w.key_hash AND a.company_key = w.company_key LIMIT 1) l""",
)


async def lent_to(unit: Unit, lookups: Mapping[MessageId, Lookup]) -> dict[MessageId, list[Lent]]:
    """What settled messages lend to each of these; a message lends nothing to itself."""
    sources = await _Sources.read(unit, lookups.values())
    found: dict[MessageId, list[Lent]] = defaultdict(list)
    for message_id, item in lookups.items():
        for via, row in sources.of(item):
            if row.lender_id != message_id:
                found[message_id].append(
                    Lent(application_id=row.application_id, via=via, by_person=row.by_person)
                )
    return found


async def vouched_for(unit: Unit, lookups: Mapping[MessageId, Lookup]) -> dict[MessageId, frozenset[str]]:
    """The company whose own domain each message was sent from, when a settled message came from there too."""
    asked = {
        message_id: (_hash(keys.domain(item.domain)), item.domain_label)
        for message_id, item in lookups.items()
        if item.domain and item.domain_label
    }
    if not asked:
        return {}
    pairs = sorted(set(asked.values()))
    hashes, companies = zip(*pairs, strict=True)
    rows = await unit.all(VOUCHED, hashes=list(hashes), companies=list(companies))
    known = {(row.key_hash, row.company_key) for row in rows}
    return {message_id: frozenset((pair[1],)) for message_id, pair in asked.items() if pair in known}


class _Sources(msgspec.Struct, frozen=True, kw_only=True):
    """Everything lent to a batch of messages, by what it is lent through."""

    cited: dict[str, list[_LentRow]]
    threads: dict[str, list[_LentRow]]
    hashed: dict[int, list[_HashRow]]
    invited: dict[int, list[_HashRow]]

    @staticmethod
    async def read(unit: Unit, lookups: Iterable[Lookup]) -> "_Sources":
        found = list(lookups)
        cited = sorted({rfc_id for item in found for rfc_id in item.cites})
        threads = sorted({item.thread for item in found if item.thread})
        meetings = sorted({_hash(keys.meeting(uid)) for item in found for uid in item.meetings})
        people = sorted({_hash(keys.sender(address)) for item in found for address in item.correspondents})
        by_key = sorted({*meetings, *people})
        return _Sources(
            cited=_by_key(await unit.all(CITED, rfc_ids=cited) if cited else []),
            threads=_by_key(
                await unit.all(IN_THREAD, threads=threads, limit=MOST_LENDERS) if threads else []
            ),
            hashed=_by_hash(await unit.all(BY_KEY, hashes=by_key, limit=MOST_LENDERS) if by_key else []),
            invited=_by_hash(
                await unit.all(INVITED_IN_ANSWER, hashes=meetings, limit=MOST_LENDERS) if meetings else []
            ),
        )

    def of(self, item: Lookup) -> list[tuple[Via, _LentRow | _HashRow]]:
        meetings = [_hash(keys.meeting(uid)) for uid in item.meetings]
        people = [_hash(keys.sender(address)) for address in item.correspondents]
        found: dict[Via, list[_LentRow | _HashRow]] = {
            "reply_chain": [row for rfc_id in item.cites for row in self.cited.get(rfc_id, [])],
            "calendar": [
                row for key in meetings for rows in (self.hashed, self.invited) for row in rows.get(key, [])
            ],
            "thread": [*self.threads.get(item.thread or "", [])],
            "contact": [row for key in people for row in self.hashed.get(key, [])],
        }
        return [(via, row) for via, rows in found.items() for row in rows]


def _hash(key: keys.Key) -> int:
    return next(iter(keys.hashed([key])))


def _by_key(rows: Iterable[_LentRow]) -> dict[str, list[_LentRow]]:
    found: dict[str, list[_LentRow]] = defaultdict(list)
    for row in rows:
        found[row.key].append(row)
    return found


def _by_hash(rows: Iterable[_HashRow]) -> dict[int, list[_HashRow]]:
    found: dict[int, list[_HashRow]] = defaultdict(list)
    for row in rows:
        found[row.key_hash].append(row)
    return found
