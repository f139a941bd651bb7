"""The queue: what moves an application first, within that the newest, of all kinds in one order. Reads only.

Each kind is read from an index that holds it in this very order, and no further than a page needs; so a page
costs the same whatever waits behind it.
"""

from datetime import UTC, datetime

import msgspec

from matcher.resolutions.queue.rules import line_of, place_number, shown_kind
from matcher.resolutions.queue.types import Waiting
from matcher.resolutions.types import Count, Place, WaitingKind, WaitingPage
from schema.db import Unit
from schema.query import Query


class _Number(msgspec.Struct, frozen=True, kw_only=True):
    count: int


# The number of a kind only breaks ties. A bound is always given, that of the first page lies beyond all: what
# may be absent is looked up in no index by a plan made for any parameters. What a line tells is read row by
# row, so that no plan reads whole tables for it.
PAGE = Query(
    "resolutions.page",
    Waiting,
    """WITH page AS MATERIALIZED (
         (SELECT q.rank::int AS rank, q.queued_at AS at, 4 AS number, q.message_id AS first,
            0::bigint AS second
          FROM matches q WHERE q.outcome = 'asks' AND %(messages)s::boolean
            AND (q.rank, q.queued_at, 4, q.message_id, 0::bigint) < (%(rank)s::int, %(at)s::timestamptz,
                 %(number)s::int, %(first)s::bigint, %(second)s::bigint)
          ORDER BY q.rank DESC, q.queued_at DESC, q.message_id DESC LIMIT %(limit)s)
         UNION ALL
         (SELECT 3, q.proposal_at, 3, q.application_id, 0
          FROM standings q WHERE q.proposal IS NOT NULL AND NOT q.dismissed AND %(statuses)s::boolean
            AND (3, q.proposal_at, 3, q.application_id, 0::bigint) < (%(rank)s::int, %(at)s::timestamptz,
                 %(number)s::int, %(first)s::bigint, %(second)s::bigint)
          ORDER BY q.proposal_at DESC, q.application_id DESC LIMIT %(limit)s)
         UNION ALL
         (SELECT 2, q.opened_at, 2, q.id, 0
          FROM asks q JOIN applications a ON a.account_id = q.account_id AND a.id = q.application_id
          WHERE q.settled_at IS NULL AND a.dismissed_at IS NULL AND a.merged_into_id IS NULL
            AND %(asks)s::boolean
            AND (2, q.opened_at, 2, q.id, 0::bigint) < (%(rank)s::int, %(at)s::timestamptz,
                 %(number)s::int, %(first)s::bigint, %(second)s::bigint)
          ORDER BY q.opened_at DESC, q.id DESC LIMIT %(limit)s)
         UNION ALL
         (SELECT 2, q.found_at, 1, q.application_id, q.other_application_id
          FROM pairs q WHERE q.answer IS NULL AND %(pairs)s::boolean
            AND (2, q.found_at, 1, q.application_id, q.other_application_id) < (%(rank)s::int,
                 %(at)s::timestamptz, %(number)s::int, %(first)s::bigint, %(second)s::bigint)
          ORDER BY q.found_at DESC, q.application_id DESC, q.other_application_id DESC LIMIT %(limit)s)
         ORDER BY rank DESC, at DESC, number DESC, first DESC, second DESC LIMIT %(limit)s)
       SELECT p.rank, p.at, p.number, p.first, p.second, g.subject, g.sender_name, g.sender_address, t.word,
         a.company, a.role
       FROM page p
       LEFT JOIN LATERAL (
         SELECT m.message_id, NULL AS word, (SELECT e.application_id FROM evidence e
             WHERE e.account_id = m.account_id AND e.decision_id = m.decision_id
             ORDER BY e.rank LIMIT 1) AS application_id
           FROM matches m WHERE p.number = 4 AND m.message_id = p.first
         UNION ALL
         SELECT s.proposal_message_id, s.proposal, s.application_id
           FROM standings s WHERE p.number = 3 AND s.application_id = p.first
         UNION ALL
         SELECT k.message_id, k.kind, k.application_id FROM asks k WHERE p.number = 2 AND k.id = p.first
         UNION ALL
         SELECT NULL, NULL, p.first WHERE p.number = 1
         LIMIT 1) t ON true
       LEFT JOIN LATERAL (SELECT x.subject, x.sender_name, x.sender_address
                          FROM messages x WHERE x.id = t.message_id LIMIT 1) g ON true
       LEFT JOIN LATERAL (SELECT x.company, x.role
                          FROM applications x WHERE x.id = t.application_id LIMIT 1) a ON true
       ORDER BY p.rank DESC, p.at DESC, p.number DESC, p.first DESC, p.second DESC""",
)
COUNTS = Query(
    "resolutions.counts",
    Count,
    """SELECT 'message' AS kind, rank::int AS rank, count(*)::int AS count
         FROM matches WHERE outcome = 'asks' GROUP BY rank
       UNION ALL
       SELECT 'status', 3, count(*)::int FROM standings WHERE proposal IS NOT NULL AND NOT dismissed
       UNION ALL
       SELECT 'ask', 2, count(*)::int FROM asks q
         JOIN applications a ON a.account_id = q.account_id AND a.id = q.application_id
         WHERE q.settled_at IS NULL AND a.dismissed_at IS NULL AND a.merged_into_id IS NULL
       UNION ALL
       SELECT 'pair', 2, count(*)::int FROM pairs WHERE answer IS NULL""",
)
BEFORE = Query(
    "resolutions.before",
    _Number,
    """SELECT (
         (SELECT count(*) FROM matches q WHERE q.outcome = 'asks' AND %(messages)s::boolean
          AND (q.rank, q.queued_at, 4, q.message_id, 0::bigint) > (%(rank)s::int, %(at)s::timestamptz,
               %(number)s::int, %(first)s::bigint, %(second)s::bigint))
         + (SELECT count(*) FROM standings q
            WHERE q.proposal IS NOT NULL AND NOT q.dismissed AND %(statuses)s::boolean
            AND (3, q.proposal_at, 3, q.application_id, 0::bigint) > (%(rank)s::int, %(at)s::timestamptz,
                 %(number)s::int, %(first)s::bigint, %(second)s::bigint))
         + (SELECT count(*)
            FROM asks q JOIN applications a ON a.account_id = q.account_id AND a.id = q.application_id
            WHERE q.settled_at IS NULL AND a.dismissed_at IS NULL AND a.merged_into_id IS NULL
            AND %(asks)s::boolean
            AND (2, q.opened_at, 2, q.id, 0::bigint) > (%(rank)s::int, %(at)s::timestamptz,
                 %(number)s::int, %(first)s::bigint, %(second)s::bigint))
         + (SELECT count(*) FROM pairs q WHERE q.answer IS NULL AND %(pairs)s::boolean
            AND (2, q.found_at, 1, q.application_id, q.other_application_id) > (%(rank)s::int,
                 %(at)s::timestamptz, %(number)s::int, %(first)s::bigint, %(second)s::bigint))
         )::int AS count""",
)
_TOP = Place(rank=9, at=datetime.max.replace(tzinfo=UTC), kind="message", first=0)


