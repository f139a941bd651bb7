"""The SQL of the calendar: the secret addresses, of which only hashes are kept, and what a calendar shows."""

from datetime import datetime, timedelta
from typing import NewType

import msgspec

from backend.calendar.rules import Due, Told
from schema.db import Unit
from schema.ids import AccountId
from schema.query import Query, Statement

FeedId = NewType("FeedId", int)
ENTRIES_MAX = 1000
READ_EVERY = timedelta(minutes=1)
"""How often it is noted that a calendar was read."""


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A secret address that works."""

    feed_id: FeedId
    created_at: datetime
    last_read_at: datetime | None


class Presented(msgspec.Struct, frozen=True, kw_only=True):
    """Whose calendar a secret opens."""

    account_id: AccountId
    feed_id: FeedId


class _Undated(msgspec.Struct, frozen=True, kw_only=True):
    count: int


CURRENT = Query(
    "calendar.current",
    Feed,
    """SELECT id AS feed_id, created_at, last_read_at FROM calendar_feeds
       WHERE revoked_at IS NULL ORDER BY id DESC LIMIT 1""",
)
PRESENTED = Query(
    "calendar.presented",
    Presented,
    """SELECT account_id, id AS feed_id FROM calendar_feeds
       WHERE token_hash = %(token_hash)s AND revoked_at IS NULL""",
)
REVOKE = Statement(
    "calendar.revoke", "UPDATE calendar_feeds SET revoked_at = %(now)s WHERE revoked_at IS NULL"
)
REVIVE = Statement(
    "calendar.revive",
    """UPDATE calendar_feeds SET revoked_at = NULL
       WHERE id = %(feed_id)s AND NOT EXISTS (SELECT FROM calendar_feeds o WHERE o.revoked_at IS NULL)
         AND id = (SELECT max(l.id) FROM calendar_feeds l)""",
)
ADD = Statement(
    "calendar.add",
    "INSERT INTO calendar_feeds (token_hash, created_at) VALUES (%(token_hash)s, %(now)s)",
)
READ = Statement(
    "calendar.read",
    """UPDATE calendar_feeds SET last_read_at = %(now)s
       WHERE id = %(feed_id)s AND (last_read_at IS NULL OR last_read_at < %(before)s)""",
)
UNDATED = Query(
    "calendar.undated",
    _Undated,
    """SELECT count(*)::int AS count
       FROM asks k JOIN applications a ON a.account_id = k.account_id AND a.id = k.application_id
       WHERE k.settled_at IS NULL AND a.dismissed_at IS NULL AND a.merged_into_id IS NULL
         AND k.due_at IS NULL AND k.due_on IS NULL""",
)
DUES = Query(
    "calendar.dues",
    Due,
    """SELECT k.application_id, k.message_id, a.company, a.role,
         greatest(a.updated_at, h.newest_at) AS revised_at, coalesce(h.revisions, 0) AS revisions,
         k.kind, k.due_at, k.due_on
       FROM asks k JOIN applications a ON a.account_id = k.account_id AND a.id = k.application_id
       CROSS JOIN LATERAL (
         SELECT count(*)::int - 1 AS revisions, max(r.created_at) AS newest_at FROM readings r
         WHERE r.account_id = k.account_id AND r.message_id = k.message_id) h
       WHERE k.settled_at IS NULL AND a.dismissed_at IS NULL AND a.merged_into_id IS NULL
         AND num_nonnulls(k.due_at, k.due_on) > 0
       ORDER BY coalesce(k.due_at, k.due_on::timestamptz) DESC, k.id DESC LIMIT %(limit)s""",
)
TOLD = Query(
    "calendar.told",
    Told,
    """SELECT a.id AS application_id, f.message_id, a.company, a.role,
         greatest(a.updated_at, h.newest_at) AS revised_at, h.revisions, s.stage, g.sent_at,
         f.appointment, f.source, f.meeting, h.kinds
       FROM (
         SELECT message_id, reading_id,
           (array_agg(comparable ORDER BY id) FILTER (WHERE name = 'appointment'))[1] AS appointment,
           (array_agg(span_source ORDER BY id) FILTER (WHERE name = 'appointment'))[1] AS source,
           (array_agg(comparable ORDER BY id) FILTER (WHERE name = 'meeting'))[1] AS meeting
         FROM facts WHERE name IN ('appointment', 'meeting') GROUP BY message_id, reading_id) f
       JOIN attachments t ON t.message_id = f.message_id
       JOIN applications n ON n.id = t.application_id
       JOIN applications a ON a.id = coalesce(n.merged_into_id, n.id)
       JOIN standings s ON s.application_id = a.id
       JOIN messages g ON g.id = f.message_id
       CROSS JOIN LATERAL (
         SELECT (count(*) - 1)::int AS revisions, max(r.created_at) AS newest_at,
           (array_agg(r.id ORDER BY (r.stage = 'person') DESC, r.id DESC)
             FILTER (WHERE r.undoes_id IS NULL AND NOT EXISTS (SELECT FROM readings u
               WHERE u.message_id = r.message_id AND u.undoes_id = r.id)))[1] AS current,
           ARRAY(SELECT e.kind FROM events e
                 WHERE e.message_id = f.message_id AND e.reading_id = f.reading_id ORDER BY e.id) AS kinds
         FROM readings r WHERE r.message_id = f.message_id) h
       WHERE h.current = f.reading_id AND a.dismissed_at IS NULL AND g.sent_at >= %(since)s
       ORDER BY g.sent_at DESC, f.message_id DESC LIMIT %(limit)s""",
)


async def current_feed(unit: Unit) -> Feed | None:
    return await unit.maybe(CURRENT)


async def presented_feed(unit: Unit, token_hash: str) -> Presented | None:
    """In a unit of who presents that hash."""
    return await unit.maybe(PRESENTED, token_hash=token_hash)


async def replace_feed(unit: Unit, token_hash: str, *, now: datetime) -> None:
    """A new address; the one before it opens nothing from now on."""
    await unit.run(REVOKE, now=now)
    await unit.run(ADD, token_hash=token_hash, now=now)


async def revoke_feed(unit: Unit, *, now: datetime) -> None:
    await unit.run(REVOKE, now=now)


async def revive_feed(unit: Unit, feed_id: FeedId) -> bool:
    """Takes `revoke_feed` back; False when another address was made since, or this one never was."""
    return await unit.run(REVIVE, feed_id=feed_id) == 1


async def note_read(unit: Unit, feed_id: FeedId, *, now: datetime) -> None:
    await unit.run(READ, feed_id=feed_id, now=now, before=now - READ_EVERY)


async def undated_asks(unit: Unit) -> int:
    """How many open asks have no date, and so no place in a calendar."""
    return (await unit.one(UNDATED)).count


async def dues(unit: Unit) -> list[Due]:
    """Every open ask that has a date."""
    return await unit.all(DUES, limit=ENTRIES_MAX)


async def told_meetings(unit: Unit, *, since: datetime) -> list[Told]:
    """What messages sent since then say about meetings, by the reading in force of each."""
    return await unit.all(TOLD, since=since, limit=ENTRIES_MAX)
