"""What the matcher reads: messages to look at, the applications they could be about, and what others lend.

Every question is answered through an index, so that the cost of a message does not grow with the number of
applications. Reads only; decisions are written by `decisions/store.py`.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from matcher.decisions.types import Span
from matcher.evidence import keys
from matcher.evidence.forwarded import original_of
from matcher.evidence.go_between import without_go_betweens
from matcher.evidence.lookup import Lookup
from matcher.evidence.types import Candidate, Letter, Named
from schema.db import Unit
from schema.ids import ApplicationId, MessageId, ReadingId
from schema.query import Query
from schema.vocabulary import EventKind, FactName, ReadingStage, SpanSource, Stage

MOST_AKIN = 50
"""A name that more employers than this could go by is none that tells anything."""


class _MessageId(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId


class _ApplicationId(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId


class _Count(msgspec.Struct, frozen=True, kw_only=True):
    count: int


class _LetterRow(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    reading_id: ReadingId | None
    current_id: ReadingId | None
    sent_at: datetime | None
    from_owner: bool
    sender_address: str
    sender_name: str
    subject: str
    body: str
    rfc_message_id: str | None
    in_reply_to: str | None
    reference_ids: list[str]
    provider_thread: str | None
    is_forward: bool
    is_bulk: bool
    is_wordless: bool
    kinds: list[EventKind]


class _FactRow(msgspec.Struct, frozen=True, kw_only=True):
    message_id: MessageId
    reading_id: ReadingId
    stage: ReadingStage
    name: FactName
    value: str
    span_source: SpanSource
    span_start: int
    span_end: int


class _StageRow(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId
    stage: Stage


class _CompanyRow(msgspec.Struct, frozen=True, kw_only=True):
    company_key: str | None


PENDING = Query(
    "evidence.pending",
    _MessageId,
    """SELECT g.id AS message_id FROM messages g
       LEFT JOIN matches m ON m.account_id = g.account_id AND m.message_id = g.id
       WHERE g.id > %(after)s AND (m.stale OR EXISTS (
         SELECT FROM readings r WHERE r.account_id = g.account_id AND r.message_id = g.id
           AND r.id > coalesce(m.reading_id, 0)))
       ORDER BY g.id LIMIT %(limit)s""",
)
PENDING_COUNT = Query(
    "evidence.pending_count",
    _Count,
    """SELECT count(*)::int AS count FROM messages g
       LEFT JOIN matches m ON m.account_id = g.account_id AND m.message_id = g.id
       WHERE m.stale OR EXISTS (
         SELECT FROM readings r WHERE r.account_id = g.account_id AND r.message_id = g.id
           AND r.id > coalesce(m.reading_id, 0))""",
)
LETTERS = Query(
    "evidence.letters",
    _LetterRow,
    """SELECT g.id AS message_id, n.reading_id, c.current_id, g.sent_at, g.from_owner, g.sender_address,
         g.sender_name, g.subject, coalesce(left(g.body, 20000), '') AS body, g.rfc_message_id,
         g.in_reply_to, g.reference_ids, g.provider_thread,
         coalesce((g.parsed->>'is_forward')::boolean, false) AS is_forward,
         coalesce((g.parsed->'bulk'->>'list_unsubscribe')::boolean, false) AS is_bulk,
         g.kept_because IS NOT DISTINCT FROM 'application' AS is_wordless,
         ARRAY(SELECT e.kind FROM events e WHERE e.account_id = g.account_id AND e.message_id = g.id
               AND e.reading_id = c.current_id ORDER BY e.id) AS kinds
       FROM messages g
       LEFT JOIN LATERAL (SELECT max(r.id) AS reading_id FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id) n ON true
       LEFT JOIN LATERAL (
         SELECT r.id AS current_id FROM readings r
         WHERE r.account_id = g.account_id AND r.message_id = g.id AND r.undoes_id IS NULL
           AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                           AND u.message_id = r.message_id AND u.undoes_id = r.id)
         ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1) c ON true
       WHERE g.id = ANY(%(message_ids)s::bigint[]) ORDER BY g.id""",
)
FACTS = Query(
    "evidence.facts",
    _FactRow,
    """SELECT f.message_id, f.reading_id, r.stage, f.name, f.value, f.span_source, f.span_start, f.span_end
       FROM facts f JOIN readings r ON r.account_id = f.account_id AND r.id = f.reading_id
       WHERE f.message_id = ANY(%(message_ids)s::bigint[]) ORDER BY f.id""",
)
BY_COMPANY = Query(
    "evidence.by_company",
    _ApplicationId,
    "SELECT id AS application_id FROM applications WHERE company_key = ANY(%(keys)s::text[])",
)
BY_LONE_TITLE = Query(
    "evidence.by_lone_title",
    _ApplicationId,
    """SELECT id AS application_id FROM applications
       WHERE split_part(role_key, ' |', 1) = ANY(%(keys)s::text[]) AND company_key IS NULL""",
)
BY_URL = Query(
    "evidence.by_url",
    _ApplicationId,
    "SELECT id AS application_id FROM applications WHERE canonical_url = ANY(%(keys)s::text[])",
)
BY_VENDOR = Query(
    "evidence.by_vendor",
    _ApplicationId,
    "SELECT id AS application_id FROM applications WHERE vendor_id = ANY(%(keys)s::text[])",
)
BY_REQUISITION = Query(
    "evidence.by_requisition",
    _ApplicationId,
    "SELECT id AS application_id FROM applications WHERE requisition_key = ANY(%(keys)s::text[])",
)
BY_BOARD = Query(
    "evidence.by_board",
    _ApplicationId,
    """SELECT a.id AS application_id
       FROM unnest(%(platforms)s::text[], %(boards)s::text[]) b (platform, board)
       JOIN applications a ON a.platform = b.platform AND a.board = b.board""",
)
BY_NAME = Query(
    "evidence.by_name",
    _ApplicationId,
    """SELECT f.application_id FROM unnest(%(keys)s::text[]) w (key)
       CROSS JOIN LATERAL (SELECT n.application_id FROM application_names n WHERE n.key = w.key
                           ORDER BY n.application_id LIMIT %(limit)s) f""",
)
CANDIDATES = Query(
    "evidence.candidates",
    Candidate,
    """SELECT t.id AS application_id, a.id AS record_id, a.company, a.company_key, a.role, a.canonical_url,
         a.platform, a.board, a.vendor_id, a.requisition_id, a.requisition_key, a.applied_at, a.applied_on,
         coalesce(p.locations, '{}') AS places, a.origin = 'derived' AS is_derived,
         least(CASE WHEN t.status IN ('rejected', 'withdrawn', 'closed') THEN t.status_at END,
               (SELECT min(g.sent_at)
                FROM (SELECT t.id AS record_id UNION ALL
                      SELECT i.id FROM applications i WHERE i.merged_into_id = t.id OFFSET 0) o
                JOIN matches m ON m.anchor_application_id = o.record_id
                JOIN messages g ON g.account_id = m.account_id AND g.id = m.message_id
                WHERE EXISTS (
                  SELECT FROM events e WHERE e.account_id = m.account_id AND e.message_id = m.message_id
                    AND e.kind IN ('rejection', 'position_closed', 'withdrawal_confirmed')
                    AND e.reading_id = (
                      SELECT r.id FROM readings r
                      WHERE r.account_id = m.account_id AND r.message_id = m.message_id
                        AND r.undoes_id IS NULL
                        AND NOT EXISTS (SELECT FROM readings u WHERE u.account_id = r.account_id
                                        AND u.message_id = r.message_id AND u.undoes_id = r.id)
                      ORDER BY (r.stage = 'person') DESC, r.id DESC LIMIT 1)))) AS ended_at
       FROM (SELECT DISTINCT coalesce(f.merged_into_id, f.id) AS id
             FROM applications f WHERE f.id = ANY(%(application_ids)s::bigint[])) w
       CROSS JOIN LATERAL (SELECT t.id, t.status, t.status_at FROM applications t
                           WHERE t.id = w.id AND t.dismissed_at IS NULL OFFSET 0) t
       CROSS JOIN LATERAL (SELECT o.* FROM applications o WHERE o.id = t.id
                           UNION ALL
                           SELECT o.* FROM applications o WHERE o.merged_into_id = t.id OFFSET 0) a
       LEFT JOIN postings p ON p.id = a.posting_id
       ORDER BY a.id""",
)
STAGES = Query(
    "evidence.stages",
    _StageRow,
    "SELECT application_id, stage FROM standings WHERE application_id = ANY(%(application_ids)s::bigint[])",
)
SHARED_COMPANIES = Query(
    "evidence.shared_companies",
    _CompanyRow,
    """SELECT DISTINCT a.company_key FROM applications a
       WHERE a.id = ANY(%(application_ids)s::bigint[]) AND EXISTS (
         SELECT FROM applications b WHERE b.company_key = a.company_key AND b.id <> a.id)""",
)


async def pending(unit: Unit, *, after: MessageId, limit: int) -> list[MessageId]:
    """Messages that were read and not matched yet, read anew since, or marked stale; by id."""
    return [row.message_id for row in await unit.all(PENDING, after=after, limit=limit)]


async def pending_count(unit: Unit) -> int:
    return (await unit.one(PENDING_COUNT)).count


async def letters(unit: Unit, message_ids: Sequence[MessageId]) -> list[Letter]:
    """The messages with what their readings in force say; another account's id yields nothing."""
    rows = await unit.all(LETTERS, message_ids=list(message_ids))
    facts: dict[MessageId, list[_FactRow]] = defaultdict(list)
    for fact in await unit.all(FACTS, message_ids=list(message_ids)):
        facts[fact.message_id].append(fact)
    return [_letter(row, facts[row.message_id]) for row in rows]


