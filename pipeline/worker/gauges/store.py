"""How much work of each kind stands where: one grouped question for all kinds, answered from partial indexes.

Reads the whole unfinished queue and nothing of what is finished. Each part is one index: what may be claimed,
what waits for its time, what runs, what stands apart, what failed.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from schema.db import Unit
from schema.query import Query, Statement


class Backlog(msgspec.Struct, frozen=True, kw_only=True):
    """One kind's work; `kind` None gathers all kinds that were not asked for by name.

    `due_age_seconds` is the wait of the task that has been due longest, an expired lease counted as due.
    `progress_age_seconds` is the longest silence among running tasks. Both are None without such a task.
    """

    kind: str | None
    pending: int = 0
    scheduled: int = 0
    running: int = 0
    parked: int = 0
    failed: int = 0
    due_age_seconds: float | None = None
    progress_age_seconds: float | None = None


# Right after a bulk insert the planner's figures are old and a scan of all finished rows looks cheap to it.
# A count must not take the server's other cores either, nor go on for long: the next one comes soon.
MODESTLY = Statement(
    "gauges.modestly",
    """SELECT set_config('enable_seqscan', 'off', true)
         || set_config('max_parallel_workers_per_gather', '0', true)
         || set_config('statement_timeout', '5s', true)""",
)
BACKLOG = Query(
    "gauges.backlog",
    Backlog,
    """WITH counted AS (
         SELECT kind, count(*) AS pending, 0 AS scheduled, 0 AS running, 0 AS parked, 0 AS failed,
           %(now)s::timestamptz - min(greatest(created_at, not_before)) AS due_age,
           NULL::interval AS progress_age
         FROM tasks WHERE status = 'pending' AND due GROUP BY kind
       UNION ALL
         SELECT kind, count(*) FILTER (WHERE not_before <= %(now)s),
           count(*) FILTER (WHERE not_before > %(now)s), 0, 0, 0,
           %(now)s::timestamptz - min(not_before) FILTER (WHERE not_before <= %(now)s), NULL
         FROM tasks WHERE status = 'pending' AND NOT due GROUP BY kind
       UNION ALL
         SELECT kind, 0, 0, count(*), 0, 0,
           clock_timestamp() - min(lease_expires_at) FILTER (WHERE lease_expires_at < clock_timestamp()),
           clock_timestamp() - min(greatest(started_at, progress_at))
         FROM tasks WHERE status = 'running' GROUP BY kind
       UNION ALL
         SELECT kind, 0, 0, 0, count(*), 0, NULL, NULL
         FROM tasks WHERE status IN ('waiting', 'awaiting_batch') GROUP BY kind
       UNION ALL
         SELECT kind, 0, 0, 0, 0, count(*), NULL, NULL
         FROM tasks WHERE status = 'failed' GROUP BY kind)
       SELECT CASE WHEN kind = ANY(%(kinds)s::text[]) THEN kind END AS kind,
         sum(pending)::bigint AS pending, sum(scheduled)::bigint AS scheduled,
         sum(running)::bigint AS running, sum(parked)::bigint AS parked, sum(failed)::bigint AS failed,
         greatest(extract(epoch FROM max(due_age)), 0)::float8 AS due_age_seconds,
         greatest(extract(epoch FROM max(progress_age)), 0)::float8 AS progress_age_seconds
       FROM counted GROUP BY 1""",
)


async def backlog(unit: Unit, kinds: Iterable[str], now: datetime) -> list[Backlog]:
    """A row for each of `kinds` that has work, and one without a name when other kinds have some."""
    await unit.run(MODESTLY)
    return await unit.all(BACKLOG, kinds=list(kinds), now=now)
