"""The asks of each application, and the only writer of `asks`.

What mail opens and settles is recomputed; what the person settled stays settled whatever mail says, and
wherever its message is attached later: merged, taken apart, or moved.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime

import msgspec
from psycopg.types.json import Jsonb

from matcher.asks.rules import Ask, asks_of, due
from matcher.timeline.types import Event
from schema.db import Unit
from schema.errors import Missing
from schema.ids import ApplicationId, AskId, MessageId
from schema.live import announce
from schema.query import Query, Statement
from schema.vocabulary import AskKind


class OpenAsk(msgspec.Struct, frozen=True, kw_only=True):
    """What an employer waits for. `due_on` when only a day is known; `due_text` as the message says it."""

    ask_id: AskId
    application_id: ApplicationId
    message_id: MessageId
    kind: AskKind
    company: str | None
    role: str | None
    due_at: datetime | None
    due_on: date | None
    due_text: str | None
    opened_at: datetime


class AskRow(msgspec.Struct, frozen=True, kw_only=True):
    ask_id: AskId
    message_id: MessageId
    kind: AskKind
    due_at: datetime | None
    due_on: date | None
    due_text: str | None
    opened_at: datetime
    settled_at: datetime | None
    settled_by: str | None
    settling_message_id: MessageId | None


class _Deadline(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    value: str
    comparable: str


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    message_id: MessageId
    kind: AskKind
    due_at: datetime | None
    due_on: date | None
    due_text: str | None
    opened_at: datetime
    settled_at: datetime | None
    settling_message_id: MessageId | None


OPEN = Query(
    "asks.open",
    OpenAsk,
    """SELECT k.id AS ask_id, k.application_id, k.message_id, k.kind, a.company, a.role,
         k.due_at, k.due_on, k.due_text, k.opened_at
       FROM asks k JOIN applications a ON a.account_id = k.account_id AND a.id = k.application_id
       WHERE k.settled_at IS NULL AND a.dismissed_at IS NULL
       ORDER BY coalesce(k.due_at, k.due_on::timestamptz), k.opened_at, k.id LIMIT %(limit)s""",
)
OF_APPLICATION = Query(
    "asks.of_application",
    AskRow,
    """SELECT id AS ask_id, message_id, kind, due_at, due_on, due_text, opened_at, settled_at, settled_by,
         settling_message_id
       FROM asks WHERE application_id = %(application_id)s ORDER BY opened_at, id""",
)
DEADLINES = Query(
    "asks.deadlines",
    _Deadline,
    """SELECT DISTINCT ON (message_id) message_id, value, comparable FROM facts
       WHERE message_id = ANY(%(message_ids)s::bigint[]) AND name = 'deadline'
       ORDER BY message_id, reading_id DESC, id""",
)
WRITE = Statement(
    "asks.write",
    """INSERT INTO asks (application_id, message_id, kind, due_at, due_on, due_text, opened_at,
         settled_at, settled_by, settling_message_id)
       SELECT r.application_id, r.message_id, r.kind, r.due_at, r.due_on, r.due_text, r.opened_at,
         coalesce(p.settled_at, r.settled_at),
         CASE WHEN p.settled_at IS NOT NULL THEN 'person' WHEN r.settled_at IS NOT NULL THEN 'message' END,
         CASE WHEN p.settled_at IS NULL THEN r.settling_message_id END
       FROM jsonb_to_recordset(%(rows)s) AS r (application_id bigint, message_id bigint, kind text,
         due_at timestamptz, due_on date, due_text text, opened_at timestamptz, settled_at timestamptz,
         settling_message_id bigint)
       LEFT JOIN LATERAL (SELECT k.settled_at FROM asks k
         WHERE k.message_id = r.message_id AND k.kind = r.kind AND k.settled_by = 'person' LIMIT 1) p ON true
       ON CONFLICT (account_id, application_id, message_id, kind) DO UPDATE SET
         due_at = excluded.due_at, due_on = excluded.due_on, due_text = excluded.due_text,
         opened_at = excluded.opened_at, settled_at = excluded.settled_at,
         settled_by = excluded.settled_by, settling_message_id = excluded.settling_message_id
       WHERE asks.settled_by IS DISTINCT FROM 'person'""",
)
DROP_UNSAID = Statement(
    "asks.drop_unsaid",
    """DELETE FROM asks k WHERE k.application_id = ANY(%(application_ids)s::bigint[])
         AND k.settled_by IS DISTINCT FROM 'person'
         AND NOT EXISTS (
           SELECT FROM jsonb_to_recordset(%(rows)s) AS r (application_id bigint, message_id bigint, kind text)
           WHERE r.application_id = k.application_id AND r.message_id = k.message_id AND r.kind = k.kind)""",
)
SETTLE = Statement(
    "asks.settle",
    """UPDATE asks k SET settled_at = %(now)s, settled_by = 'person', settling_message_id = NULL
       FROM asks o
       WHERE o.id = %(ask_id)s AND k.message_id = o.message_id AND k.kind = o.kind
         AND k.settled_by IS DISTINCT FROM 'person'""",
)
REOPEN = Statement(
    "asks.reopen",
    """UPDATE asks k SET settled_at = NULL, settled_by = NULL
       FROM asks o
       WHERE o.id = %(ask_id)s AND k.message_id = o.message_id AND k.kind = o.kind
         AND k.settled_by = 'person'""",
)


class _Owner(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId


APPLICATION = Query("asks.application", _Owner, "SELECT application_id FROM asks WHERE id = %(ask_id)s")


async def open_asks(unit: Unit, *, limit: int = 50) -> list[OpenAsk]:
    """What waits for the person, the earliest due first, those without a date after them."""
    return await unit.all(OPEN, limit=limit)


async def asks_of_application(unit: Unit, application_id: ApplicationId) -> list[AskRow]:
    return await unit.all(OF_APPLICATION, application_id=application_id)


async def write_asks(unit: Unit, events: Mapping[ApplicationId, Iterable[Event]]) -> None:
    """Bring the asks of these applications in line with what their mail says now."""
    found = [(application_id, ask) for application_id, said in events.items() for ask in asks_of(said)]
    asked = sorted({ask.message_id for _, ask in found})
    deadlines = {row.message_id: row for row in await unit.all(DEADLINES, message_ids=asked)} if asked else {}
    rows = [_row(application_id, ask, deadlines.get(ask.message_id)) for application_id, ask in found]
    await unit.run(DROP_UNSAID, application_ids=list(events), rows=Jsonb(rows))
    if rows:
        await unit.run(WRITE, rows=Jsonb(rows))


async def settle_ask(unit: Unit, ask_id: AskId, *, now: datetime) -> None:
    """The person did it. Doing it twice changes nothing; another account's ask is `Missing`."""
    owner = await unit.one(APPLICATION, ask_id=ask_id)
    await unit.run(SETTLE, ask_id=ask_id, now=now)
    announce(unit, "applications", owner.application_id)


async def reopen_ask(unit: Unit, ask_id: AskId) -> None:
    """Takes back `settle_ask`; what a message settled stays settled."""
    owner = await unit.one(APPLICATION, ask_id=ask_id)
    if not await unit.run(REOPEN, ask_id=ask_id):
        raise Missing("This was not marked as done by you.")
    announce(unit, "applications", owner.application_id)


def _row(application_id: ApplicationId, ask: Ask, deadline: _Deadline | None) -> _Row:
    due_at, due_on = due(deadline.comparable) if deadline else (None, None)
    return _Row(
        application_id=application_id,
        message_id=ask.message_id,
        kind=ask.kind,
        due_at=due_at,
        due_on=due_on,
        due_text=deadline.value if deadline else None,
        opened_at=ask.opened_at,
        settled_at=ask.settled_at,
        settling_message_id=ask.settling_message_id,
    )
