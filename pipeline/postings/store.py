"""The SQL of postings and of what happened to them: the only writer of `postings` and `posting_events`.

Every function wants a fleet unit. Texts are stored before the postings that show them (`add_descriptions`).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import LiteralString

import msgspec
from psycopg.types.json import Jsonb

from pipeline.postings.types import Nameless, PostingRow, Written
from schema.db import Unit
from schema.ids import PostingId, PullId, SourceId
from schema.query import Query, Statement

#: Rows of one statement; bounds memory and the size of one parameter.
_BATCH = 1_000
FIRST_SHOWN = "first shown"

_ROWS = """jsonb_to_recordset(%(rows)s) AS r (vendor_id text, board text, requisition_id text, title text,
         company text, locations text[], places jsonb, countries text[], workplace text,
         workplace_signals text[], workplace_conflict boolean, employment_type text, seniority text,
         pay_min numeric, pay_max numeric, pay_currency text, pay_interval text, pay_source text,
         pay_text text, posted_at timestamptz, posted_on date, posted_meaning text, apply_url text,
         canonical_url text, language text, description_state text, description_hash text, twin_key text)"""
#: What every reading tells.
_ALWAYS: tuple[LiteralString, ...] = ("board", "title", "seniority", "apply_url", "canonical_url")
#: What a list without texts may leave out; the posting's own page told it, and stands until the next look.
_AT_LEAST: tuple[LiteralString, ...] = ("requisition_id", "company", "language", "employment_type")
#: Of these, a list without texts says less than the page did ("7 Locations", "Posted 30+ Days Ago").
_AS_A_WHOLE: tuple[LiteralString, ...] = (
    "locations", "places", "countries", "workplace", "workplace_signals", "workplace_conflict", "pay_min",
    "pay_max", "pay_currency", "pay_interval", "pay_source", "pay_text", "posted_at", "posted_on",
    "posted_meaning", "description_state", "description_hash", "described_at",
)  # fmt: skip
_TOLD = (*_ALWAYS, *_AT_LEAST, *_AS_A_WHOLE, "twin_key")
_NAMES: LiteralString = ", ".join(_TOLD)
_DESCRIBED_AT: LiteralString = (
    "CASE WHEN r.description_state <> 'not_fetched' THEN %(now)s::timestamptz END AS described_at"
)
_RESOLVED: LiteralString = ", ".join((
    *(f"r.{name}" for name in _ALWAYS),
    *(
        f"CASE WHEN r.description_state = 'not_fetched' THEN coalesce(r.{name}, q.{name}) ELSE r.{name} END"
        f" AS {name}"
        for name in _AT_LEAST
    ),
    *(
        "CASE WHEN r.description_state = 'not_fetched' AND q.described_at IS NOT NULL"
        f" THEN q.{name} ELSE r.{name} END AS {name}"
        for name in _AS_A_WHOLE
    ),
    # Made of employer and title: a row without the employer knows none, and the page's holds for its title.
    """CASE WHEN r.description_state = 'not_fetched' AND r.company IS NULL AND r.title = q.title
         THEN q.twin_key ELSE r.twin_key END AS twin_key""",
))  # fmt: skip
_SET: LiteralString = ", ".join(f"{name} = n.{name}" for name in _TOLD)
# When the text was read is no content: nothing is written for a time alone.
_COMPARED: tuple[LiteralString, ...] = tuple(name for name in _TOLD if name != "described_at")
_OLD: LiteralString = ", ".join(f"p.{name}" for name in _COMPARED)
_NEW: LiteralString = ", ".join(f"n.{name}" for name in _COMPARED)

_READ: LiteralString = f"(SELECT r.*, {_DESCRIBED_AT} FROM {_ROWS}) AS r"  # noqa: S608 - our own constants

INSERT = Query(
    "postings.insert",
    Written,
    f"""INSERT INTO postings (platform, vendor_id, first_seen_at, {_NAMES})
       SELECT %(platform)s, vendor_id, %(now)s, {_NAMES} FROM {_READ} ORDER BY vendor_id
       ON CONFLICT (platform, vendor_id) DO NOTHING
       RETURNING id, vendor_id, true AS is_new""",  # noqa: S608 - our own constants
)
# Locked in the order of their ids: two pulls that meet in the same postings wait for each other.
UPDATE = Query(
    "postings.update",
    Written,
    f"""UPDATE postings p SET details_tried = 0, {_SET}
       FROM (SELECT q.id, {_RESOLVED} FROM {_READ}
         JOIN postings q ON q.platform = %(platform)s AND q.vendor_id = r.vendor_id
         ORDER BY r.vendor_id FOR NO KEY UPDATE OF q) AS n
       WHERE p.id = n.id AND ({_OLD}) IS DISTINCT FROM ({_NEW})
       RETURNING p.id, p.vendor_id, false AS is_new""",  # noqa: S608 - our own constants
)
DETAIL_FAILED = Statement(
    "postings.detail_failed",
    """UPDATE postings SET details_tried = details_tried + 1, looked_at = %(now)s,
         description_state = CASE WHEN %(is_final)s AND description_state = 'not_fetched' THEN 'fetch_failed'
           ELSE description_state END,
         described_at = CASE WHEN %(is_final)s AND description_state = 'not_fetched' THEN %(now)s::timestamptz
           ELSE described_at END
       WHERE id = %(posting_id)s""",
)


NOTE_LOOK = Statement(
    "postings.note_look",
    """UPDATE postings SET looked_at = %(now)s,
         details_tried = CASE WHEN %(is_read)s THEN 0 ELSE details_tried END
       WHERE id = %(posting_id)s""",
)


# Locked in the order of their ids, as above.
NAMELESS = Query(
    "postings.nameless",
    Nameless,
    """SELECT p.id, p.title FROM postings p JOIN sources s ON s.platform = p.platform AND s.board = p.board
       WHERE s.id = %(source_id)s AND (p.company IS NULL OR p.company = %(before)s::text)
         AND p.id IN (SELECT posting_id FROM listings WHERE source_id = %(source_id)s)
       ORDER BY p.vendor_id FOR NO KEY UPDATE OF p""",
)
NAME_EMPLOYER = Statement(
    "postings.name_employer",
    """UPDATE postings p SET company = %(company)s, twin_key = n.twin_key
       FROM unnest(%(ids)s::bigint[], %(keys)s::text[]) AS n (id, twin_key) WHERE p.id = n.id""",
)


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    id: PostingId


CLOSE = Query(
    "postings.close",
    Moved,
    """WITH closing AS (
         SELECT id FROM postings WHERE id = ANY(%(ids)s::bigint[]) AND closed_at IS NULL
         ORDER BY id FOR NO KEY UPDATE)
       UPDATE postings p SET closed_at = %(now)s, closed_reason = %(reason)s, closed_pull_id = %(pull_id)s
       FROM closing WHERE p.id = closing.id RETURNING p.id""",
)
REOPEN = Query(
    "postings.reopen",
    Moved,
    """WITH reopening AS (
         SELECT id FROM postings WHERE id = ANY(%(ids)s::bigint[]) AND closed_at IS NOT NULL
         ORDER BY id FOR NO KEY UPDATE)
       UPDATE postings p SET closed_at = NULL, closed_reason = NULL, closed_pull_id = NULL,
         reopened_at = %(now)s
       FROM reopening WHERE p.id = reopening.id RETURNING p.id""",
)
HAPPENED = Statement(
    "postings.happened",
    """INSERT INTO posting_events (posting_id, at, event, reason, source_id, pull_id)
       SELECT id, %(now)s, %(event)s, %(reason)s, %(source_id)s, %(pull_id)s
       FROM unnest(%(ids)s::bigint[]) AS happened (id) ORDER BY id""",
)


async def write_postings(
    unit: Unit,
    platform: str,
    rows: Sequence[PostingRow],
    *,
    source_id: SourceId,
    pull_id: PullId | None,
    now: datetime,
    reason: str = FIRST_SHOWN,
) -> list[Written]:
    """Insert what is new, with its first event, and update what says something else now; only these are
    told. Rows come in the order of their vendor ids."""
    written: list[Written] = []
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        new = await unit.all(INSERT, platform=platform, rows=Jsonb(batch), now=now)
        inserted = {each.vendor_id for each in new}
        known = [row for row in batch if row.vendor_id not in inserted]
        changed = await unit.all(UPDATE, platform=platform, rows=Jsonb(known), now=now) if known else []
        ids = [each.id for each in new]
        await _happened(unit, ids, "opened", reason, source_id=source_id, pull_id=pull_id, now=now)
        written += new + changed
    return written


async def write_detail(unit: Unit, platform: str, row: PostingRow, *, now: datetime) -> bool:
    """What the posting's own page says; False when the catalog says all of it already."""
    return bool(await unit.all(UPDATE, platform=platform, rows=Jsonb([row]), now=now))


