"""The SQL of closing: what is remembered of a board, its doubts, incidents of platforms, and looks at pages.

The only writer of `suspicions`, `posting_probes` and `platform_circuits`. Every function wants a fleet unit,
except `doubts_of` and `incidents`, which pages ask too.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from pipeline.closing.incidents import FRESH, SHARED, WINDOW, problem_of
from pipeline.closing.rules import MOST_MISSED
from pipeline.closing.types import (
    Circuit,
    Decisions,
    Doubt,
    Incident,
    Memory,
    Peers,
    ProbeState,
    Reading,
    Standing,
    Suspicion,
    Watched,
)
from pipeline.sources.types import Source
from schema.db import Unit
from schema.ids import PostingId, PullId, SourceId
from schema.query import Query, Statement

#: A posting that came back is watched longer, for so long.
_RETURNS_COUNT_FOR = timedelta(days=90)


class Count(msgspec.Struct, frozen=True, kw_only=True):
    count: int


class History(msgspec.Struct, frozen=True, kw_only=True):
    closed: int
    returned: int


# Pages are read unchanged for weeks: such a pull tells a count only if it brought one along. Once a lower
# level was decided on, what the board showed before says nothing any more.
COUNTS = Query(
    "closing.counts",
    Count,
    """SELECT observed AS count FROM pulls
       WHERE source_id = %(source_id)s AND id < %(pull_id)s AND coverage = 'complete'
         AND (observed > 0 OR NOT evidence @> '{"is_unchanged": true}')
         AND id >= coalesce((SELECT max(settled_pull_id) FROM suspicions
           WHERE source_id = %(source_id)s AND settled_as IN ('confirmed', 'expired')), 0)
       ORDER BY id DESC LIMIT 5""",
)
OPEN_POSTINGS = Query(
    "closing.open_postings",
    Count,
    """SELECT count(*) FROM listings l JOIN postings p ON p.id = l.posting_id
       WHERE l.source_id = %(source_id)s AND p.closed_at IS NULL""",
)
HISTORY = Query(
    "closing.history",
    History,
    """SELECT count(*) FILTER (WHERE event = 'closed') AS closed,
         count(*) FILTER (WHERE event = 'reopened') AS returned
       FROM posting_events WHERE source_id = %(source_id)s AND at > %(since)s AND event <> 'opened'""",
)
# Another board keeps a posting open until that board's own misses are enough, unless nobody reads it now.
WATCHED = Query(
    "closing.watched",
    Watched,
    """SELECT l.vendor_id, l.posting_id, p.id IS NOT NULL AND p.closed_at IS NULL AS is_open, l.missed,
         coalesce(l.last_seen_at, %(last_complete_at)s::timestamptz) AS last_seen_at,
         EXISTS (SELECT FROM listings o JOIN sources s ON s.id = o.source_id
           WHERE o.posting_id = l.posting_id AND o.source_id <> l.source_id AND s.enabled
             AND o.missed < %(misses_to_close)s) AS shown_elsewhere,
         (SELECT count(*) FROM posting_events e WHERE e.posting_id = l.posting_id AND e.event = 'reopened'
           AND e.at > %(returns_since)s) AS returns, b.state AS probed, b.looked_at
       FROM listings l LEFT JOIN postings p ON p.id = l.posting_id
         LEFT JOIN posting_probes b ON b.posting_id = l.posting_id
           AND b.looked_at >= coalesce(l.last_seen_at, %(last_complete_at)s::timestamptz)
         LEFT JOIN unnest(%(shown)s::text[]) AS now (vendor_id) ON now.vendor_id = l.vendor_id
       WHERE l.source_id = %(source_id)s
         AND CASE WHEN now.vendor_id IS NULL
           THEN l.missed < %(most)s OR p.id IS NOT NULL AND p.closed_at IS NULL
           ELSE p.closed_at IS NOT NULL END
       ORDER BY l.vendor_id""",
)
# The rules refuse its row now: the employer keeps it off the board. One that only a person brought was never
# on it, and stays.
WITHDRAWN = Query(
    "closing.withdrawn",
    Watched,
    """SELECT l.vendor_id, p.id AS posting_id, true AS is_open, l.missed, l.last_seen_at,
         false AS shown_elsewhere, 0::bigint AS returns, b.state AS probed, b.looked_at
       FROM listings l JOIN postings p ON p.platform = %(platform)s AND p.vendor_id = l.vendor_id
         LEFT JOIN posting_probes b ON b.posting_id = p.id AND b.looked_at >= l.judged_at
       WHERE l.source_id = %(source_id)s AND l.verdict = 'refused' AND p.closed_at IS NULL
         AND EXISTS (SELECT FROM posting_events e WHERE e.posting_id = p.id AND e.source_id = l.source_id)
         AND NOT EXISTS (SELECT FROM listings o JOIN sources s ON s.id = o.source_id
           WHERE o.posting_id = p.id AND s.enabled AND o.missed < %(misses_to_close)s)
       ORDER BY l.vendor_id""",
)
SUSPICIONS = Query(
    "closing.suspicions",
    Suspicion,
    """SELECT kind, raised_at, expires_at, expected, shown, held, confirmations, confirmed_at, probed_gone,
         probed_alive, settled_as
       FROM suspicions WHERE source_id = %(source_id)s AND settled_at IS NULL ORDER BY kind""",
)
DOUBTS = Query(
    "closing.doubts",
    Doubt,
    """SELECT kind, raised_at, expires_at, expected, shown, held, confirmations, confirmed_at, probed_gone,
         probed_alive, settled_at, settled_as, settled_pull_id
       FROM suspicions WHERE source_id = %(source_id)s
       ORDER BY settled_at DESC NULLS FIRST, id DESC LIMIT %(limit)s""",
)
FORGET_DOUBTS = Statement(
    "closing.forget_doubts",
    """DELETE FROM suspicions WHERE id IN (SELECT s.id FROM suspicions s
         WHERE s.settled_at < %(before)s
           AND EXISTS (SELECT FROM suspicions n WHERE n.source_id = s.source_id AND n.id > s.id
             ORDER BY n.id OFFSET %(newest_kept)s - 1)
         ORDER BY s.id LIMIT %(most)s)""",
)
CIRCUIT = Query(
    "closing.circuit",
    Circuit,
    """SELECT opened_at, open_until, problem, boards FROM platform_circuits WHERE platform = %(platform)s""",
)
INCIDENTS = Query(
    "closing.incidents",
    Incident,
    """SELECT platform, opened_at, open_until, problem, boards FROM platform_circuits ORDER BY platform""",
)
PEERS = Query(
    "closing.peers",
    Peers,
    """SELECT count(*) AS read,
         count(*) FILTER (WHERE s.last_complete_at > %(fine_since)s AND (newest.coverage = 'surprising_empty'
           OR newest.coverage = 'failed' AND newest.evidence ->> 'problem' = ANY(%(problems)s::text[])))
           AS failing
       FROM sources s CROSS JOIN LATERAL (
         SELECT p.coverage, p.evidence FROM pulls p WHERE p.source_id = s.id
         ORDER BY p.id DESC LIMIT 1) newest
       WHERE s.platform = %(platform)s AND s.id <> %(source_id)s AND s.last_pull_at > %(since)s""",
)
WRITE_SUSPICION = Statement(
    "closing.write_suspicion",
    """INSERT INTO suspicions AS s (source_id, kind, raised_at, raised_pull_id, expires_at, expected, shown,
         held)
       VALUES (%(source_id)s, %(kind)s, %(raised_at)s, %(pull_id)s, %(expires_at)s, %(expected)s, %(shown)s,
         %(held)s)
       ON CONFLICT (source_id, kind) WHERE settled_at IS NULL DO UPDATE SET
         held = excluded.held, confirmations = %(confirmations)s, confirmed_at = %(confirmed_at)s,
         settled_as = %(settled_as)s,
         settled_at = CASE WHEN %(settled_as)s::text IS NOT NULL THEN %(now)s::timestamptz END,
         settled_pull_id = CASE WHEN %(settled_as)s::text IS NOT NULL THEN %(pull_id)s::bigint END""",
)
WRITE_CIRCUIT = Statement(
    "closing.write_circuit",
    """INSERT INTO platform_circuits (platform, opened_at, open_until, problem, boards)
       VALUES (%(platform)s, %(opened_at)s, %(open_until)s, %(problem)s, %(boards)s)
       ON CONFLICT (platform) DO UPDATE SET open_until = excluded.open_until, problem = excluded.problem""",
)
END_CIRCUIT = Statement("closing.end_circuit", "DELETE FROM platform_circuits WHERE platform = %(platform)s")
LOOKED = Statement(
    "closing.looked",
    """INSERT INTO posting_probes AS b (posting_id, looked_at, state, gone_since)
       SELECT p.id, %(now)s, %(state)s, CASE WHEN %(state)s <> 'open' THEN %(now)s::timestamptz END
       FROM postings p WHERE p.id = %(posting_id)s
       ON CONFLICT (posting_id) DO UPDATE SET looked_at = excluded.looked_at, state = excluded.state,
         gone_since = CASE WHEN excluded.state <> 'open'
           THEN coalesce(b.gone_since, excluded.gone_since) END""",
)
COUNT_PROBES = Statement(
    "closing.count_probes",
    """UPDATE suspicions s SET (probed_gone, probed_alive) = (
         SELECT count(*) FILTER (WHERE b.state <> 'open'), count(*) FILTER (WHERE b.state = 'open')
         FROM listings l JOIN posting_probes b ON b.posting_id = l.posting_id
         WHERE l.source_id = s.source_id AND b.looked_at >= s.raised_at)
       WHERE s.settled_at IS NULL
         AND s.source_id IN (SELECT l.source_id FROM listings l WHERE l.posting_id = %(posting_id)s)""",
)
STANDING = Query(
    "closing.standing",
    Standing,
    """SELECT p.closed_at IS NULL AS is_open,
         EXISTS (SELECT FROM listings l JOIN sources s ON s.id = l.source_id
           WHERE l.posting_id = p.id AND s.enabled) AS is_watched,
         EXISTS (SELECT FROM listings l JOIN sources s ON s.id = l.source_id
           WHERE l.posting_id = p.id AND s.enabled AND l.missed = 0) AS is_listed,
         EXISTS (SELECT FROM platform_circuits c WHERE c.platform = p.platform)
           OR EXISTS (SELECT FROM listings l JOIN suspicions d ON d.source_id = l.source_id
             WHERE l.posting_id = p.id AND d.settled_at IS NULL) AS is_doubted,
         b.gone_since
       FROM postings p JOIN posting_probes b ON b.posting_id = p.id WHERE p.id = %(posting_id)s""",
)


async def memory_of(
    unit: Unit, source: Source, reading: Reading, *, misses_to_close: int, pull_id: PullId
) -> Memory:
    """What `decide` wants to know. Ask under the lock of the source, once what the reading shows is written
    (the pull itself too, as `pull_id`) and before its misses are."""
    watched = await _watched(unit, source, reading, misses_to_close)
    withdrawn = await unit.all(
        WITHDRAWN, source_id=source.id, platform=source.platform, misses_to_close=misses_to_close
    )
    counts = await unit.all(COUNTS, source_id=source.id, pull_id=pull_id)
    still_open = (
        await unit.one(OPEN_POSTINGS, source_id=source.id) if watched or withdrawn else Count(count=0)
    )
    history = await unit.one(HISTORY, source_id=source.id, since=reading.at - _RETURNS_COUNT_FOR)
    return Memory(
        misses_to_close=misses_to_close,
        counts=tuple(each.count for each in reversed(counts)),
        open_postings=still_open.count + len(withdrawn),
        closed=history.closed,
        returned=history.returned,
        last_complete_at=source.last_complete_at,
        watched=tuple(watched),
        withdrawn=tuple(withdrawn),
        suspicions=tuple(await unit.all(SUSPICIONS, source_id=source.id)),
        circuit=await unit.maybe(CIRCUIT, platform=source.platform),
        peers=await _peers(unit, source, reading),
    )


async def _watched(unit: Unit, source: Source, reading: Reading, misses_to_close: int) -> list[Watched]:
    return await unit.all(
        WATCHED,
        source_id=source.id,
        shown=sorted(reading.shown),
        misses_to_close=misses_to_close,
        last_complete_at=source.last_complete_at,
        returns_since=reading.at - _RETURNS_COUNT_FOR,
        most=MOST_MISSED,
    )


async def _peers(unit: Unit, source: Source, reading: Reading) -> Peers:
    if problem_of(reading) is None:
        return Peers()
    return await unit.one(
        PEERS,
        platform=source.platform,
        source_id=source.id,
        since=reading.at - WINDOW,
        fine_since=reading.at - FRESH,
        problems=sorted(SHARED),
    )


async def record(
    unit: Unit, source: Source, memory: Memory, decisions: Decisions, *, pull_id: PullId, now: datetime
) -> None:
    """Write the doubts and the incident as they are now. Misses, closes, reopenings and asking for looks are
    the caller's."""
    await _write_suspicions(unit, source.id, decisions.suspicions, pull_id, now)
    circuit = decisions.circuit
    if circuit is None and memory.circuit is not None:
        await unit.run(END_CIRCUIT, platform=source.platform)
    if circuit is not None and circuit != memory.circuit:
        await _write_circuit(unit, source.platform, circuit)


