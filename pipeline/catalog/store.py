"""The SQL behind a posting's page: what is known of it, where it was seen, and what a person did with it.

The only writer of `user_jobs`. Readings want an account's unit; `posting_at` and the sightings take any.
"""

from datetime import datetime

import msgspec

from pipeline.catalog.types import Event, Posting, Sighting, Twin
from schema.db import Unit
from schema.errors import Missing, Refusal
from schema.identity.urls import PostingUrl, posting_url
from schema.ids import PostingId
from schema.query import Query, Statement
from schema.text import clean

MOST_NOTE_CHARS = 20_000


class Found(msgspec.Struct, frozen=True, kw_only=True):
    id: PostingId


POSTING = Query(
    "catalog.posting",
    Posting,
    """SELECT p.id, p.title, p.company, p.platform, p.board, p.vendor_id, p.requisition_id, p.locations,
         p.countries, p.workplace, p.workplace_signals, p.workplace_conflict, p.employment_type, p.seniority,
         p.pay_min, p.pay_max, p.pay_currency, p.pay_interval, p.pay_source, p.pay_text, p.posted_at,
         p.posted_on, p.posted_meaning, p.apply_url, p.canonical_url, p.language, p.description_state,
         p.described_at, p.details_tried, d.html, d.text, p.first_seen_at,
         p.closed_at, p.closed_reason, u.saved_at, u.hidden_at, coalesce(u.note, '') AS note,
         (SELECT max(a.id) FROM applications a WHERE a.posting_id = p.id AND a.dismissed_at IS NULL)
           AS application_id
       FROM postings p
       LEFT JOIN descriptions d ON d.content_hash = p.description_hash
       LEFT JOIN user_jobs u ON u.posting_id = p.id
       WHERE p.id = %(posting_id)s""",
)


class Freshness(msgspec.Struct, frozen=True, kw_only=True):
    """How many boards are read, and when one was last."""

    boards: int
    last_pull_at: datetime | None


FRESHNESS = Query(
    "catalog.freshness",
    Freshness,
    "SELECT count(*) AS boards, max(last_pull_at) AS last_pull_at FROM sources WHERE enabled",
)


