"""What a pass asks the database: what waits to be read again, and what stood about it before. Reads only.

Open messages are found by the index of open readings, so that a pass over a mailbox that is up to date looks
at the few that nobody can tell and at nothing else.
"""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from mailsync.messages.kept import StoredMessage
from mailsync.passes.rules import Before, Said, SaidEvent, SaidFact
from schema.db import Unit
from schema.ids import AccountId, MessageId, ReadingId
from schema.query import Query
from schema.vocabulary import EventKind, FactName, ReadingStage, SpanSource


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    id: MessageId


class _Account(msgspec.Struct, frozen=True, kw_only=True):
    id: AccountId


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    count: int


class _Yes(msgspec.Struct, frozen=True, kw_only=True):
    yes: bool


class _StandingRow(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    reading_id: ReadingId | None
    stage: ReadingStage | None
    state: str | None
    machine_id: ReadingId | None
    machine_stage: ReadingStage | None
    machine_state: str | None


class _EventRow(msgspec.Struct, frozen=True, kw_only=True):
    reading_id: ReadingId
    kind: EventKind
    reason: str | None
    rule: str
    source: SpanSource | None
    start: int | None
    end: int | None


class _FactRow(msgspec.Struct, frozen=True, kw_only=True):
    reading_id: ReadingId
    name: FactName
    value: str
    comparable: str
    source: SpanSource
    start: int
    end: int


_COUNTS = """(SELECT c.id FROM readings c
         WHERE c.account_id = g.account_id AND c.message_id = g.id AND c.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = c.account_id
                           AND u.message_id = c.message_id AND u.undoes_id = c.id)
         ORDER BY (c.stage = 'person') DESC, c.id DESC LIMIT 1)"""
# LIMIT 1 keeps the planner on the way from the few open readings to their messages, whatever it estimates.
_OPEN_READINGS = """SELECT k.id FROM readings o CROSS JOIN LATERAL (
         SELECT g.id, g.account_id, g.examined_version FROM messages g
         WHERE g.account_id = o.account_id AND g.id = o.message_id AND g.kept = 'whole' AND o.id = """
_OF_EACH = """ LIMIT 1) AS k WHERE o.state = 'open' AND o.undoes_id IS NULL"""
_OUTDATED = " AND k.examined_version < %(version)s"
_UNREAD = """ UNION ALL SELECT g.id FROM messages g
       WHERE g.kept = 'whole' AND g.examined_version IS NULL"""
_WHOLE = "SELECT k.id FROM messages k WHERE k.kept = 'whole'"
_ROWS, _NUMBER, _OF_THOSE = "SELECT w.id FROM (", "SELECT count(*)::int AS count FROM (", ") AS w"
_PAGE = """ WHERE %(before)s::bigint IS NULL OR w.id < %(before)s::bigint
       ORDER BY w.id DESC LIMIT %(limit)s"""
_OPEN = _OPEN_READINGS + _COUNTS + _OF_EACH
_WAITING = _OPEN + _OUTDATED + _UNREAD
_ALL_OUTDATED = _WHOLE + _OUTDATED + _UNREAD
WAITING = Query("passes.waiting", _Id, _ROWS + _WAITING + _OF_THOSE + _PAGE)
WAITING_COUNT = Query("passes.waiting_count", _Count, _NUMBER + _WAITING + _OF_THOSE)
OUTDATED = Query("passes.outdated", _Id, _ROWS + _ALL_OUTDATED + _OF_THOSE + _PAGE)
OUTDATED_COUNT = Query("passes.outdated_count", _Count, _NUMBER + _ALL_OUTDATED + _OF_THOSE)
OPEN_COUNT = Query("passes.open_count", _Count, _NUMBER + _OPEN + _OF_THOSE)
STORED = Query(
    "passes.stored",
    StoredMessage,
    """SELECT id, rfc_message_id, sent_at, sent_at_source, from_owner, sender_address, sender_name,
         recipients, subject, in_reply_to, reference_ids, provider_thread, coalesce(body, '') AS body,
         quoted, parsed, kept_because
       FROM messages WHERE id = ANY(%(message_ids)s::bigint[]) AND kept = 'whole' ORDER BY id DESC""",
)
_STANDING = """SELECT g.id AS message_id, c.id AS reading_id, c.stage, c.state, d.id AS machine_id,
         d.stage AS machine_stage, d.state AS machine_state
       FROM messages g
       LEFT JOIN LATERAL (SELECT r.id, r.stage, r.state FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id
           AND r.stage IN ('structure', 'rules', 'local_model')
         ORDER BY r.id DESC LIMIT 1) d ON true
       LEFT JOIN readings c ON c.account_id = g.account_id AND c.id = """
_OF_MESSAGES = " WHERE g.id = ANY(%(message_ids)s::bigint[])"
STANDING = Query("passes.standing", _StandingRow, _STANDING + _COUNTS + _OF_MESSAGES)
EVENTS = Query(
    "passes.events",
    _EventRow,
    """SELECT reading_id, kind, reason, rule, span_source AS source, span_start AS start, span_end AS "end"
       FROM events WHERE message_id = ANY(%(message_ids)s::bigint[])
         AND reading_id = ANY(%(reading_ids)s::bigint[]) ORDER BY id""",
)
FACTS = Query(
    "passes.facts",
    _FactRow,
    """SELECT reading_id, name, value, comparable, span_source AS source, span_start AS start,
         span_end AS "end"
       FROM facts WHERE message_id = ANY(%(message_ids)s::bigint[])
         AND reading_id = ANY(%(reading_ids)s::bigint[]) ORDER BY id""",
)
TOUCHED = Query(
    "passes.touched_by_person",
    _Id,
    """SELECT g.id FROM messages g WHERE g.id = ANY(%(message_ids)s::bigint[]) AND (
         EXISTS (SELECT FROM readings r WHERE r.account_id = g.account_id AND r.message_id = g.id
                 AND r.stage = 'person')
         OR EXISTS (SELECT FROM match_decisions d WHERE d.account_id = g.account_id AND d.message_id = g.id
                    AND d.actor = 'person'))""",
)
A_MATCH_WAITS = Query(
    "passes.a_match_waits",
    _Yes,
    """SELECT count(*) > 0 AS yes FROM tasks
       WHERE account_id = jobtrail_account() AND kind = %(kind)s AND status = 'pending'""",
)
ACCOUNTS = Query("passes.accounts", _Account, "SELECT id FROM accounts WHERE disabled_at IS NULL ORDER BY id")


async def waiting(
    unit: Unit, version: int, *, recheck: bool, before: MessageId | None, limit: int
) -> list[MessageId]:
    """What a stage older than `version` read last, the latest stored first: open messages, or all of them."""
    query = OUTDATED if recheck else WAITING
    return [row.id for row in await unit.all(query, version=version, before=before, limit=limit)]


async def waiting_count(unit: Unit, version: int, *, recheck: bool) -> int:
    return (await unit.one(OUTDATED_COUNT if recheck else WAITING_COUNT, version=version)).count


async def open_count(unit: Unit) -> int:
    """How many messages nobody can tell."""
    return (await unit.one(OPEN_COUNT)).count


async def stored(unit: Unit, message_ids: Sequence[MessageId]) -> list[StoredMessage]:
    return await unit.all(STORED, message_ids=list(message_ids))


async def standing(unit: Unit, message_ids: Sequence[MessageId]) -> dict[MessageId, Before]:
    """What counts for each message, and what the deterministic stages said last."""
    wanted = list(message_ids)
    rows = await unit.all(STANDING, message_ids=wanted)
    machine = [row.machine_id for row in rows if row.machine_id is not None]
    events: dict[ReadingId, list[SaidEvent]] = defaultdict(list)
    facts: dict[ReadingId, list[SaidFact]] = defaultdict(list)
    for event in await unit.all(EVENTS, message_ids=wanted, reading_ids=machine):
        events[event.reading_id].append(msgspec.convert(event, SaidEvent, from_attributes=True))
    for fact in await unit.all(FACTS, message_ids=wanted, reading_ids=machine):
        facts[fact.reading_id].append(msgspec.convert(fact, SaidFact, from_attributes=True))
    return {row.message_id: _before(row, events, facts) for row in rows}


async def touched_by_person(unit: Unit, message_ids: Sequence[MessageId]) -> frozenset[MessageId]:
    """Those a person ever said anything about, taken back or not."""
    return frozenset(row.id for row in await unit.all(TOUCHED, message_ids=list(message_ids)))


async def a_match_waits(unit: Unit, kind: str) -> bool:
    """Whether a match of this account is asked for that has not begun: it will see what is committed now."""
    return (await unit.one(A_MATCH_WAITS, kind=kind)).yes


async def accounts(unit: Unit) -> list[AccountId]:
    return [row.id for row in await unit.all(ACCOUNTS)]


def _before(
    row: _StandingRow,
    events: dict[ReadingId, list[SaidEvent]],
    facts: dict[ReadingId, list[SaidFact]],
) -> Before:
    said = None
    if row.machine_id is not None and row.machine_stage is not None:
        said = Said(
            stage=row.machine_stage,
            state="decided" if row.machine_state == "decided" else "open",
            events=tuple(events[row.machine_id]),
            facts=tuple(facts[row.machine_id]),
        )
    state = None if row.state is None else "decided" if row.state == "decided" else "open"
    return Before(reading_id=row.reading_id, stage=row.stage, state=state, said=said)
