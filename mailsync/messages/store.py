"""Writes messages and the quarantine: one row per account and message key, whoever brings it, however often.

Chronology is by the time of sending; ids only break ties. A message that is known already changes nothing,
unless its body was screened out before and is kept by today's screen.
"""

from collections.abc import Sequence
from datetime import datetime

from psycopg.types.json import Jsonb

from mailsync.messages.types import Examined, NewMessage, Quarantined, Stored
from schema.db import Unit
from schema.ids import ImportId, MailboxId, MessageId
from schema.query import Query, Statement

INSERT = Query(
    "messages.insert",
    Stored,
    """INSERT INTO messages (mailbox_id, message_key, rfc_message_id, content_sha256, sent_at, sent_at_source,
         from_owner, sender_address, sender_name, recipients, subject, in_reply_to, reference_ids,
         provider_thread, body, quoted, parsed, kept, not_kept_reason, kept_because, continues_id, size_bytes,
         examined_version, first_seen_at)
       SELECT %(mailbox_id)s, message_key, rfc_message_id, content_sha256, sent_at, sent_at_source,
         from_owner, sender_address, sender_name, recipients, subject, in_reply_to, reference_ids,
         provider_thread, body, quoted, parsed, kept, not_kept_reason, kept_because, continues_id, size_bytes,
         examined_version, %(now)s
       FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (message_key text, rfc_message_id text,
         content_sha256 text, sent_at timestamptz, sent_at_source text, from_owner boolean,
         sender_address text, sender_name text, recipients text[], subject text, in_reply_to text,
         reference_ids text[], provider_thread text, body text, quoted text, parsed jsonb, kept text,
         not_kept_reason text, kept_because text, continues_id bigint, size_bytes bigint,
         examined_version integer)
       ON CONFLICT (account_id, message_key) DO UPDATE SET
         sender_address = excluded.sender_address, sender_name = excluded.sender_name,
         recipients = excluded.recipients, subject = excluded.subject, in_reply_to = excluded.in_reply_to,
         reference_ids = excluded.reference_ids, provider_thread = excluded.provider_thread,
         body = excluded.body, quoted = excluded.quoted, parsed = excluded.parsed, kept = excluded.kept,
         not_kept_reason = excluded.not_kept_reason, kept_because = excluded.kept_because,
         continues_id = excluded.continues_id, examined_version = excluded.examined_version
         WHERE messages.kept <> 'whole' AND excluded.kept = 'whole'
       RETURNING id, message_key""",
)
EXAMINE = Statement(
    "messages.examine",
    """UPDATE messages g SET examined_version = r.examined_version, from_owner = r.from_owner,
         kept = CASE WHEN r.dropped_reason IS NULL THEN g.kept ELSE 'headers' END,
         not_kept_reason = coalesce(r.dropped_reason, g.not_kept_reason),
         kept_because = CASE WHEN r.dropped_reason IS NULL THEN g.kept_because END,
         continues_id = CASE WHEN r.dropped_reason IS NULL THEN g.continues_id END,
         body = CASE WHEN r.dropped_reason IS NULL THEN g.body END,
         quoted = CASE WHEN r.dropped_reason IS NULL THEN g.quoted END,
         parsed = CASE WHEN r.dropped_reason IS NULL THEN g.parsed END,
         recipients = CASE WHEN r.dropped_reason IS NULL THEN g.recipients ELSE '{}' END,
         in_reply_to = CASE WHEN r.dropped_reason IS NULL THEN g.in_reply_to END,
         reference_ids = CASE WHEN r.dropped_reason IS NULL THEN g.reference_ids ELSE '{}' END,
         provider_thread = CASE WHEN r.dropped_reason IS NULL THEN g.provider_thread END
       FROM jsonb_to_recordset(%(rows)s::jsonb)
         AS r (id bigint, examined_version integer, from_owner boolean, dropped_reason text)
       WHERE g.id = r.id""",
)
QUARANTINE = Statement(
    "messages.quarantine",
    """INSERT INTO quarantine (import_id, position, code, size_bytes, created_at)
       VALUES (%(import_id)s, %(position)s, %(code)s, %(size_bytes)s, %(now)s)
       ON CONFLICT (account_id, import_id, position) DO NOTHING""",
)

IDS_OF_KEYS = Query(
    "messages.ids_of_keys",
    Stored,
    "SELECT id, message_key FROM messages WHERE message_key = ANY(%(keys)s::text[])",
)
QUARANTINE_OF_DOOR = Statement(
    "messages.quarantine_of_door",
    """INSERT INTO quarantine (position, code, size_bytes, created_at)
       SELECT position, code, size_bytes, %(now)s
       FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (position text, code text, size_bytes bigint)
       WHERE NOT EXISTS (SELECT FROM quarantine q WHERE q.import_id IS NULL AND q.position = r.position)""",
)
DELETE_SOME = Statement(
    "messages.delete_some",
    """DELETE FROM messages WHERE id IN (
         SELECT id FROM messages WHERE mailbox_id = %(mailbox_id)s ORDER BY id LIMIT %(limit)s)""",
)
LEAVE_QUARANTINE = Statement(
    "messages.leave_quarantine",
    "DELETE FROM quarantine WHERE import_id IS NULL AND starts_with(position, %(beginning)s)",
)


async def store_messages(
    unit: Unit, mailbox_id: MailboxId, messages: Sequence[NewMessage], *, now: datetime
) -> list[Stored]:
    """Those that are new or whose body is kept from now on. Of two with one key the first counts."""
    first: dict[str, NewMessage] = {}
    for message in messages:
        first.setdefault(message.message_key, message)
    if not first:
        return []
    return await unit.all(INSERT, mailbox_id=mailbox_id, rows=Jsonb(list(first.values())), now=now)


async def mark_examined(unit: Unit, examined: Sequence[Examined]) -> None:
    """Note which version of the stages read these messages, and drop the text of those that lost it."""
    if examined:
        await unit.run(EXAMINE, rows=Jsonb(list(examined)))


async def ids_of_keys(unit: Unit, keys: Sequence[str]) -> dict[str, MessageId]:
    """The messages of the account with these keys, whichever door they came by."""
    rows = await unit.all(IDS_OF_KEYS, keys=list(keys))
    return {row.message_key: row.id for row in rows}


async def quarantine(unit: Unit, import_id: ImportId, items: Sequence[Quarantined], *, now: datetime) -> None:
    """Record what could not be read; the same stretch of the same import is recorded once."""
    rows: list[dict[str, object]] = [
        {
            "import_id": import_id,
            "position": item.position,
            "code": item.code,
            "size_bytes": item.size_bytes,
            "now": now,
        }
        for item in items
    ]
    if rows:
        await unit.run_many(QUARANTINE, rows)


async def quarantine_of_door(unit: Unit, items: Sequence[Quarantined], *, now: datetime) -> None:
    """The same for a door that has no imports: there a position is unique by itself."""
    if items:
        await unit.run(QUARANTINE_OF_DOOR, rows=Jsonb(list(items)), now=now)


async def leave_quarantine(unit: Unit, beginning: str) -> None:
    """Forget what a door put into quarantine, by the beginning of its positions."""
    await unit.run(LEAVE_QUARANTINE, beginning=beginning)


async def delete_some(unit: Unit, mailbox_id: MailboxId, limit: int) -> int:
    """Delete up to `limit` messages of a mailbox, with all that was read from and decided about them."""
    return await unit.run(DELETE_SOME, mailbox_id=mailbox_id, limit=limit)
