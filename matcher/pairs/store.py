"""Pairs of records that may be one application, and their only writer.

Found again whenever a record of the employer changes; what the person answered stays answered.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

import msgspec
from psycopg.types.json import Jsonb

from matcher.pairs.rules import Record, pairs_among
from schema.db import Unit
from schema.ids import ApplicationId
from schema.query import Query, Statement

PairAnswer = Literal["merged", "kept_apart"]

MOST_RECORDS = 60
"""Of an employer with more records no pairs are proposed: nobody reads hundreds of them."""

RECORDS = Query(
    "pairs.records",
    Record,
    """SELECT r.*
       FROM (SELECT DISTINCT c.company_key FROM applications c
             WHERE c.id = ANY(%(application_ids)s::bigint[]) AND c.company_key IS NOT NULL) e
       CROSS JOIN LATERAL (
         SELECT a.id AS application_id, a.origin, coalesce(e.company_key, '') AS company_key,
           a.company, a.role, a.requisition_key, a.vendor_id, a.applied_at, a.applied_on,
           (SELECT min(g.sent_at) FROM attachments t
            JOIN messages g ON g.account_id = t.account_id AND g.id = t.message_id
            WHERE t.application_id = a.id) AS first_mail_at
         FROM applications a
         WHERE a.company_key = e.company_key AND a.dismissed_at IS NULL AND a.merged_into_id IS NULL
         ORDER BY a.id DESC LIMIT %(limit)s) r
       ORDER BY r.application_id""",
)
DROP_OPEN = Statement(
    "pairs.drop_open",
    """DELETE FROM pairs WHERE answer IS NULL
         AND (application_id = ANY(%(ids)s::bigint[]) OR other_application_id = ANY(%(ids)s::bigint[]))
         AND (application_id, other_application_id) NOT IN (
           SELECT r.application_id, r.other_application_id
           FROM jsonb_to_recordset(%(rows)s) AS r (application_id bigint, other_application_id bigint))""",
)
PROPOSE = Statement(
    "pairs.propose",
    """INSERT INTO pairs (application_id, other_application_id, says, found_at)
       SELECT r.application_id, r.other_application_id, r.says, %(now)s
       FROM jsonb_to_recordset(%(rows)s) AS r (application_id bigint, other_application_id bigint, says text)
       ON CONFLICT DO NOTHING""",
)
ANSWER = Statement(
    "pairs.answer",
    """INSERT INTO pairs (application_id, other_application_id, says, found_at, answer, answered_at)
       VALUES (%(low)s, %(high)s, '', %(now)s, %(answer)s, %(now)s)
       ON CONFLICT (account_id, application_id, other_application_id)
         DO UPDATE SET answer = excluded.answer, answered_at = excluded.answered_at""",
)
REOPEN = Statement(
    "pairs.reopen",
    """UPDATE pairs SET answer = NULL, answered_at = NULL
       WHERE application_id = %(low)s AND other_application_id = %(high)s AND says <> ''""",
)
FORGET = Statement(
    "pairs.forget",
    """DELETE FROM pairs
       WHERE application_id = %(low)s AND other_application_id = %(high)s AND says = ''""",
)


class OpenPair(msgspec.Struct, frozen=True, kw_only=True):
    """A proposed pair of an application that nobody answered; `other_application_id` is the other one."""

    other_application_id: ApplicationId
    says: str
    company: str | None
    role: str | None


OPEN_OF = Query(
    "pairs.open_of",
    OpenPair,
    """SELECT a.id AS other_application_id, p.says, a.company, a.role
       FROM pairs p JOIN applications a ON a.account_id = p.account_id
         AND a.id IN (p.application_id, p.other_application_id) AND a.id <> %(application_id)s
       WHERE p.answer IS NULL AND %(application_id)s IN (p.application_id, p.other_application_id)
       ORDER BY a.id""",
)


async def find_pairs(unit: Unit, application_ids: Iterable[ApplicationId], *, now: datetime) -> None:
    """Propose and withdraw pairs among the records of the employers of these, as they are now."""
    named = set(application_ids)
    records = await unit.all(RECORDS, application_ids=sorted(named), limit=MOST_RECORDS + 1)
    by_employer: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_employer[record.company_key].append(record)
    few = (together for together in by_employer.values() if len(together) <= MOST_RECORDS)
    found = [pair for together in few for pair in pairs_among(together)]
    ids = sorted(named.union(record.application_id for record in records))
    await unit.run(DROP_OPEN, ids=ids, rows=Jsonb(found))
    if found:
        await unit.run(PROPOSE, rows=Jsonb(found), now=now)


async def open_pairs_of(unit: Unit, application_id: ApplicationId) -> list[OpenPair]:
    return await unit.all(OPEN_OF, application_id=application_id)


async def answer_pair(
    unit: Unit, one: ApplicationId, other: ApplicationId, answer: PairAnswer, *, now: datetime
) -> None:
    """The person's word about two records, proposed or not."""
    low, high = sorted((one, other))
    await unit.run(ANSWER, low=low, high=high, answer=answer, now=now)


async def reopen_pair(unit: Unit, one: ApplicationId, other: ApplicationId) -> None:
    """Takes `answer_pair` back; a pair that was never proposed is forgotten."""
    low, high = sorted((one, other))
    await unit.run(REOPEN, low=low, high=high)
    await unit.run(FORGET, low=low, high=high)
