"""The reads of every list of applications: one page, a board, how many stand where. Writes nothing.

Each order has a statement and an index of its own and goes on by its key, so a page deep down costs what the
first one does. A record merged into another one has no standing, so it is neither listed nor counted.
"""

from collections.abc import Collection, Mapping
from typing import LiteralString, get_args

import msgspec

from matcher.listing.rules import asked, asks_nothing, place_of, require_same_order
from matcher.listing.types import (
    ApplicationPage,
    Lens,
    ListedApplication,
    Place,
    PlatformCount,
    Sort,
    StageCount,
    Standing,
)
from matcher.timeline.store import RECEIVED_AT
from schema.db import Unit
from schema.ids import ApplicationId
from schema.plans import plan_afresh
from schema.query import Query
from schema.vocabulary import Stage

_SINCE: LiteralString = "coalesce(s.last_event_at, s.began_at)"
_ENDED: LiteralString = "s.stage IN ('rejected', 'withdrawn', 'closed')"
# What is put together below are constants of this file and nothing else.
_LINE: LiteralString = f"""a.id AS application_id, a.origin, a.company, a.company_key, a.role,
  a.canonical_url, a.applied_at, a.applied_on,
  {RECEIVED_AT},
  s.stage, s.by_person, s.proposal, s.messages,
  (SELECT count(*)::int FROM asks k WHERE k.account_id = s.account_id
     AND k.application_id = s.application_id AND k.settled_at IS NULL) AS open_asks,
  s.last_event_at, s.last_event_kind, {_SINCE} AS silent_since, s.activity_at"""  # noqa: S608
_FOUND: LiteralString = f"""FROM standings s
  JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
  WHERE s.dismissed = %(dismissed)s
    AND (%(stages)s::text[] IS NULL OR s.stage = ANY (%(stages)s::text[]))
    AND (%(origins)s::text[] IS NULL OR a.origin = ANY (%(origins)s::text[]))
    AND (%(platform)s::text IS NULL OR a.platform = %(platform)s)
    AND (%(words)s::text[] IS NULL
      OR concat_ws(' ', a.company, a.role, a.requisition_id, a.note) ILIKE ALL (%(words)s::text[]))
    AND (NOT %(by_applied)s OR coalesce(
      a.applied_at >= coalesce(%(applied_start)s::timestamptz, '-infinity')
        AND a.applied_at < coalesce(%(applied_end)s::timestamptz, 'infinity'),
      a.applied_on >= coalesce(%(applied_first)s::date, '-infinity')
        AND a.applied_on <= coalesce(%(applied_last)s::date, 'infinity'),
      s.began_at >= coalesce(%(applied_start)s::timestamptz, '-infinity')
        AND s.began_at < coalesce(%(applied_end)s::timestamptz, 'infinity'),
      false))
    AND (NOT %(by_news)s OR (s.last_event_at >= coalesce(%(news_start)s::timestamptz, '-infinity')
        AND s.last_event_at < coalesce(%(news_end)s::timestamptz, 'infinity')))
    AND (%(silent_since)s::timestamptz IS NULL
      OR ({_SINCE} <= %(silent_since)s::timestamptz AND NOT {_ENDED}))
    AND (NOT %(asks)s OR EXISTS (SELECT FROM asks k WHERE k.account_id = s.account_id
        AND k.application_id = s.application_id AND k.settled_at IS NULL))
    AND (NOT %(proposed)s OR s.proposal IS NOT NULL)"""

# Word for word the expressions of the indexes standings_began, standings_silent and applications_by_company.
_APPLIED_KEY: LiteralString = "(CASE WHEN s.began_at IS NULL THEN '-infinity' ELSE s.began_at END)"
_SILENCE_KEY: LiteralString = f"""(CASE WHEN {_ENDED} THEN 'infinity'
  WHEN s.last_event_at IS NOT NULL THEN s.last_event_at
  WHEN s.began_at IS NOT NULL THEN s.began_at ELSE 'infinity' END)"""
_COMPANY_KEY: LiteralString = """(a.company_key IS NULL),
  (CASE WHEN a.company_key IS NULL THEN '' ELSE a.company_key END COLLATE "C")"""
_ORDERS: Mapping[Sort, LiteralString] = {
    "news": "s.activity_at DESC, s.application_id DESC",
    "applied": f"{_APPLIED_KEY} DESC, s.application_id DESC",
    "company": f"{_COMPANY_KEY}, a.id",
    "silence": f"{_SILENCE_KEY}, s.application_id",
}
_AFTER: Mapping[Sort, LiteralString] = {
    "news": "(s.activity_at, s.application_id) < (%(at)s::timestamptz, %(application_id)s::bigint)",
    "applied": f"""({_APPLIED_KEY}, s.application_id)
      < (coalesce(%(at)s::timestamptz, '-infinity'), %(application_id)s::bigint)""",
    "company": f"""({_COMPANY_KEY}, a.id)
      > (%(name)s::text IS NULL, coalesce(%(name)s::text, '') COLLATE "C", %(application_id)s::bigint)""",
    "silence": f"""({_SILENCE_KEY}, s.application_id)
      > (coalesce(%(at)s::timestamptz, 'infinity'), %(application_id)s::bigint)""",
}


def _list(sort: Sort) -> Query[ListedApplication]:
    return Query(
        f"listing.by_{sort}",
        ListedApplication,
        f"""SELECT {_LINE} {_FOUND}
            AND (%(application_id)s::bigint IS NULL OR {_AFTER[sort]})
          ORDER BY {_ORDERS[sort]} LIMIT %(limit)s""",
    )


