"""The SQL of the mail pages: messages with what was made of them, and imports. Reads only.

The reading in force of a message is the newest by a person, else the newest, as in `mailsync/classify`.
"""

from datetime import datetime

from backend.mail.types import (
    Aside,
    AsideKey,
    AsidePage,
    Counts,
    ImportLine,
    Kept,
    Line,
    Lines,
    Message,
    Named,
    Place,
    Quarantined,
    Said,
    Wanted,
)
from schema.db import Unit
from schema.ids import ImportId, MailboxId, MessageId, ReadingId
from schema.query import Query
from schema.text import clean

WORDS_MAX = 10

_IN_FORCE = """LEFT JOIN LATERAL (
         SELECT r.id, r.stage, r.state, r.created_at FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c ON true"""
_LINE_COLUMNS = """SELECT g.id AS message_id, g.sent_at, g.from_owner, g.sender_name, g.sender_address,
         g.subject, g.not_kept_reason,
         ARRAY(SELECT e.kind FROM events e
               WHERE e.account_id = g.account_id AND e.message_id = g.id AND e.reading_id = c.id
               ORDER BY e.id) AS kinds,
         c.id IS NOT NULL AS is_read, m.outcome, m.application_id, a.company, a.role
       FROM messages g """
_MATCHED = """ LEFT JOIN matches m ON m.account_id = g.account_id AND m.message_id = g.id
       LEFT JOIN applications a ON a.account_id = m.account_id AND a.id = m.application_id"""
_NOT_UNDERSTOOD = """o.state = 'open' AND o.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings d WHERE d.account_id = o.account_id
             AND d.message_id = o.message_id AND d.state = 'decided' AND NOT EXISTS (
               SELECT FROM readings u WHERE u.account_id = d.account_id AND u.message_id = d.message_id
                 AND u.undoes_id = d.id))"""
_SHELVED = (
    """ WHERE g.kept = CASE %(shelf)s WHEN 'hidden' THEN 'headers' ELSE 'whole' END
         AND (%(shelf)s = 'hidden' OR NOT EXISTS (SELECT FROM readings o
           WHERE o.account_id = g.account_id AND o.message_id = g.id AND """
    + _NOT_UNDERSTOOD
    + "))"
)
# From the few ids of a shelf to their messages, never through the whole mailbox.
_PICKED_FROM = """ WHERE g.kept = 'whole' AND g.id = ANY(CASE %(shelf)s
         WHEN 'waiting' THEN ARRAY(SELECT w.message_id FROM matches w WHERE w.outcome = 'asks')
         WHEN 'loose' THEN ARRAY(SELECT w.message_id FROM matches w WHERE w.outcome = 'none')
         ELSE ARRAY(SELECT o.message_id FROM readings o WHERE """
_PICKED = _PICKED_FROM + _NOT_UNDERSTOOD + ") END)"
_NARROWED = """ AND (%(kind)s::text IS NULL
           OR g.id IN (SELECT e.message_id FROM events e WHERE e.kind = %(kind)s))
         AND (%(kind)s::text IS NULL OR EXISTS (
           SELECT FROM events e WHERE e.account_id = g.account_id AND e.message_id = g.id
             AND e.reading_id = c.id AND e.kind = %(kind)s))
         AND NOT EXISTS (SELECT FROM unnest(%(words)s::text[]) w (pattern)
           WHERE NOT concat_ws(' ', g.subject, g.sender_name, g.sender_address) ILIKE w.pattern)"""
_AFTER_DATED = """ AND g.sent_at IS NOT NULL
         AND (%(sent_at)s::timestamptz IS NULL
           OR (g.sent_at, g.id) < (%(sent_at)s::timestamptz, %(message_id)s::bigint))
       ORDER BY g.sent_at DESC NULLS LAST, g.id DESC LIMIT %(rows)s"""
_AFTER_UNDATED = """ AND g.sent_at IS NULL
         AND (%(message_id)s::bigint IS NULL OR g.id < %(message_id)s::bigint)
       ORDER BY g.id DESC LIMIT %(rows)s"""
_MESSAGE_COLUMNS = """SELECT g.id AS message_id, g.sent_at, g.sent_at_source, g.from_owner, g.sender_name,
         g.sender_address, g.recipients, g.subject, g.body, g.quoted, g.kept, g.not_kept_reason,
         g.size_bytes, g.first_seen_at, g.rfc_message_id, c.id AS reading_id, c.stage AS reader,
         c.created_at AS read_at, m.outcome, m.by_person, m.decision_id, m.application_id, a.company, a.role,
         g.kept_because, g.continues_id, k.subject AS continues_subject
       FROM messages g """
