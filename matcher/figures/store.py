"""Counts over all applications in the person's list, from the standings and the days of applying.

A record merged into another one has no standing. Writes nothing.
"""

from datetime import datetime, tzinfo

import msgspec

from matcher.figures.rules import (
    STEPS,
    WEEKS,
    Step,
    StepCount,
    Week,
    WeekCount,
    instants,
    steps_of,
    week_starts,
    weeks_of,
)
from schema.db import Unit
from schema.query import Query


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """`dated` have a known start, `answered` a known first answer, `timed` both; `open` have not ended.

    Of the dated ones `received` are known by their receipt alone, of the timed ones `timed_by_receipt`.
    """

    applications: int
    dated: int
    received: int
    answered: int
    timed: int
    timed_by_receipt: int
    open: int


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    weeks: list[Week]
    steps: list[Step]
    totals: Totals


BY_WEEK = Query(
    "figures.by_week",
    WeekCount,
    """SELECT w.week, count(*) FILTER (WHERE w.sent)::int AS sent,
         count(*) FILTER (WHERE NOT w.sent)::int AS answered
       FROM (
         SELECT coalesce(width_bucket(a.applied_at, %(instants)s::timestamptz[]),
             width_bucket(a.applied_on, %(days)s::date[]),
             width_bucket(s.began_at, %(instants)s::timestamptz[])) AS week, true AS sent
         FROM standings s JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
         WHERE NOT s.dismissed AND s.began_at > (%(instants)s::timestamptz[])[1] - interval '1 day'
         UNION ALL
         SELECT width_bucket(answered_at, %(instants)s::timestamptz[]), false
         FROM standings WHERE NOT dismissed AND answered_at >= (%(instants)s::timestamptz[])[1]) w
       WHERE w.week BETWEEN 1 AND %(weeks)s GROUP BY w.week ORDER BY w.week""",
)
BY_STEP = Query(
    "figures.by_step",
    StepCount,
    """SELECT width_bucket(greatest(extract(epoch FROM answered_at - began_at)::float8 / 86400, 0),
           %(steps)s::float8[]) AS step, count(*)::int AS count
       FROM standings WHERE NOT dismissed AND answered_at IS NOT NULL AND began_at IS NOT NULL
       GROUP BY step ORDER BY step""",
)
TOTALS = Query(
    "figures.totals",
    Totals,
    """SELECT count(*)::int AS applications, count(s.began_at)::int AS dated,
         count(s.began_at) FILTER (WHERE w.by_receipt)::int AS received,
         count(s.answered_at)::int AS answered, count(s.answered_at - s.began_at)::int AS timed,
         count(s.answered_at - s.began_at) FILTER (WHERE w.by_receipt)::int AS timed_by_receipt,
         count(*) FILTER (WHERE s.stage NOT IN ('rejected', 'withdrawn', 'closed'))::int AS open
       FROM standings s
       JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
       CROSS JOIN LATERAL (SELECT a.applied_at IS NULL AND a.applied_on IS NULL AS by_receipt) w
       WHERE NOT s.dismissed""",
)


async def figures(unit: Unit, *, now: datetime, zone: tzinfo) -> Figures:
    """The last weeks as they lie in `zone`, and how many whole days the answers took."""
    starts = week_starts(now.astimezone(zone).date())
    weeks = await unit.all(BY_WEEK, instants=instants(starts, zone), days=starts, weeks=WEEKS)
    steps = await unit.all(BY_STEP, steps=[float(step) for step in STEPS])
    return Figures(weeks=weeks_of(starts, weeks), steps=steps_of(steps), totals=await unit.one(TOTALS))