async def count_failed_look(unit: Unit, posting_id: PostingId, *, is_final: bool, now: datetime) -> None:
    """One more try at its page brought nothing; the final one says so. A text that is stored stays."""
    await unit.run(DETAIL_FAILED, posting_id=posting_id, is_final=is_final, now=now)


async def note_look_for_text(unit: Unit, posting_id: PostingId, *, is_read: bool, now: datetime) -> None:
    """Its page was asked; `is_read` when it was read, whether or not it said anything new."""
    await unit.run(NOTE_LOOK, posting_id=posting_id, is_read=is_read, now=now)


async def close_postings(
    unit: Unit,
    ids: Sequence[PostingId],
    reason: str,
    *,
    source_id: SourceId | None = None,
    pull_id: PullId | None = None,
    now: datetime,
) -> list[PostingId]:
    """Those that were open and are closed now, with the event that says why."""
    moved = await unit.all(CLOSE, ids=list(ids), reason=reason, pull_id=pull_id, now=now) if ids else []
    closed = [each.id for each in moved]
    await _happened(unit, closed, "closed", reason, source_id=source_id, pull_id=pull_id, now=now)
    return closed


async def reopen_postings(
    unit: Unit,
    ids: Sequence[PostingId],
    reason: str,
    *,
    source_id: SourceId | None = None,
    pull_id: PullId | None = None,
    now: datetime,
) -> list[PostingId]:
    """Those that were closed and are open again: the same rows, with their texts and their history."""
    moved = await unit.all(REOPEN, ids=list(ids), now=now) if ids else []
    opened = [each.id for each in moved]
    await _happened(unit, opened, "reopened", reason, source_id=source_id, pull_id=pull_id, now=now)
    return opened