_CONTINUED = " LEFT JOIN messages k ON k.account_id = g.account_id AND k.id = g.continues_id"
_LINE = _LINE_COLUMNS + _IN_FORCE + _MATCHED
DATED = Query("mail.dated", Line, _LINE + _SHELVED + _NARROWED + _AFTER_DATED)
UNDATED = Query("mail.undated", Line, _LINE + _SHELVED + _NARROWED + _AFTER_UNDATED)
PICKED_DATED = Query("mail.picked_dated", Line, _LINE + _PICKED + _NARROWED + _AFTER_DATED)
PICKED_UNDATED = Query("mail.picked_undated", Line, _LINE + _PICKED + _NARROWED + _AFTER_UNDATED)
_UNCLEAR = """WITH unclear AS (
         SELECT count(DISTINCT o.message_id)::int AS number FROM readings o
         JOIN messages w ON w.account_id = o.account_id AND w.id = o.message_id AND w.kept = 'whole'
         WHERE """
_COUNTED = """)
       SELECT ((count(*) FILTER (WHERE kept = 'whole')) - (SELECT number FROM unclear))::int AS jobs,
         (SELECT count(*)::int FROM matches WHERE outcome = 'asks') AS waiting,
         (SELECT count(*)::int FROM matches m
          JOIN messages w ON w.account_id = m.account_id AND w.id = m.message_id AND w.kept = 'whole'
          WHERE m.outcome = 'none') AS loose,
         (SELECT number FROM unclear) AS open,
         (count(*) FILTER (WHERE kept = 'headers'))::int AS hidden,
         (count(*) FILTER (WHERE kept = 'identity'))::int AS dropped
       FROM messages"""
COUNTS = Query("mail.counts", Counts, _UNCLEAR + _NOT_UNDERSTOOD + _COUNTED)
MESSAGE = Query(
    "mail.message",
    Message,
    _MESSAGE_COLUMNS + _IN_FORCE + _MATCHED + _CONTINUED + " WHERE g.id = %(message_id)s",
)
SAID = Query(
    "mail.said",
    Said,
    """SELECT kind, reason, rule, span_source, span_start, span_end, span_text FROM events
       WHERE message_id = %(message_id)s AND reading_id = %(reading_id)s ORDER BY id""",
)
NAMED = Query(
    "mail.named",
    Named,
    """WITH told AS (
         SELECT f.id, f.name, f.value, f.span_source, f.span_start, f.span_end,
           r.stage = 'language_model' AS by_model,
           f.reading_id = max(f.reading_id) OVER (PARTITION BY r.stage = 'language_model') AS newest
         FROM facts f JOIN readings r ON r.account_id = f.account_id AND r.id = f.reading_id
         WHERE f.message_id = %(message_id)s)
       SELECT name, value, span_source, span_start, span_end FROM told
       WHERE newest AND NOT (by_model AND name IN (SELECT name FROM told WHERE newest AND NOT by_model))
       ORDER BY by_model, id""",
)
IMPORTS = Query(
    "mail.imports",
    ImportLine,
    """SELECT id, name, state, bytes_done, bytes_total, seen, stored, known, not_kept, quarantined,
         created_at, finished_at
       FROM mail_imports WHERE %(before)s::bigint IS NULL OR id < %(before)s::bigint
       ORDER BY id DESC LIMIT %(rows)s""",
)
QUARANTINED = Query(
    "mail.quarantined",
    Quarantined,
    """SELECT position, code, size_bytes FROM quarantine WHERE import_id = %(import_id)s
       ORDER BY id LIMIT %(rows)s""",
)
# A message of Gmail leaves quarantine in the ledger; what stands in the table of archives stays there.
ASIDE = Query(
    "mail.aside",
    Aside,
    """WITH aside AS (
         SELECT 'archive:' || q.id AS place, q.created_at AS sorted_at, q.import_id,
           NULL::bigint AS mailbox_id, i.name AS source, q.position, q.code, q.size_bytes
         FROM quarantine q JOIN mail_imports i ON i.account_id = q.account_id AND i.id = q.import_id
         UNION ALL
         SELECT 'gmail:' || g.mailbox_id || ':' || g.gmail_id, coalesce(g.settled_at, 'epoch'), NULL::bigint,
           g.mailbox_id, m.address, g.gmail_id, coalesce(g.reason, 'unparseable'), g.size_bytes
         FROM gmail_messages g JOIN mailboxes m ON m.account_id = g.account_id AND m.id = g.mailbox_id
         WHERE g.state = 'quarantined')
       SELECT place, sorted_at, import_id, mailbox_id, source, position, code, size_bytes FROM aside
       WHERE %(sorted_at)s::timestamptz IS NULL
         OR (sorted_at, place) < (%(sorted_at)s::timestamptz, %(place)s::text)
       ORDER BY sorted_at DESC, place DESC LIMIT %(rows)s""",
)
KEPT = Query(
    "mail.kept_of_mailbox",
    Kept,
    """SELECT (count(*) FILTER (WHERE m.kept = 'whole'))::int AS whole,
         (count(*) FILTER (WHERE m.kept <> 'whole'))::int AS hidden
       FROM gmail_messages g JOIN messages m ON m.account_id = g.account_id AND m.id = g.message_id
       WHERE g.mailbox_id = %(mailbox_id)s AND g.state = 'stored'""",
)