async def candidates(unit: Unit, lookups: Iterable[Lookup], lent: Iterable[ApplicationId]) -> list[Candidate]:
    """Every record of every application, not dismissed, that any of the lookups finds or that is lent."""
    found = list(lookups)
    asked = (
        (BY_COMPANY, {key for item in found for key in item.companies}),
        (BY_LONE_TITLE, {key for item in found for key in item.titles}),
        (BY_URL, {url for item in found for url in item.canonical_urls}),
        (BY_VENDOR, {vendor for item in found for vendor in item.vendor_ids}),
        (BY_REQUISITION, {key for item in found for key in item.requisitions}),
    )
    ids = set(lent)
    # One index each: in a single statement the planner may prefer to read every application.
    for query, wanted in asked:
        ids |= {row.application_id for row in await unit.all(query, keys=sorted(wanted))} if wanted else set()
    if akin := sorted({name for item in found for name in item.akin}):
        rows = await unit.all(BY_NAME, keys=akin, limit=MOST_AKIN)
        ids |= {row.application_id for row in rows}
    if boards := sorted({board for item in found for board in item.boards}):
        platforms, names = zip(*boards, strict=True)
        rows = await unit.all(BY_BOARD, platforms=list(platforms), boards=list(names))
        ids |= {row.application_id for row in rows}
    return await unit.all(CANDIDATES, application_ids=sorted(ids)) if ids else []


