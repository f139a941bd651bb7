"""The SQL of manners. The only writer of `host_paces` and `robots_files`.

Everything that moves a pace is one statement and a transaction by itself, with the database server's own
clock: no row stays locked while a process pauses, and all workers see one time.
"""

from datetime import datetime, timedelta

import msgspec

from pipeline.manners.rules import LONGEST_SPACING, MOST_UNDER_WAY, ROBOTS_KEPT, ROBOTS_RETRY
from pipeline.manners.types import Flight, HostState, RobotsState, Verdict
from schema.db import Database, Unit
from schema.query import Query
from schema.text import clean


class Boarded(msgspec.Struct, frozen=True, kw_only=True):
    """`free_at` is the next start that is free now."""

    ends: datetime
    free_at: datetime
    now: datetime


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """`next_at` is the next start after it."""

    started_at: datetime
    next_at: datetime
    now: datetime


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """`free_at` is the next start that is free, were there room."""

    free_at: datetime
    blocked_until: datetime | None
    under_way: int
    now: datetime


class Reported(msgspec.Struct, frozen=True, kw_only=True):
    spacing: timedelta
    blocked_until: datetime | None


class RobotsRow(msgspec.Struct, frozen=True, kw_only=True):
    state: RobotsState
    body: str
    is_fresh: bool


class Named(msgspec.Struct, frozen=True, kw_only=True):
    host: str