async def waiting(
    unit: Unit, *, after: Place | None = None, limit: int = 50, kind: WaitingKind | None = None
) -> WaitingPage:
    """One page, of one kind or of all, and how much waits of each kind and rank."""
    rows = await unit.all(PAGE, **_at(after or _TOP), **_kinds(kind), limit=limit + 1)
    last = rows[limit - 1] if len(rows) > limit else None
    return WaitingPage(
        lines=[line_of(row) for row in rows[:limit]],
        next=last and _place(last),
        counts=[entry for entry in await unit.all(COUNTS) if entry.count],
    )


async def waiting_before(unit: Unit, place: Place, *, kind: WaitingKind | None = None) -> int:
    """How many questions come before this place of the queue."""
    return (await unit.one(BEFORE, **_at(place), **_kinds(kind))).count


def _at(place: Place) -> dict[str, object]:
    return {
        "rank": place.rank,
        "at": place.at,
        "number": place_number(place.kind),
        "first": place.first,
        "second": place.second,
    }


def _kinds(kind: WaitingKind | None) -> dict[str, object]:
    return {
        "messages": kind in {None, "message"},
        "statuses": kind in {None, "status"},
        "asks": kind in {None, "ask"},
        "pairs": kind in {None, "pair"},
    }


def _place(row: Waiting) -> Place:
    return Place(rank=row.rank, at=row.at, kind=shown_kind(row.number), first=row.first, second=row.second)
