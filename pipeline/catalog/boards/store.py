"""The SQL of boards for pages and commands. Reads only; every function takes any unit."""

from datetime import datetime

import msgspec

from pipeline.catalog.boards.types import (
    BoardAfter,
    BoardLine,
    BoardsPage,
    BoardsShown,
    Holdings,
    Pull,
    PullRow,
    Totals,
)
from pipeline.sources.types import Evidence
from schema.db import Unit
from schema.ids import SourceId
from schema.query import Query
from schema.text import clean

_LINE = """SELECT s.id, s.platform, s.board, s.company, s.url, s.enabled, s.failures_in_a_row,
         s.blocked_until, s.rests_until, s.off_since, s.off_reason, s.last_pull_at, s.last_complete_at,
         p.coverage,
         p.evidence->>'problem' AS problem, p.observed, p.refused, d.doubts, d.doubted_until
       FROM sources s
       LEFT JOIN LATERAL (SELECT coverage, evidence, observed, refused FROM pulls
         WHERE source_id = s.id ORDER BY id DESC LIMIT 1) p ON true
       CROSS JOIN LATERAL (SELECT count(*)::integer AS doubts, min(expires_at) AS doubted_until
         FROM suspicions WHERE source_id = s.id AND settled_at IS NULL) d"""
BOARDS = Query(
    "boards.page",
    BoardLine,
    _LINE
    + """ WHERE (%(words)s::text = '' OR strpos(lower(s.platform || ' ' || s.board || ' '
             || coalesce(s.company, '')), lower(%(words)s::text)) > 0)
         AND CASE %(shown)s::text WHEN 'doubted' THEN d.doubts > 0 WHEN 'off' THEN NOT s.enabled
           WHEN 'troubled' THEN s.failures_in_a_row > 0
           WHEN 'behind' THEN NOT s.enabled OR d.doubts > 0 OR p.coverage IS DISTINCT FROM 'complete'
             OR coalesce(s.last_pull_at, '-infinity') < %(now)s::timestamptz - interval '1 day' ELSE true END
         AND (%(platform)s::text IS NULL
           OR (s.platform, lower(s.board)) > (%(platform)s::text, lower(%(board)s::text)))
       ORDER BY s.platform, lower(s.board) LIMIT %(rows)s""",
)
BOARD = Query("boards.one", BoardLine, _LINE + " WHERE s.id = %(source_id)s")
TOTALS = Query(
    "boards.totals",
    Totals,
    """SELECT count(*)::integer AS every,
         (SELECT count(DISTINCT source_id) FROM suspicions WHERE settled_at IS NULL)::integer AS doubted,
         count(*) FILTER (WHERE failures_in_a_row > 0)::integer AS troubled,
         count(*) FILTER (WHERE NOT enabled)::integer AS off
       FROM sources""",
)
PULLS = Query(
    "boards.pulls",
    PullRow,
    """SELECT id, task_id, started_at, finished_at, coverage, evidence, observed, refused, written, closed
       FROM pulls WHERE source_id = %(source_id)s ORDER BY id DESC LIMIT %(rows)s""",
)
HOLDINGS = Query(
    "boards.holdings",
    Holdings,
    """SELECT count(*) FILTER (WHERE l.missed = 0)::integer AS listings,
         count(*) FILTER (WHERE l.missed = 0 AND l.verdict = 'refused')::integer AS refused,
         count(*) FILTER (WHERE p.id IS NOT NULL AND p.closed_at IS NULL)::integer AS open
       FROM listings l LEFT JOIN postings p ON p.id = l.posting_id WHERE l.source_id = %(source_id)s""",
)


async def boards_page(
    unit: Unit,
    *,
    words: str = "",
    shown: BoardsShown = "all",
    after: BoardAfter | None = None,
    rows: int = 100,
    now: datetime,
) -> BoardsPage:
    """By platform and name."""
    found = await unit.all(
        BOARDS,
        words=clean(words).strip(),
        shown=shown,
        platform=after and after.platform,
        board=after and after.board,
        rows=rows + 1,
        now=now,
    )
    last = found[rows - 1] if len(found) > rows else None
    return BoardsPage(items=found[:rows], next=last and BoardAfter(platform=last.platform, board=last.board))


async def board(unit: Unit, source_id: SourceId) -> BoardLine:
    """Raises `Missing`."""
    return await unit.one(BOARD, source_id=source_id)


async def totals(unit: Unit) -> Totals:
    return await unit.one(TOTALS)


async def pulls_of(unit: Unit, source_id: SourceId, *, rows: int = 20) -> list[Pull]:
    """Its reads, the newest first."""
    found = await unit.all(PULLS, source_id=source_id, rows=rows)
    return [Pull(row=row, evidence=msgspec.json.decode(row.evidence, type=Evidence)) for row in found]


async def holdings(unit: Unit, source_id: SourceId) -> Holdings:
    return await unit.one(HOLDINGS, source_id=source_id)
