"""The SQL that finds postings: on the shelf of all, or on one of the person's own shelves.

Two ways lead to the newest postings that fit. Common words stand in every few rows, so walking down from the
newest finds a page at once; for rare ones the index joins their lists, and sorting the few hits is quick. How
common they are is not guessed: a short walk is made first, and where it does not fill a page, few fit.
"""

from datetime import datetime
from typing import LiteralString

import msgspec

from pipeline.catalog.search.rules import (
    MOST_COUNTED,
    at_least,
    counted,
    index_filters,
    is_of_words_alone,
    row_filters,
    typed,
)
from pipeline.catalog.search.words import place_query
from pipeline.catalog.types import After, Count, PostingLine, PostingsPage, Wanted
from schema.db import Unit
from schema.query import Query, Statement

#: Rows of the first walk. When fewer than a page of them fit, one in eighty does, and the index is quick.
WALKED = 4_000

_LINE: LiteralString = """p.id, false AS is_own, p.title, p.company, p.platform, p.board, p.locations,
         p.workplace, p.employment_type, p.seniority, p.pay_min, p.pay_max, p.pay_currency, p.pay_interval,
         p.posted_at, p.posted_on, p.posted_meaning, p.first_seen_at, p.closed_at, p.newest_at, u.saved_at,
         u.hidden_at, (SELECT max(a.id) FROM applications a
           WHERE a.posting_id = p.id AND a.dismissed_at IS NULL) AS application_id"""
_SINCE: LiteralString = "coalesce(%(since)s::timestamptz, '-infinity')"
_FITS: LiteralString = f"""p.search @@ (%(words)s::tsquery && %(filters)s::tsquery)
         AND p.newest_at >= {_SINCE}
         AND (%(pay_from)s::numeric IS NULL
           OR yearly_pay(coalesce(p.pay_max, p.pay_min), p.pay_interval) >= %(pay_from)s::numeric)
         AND (%(place)s::text = '' OR to_tsvector('simple', search_words(array_to_string(p.locations, ' ')))
           @@ %(place)s::tsquery)"""
_SHOWN: LiteralString = f"""{_FITS} AND NOT EXISTS (
           SELECT FROM user_jobs u WHERE u.posting_id = p.id AND u.hidden_at IS NOT NULL)"""
_BEHIND: LiteralString = """(newest_at, id) < (coalesce(%(newest_at)s::timestamptz, 'infinity'),
           coalesce(%(id)s::bigint, 9223372036854775807))"""
_NEWEST: LiteralString = "ORDER BY newest_at DESC, id DESC LIMIT"
_RECENT: LiteralString = (
    "SELECT id, newest_at, search, locations, pay_min, pay_max, pay_interval FROM postings"
)
_WALKED: LiteralString = f"""AND newest_at >= {_SINCE} {_NEWEST} %(walked)s)
       SELECT (SELECT count(*) FROM recent)::integer AS walked,
         ARRAY(SELECT id FROM recent p WHERE {_SHOWN} {_NEWEST} %(rows)s) AS ids"""  # noqa: S608 - ours alone
_OWN: LiteralString = f"""SELECT o.id, true AS is_own, o.title, o.company, 'web' AS platform,
         coalesce(substring(o.url FROM '://([^/?#]+)'), '') AS board,
         CASE WHEN o.place IS NULL THEN '{{}}' ELSE ARRAY[o.place] END AS locations, NULL::text AS workplace,
         NULL::text AS employment_type, NULL::text AS seniority, NULL::numeric AS pay_min,
         NULL::numeric AS pay_max, NULL::text AS pay_currency, NULL::text AS pay_interval,
         NULL::timestamptz AS posted_at, NULL::date AS posted_on, NULL::text AS posted_meaning,
         o.saved_at AS first_seen_at, NULL::timestamptz AS closed_at, o.saved_at AS newest_at, o.saved_at,
         NULL::timestamptz AS hidden_at, (SELECT a.id FROM applications a
           WHERE a.id = o.application_id AND a.dismissed_at IS NULL) AS application_id
       FROM own_postings o WHERE %(with_own)s AND o.removed_at IS NULL AND o.saved_at >= {_SINCE}
         AND (%(words)s::text = '' OR to_tsvector('simple', search_words(o.title || ' '
           || coalesce(o.company, '') || ' ' || coalesce(o.place, ''))) || title_ends(o.title)
           @@ %(words)s::tsquery)"""  # noqa: S608
# From the person's own few rows to the postings, one by one: a plan that begins at the words would read what
# everybody's postings say.
_SHELVED: LiteralString = f"""(SELECT {_LINE}
       FROM user_jobs u CROSS JOIN LATERAL (SELECT * FROM postings WHERE id = u.posting_id OFFSET 0) p
       WHERE CASE %(shelf)s WHEN 'saved' THEN u.saved_at IS NOT NULL AND u.hidden_at IS NULL
         ELSE u.hidden_at IS NOT NULL END AND {_FITS} UNION ALL {_OWN}) shelved"""  # noqa: S608


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """`walked` rows were looked at, and these of them fit."""

    walked: int
    ids: list[int]