# Two boarding at the same microsecond still end apart: the end is the name of a flight.
BOARD = Query(
    "manners.board",
    Boarded,
    """INSERT INTO host_paces AS p (host, spacing, least_spacing, arrival_at, flights, used_at)
       SELECT %(host)s::text, %(least)s::interval, %(least)s::interval, c.now,
         ARRAY[c.now + %(flight)s::interval], c.now
       FROM (SELECT clock_timestamp() AS now) AS c
       ON CONFLICT (host) DO UPDATE SET
         least_spacing = CASE WHEN %(is_known)s::boolean THEN excluded.least_spacing
           ELSE GREATEST(p.least_spacing, excluded.least_spacing) END,
         spacing = GREATEST(p.spacing, excluded.least_spacing),
         flights = ARRAY(SELECT f FROM unnest(p.flights) AS f WHERE f > excluded.used_at)
           || GREATEST(excluded.used_at + %(flight)s::interval,
             (SELECT max(f) FROM unnest(p.flights) AS f) + interval '1 microsecond'),
         used_at = excluded.used_at
       WHERE GREATEST(p.arrival_at, p.blocked_until) <= excluded.used_at + %(patience)s::interval
         AND (SELECT count(*) FROM unnest(p.flights) AS f WHERE f > excluded.used_at) < %(most)s
         AND (%(is_waiting)s::boolean OR p.waited_until <= excluded.used_at)
       RETURNING p.flights[cardinality(p.flights)] AS ends,
         GREATEST(p.arrival_at, p.blocked_until) AS free_at, p.used_at AS now""",
)
# The start is the theoretical arrival time (GCRA, no burst). A statement that had to wait for the row knows
# an earlier time than it is: the start it gives is earlier too, and counts as late. A start that was missed
# is free again as long as nobody took one after it.
TAKE = Query(
    "manners.take",
    Taken,
    """UPDATE host_paces AS p SET used_at = c.now,
         arrival_at = GREATEST(CASE WHEN p.arrival_at = %(missed_next)s::timestamptz
             THEN %(missed)s::timestamptz ELSE p.arrival_at END, p.blocked_until, c.now)
           + p.spacing + %(slack)s::interval
       FROM (SELECT clock_timestamp() AS now) AS c
       WHERE p.host = %(host)s
         AND GREATEST(CASE WHEN p.arrival_at = %(missed_next)s THEN %(missed)s ELSE p.arrival_at END,
           p.blocked_until) <= c.now + %(patience)s::interval
       RETURNING p.arrival_at - p.spacing - %(slack)s::interval AS started_at, p.arrival_at AS next_at,
         c.now""",
)
STANDING = Query(
    "manners.standing",
    Standing,
    """SELECT GREATEST(p.arrival_at, p.blocked_until) AS free_at,
         nullif(p.blocked_until, '-infinity') AS blocked_until,
         (SELECT count(*) FROM unnest(p.flights) AS f WHERE f > c.now) AS under_way, c.now
       FROM host_paces p, (SELECT clock_timestamp() AS now) AS c WHERE p.host = %(host)s""",
)
WAIT = Query(
    "manners.wait",
    Standing,
    """UPDATE host_paces AS p SET waited_until = c.now + %(longest)s::interval
       FROM (SELECT clock_timestamp() AS now) AS c WHERE p.host = %(host)s
       RETURNING GREATEST(p.arrival_at, p.blocked_until) AS free_at,
         nullif(p.blocked_until, '-infinity') AS blocked_until,
         (SELECT count(*) FROM unnest(p.flights) AS f WHERE f > c.now) AS under_way, c.now""",
)
REPORT = Query(
    "manners.report",
    Reported,
    """UPDATE host_paces AS p SET
         flights = array_remove(p.flights, %(ends)s::timestamptz),
         spacing = CASE WHEN %(outcome)s::text = 'served' THEN GREATEST(p.least_spacing, p.spacing * 0.9)
           WHEN %(outcome)s = 'refused' AND p.refused_at < %(started_at)s::timestamptz
             THEN GREATEST(p.least_spacing, LEAST(p.spacing * 2, %(longest)s::interval))
           ELSE p.spacing END,
         arrival_at = CASE WHEN %(outcome)s = 'refused' AND p.refused_at < %(started_at)s
           THEN GREATEST(p.arrival_at, clock_timestamp() + LEAST(p.spacing * 2, %(longest)s))
           ELSE p.arrival_at END,
         refused_at = CASE WHEN %(outcome)s = 'refused' AND p.refused_at < %(started_at)s
           THEN clock_timestamp() ELSE p.refused_at END,
         blocked_until = GREATEST(p.blocked_until, clock_timestamp()
           + %(block)s::interval * CASE WHEN %(is_ours)s::boolean THEN 2 ^ LEAST(p.refusals, 5) ELSE 1 END),
         refusals = CASE %(outcome)s WHEN 'served' THEN 0 WHEN 'refused' THEN LEAST(p.refusals + 1, 1000000)
           ELSE p.refusals END,
         successes = CASE %(outcome)s WHEN 'served' THEN LEAST(p.successes + 1, 1000000) WHEN 'refused' THEN 0
           ELSE p.successes END
       WHERE p.host = %(host)s
       RETURNING p.spacing, nullif(p.blocked_until, '-infinity') AS blocked_until""",
)
ROBOTS = Query(
    "manners.robots",
    RobotsRow,
    """SELECT state, body, fetched_at > clock_timestamp()
         - CASE WHEN state = 'unreachable' THEN %(retry)s::interval ELSE %(kept)s::interval END AS is_fresh
       FROM robots_files WHERE host = %(host)s""",
)
# Of workers that find the file too old at the same time, one reads it.
CLAIM_ROBOTS = Query(
    "manners.claim_robots",
    Named,
    """INSERT INTO robots_files AS r (host, state, asked_until)
       SELECT %(host)s::text, 'unknown', clock_timestamp() + %(longest)s::interval
       ON CONFLICT (host) DO UPDATE SET asked_until = excluded.asked_until
       WHERE r.asked_until <= clock_timestamp() AND r.fetched_at <= clock_timestamp()
         - CASE WHEN r.state = 'unreachable' THEN %(retry)s::interval ELSE %(kept)s::interval END
       RETURNING r.host""",
)
SETTLE_ROBOTS = Query(
    "manners.settle_robots",
    Named,
    """UPDATE robots_files SET state = %(state)s::text, body = %(body)s::text,
         fetched_at = clock_timestamp() - (%(retry)s::interval - %(retry_in)s::interval),
         asked_until = clock_timestamp()
       WHERE host = %(host)s RETURNING host""",
)
LEAVE_ROBOTS = Query(
    "manners.leave_robots",
    Named,
    "UPDATE robots_files SET asked_until = clock_timestamp() WHERE host = %(host)s RETURNING host",
)
FORGET = Query("manners.forget", Named, "DELETE FROM host_paces WHERE host = %(host)s RETURNING host")
FORGET_ROBOTS = Query(
    "manners.forget_robots",
    Named,
    """DELETE FROM robots_files WHERE host = %(host)s::text OR starts_with(host, %(host)s::text || ':')
       RETURNING host""",
)
FORGET_UNUSED = Query(
    "manners.forget_unused",
    Named,
    """DELETE FROM host_paces WHERE host IN (SELECT host FROM host_paces
         WHERE used_at < %(before)s AND blocked_until < %(before)s ORDER BY used_at LIMIT %(most)s)
       RETURNING host""",
)
FORGET_UNUSED_ROBOTS = Query(
    "manners.forget_unused_robots",
    Named,
    """DELETE FROM robots_files WHERE host IN (SELECT host FROM robots_files
         WHERE fetched_at < %(before)s AND asked_until < %(before)s ORDER BY fetched_at LIMIT %(most)s)
       RETURNING host""",
)
HOSTS = Query(
    "manners.hosts",
    HostState,
    """SELECT p.host, p.spacing, p.least_spacing, p.arrival_at AS next_start_at,
         CASE WHEN p.blocked_until > clock_timestamp() THEN p.blocked_until END AS blocked_until, p.refusals,
         p.successes, (SELECT count(*) FROM unnest(p.flights) AS f WHERE f > clock_timestamp()) AS under_way,
         p.used_at, r.state AS robots, nullif(r.fetched_at, '-infinity') AS robots_fetched_at
       FROM host_paces p LEFT JOIN robots_files r ON r.host = p.host
       ORDER BY p.blocked_until > clock_timestamp() DESC, p.used_at DESC, p.host LIMIT %(most)s""",
)