async def _happened(
    unit: Unit,
    ids: Sequence[PostingId],
    event: str,
    reason: str,
    *,
    source_id: SourceId | None,
    pull_id: PullId | None,
    now: datetime,
) -> None:
    if ids:
        await unit.run(
            HAPPENED, ids=list(ids), event=event, reason=reason, source_id=source_id, pull_id=pull_id, now=now
        )


# Somebody holds on to a posting by saving it, a note, an application or a filled form. The fleet sees only
# that somebody does.
LET_TEXTS_GO = Statement(
    "postings.let_texts_go",
    """UPDATE postings SET description_state = 'expired', description_hash = NULL
       WHERE id IN (SELECT p.id FROM postings p
         WHERE p.closed_at < %(closed_before)s AND p.description_state = 'stored'
           AND NOT EXISTS (SELECT FROM user_jobs u WHERE u.posting_id = p.id)
           AND NOT EXISTS (SELECT FROM applications a WHERE a.posting_id = p.id)
           AND NOT EXISTS (SELECT FROM fills f WHERE f.posting_id = p.id)
           AND NOT EXISTS (SELECT FROM listings l WHERE l.posting_id = p.id AND l.missed = 0)
         ORDER BY p.closed_at, p.id LIMIT %(most)s FOR UPDATE OF p SKIP LOCKED)""",
)


async def let_texts_go(unit: Unit, *, closed_before: datetime, most: int) -> int:
    """Of postings that closed long ago, that no board shows and nobody holds on to. Everything else of them
    stays; a board that shows one again brings its text along."""
    return await unit.run(LET_TEXTS_GO, closed_before=closed_before, most=most)


TELL = Statement(
    "postings.tell",
    """INSERT INTO posting_events (posting_id, at, event, reason)
       SELECT id, at, %(event)s, reason
       FROM unnest(%(ids)s::bigint[], %(ats)s::timestamptz[], %(reasons)s::text[]) AS told (id, at, reason)
       ORDER BY id""",
)


async def tell_events(unit: Unit, event: str, told: Sequence[tuple[PostingId, datetime, str]]) -> None:
    """Events of another time, which nobody told when they happened: the posting, when, and why."""
    if told:
        await unit.run(
            TELL,
            event=event,
            ids=[posting_id for posting_id, _, _ in told],
            ats=[at for _, at, _ in told],
            reasons=[reason for _, _, reason in told],
        )


async def nameless(unit: Unit, source_id: SourceId, *, before: str | None = None) -> list[Nameless]:
    """Those this board describes without an employer, or with the name it had `before`; nobody else's to
    write until this unit ends."""
    return await unit.all(NAMELESS, source_id=source_id, before=before)


async def name_employer(unit: Unit, company: str | None, keys: Mapping[PostingId, str | None]) -> None:
    """`keys` holds the key of twins each of them has under this name."""
    await unit.run(NAME_EMPLOYER, company=company, ids=list(keys), keys=list(keys.values()))