class Hits(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    ids: list[int]


class Number(msgspec.Struct, frozen=True, kw_only=True):
    number: int


OPEN_WALK = Query(
    "search.open_walk",
    Walked,
    f"WITH recent AS MATERIALIZED ({_RECENT} WHERE closed_at IS NULL AND {_BEHIND} {_WALKED}",
)
WALK = Query("search.walk", Walked, f"WITH recent AS MATERIALIZED ({_RECENT} WHERE {_BEHIND} {_WALKED}")
HITS = Query(
    "search.hits",
    Hits,
    f"""WITH hits AS MATERIALIZED (SELECT p.id, p.newest_at FROM postings p WHERE {_SHOWN})
       SELECT (SELECT count(*) FROM hits)::integer AS number,
         ARRAY(SELECT id FROM hits WHERE {_BEHIND} {_NEWEST} %(rows)s) AS ids""",  # noqa: S608
)
LINES = Query(
    "search.lines",
    PostingLine,
    f"""SELECT {_LINE} FROM postings p LEFT JOIN user_jobs u ON u.posting_id = p.id
       WHERE p.id = ANY(%(ids)s::bigint[])""",  # noqa: S608
)
SHELVED = Query(
    "search.shelved",
    PostingLine,
    f"""SELECT * FROM {_SHELVED}
       WHERE (newest_at, is_own, id) < (coalesce(%(newest_at)s::timestamptz, 'infinity'),
           coalesce(%(is_own)s::boolean, true), coalesce(%(id)s::bigint, 9223372036854775807))
       ORDER BY newest_at DESC, is_own DESC, id DESC LIMIT %(rows)s""",  # noqa: S608
)
COUNT_SHELVED = Query(
    "search.count_shelved",
    Number,
    f"SELECT count(*) AS number FROM (SELECT FROM {_SHELVED} LIMIT %(most)s) counted",  # noqa: S608
)
# The server guesses that filters have nothing to do with each other, and would read the whole table where it
# guesses many hits; by now it is known that few fit. A plan for any words costs forty times one for these.
BY_INDEX = Statement(
    "search.by_index",
    """SELECT set_config('enable_seqscan', 'off', true) || set_config('jit', 'off', true)
         || set_config('plan_cache_mode', 'force_custom_plan', true)""",
)
ANY_WAY = Statement(
    "search.any_way",
    "SELECT set_config('enable_seqscan', 'on', true) || set_config('plan_cache_mode', 'auto', true)",
)


async def postings_page(
    unit: Unit, wanted: Wanted, *, after: After | None = None, rows: int = 50
) -> PostingsPage:
    """The newest first; equal times by id, so that the order is the same every time."""
    if wanted.shelf != "all":
        found = await unit.all(SHELVED, **_asked(wanted), **_place(after), rows=rows + 1)
        return PostingsPage(items=found[:rows], next=_next(found, rows), count=await _shelved(unit, wanted))
    ids, count = await _found(unit, wanted, after, rows)
    lines: dict[int, PostingLine] = {line.id: line for line in await unit.all(LINES, ids=ids)}
    items = [lines[each] for each in ids if each in lines]
    return PostingsPage(items=items[:rows], next=_next(items, rows), count=count)


async def count_postings(unit: Unit, wanted: Wanted) -> Count:
    """How many postings a list has, exactly where few fit; else how many there are at least."""
    if wanted.shelf != "all":
        return await _shelved(unit, wanted)
    return (await _found(unit, wanted, None, 0))[1]


async def _found(unit: Unit, wanted: Wanted, after: After | None, rows: int) -> tuple[list[int], Count]:
    """The ids of a page and one more, and how many there are in all."""
    walk = OPEN_WALK if not wanted.with_closed else WALK
    place = _place(after)
    seen = await unit.one(
        walk,
        **_asked(wanted),
        newest_at=place["newest_at"],
        id=place["id"],
        walked=WALKED,
        rows=MOST_COUNTED + 1,
    )
    if seen.walked < WALKED and after is None:
        return seen.ids[: rows + 1], counted(len(seen.ids))
    asked = _asked(wanted) | {"filters": index_filters(wanted)}
    if len(seen.ids) <= rows and seen.walked == WALKED:
        await unit.run(BY_INDEX)
        hits = await unit.one(HITS, **asked, newest_at=place["newest_at"], id=place["id"], rows=rows + 1)
        await unit.run(ANY_WAY)
        return hits.ids, counted(hits.number)
    return seen.ids[: rows + 1], at_least(len(seen.ids))


async def _shelved(unit: Unit, wanted: Wanted) -> Count:
    return counted((await unit.one(COUNT_SHELVED, **_asked(wanted), most=MOST_COUNTED + 1)).number)


def _next(found: list[PostingLine], rows: int) -> After | None:
    if len(found) <= rows:
        return None
    last = found[rows - 1]
    return After(newest_at=last.newest_at, id=last.id, is_own=last.is_own)


def _asked(wanted: Wanted) -> dict[str, object]:
    asks_pay = wanted.pay_from is not None and wanted.pay_currency is not None
    asked: dict[str, object] = {
        "words": typed(wanted),
        "place": place_query(wanted.place),
        "filters": row_filters(wanted),
        "since": wanted.since,
        "pay_from": wanted.pay_from if asks_pay else None,
    }
    if wanted.shelf != "all":
        asked |= {
            "shelf": wanted.shelf,
            "with_own": wanted.shelf == "saved" and is_of_words_alone(wanted),
        }
    return asked


def _place(after: After | None) -> dict[str, datetime | int | bool | None]:
    if after is None:
        return {"newest_at": None, "id": None, "is_own": None}
    return {"newest_at": after.newest_at, "id": after.id, "is_own": after.is_own}
