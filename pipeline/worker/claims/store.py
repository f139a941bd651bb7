"""The SQL of claiming: which lanes have work, and taking it. Runs on the worker's own line, as the fleet.

A claim costs the same whatever stands beside what it takes: rows not yet due and finished ones are in no
index it reads, unknown kinds and closed hosts are lanes it does not ask, and it starts above the last id it
took, so that rows which are dead but not yet vacuumed are not walked again.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from pipeline.worker.claims.types import Budget, Claimed, Ended, Lane, Probe
from pipeline.worker.line import Line
from schema.query import Query, Statement


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A row that a step changed: an ended one has only its id, the others are claimed."""

    id: int
    kind: str | None
    account_id: int | None
    payload: bytes | None
    priority: int | None
    lane: int | None
    host: str | None
    parent_id: int | None
    attempts: int | None
    max_attempts: int | None
    claim_seq: int | None


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    scope: str


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """How many tasks of a scope run now."""

    scope: str
    running: int


_IS_SHUT = """b.closed_until > %(now)s
    AND (b.closed_until < %(now)s::timestamptz + interval '48 hours' OR b.closed_until = 'infinity')
  OR b.next_at > %(now)s AND b.next_at < %(now)s::timestamptz + interval '48 hours'"""
"""No host is closed for longer than a day, if not for good by an operator. A time further ahead was written
by a process whose clock was wrong, and counts for nothing."""
_LANES_UNLESS = """WITH RECURSIVE levels AS (
         SELECT known.kind, first.priority
         FROM unnest(%(kinds)s::text[]) AS known (kind) CROSS JOIN LATERAL (
           SELECT priority FROM tasks WHERE kind = known.kind AND status = 'pending' AND due
           ORDER BY priority LIMIT 1) AS first
         UNION ALL
         SELECT levels.kind, next.priority FROM levels CROSS JOIN LATERAL (
           SELECT priority FROM tasks
           WHERE kind = levels.kind AND status = 'pending' AND due AND priority > levels.priority
           ORDER BY priority LIMIT 1) AS next),
       lanes AS (
         SELECT levels.kind, levels.priority, first.lane, first.id, first.account_id, first.host,
                span.upto, 1 AS place
         FROM levels
         CROSS JOIN (VALUES (%(start)s::bigint, 9223372036854775807),
                            (-9223372036854775808, %(start)s::bigint)) AS span (past, upto)
         CROSS JOIN LATERAL (
           SELECT lane, id, account_id, host FROM tasks
           WHERE kind = levels.kind AND status = 'pending' AND due AND priority = levels.priority
             AND lane > span.past AND lane <= span.upto
           ORDER BY lane, id LIMIT 1) AS first
         UNION ALL
         SELECT lanes.kind, lanes.priority, next.lane, next.id, next.account_id, next.host,
                lanes.upto, lanes.place + 1
         FROM lanes CROSS JOIN LATERAL (
           SELECT lane, id, account_id, host FROM tasks
           WHERE kind = lanes.kind AND status = 'pending' AND due AND priority = lanes.priority
             AND lane > lanes.lane AND lane <= lanes.upto
           ORDER BY lane, id LIMIT 1) AS next
         WHERE lanes.place < %(most)s)
       SELECT kind, priority, lane, id AS head, account_id, host FROM lanes
       WHERE host IS NULL OR NOT EXISTS (
         SELECT FROM host_budgets b WHERE b.host = lanes.host AND b.egress_group = %(egress_group)s
           AND ("""
SURVEY = Query("queue.survey", Lane, _LANES_UNLESS + _IS_SHUT + "))")
"""Steps from lane to lane by the index, never through the rows of one. `start` turns, so that each of more
lanes than one survey visits has its turn."""