async def board(
    db: Database,
    host: str,
    *,
    least: timedelta,
    is_known: bool,
    flight: timedelta,
    patience: timedelta,
    is_waiting: bool = False,
) -> Boarded | None:
    """A place among the requests under way; None when the next start is further than `patience`, too much is
    under way, or somebody waits and the caller is not one of those.

    `is_known`: what its robots.txt asks for is in `least`; else `least` lowers nothing.
    """
    rows = await db.at_once(
        BOARD,
        host=host,
        least=least,
        is_known=is_known,
        flight=flight,
        patience=patience,
        most=MOST_UNDER_WAY,
        is_waiting=is_waiting,
    )
    return rows[0] if rows else None


async def wait(db: Database, host: str, longest: timedelta) -> Standing | None:
    """How the host stands, for somebody who waits for room and looks again within `longest`."""
    rows = await db.at_once(WAIT, host=host, longest=longest)
    return rows[0] if rows else None


async def take(
    db: Database, host: str, *, slack: timedelta, patience: timedelta, missed: Taken | None = None
) -> Taken | None:
    """The next start; None when it is further than `patience`. `missed` is one that was not used."""
    rows = await db.at_once(
        TAKE,
        host=host,
        slack=slack,
        patience=patience,
        missed=None if missed is None else missed.started_at,
        missed_next=None if missed is None else missed.next_at,
    )
    return rows[0] if rows else None


async def standing(db: Database, host: str) -> Standing | None:
    rows = await db.at_once(STANDING, host=host)
    return rows[0] if rows else None


async def report(
    db: Database, flight: Flight, started_at: datetime | None, verdict: Verdict
) -> Reported | None:
    """The request is over; None when somebody forgot the host meanwhile."""
    rows = await db.at_once(
        REPORT,
        host=flight.host,
        ends=flight.ends,
        started_at=started_at,
        outcome=verdict.outcome,
        block=verdict.block,
        is_ours=verdict.is_ours,
        longest=LONGEST_SPACING,
    )
    return rows[0] if rows else None


async def robots_kept(db: Database, site: str) -> RobotsRow | None:
    rows = await db.at_once(ROBOTS, host=site, kept=ROBOTS_KEPT, retry=ROBOTS_RETRY)
    return rows[0] if rows else None


async def claim_robots(db: Database, site: str, longest: timedelta) -> bool:
    """Whether the caller is the one to read it now; nobody else is for `longest`, or until it settles."""
    rows = await db.at_once(CLAIM_ROBOTS, host=site, longest=longest, kept=ROBOTS_KEPT, retry=ROBOTS_RETRY)
    return bool(rows)


async def settle_robots(
    db: Database, site: str, state: RobotsState, body: str, *, retry_in: timedelta = ROBOTS_RETRY
) -> None:
    """What nothing was had of is asked for again when `retry_in` is over: its row counts as so much older."""
    await db.at_once(
        SETTLE_ROBOTS, host=site, state=state, body=clean(body), retry=ROBOTS_RETRY, retry_in=retry_in
    )


async def leave_robots(db: Database, site: str) -> None:
    """It could not be asked for now; whoever comes next may try."""
    await db.at_once(LEAVE_ROBOTS, host=site)


async def hosts(unit: Unit, *, most: int = 200) -> list[HostState]:
    """How the hosts stand that were asked, blocked ones first, then those used last."""
    return await unit.all(HOSTS, most=most)


async def forget(unit: Unit, host: str) -> bool:
    """Its pace, its block and its robots.txt: the next who asks it begins anew. False for an unknown host."""
    robots = await unit.all(FORGET_ROBOTS, host=host)
    return bool(await unit.all(FORGET, host=host) or robots)


async def forget_unused(unit: Unit, *, before: datetime, most: int) -> int:
    """What is known of hosts that nobody asked since; the number of rows that went."""
    paces = await unit.all(FORGET_UNUSED, before=before, most=most)
    robots = await unit.all(FORGET_UNUSED_ROBOTS, before=before, most=most)
    return len(paces) + len(robots)