async def lines(unit: Unit, wanted: Wanted, *, after: Place | None = None, rows: int = 50) -> Lines:
    """The latest sent first; messages of unknown time after all others, the latest stored first."""
    narrowed: dict[str, object] = {
        "shelf": wanted.shelf,
        "kind": wanted.kind,
        "words": [_pattern(word) for word in clean(wanted.words).split()[:WORDS_MAX]],
    }
    shelved = wanted.shelf in ("jobs", "hidden")
    dated, undated = (DATED, UNDATED) if shelved else (PICKED_DATED, PICKED_UNDATED)
    found: list[Line] = []
    if after is None or after.sent_at is not None:
        found = await unit.all(dated, **narrowed, **_place(after), rows=rows + 1)
        after = None
    if len(found) <= rows:
        rest = rows + 1 - len(found)
        found += await unit.all(undated, **narrowed, message_id=after and after.message_id, rows=rest)
    last = found[rows - 1] if len(found) > rows else None
    return Lines(rows=found[:rows], next=last and Place(sent_at=last.sent_at, message_id=last.message_id))


async def counts(unit: Unit) -> Counts:
    return await unit.one(COUNTS)


async def message(unit: Unit, message_id: MessageId) -> Message:
    """Another account's message is `Missing`."""
    return await unit.one(MESSAGE, message_id=message_id)


async def said(unit: Unit, message_id: MessageId, reading_id: ReadingId) -> list[Said]:
    return await unit.all(SAID, message_id=message_id, reading_id=reading_id)


async def named(unit: Unit, message_id: MessageId) -> list[Named]:
    """What the newest reading that named anything found: a person's correction says kinds, not names.

    A language model only adds what nothing before it had named.
    """
    return await unit.all(NAMED, message_id=message_id)


async def imports(unit: Unit, *, before: ImportId | None = None, rows: int = 20) -> list[ImportLine]:
    """The latest first."""
    return await unit.all(IMPORTS, before=before, rows=rows)


async def quarantined(unit: Unit, import_id: ImportId, *, rows: int = 100) -> list[Quarantined]:
    """What of an import could not be read, in its order."""
    return await unit.all(QUARANTINED, import_id=import_id, rows=rows)


async def aside(unit: Unit, *, after: AsideKey | None = None, rows: int = 50) -> AsidePage:
    """What could not be read, of every archive and mailbox, the latest first."""
    found = await unit.all(
        ASIDE,
        sorted_at=after.sorted_at if after else None,
        place=after.place if after else None,
        rows=rows + 1,
    )
    last = found[rows - 1] if len(found) > rows else None
    key = None if last is None else AsideKey(sorted_at=last.sorted_at, place=last.place)
    return AsidePage(rows=found[:rows], next=key)


async def kept_of(unit: Unit, mailbox_id: MailboxId) -> Kept:
    return await unit.one(KEPT, mailbox_id=mailbox_id)


def _place(after: Place | None) -> dict[str, datetime | int | None]:
    return {"sent_at": after.sent_at if after else None, "message_id": after.message_id if after else None}


def _pattern(word: str) -> str:
    escaped = word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"