STEP = Query(
    "queue.step",
    Moved,
    """WITH ended AS (
         UPDATE tasks SET status = 'done', outcome = e.outcome, worker = NULL, lease_expires_at = NULL,
           finished_at = clock_timestamp()
         FROM unnest(%(ended_ids)s::bigint[], %(ended_seqs)s::bigint[], %(outcomes)s::text[])
           AS e (id, claim_seq, outcome)
         WHERE tasks.id = e.id AND tasks.claim_seq = e.claim_seq AND worker = %(worker)s
           AND lease_expires_at > clock_timestamp() + %(longest)s
         RETURNING tasks.id),
       probed AS MATERIALIZED (
         SELECT found.id, asked.priority, asked.place,
                row_number() OVER (PARTITION BY asked.place ORDER BY found.id) AS turn
         FROM unnest(%(kinds)s::text[], %(priorities)s::smallint[], %(lanes)s::bigint[], %(afters)s::bigint[],
                     %(reaches)s::int[]) WITH ORDINALITY AS asked (kind, priority, lane, after, reach, place)
         CROSS JOIN LATERAL (
           SELECT id FROM tasks
           WHERE kind = asked.kind AND status = 'pending' AND due
             AND (priority, lane, id) > (asked.priority, asked.lane, asked.after)
             AND (priority, lane) <= (asked.priority, asked.lane) AND not_before <= %(now)s
           ORDER BY priority, lane, id LIMIT asked.reach) AS found),
       picked AS MATERIALIZED (SELECT id FROM probed ORDER BY priority, turn, place LIMIT %(look_at)s),
       taken AS MATERIALIZED (
         SELECT free.id FROM picked CROSS JOIN LATERAL (
           SELECT id FROM tasks WHERE id = picked.id AND status = 'pending' AND due
           FOR UPDATE SKIP LOCKED) AS free
         LIMIT %(most)s),
       claimed AS (
         UPDATE tasks SET status = 'running', worker = %(worker)s, claim_seq = tasks.claim_seq + 1,
           attempts = attempts + 1, started_at = clock_timestamp(),
           lease_expires_at = clock_timestamp() + %(lease)s
         FROM taken WHERE tasks.id = taken.id
         RETURNING tasks.id, kind, account_id, payload, priority, lane, host, parent_id, attempts,
           max_attempts, claim_seq)
       SELECT id, NULL::text AS kind, NULL::bigint AS account_id, NULL::jsonb AS payload,
         NULL::smallint AS priority, NULL::bigint AS lane, NULL::text AS host, NULL::bigint AS parent_id,
         NULL::smallint AS attempts, NULL::smallint AS max_attempts, NULL::bigint AS claim_seq FROM ended
       UNION ALL SELECT * FROM claimed""",
)
"""Good ends and the next claim in one statement and one commit.

Its conditions are worded so that one index serves each part whatever the planner believes: a lane's range is
asked as a range, which only `tasks_ready` has in order; that only a running task has a lease is left unsaid.

The end of a task takes no row lock of its own: its lease must outlive the longest this statement may take, so
it is still held when the row is written, however long that waited; and a row that somebody else changed
meanwhile no longer fits. Candidates are picked unlocked and locked one by one until there are enough."""

HOLD_SCOPES = Query(
    "queue.hold_scopes",
    Scope,
    """SELECT scope FROM unnest(%(scopes)s::text[]) AS asked (scope)
       WHERE pg_try_advisory_xact_lock(%(key_space)s, hashtext(scope))""",
)
USAGE = Query(
    "queue.usage",
    Usage,
    """SELECT counted.scope, count(*)::int AS running
       FROM tasks CROSS JOIN LATERAL
         (VALUES ('kind ' || kind), ('host ' || host), ('account ' || account_id)) AS counted (scope)
       WHERE status = 'running' AND counted.scope = ANY (%(scopes)s::text[])
       GROUP BY counted.scope""",
)
_HOSTS = """SELECT host, spacing > '0' AS is_paced,
         refusals > 0 AND closed_until > '-infinity' AS is_on_trial, """
_OF_HOSTS = """ AS is_closed
       FROM host_budgets b WHERE egress_group = %(egress_group)s AND host = ANY (%(hosts)s::text[])"""