def _board(sort: Sort) -> Query[ListedApplication]:
    return Query(
        f"listing.board_by_{sort}",
        ListedApplication,
        f"""WITH first AS MATERIALIZED (
            SELECT f.application_id, f.place FROM (
              SELECT s.application_id,
                row_number() OVER (PARTITION BY s.stage ORDER BY {_ORDERS[sort]}) AS place {_FOUND}) f
            WHERE f.place <= %(limit)s)
          SELECT {_LINE}
          FROM first
          JOIN standings s ON s.application_id = first.application_id
          JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
          ORDER BY first.place""",  # noqa: S608
    )


_SORTS: tuple[Sort, ...] = ("news", "applied", "company", "silence")
LISTS: Mapping[Sort, Query[ListedApplication]] = {sort: _list(sort) for sort in _SORTS}
BOARDS: Mapping[Sort, Query[ListedApplication]] = {sort: _board(sort) for sort in _SORTS}
NEWEST_BOARD = Query(
    "listing.newest_board",
    ListedApplication,
    f"""WITH first AS MATERIALIZED (
        SELECT f.application_id, f.activity_at FROM unnest(%(stages)s::text[]) wanted (stage)
        CROSS JOIN LATERAL (
          SELECT application_id, activity_at FROM standings
          WHERE dismissed = %(dismissed)s AND stage = wanted.stage
          ORDER BY activity_at DESC, application_id DESC LIMIT %(limit)s) f)
      SELECT {_LINE}
      FROM first
      JOIN standings s ON s.application_id = first.application_id
      JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
      ORDER BY first.activity_at DESC, first.application_id DESC""",  # noqa: S608
)
COUNTS = Query(
    "listing.counts", StageCount, f"SELECT s.stage, count(*)::int AS count {_FOUND} GROUP BY s.stage"
)
COUNTS_OF_ALL = Query(
    "listing.counts_of_all",
    StageCount,
    "SELECT stage, count(*)::int AS count FROM standings WHERE dismissed = %(dismissed)s GROUP BY stage",
)
STANDINGS = Query(
    "listing.standings",
    Standing,
    """SELECT a.id AS application_id, a.company, a.role, s.stage, s.by_person
       FROM standings s JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
       WHERE s.application_id = ANY(%(ids)s::bigint[])""",
)
PLATFORMS = Query(
    "listing.platforms",
    PlatformCount,
    """SELECT coalesce(platform, '') AS platform, count(*)::int AS count FROM applications
       WHERE platform IS NOT NULL AND dismissed_at IS NULL AND merged_into_id IS NULL
       GROUP BY platform ORDER BY platform""",
)


async def applications(
    unit: Unit, lens: Lens, *, after: Place | None = None, limit: int = 50
) -> ApplicationPage:
    """One page in the order of the lens, and the true number per stage under everything else it asks.

    Raises `Invalid` when `after` is a place in another order.
    """
    # One statement answers every lens; a plan made for any of them would suit none.
    await plan_afresh(unit)
    rows = await listed(unit, lens, after=after, limit=limit + 1)
    more = len(rows) > limit
    return ApplicationPage(
        rows=rows[:limit],
        counts=await stage_counts(unit, lens),
        next=place_of(rows[limit - 1], lens.sort) if more else None,
    )


async def listed(unit: Unit, lens: Lens, *, after: Place | None, limit: int) -> list[ListedApplication]:
    """The lines alone, at most `limit`, for who walks the whole list and counts nothing."""
    if after is not None:
        require_same_order(after, lens.sort)
    return await unit.all(
        LISTS[lens.sort],
        **msgspec.structs.asdict(asked(lens)),
        at=after.at if after else None,
        name=after.name if after else None,
        application_id=after.application_id if after else None,
        limit=limit,
    )


async def stage_counts(unit: Unit, lens: Lens) -> list[StageCount]:
    """How many stand in each stage under the lens, whichever stages it asks for."""
    if asks_nothing(lens):
        return await unit.all(COUNTS_OF_ALL, dismissed=lens.dismissed)
    return await unit.all(COUNTS, **msgspec.structs.asdict(asked(lens, every_stage=True)))


async def board(unit: Unit, lens: Lens, *, each: int) -> ApplicationPage:
    """The first `each` lines of every stage the lens asks for; a board has no next page."""
    await plan_afresh(unit)
    if lens.sort == "news" and asks_nothing(lens):
        # Each column is the beginning of an index; with filters one pass over all of it is cheaper.
        stages = list(lens.stages or get_args(Stage))
        rows = await unit.all(NEWEST_BOARD, dismissed=lens.dismissed, stages=stages, limit=each)
    else:
        rows = await unit.all(BOARDS[lens.sort], **msgspec.structs.asdict(asked(lens)), limit=each)
    return ApplicationPage(rows=rows, counts=await stage_counts(unit, lens), next=None)


async def standings(unit: Unit, ids: Collection[ApplicationId]) -> dict[ApplicationId, Standing]:
    """Where each of these stands now; a record merged into another one stands nowhere."""
    return {row.application_id: row for row in await unit.all(STANDINGS, ids=list(ids))}


async def platforms(unit: Unit) -> list[PlatformCount]:
    """The platforms the person applied by, for choosing one."""
    return await unit.all(PLATFORMS)
