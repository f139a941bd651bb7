"""The SQL of twins: what may be one, and what was suggested. The only writer of `twin_suggestions`.

Every function wants a fleet unit.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from pipeline.twins.rules import TwinEvidence, TwinSide
from schema.db import Unit
from schema.ids import PostingId
from schema.query import Query, Statement

#: Postings on other platforms that share a key, at most.
_MOST_SIDES = 20


class Candidate(TwinSide, frozen=True, kw_only=True):
    """The other side of a posting that was asked about."""

    posting_id: PostingId


_SIDE = """p.id, p.platform, p.board, p.locations, p.countries, p.workplace, p.requisition_id, p.apply_url,
         p.canonical_url, p.description_hash, left(d.text, 20000) AS text"""
ASKED = Query(
    "twins.asked",
    TwinSide,
    f"""SELECT {_SIDE} FROM postings p LEFT JOIN descriptions d ON d.content_hash = p.description_hash
       WHERE p.id = ANY(%(ids)s::bigint[]) AND p.twin_key IS NOT NULL AND p.closed_at IS NULL""",  # noqa: S608
)
OTHERS = Query(
    "twins.others",
    Candidate,
    f"""SELECT {_SIDE}, asked.id AS posting_id
       FROM postings asked CROSS JOIN LATERAL (
         SELECT o.* FROM postings o
         WHERE o.twin_key = asked.twin_key AND o.platform <> asked.platform AND o.closed_at IS NULL
         ORDER BY o.id DESC LIMIT %(most)s) p
       LEFT JOIN descriptions d ON d.content_hash = p.description_hash
       WHERE asked.id = ANY(%(ids)s::bigint[]) AND asked.closed_at IS NULL""",  # noqa: S608
)
SUGGEST = Statement(
    "twins.suggest",
    """INSERT INTO twin_suggestions AS t (posting_id, twin_id, evidence, suggested_at)
       VALUES (least(%(one)s, %(other)s)::bigint, greatest(%(one)s, %(other)s)::bigint, %(evidence)s, %(now)s)
       ON CONFLICT (posting_id, twin_id) DO UPDATE SET evidence = excluded.evidence
         WHERE t.evidence IS DISTINCT FROM excluded.evidence""",
)
WITHDRAW = Statement(
    "twins.withdraw",
    """DELETE FROM twin_suggestions
       WHERE (posting_id = ANY(%(ids)s::bigint[]) OR twin_id = ANY(%(ids)s::bigint[]))
         AND (posting_id, twin_id) NOT IN (
           SELECT least(one, other), greatest(one, other)
           FROM unnest(%(ones)s::bigint[], %(others)s::bigint[]) AS found (one, other))""",
)


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    one: PostingId
    other: PostingId
    evidence: list[TwinEvidence]


async def sides_of(unit: Unit, ids: Sequence[PostingId]) -> list[TwinSide]:
    """Open postings whose employer and title are known."""
    return await unit.all(ASKED, ids=list(ids))


async def others_of(unit: Unit, ids: Sequence[PostingId]) -> list[Candidate]:
    """Open postings of the same employer and title on other platforms, the newest first."""
    return await unit.all(OTHERS, ids=list(ids), most=_MOST_SIDES)


async def suggest(unit: Unit, ids: Sequence[PostingId], pairs: Sequence[Pair], *, now: datetime) -> None:
    """These are the twins of `ids`; what was suggested of them before and is none any more is withdrawn."""
    await unit.run(
        WITHDRAW, ids=list(ids), ones=[each.one for each in pairs], others=[each.other for each in pairs]
    )
    found: list[dict[str, object]] = [
        {"one": each.one, "other": each.other, "evidence": list(each.evidence), "now": now} for each in pairs
    ]
    await unit.run_many(SUGGEST, found)