BUDGETS = Query("queue.budgets", Budget, _HOSTS + _IS_SHUT + _OF_HOSTS)
PACE = Statement(
    "queue.pace",
    """UPDATE host_budgets SET next_at = spacing + greatest(%(now)s,
         CASE WHEN next_at < %(now)s::timestamptz + interval '48 hours' THEN next_at END)
       WHERE egress_group = %(egress_group)s AND spacing > '0' AND host = ANY (%(hosts)s::text[])""",
)
ADOPT = Query(
    "queue.adopt",
    Claimed,
    """WITH mine AS MATERIALIZED (
         SELECT id FROM tasks
         WHERE status = 'running' AND worker = %(worker)s AND id <> ALL (%(known)s::bigint[])
           AND lease_expires_at > clock_timestamp()
         FOR NO KEY UPDATE SKIP LOCKED)
       UPDATE tasks SET lease_expires_at = clock_timestamp() + %(lease)s
       FROM mine WHERE tasks.id = mine.id
       RETURNING tasks.id, account_id, kind, payload, priority, lane, host, parent_id, attempts, max_attempts,
         claim_seq""",
)
_SCOPES_KEY_SPACE = 0x6A74


async def survey(
    line: Line, kinds: list[str], egress_group: str, now: datetime, *, start: int, most: int
) -> list[Lane]:
    """Lanes of these kinds that have due work and whose host is open to this network."""
    return await line.all(SURVEY, kinds=kinds, egress_group=egress_group, now=now, start=start, most=most)


async def step(
    line: Line,
    worker: UUID,
    ended: Sequence[Ended],
    probes: Sequence[Probe],
    *,
    most: int,
    lease: timedelta,
    now: datetime,
) -> tuple[set[int], list[Claimed]]:
    """Write these good ends and claim up to `most` tasks: ids whose end was written, and what was claimed."""
    moved = await line.all(
        STEP,
        worker=worker,
        ended_ids=_array(each.task.id for each in ended),
        ended_seqs=_array(each.task.claim_seq for each in ended),
        outcomes=_array(f'"{each.outcome}"' for each in ended),
        longest=line.longest,
        kinds=_array(probe.kind for probe in probes),
        priorities=_array(probe.priority for probe in probes),
        lanes=_array(probe.lane for probe in probes),
        afters=_array(probe.after for probe in probes),
        reaches=_array(probe.reach for probe in probes),
        look_at=most * 2,
        most=most,
        lease=lease,
        now=now,
    )
    written = {row.id for row in moved if row.kind is None}
    claimed = [msgspec.convert(row, Claimed, from_attributes=True) for row in moved if row.kind is not None]
    return written, sorted(claimed, key=lambda task: (task.priority, task.id))


async def held_scopes(line: Line, scopes: list[str]) -> list[str]:
    """Those of `scopes` in which nobody else claims until this transaction ends."""
    rows = await line.all(HOLD_SCOPES, scopes=scopes, key_space=_SCOPES_KEY_SPACE)
    return [row.scope for row in rows]


async def running_in(line: Line, scopes: list[str]) -> dict[str, int]:
    return {row.scope: row.running for row in await line.all(USAGE, scopes=scopes)}


async def budgets_of(line: Line, hosts: list[str], egress_group: str, now: datetime) -> dict[str, Budget]:
    rows = await line.all(BUDGETS, hosts=hosts, egress_group=egress_group, now=now)
    return {row.host: row for row in rows}


async def pace(line: Line, hosts: list[str], egress_group: str, now: datetime) -> None:
    """The next task of these hosts may start after their spacing."""
    await line.run(PACE, hosts=hosts, egress_group=egress_group, now=now)


async def left_with(line: Line, worker: UUID, known: list[int], lease: timedelta) -> list[Claimed]:
    """Tasks that this worker holds without knowing it: claimed by a statement whose answer was lost. Their
    leases begin anew; what is over already is the reaper's."""
    return await line.all(ADOPT, worker=worker, known=known, lease=lease)


def _array(values: Iterable[int | str]) -> str:
    """As PostgreSQL writes arrays, at a tenth of what the driver's own way costs. Only numbers, kinds and
    outcomes come here; of those only an outcome needs quotes, which may be the word `null`."""
    return "{" + ",".join(map(str, values)) + "}"