class SavedTitle(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    is_saved: bool


SAVED_TITLE = Query(
    "catalog.saved_title",
    SavedTitle,
    """SELECT p.title, EXISTS (SELECT FROM user_jobs u WHERE u.posting_id = p.id AND u.saved_at IS NOT NULL)
         AS is_saved
       FROM postings p WHERE p.id = %(posting_id)s""",
)
EVENTS = Query(
    "catalog.events",
    Event,
    """SELECT e.at, e.event, e.reason, s.platform, s.board, e.pull_id
       FROM posting_events e LEFT JOIN sources s ON s.id = e.source_id
       WHERE e.posting_id = %(posting_id)s ORDER BY e.id""",
)
TWINS = Query(
    "catalog.twins",
    Twin,
    """SELECT p.id, p.title, p.company, p.platform, p.board, p.closed_at, t.evidence
       FROM twin_suggestions t
       JOIN postings p ON p.id = CASE WHEN t.posting_id = %(posting_id)s THEN t.twin_id ELSE t.posting_id END
       WHERE %(posting_id)s IN (t.posting_id, t.twin_id) ORDER BY p.id""",
)
_SIGHTING = """SELECT s.id AS source_id, s.platform, s.board, l.vendor_id, l.posting_id, l.first_seen_at,
         coalesce(l.last_seen_at, s.last_complete_at) AS last_seen_at, l.missed, l.verdict, l.rule,
         l.rule_version, l.reason, l.judged_at, l.changed_pull_id
       FROM listings l JOIN sources s ON s.id = l.source_id"""
OF_POSTING = Query(
    "catalog.sightings_of_posting",
    Sighting,
    _SIGHTING + " WHERE l.posting_id = %(posting_id)s ORDER BY l.first_seen_at, l.id",
)
OF_VENDOR_ID = Query(
    "catalog.sightings_of_vendor_id",
    Sighting,
    _SIGHTING
    + " WHERE s.platform = %(platform)s AND l.vendor_id = %(vendor_id)s ORDER BY l.first_seen_at, l.id",
)
BY_VENDOR_ID = Query(
    "catalog.by_vendor_id",
    Found,
    "SELECT id FROM postings WHERE platform = %(platform)s AND vendor_id = %(vendor_id)s",
)
BY_CANONICAL_URL = Query(
    "catalog.by_canonical_url",
    Found,
    "SELECT id FROM postings WHERE canonical_url = %(canonical_url)s ORDER BY id LIMIT 1",
)
SHELVE = Statement(
    "catalog.shelve",
    """INSERT INTO user_jobs AS u (posting_id, saved_at, hidden_at, updated_at)
       SELECT id, CASE WHEN %(save)s THEN %(now)s::timestamptz END,
         CASE WHEN %(hide)s THEN %(now)s::timestamptz END, %(now)s
       FROM postings WHERE id = %(posting_id)s
       ON CONFLICT (account_id, posting_id) DO UPDATE SET
         saved_at = CASE WHEN %(save)s IS NULL THEN u.saved_at
           WHEN %(save)s THEN coalesce(u.saved_at, excluded.saved_at) END,
         hidden_at = CASE WHEN %(hide)s IS NULL THEN u.hidden_at
           WHEN %(hide)s THEN coalesce(u.hidden_at, excluded.hidden_at) END,
         updated_at = excluded.updated_at""",
)
NOTE = Statement(
    "catalog.note",
    """INSERT INTO user_jobs (posting_id, note, updated_at)
       SELECT id, %(note)s, %(now)s FROM postings WHERE id = %(posting_id)s
       ON CONFLICT (account_id, posting_id) DO UPDATE
         SET note = excluded.note, updated_at = excluded.updated_at""",
)


class NoteTooLong(Refusal):
    """This note is too long to keep."""

    code = "note_too_long"
    kind = "too_large"


async def posting_by_id(unit: Unit, posting_id: PostingId) -> Posting:
    """Raises `Missing`."""
    return await unit.one(POSTING, posting_id=posting_id)


async def sightings_of(unit: Unit, posting_id: PostingId) -> list[Sighting]:
    """Every board that shows it or did, the first observer first."""
    return await unit.all(OF_POSTING, posting_id=posting_id)


async def events_of(unit: Unit, posting_id: PostingId) -> list[Event]:
    """What happened to it, the first thing first."""
    return await unit.all(EVENTS, posting_id=posting_id)


async def twins_of(unit: Unit, posting_id: PostingId) -> list[Twin]:
    """Postings that are probably the same opening."""
    return await unit.all(TWINS, posting_id=posting_id)


async def sightings_at(unit: Unit, url: str) -> list[Sighting]:
    """Observations of whatever posting an address names, also of one that was refused and became none."""
    named = posting_url(clean(url))
    if named is None or named.vendor_id is None:
        return []
    return await unit.all(OF_VENDOR_ID, platform=named.platform, vendor_id=named.vendor_id)


async def posting_at(unit: Unit, url: str) -> PostingId | None:
    """The posting an address names, whoever wrote the address."""
    named = posting_url(clean(url))
    return None if named is None else await posting_named(unit, named)


async def posting_named(unit: Unit, named: PostingUrl) -> PostingId | None:
    found = None
    if named.vendor_id is not None:
        found = await unit.maybe(BY_VENDOR_ID, platform=named.platform, vendor_id=named.vendor_id)
    found = found or await unit.maybe(BY_CANONICAL_URL, canonical_url=named.canonical)
    return None if found is None else found.id


async def freshness(unit: Unit) -> Freshness:
    return await unit.one(FRESHNESS)


async def saved_title(unit: Unit, posting_id: PostingId) -> SavedTitle:
    """What it is called, and whether the person keeps it. Raises `Missing`."""
    return await unit.one(SAVED_TITLE, posting_id=posting_id)


async def save(unit: Unit, posting_id: PostingId, *, now: datetime) -> None:
    """Saving again keeps the first time; saving shows what was hidden. Raises `Missing`."""
    await _shelve(unit, posting_id, save=True, hide=False, now=now)


async def unsave(unit: Unit, posting_id: PostingId, *, now: datetime) -> None:
    await _shelve(unit, posting_id, save=False, hide=None, now=now)


async def hide(unit: Unit, posting_id: PostingId, *, now: datetime) -> None:
    """A saved posting stays saved below the hiding, for the day it is shown again."""
    await _shelve(unit, posting_id, save=None, hide=True, now=now)


async def unhide(unit: Unit, posting_id: PostingId, *, now: datetime) -> None:
    await _shelve(unit, posting_id, save=None, hide=False, now=now)


async def write_note(unit: Unit, posting_id: PostingId, note: str, *, now: datetime) -> None:
    """Replaces the note. Raises `NoteTooLong`, `Missing`."""
    text = clean(note).strip()
    if len(text) > MOST_NOTE_CHARS:
        raise NoteTooLong(f"A note has {MOST_NOTE_CHARS:,} characters at most.", field="note")
    if not await unit.run(NOTE, posting_id=posting_id, note=text, now=now):
        raise Missing


async def _shelve(
    unit: Unit, posting_id: PostingId, *, save: bool | None, hide: bool | None, now: datetime
) -> None:
    if not await unit.run(SHELVE, posting_id=posting_id, save=save, hide=hide, now=now):
        raise Missing
