"""Counts over all applications in the person's list, from the tables as they stand. Writes nothing."""

from datetime import datetime, tzinfo
from typing import LiteralString

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
    """`dated` have a known start, `answered` a known first answer, `timed` both; `open` have not ended."""

    applications: int
    dated: int
    answered: int
    timed: int
    open: int


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    weeks: list[Week]
    steps: list[Step]
    totals: Totals


# What is put together below are constants of this file and nothing else.
_LISTED: LiteralString = """FROM standings s
  JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
  WHERE NOT s.dismissed AND a.merged_into_id IS NULL"""
_STARTED: LiteralString = "coalesce(a.applied_at, a.applied_on::timestamp AT TIME ZONE 'UTC')"

BY_WEEK = Query(
    "figures.by_week",
    WeekCount,
    f"""SELECT w.week, count(*) FILTER (WHERE w.sent)::int AS sent,
         count(*) FILTER (WHERE NOT w.sent)::int AS answered
       FROM (
         SELECT coalesce(width_bucket(a.applied_at, %(instants)s::timestamptz[]),
             width_bucket(a.applied_on, %(days)s::date[])) AS week, true AS sent {_LISTED}
         UNION ALL
         SELECT width_bucket(s.answered_at, %(instants)s::timestamptz[]), false {_LISTED}) w
       WHERE w.week BETWEEN 1 AND %(weeks)s GROUP BY w.week ORDER BY w.week""",  # noqa: S608
)
BY_STEP = Query(
    "figures.by_step",
    StepCount,
    f"""SELECT width_bucket(greatest(t.days, 0), %(steps)s::float8[]) AS step, count(*)::int AS count
       FROM (SELECT extract(epoch FROM s.answered_at - {_STARTED})::float8 / 86400 AS days {_LISTED}) t
       WHERE t.days IS NOT NULL GROUP BY step ORDER BY step""",  # noqa: S608
)
TOTALS = Query(
    "figures.totals",
    Totals,
    f"""SELECT count(*)::int AS applications, count({_STARTED})::int AS dated,
         count(s.answered_at)::int AS answered, count(s.answered_at - {_STARTED})::int AS timed,
         count(*) FILTER (WHERE s.stage NOT IN ('rejected', 'withdrawn', 'closed'))::int AS open {_LISTED}""",
)


async def figures(unit: Unit, *, now: datetime, zone: tzinfo) -> Figures:
    """The last weeks as they lie in `zone`, and how many whole days the answers took."""
    starts = week_starts(now.astimezone(zone).date())
    weeks = await unit.all(BY_WEEK, instants=instants(starts, zone), days=starts, weeks=WEEKS)
    steps = await unit.all(BY_STEP, steps=[float(step) for step in STEPS])
    return Figures(weeks=weeks_of(starts, weeks), steps=steps_of(steps), totals=await unit.one(TOTALS))
