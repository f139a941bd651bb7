"""What explaining asks the database. Reads only: each unit is made unable to write first."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mailsync.explaining.types import Explained, Open, Quarantined, Said
from schema.db import Unit
from schema.ids import MessageId, ReadingId
from schema.query import Query, Statement
from schema.vocabulary import ContinuedBy, EventKind, ReadingStage, SpanSource


class _SampleRow(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    sent_at: datetime | None
    sender: str
    subject: str
    reading_id: ReadingId | None
    stage: ReadingStage | None
    version: int | None
    state: str | None
    kept_because: ContinuedBy | None
    continues_id: MessageId | None


class _SaidRow(msgspec.Struct, frozen=True, kw_only=True):
    reading_id: ReadingId
    kind: EventKind
    reason: str | None
    rule: str
    source: SpanSource | None
    start: int | None
    end: int | None
    text: str | None


READ_ONLY = Statement("explaining.read_only", "SELECT set_config('transaction_read_only', 'on', true)")
SAMPLE = Query(
    "explaining.sample",
    _SampleRow,
    """WITH picked AS (
         SELECT id FROM messages WHERE kept <> 'identity'
         ORDER BY md5(%(seed)s::text || ' ' || id::text), id LIMIT %(limit)s)
       SELECT g.id AS message_id, g.sent_at, g.sender_address AS sender, g.subject, c.id AS reading_id,
         c.stage, c.version, c.state, g.kept_because, g.continues_id
       FROM messages g
       LEFT JOIN LATERAL (
         SELECT r.id, r.stage, r.version, r.state FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c ON true
       WHERE g.id IN (SELECT id FROM picked)
       ORDER BY md5(%(seed)s::text || ' ' || g.id::text), g.id""",
)
SAID = Query(
    "explaining.said",
    _SaidRow,
    """SELECT reading_id, kind, reason, rule, span_source AS source, span_start AS start, span_end AS "end",
         span_text AS text
       FROM events WHERE message_id = ANY(%(message_ids)s::bigint[])
         AND reading_id = ANY(%(reading_ids)s::bigint[]) ORDER BY id""",
)
OPEN = Query(
    "explaining.open",
    Open,
    """SELECT k.id AS message_id, k.sender_address AS sender, k.subject, k.beginning,
         ARRAY(SELECT DISTINCT f.value FROM facts f WHERE f.account_id = o.account_id
               AND f.message_id = o.message_id AND f.reading_id = o.id
               AND f.name IN ('employer', 'role', 'requisition', 'contact', 'place')) AS names
       FROM readings o CROSS JOIN LATERAL (
         SELECT g.id, g.sender_address, g.subject, left(g.body, 600) AS beginning FROM messages g
         WHERE g.account_id = o.account_id AND g.id = o.message_id AND g.kept = 'whole'
           AND o.id = (SELECT max(r.id) FROM readings r
             WHERE r.account_id = g.account_id AND r.message_id = g.id
               AND r.stage IN ('structure', 'rules', 'local_model')) LIMIT 1) k
       WHERE o.state = 'open' AND o.undoes_id IS NULL AND o.stage IN ('structure', 'rules', 'local_model')
       ORDER BY k.id""",
)
QUARANTINE = Query(
    "explaining.quarantine",
    Quarantined,
    """SELECT q.id, q.created_at, q.code, q.size_bytes,
         coalesce(i.name, split_part(q.position, ':', 1)) AS door, q.position
       FROM quarantine q LEFT JOIN mail_imports i ON i.account_id = q.account_id AND i.id = q.import_id
       WHERE %(before)s::bigint IS NULL OR q.id < %(before)s::bigint
       ORDER BY q.id DESC LIMIT %(limit)s""",
)


async def only_read(unit: Unit) -> None:
    """From here on the unit can write nothing."""
    await unit.run(READ_ONLY)


async def sample(unit: Unit, *, number: int, seed: int) -> list[Explained]:
    """The same `number` messages for the same seed, as long as no message comes or goes."""
    rows = await unit.all(SAMPLE, seed=str(seed), limit=number)
    readings = [row.reading_id for row in rows if row.reading_id is not None]
    said: dict[ReadingId, list[Said]] = defaultdict(list)
    found = await unit.all(SAID, message_ids=[row.message_id for row in rows], reading_ids=readings)
    for event in found:
        said[event.reading_id].append(msgspec.convert(event, Said, from_attributes=True))
    return [_explained(row, said[row.reading_id] if row.reading_id else []) for row in rows]


async def left_open(unit: Unit) -> Sequence[Open]:
    """Every message that the deterministic stages left open, whoever told it since."""
    return await unit.all(OPEN)


async def quarantined(unit: Unit, *, before: int | None, limit: int) -> list[Quarantined]:
    """The latest first, of every door."""
    return await unit.all(QUARANTINE, before=before, limit=limit)


def _explained(row: _SampleRow, said: list[Said]) -> Explained:
    return Explained(
        message_id=row.message_id,
        sent_at=row.sent_at,
        sender=row.sender,
        subject=row.subject,
        stage=row.stage,
        version=row.version,
        is_open=row.state == "open",
        kept_because=row.kept_because,
        continues_id=row.continues_id,
        said=said,
    )