async def stages(unit: Unit, application_ids: Iterable[ApplicationId]) -> dict[ApplicationId, Stage]:
    rows = await unit.all(STAGES, application_ids=sorted(set(application_ids)))
    return {row.application_id: row.stage for row in rows}


async def companies_with_several(unit: Unit, application_ids: Iterable[ApplicationId]) -> frozenset[int]:
    """Keys of those companies among these applications where the person applied more than once."""
    rows = await unit.all(SHARED_COMPANIES, application_ids=sorted(set(application_ids)))
    return keys.hashed(keys.company(row.company_key) for row in rows if row.company_key)


def _letter(row: _LetterRow, facts: list[_FactRow]) -> Letter:
    cites = dict.fromkeys(([row.in_reply_to] if row.in_reply_to else []) + row.reference_ids)
    letter = Letter(
        message_id=row.message_id,
        reading_id=row.reading_id,
        sent_at=row.sent_at,
        from_owner=row.from_owner,
        sender_address=row.sender_address,
        sender_name=row.sender_name,
        subject=row.subject,
        body=row.body,
        rfc_message_id=row.rfc_message_id,
        cites=tuple(cites),
        thread=row.provider_thread,
        kinds=tuple(dict.fromkeys(row.kinds)),
        is_bulk=row.is_bulk,
        is_wordless=row.is_wordless,
        named=tuple(_named(fact) for fact in _in_force(facts, row.current_id)),
    )
    return without_go_betweens(original_of(letter) if row.from_owner and row.is_forward else letter)


def _in_force(facts: list[_FactRow], current_id: ReadingId | None) -> list[_FactRow]:
    """A person's correction says what a message means; what it names was read before. A language model only
    adds what nothing before it had named."""
    read = [fact for fact in facts if fact.stage != "language_model"]
    source = current_id if any(fact.reading_id == current_id for fact in read) else None
    source = source or max((fact.reading_id for fact in read), default=None)
    found = [fact for fact in read if fact.reading_id == source]
    names = {fact.name for fact in found}
    added = [fact for fact in facts if fact.stage == "language_model" and fact.name not in names]
    newest = max((fact.reading_id for fact in added), default=None)
    return [*found, *(fact for fact in added if fact.reading_id == newest)]


def _named(fact: _FactRow) -> Named:
    span = Span(source=fact.span_source, start=fact.span_start, end=fact.span_end)
    # The local model tells what a message says; what it names was read by rules all the same.
    sure = fact.stage != "language_model"
    return Named(name=fact.name, value=fact.value, span=span, sure=sure)