async def _write_suspicions(
    unit: Unit, source_id: SourceId, changed: Sequence[Suspicion], pull_id: PullId, now: datetime
) -> None:
    for each in changed:
        await unit.run(
            WRITE_SUSPICION,
            source_id=source_id,
            pull_id=pull_id,
            now=now,
            kind=each.kind,
            raised_at=each.raised_at,
            expires_at=each.expires_at,
            expected=each.expected,
            shown=each.shown,
            held=each.held,
            confirmations=each.confirmations,
            confirmed_at=each.confirmed_at,
            settled_as=each.settled_as,
        )


async def _write_circuit(unit: Unit, platform: str, circuit: Circuit) -> None:
    await unit.run(
        WRITE_CIRCUIT,
        platform=platform,
        opened_at=circuit.opened_at,
        open_until=circuit.open_until,
        problem=circuit.problem,
        boards=circuit.boards,
    )


async def note_look(
    unit: Unit, posting_id: PostingId, state: ProbeState, *, now: datetime
) -> Standing | None:
    """Keep what the posting's own page said, and count it in the doubts it was asked for. None: there is no
    such posting."""
    await unit.run(LOOKED, posting_id=posting_id, state=state, now=now)
    await unit.run(COUNT_PROBES, posting_id=posting_id)
    return await unit.maybe(STANDING, posting_id=posting_id)


async def doubts_of(unit: Unit, source_id: SourceId, *, limit: int = 20) -> list[Doubt]:
    """Open ones first, then the newest settled."""
    return await unit.all(DOUBTS, source_id=source_id, limit=limit)


async def forget_doubts(unit: Unit, *, settled_before: datetime, newest_kept: int, most: int) -> int:
    """Settled ones, all but the newest of each source."""
    return await unit.run(FORGET_DOUBTS, before=settled_before, newest_kept=newest_kept, most=most)


async def incidents(unit: Unit) -> list[Incident]:
    return await unit.all(INCIDENTS)
