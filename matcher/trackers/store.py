"""The files a person brought in, what became of each row, and the applications rows are compared with."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from matcher.applications.types import Complete, Kept, KnownPosting
from matcher.timeline.store import RECEIVED_AT
from matcher.trackers.outgoing import Exported
from matcher.trackers.rules import Face
from matcher.trackers.types import Mapping, Outcome, TrackerImport
from schema.db import Unit
from schema.ids import ApplicationId, TrackerImportId
from schema.query import Query, Statement
from schema.text import clean, shorten

NAME_MAX = 300
LISTED = 50


class RowKept(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one row, as it is kept. `replaced` is what stood in an application known already."""

    line: int
    outcome: Outcome
    identity: str | None = None
    application_id: ApplicationId | None = None
    written_at: datetime | None = None
    replaced: Kept | None = None
    reason: str | None = None
    cells: tuple[str, ...] | None = None


class RefusedRow(msgspec.Struct, frozen=True, kw_only=True):
    line: int
    reason: str
    cells: list[str]


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """An application this import made or completed, and has not taken back."""

    line: int
    application_id: ApplicationId
    written_at: datetime
    replaced: bytes | None

    @property
    def before(self) -> Kept | None:
        """What stood there before; None: it was new."""
        return None if self.replaced is None else msgspec.json.decode(self.replaced, type=Kept)


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    id: TrackerImportId


class _File(msgspec.Struct, frozen=True, kw_only=True):
    content: bytes | None
    mapping: bytes


class _Brought(msgspec.Struct, frozen=True, kw_only=True):
    identity: str
    application_id: ApplicationId


class _Done(msgspec.Struct, frozen=True, kw_only=True):
    line: int


class _Link(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId


_IMPORT = """SELECT id, name, state, rows_total, rows_new, rows_known, rows_refused, rows_kept, created_at,
  applied_at, undone_at FROM tracker_imports"""
ADD = Query(
    "trackers.add",
    _Id,
    """INSERT INTO tracker_imports (name, content, mapping, rows_total, created_at)
       VALUES (%(name)s, %(content)s, %(mapping)s, %(rows_total)s, %(now)s) RETURNING id""",
)
ONE = Query("trackers.one", TrackerImport, _IMPORT + " WHERE id = %(import_id)s")
LOCKED = Query("trackers.locked", TrackerImport, _IMPORT + " WHERE id = %(import_id)s FOR UPDATE")
ALL = Query("trackers.all", TrackerImport, _IMPORT + " ORDER BY id DESC LIMIT %(limit)s")
FILE = Query("trackers.file", _File, "SELECT content, mapping FROM tracker_imports WHERE id = %(import_id)s")
SET_MAPPING = Statement(
    "trackers.set_mapping",
    "UPDATE tracker_imports SET mapping = %(mapping)s WHERE id = %(import_id)s AND state = 'read'",
)
BEGIN = Statement(
    "trackers.begin",
    """UPDATE tracker_imports SET state = 'applying', applied_at = %(now)s
       WHERE id = %(import_id)s AND state = 'read'""",
)
BEGIN_UNDO = Statement(
    "trackers.begin_undo",
    "UPDATE tracker_imports SET state = 'undoing' WHERE id = %(import_id)s AND state = 'applied'",
)
FORGET = Statement(
    "trackers.forget", "DELETE FROM tracker_imports WHERE id = %(import_id)s AND state = 'read'"
)
FINISH = Statement(
    "trackers.finish",
    """UPDATE tracker_imports i SET state = 'applied', content = NULL,
         rows_new = c.new, rows_known = c.known, rows_refused = c.refused
       FROM (SELECT count(*) FILTER (WHERE outcome = 'new')::int AS new,
               count(*) FILTER (WHERE outcome = 'known')::int AS known,
               count(*) FILTER (WHERE outcome = 'refused')::int AS refused
             FROM tracker_rows WHERE import_id = %(import_id)s) c
       WHERE i.id = %(import_id)s AND i.state = 'applying'""",
)
UNDONE = Statement(
    "trackers.undone",
    """UPDATE tracker_imports i SET state = 'undone', undone_at = %(now)s,
         rows_kept = (SELECT count(*)::int FROM tracker_rows
                      WHERE import_id = %(import_id)s AND written_at IS NOT NULL AND NOT taken_back)
       WHERE i.id = %(import_id)s AND i.state = 'undoing'""",
)
ADD_ROWS = Statement(
    "trackers.add_rows",
    """INSERT INTO tracker_rows (import_id, line, outcome, identity, application_id, written_at, replaced,
         reason, cells)
       SELECT %(import_id)s, line, outcome, identity, application_id, written_at, replaced, reason, cells
       FROM jsonb_to_recordset(%(rows)s) AS r (line int, outcome text, identity text, application_id bigint,
         written_at timestamptz, replaced jsonb, reason text, cells text[])""",
)
LAST_LINE = Query(
    "trackers.last_line",
    _Done,
    "SELECT coalesce(max(line), 0) AS line FROM tracker_rows WHERE import_id = %(import_id)s",
)
REFUSED = Query(
    "trackers.refused",
    RefusedRow,
    """SELECT line, coalesce(reason, '') AS reason, coalesce(cells, '{}') AS cells FROM tracker_rows
       WHERE import_id = %(import_id)s AND outcome = 'refused' AND line > %(after)s
       ORDER BY line LIMIT %(limit)s""",
)
WRITTEN = Query(
    "trackers.written",
    Written,
    """SELECT r.line, a.id AS application_id, coalesce(r.written_at, 'infinity') AS written_at, r.replaced
       FROM tracker_rows r JOIN applications a ON a.id = r.application_id
       WHERE r.import_id = %(import_id)s AND r.written_at IS NOT NULL AND NOT r.taken_back
         AND r.line > %(after)s
       ORDER BY r.line LIMIT %(limit)s""",
)
TAKEN_BACK = Statement(
    "trackers.taken_back",
    """UPDATE tracker_rows SET taken_back = true
       WHERE import_id = %(import_id)s AND application_id = ANY(%(application_ids)s::bigint[])""",
)
BROUGHT = Query(
    "trackers.brought",
    _Brought,
    """SELECT DISTINCT ON (r.identity) coalesce(r.identity, '') AS identity, a.id AS application_id
       FROM tracker_rows r JOIN applications a ON a.id = r.application_id
       WHERE r.identity = ANY(%(identities)s::text[]) AND NOT r.taken_back
       ORDER BY r.identity, r.import_id DESC, r.line""",
)
TAKEN = Query(
    "trackers.taken",
    _Link,
    """SELECT DISTINCT a.id AS application_id
       FROM tracker_rows r JOIN applications a ON a.id = r.application_id
       WHERE r.import_id = %(import_id)s AND r.application_id = ANY(%(ids)s::bigint[])""",
)
MADE = Query(
    "trackers.made",
    _Link,
    """SELECT a.id AS application_id FROM tracker_rows r JOIN applications a ON a.id = r.application_id
       WHERE r.import_id = %(import_id)s AND r.outcome = 'new' AND NOT r.taken_back
       ORDER BY r.line LIMIT %(limit)s""",
)
# `IS TRUE` keeps the pairs a hashed look-up: joined, each would read all of its employer's applications.
FACES = Query(
    "trackers.faces",
    Face,
    f"""SELECT a.id AS application_id, a.origin, a.company_key, a.role_key, a.posting_id, a.canonical_url,
         a.platform, a.vendor_id, a.requisition_key, a.applied_at, a.applied_on, a.created_at,
         CASE WHEN a.origin = 'derived' THEN
           (SELECT min(g.sent_at) FROM attachments t
            JOIN messages g ON g.account_id = t.account_id AND g.id = t.message_id
            WHERE t.application_id = a.id) END AS first_mail_at,
         a.company, a.role, a.board, a.requisition_id, a.status, a.status_at, a.note,
         a.dismissed_at, a.updated_at, a.merged_into_id,
         {RECEIVED_AT},
         s.last_event_at AS heard_at
       FROM applications a
       LEFT JOIN standings s ON s.account_id = a.account_id AND s.application_id = a.id
       WHERE a.id = ANY(ARRAY(
         SELECT unnest(%(ids)s::bigint[])
         UNION SELECT id FROM applications WHERE canonical_url = ANY(%(urls)s::text[])
               AND (role_key IS NULL OR %(any_role)s OR role_key = ANY(%(roles)s::text[]))
         UNION SELECT id FROM applications WHERE vendor_id = ANY(%(vendor_ids)s::text[])
         UNION SELECT id FROM applications WHERE posting_id = ANY(%(posting_ids)s::bigint[])
         UNION SELECT id FROM applications WHERE company_key = ANY(%(company_keys)s::text[])
               AND ((company_key, coalesce(role_key, '')) IN (
                 SELECT * FROM unnest(%(company_keys)s::text[], %(job_roles)s::text[]))) IS TRUE
         UNION SELECT id FROM applications
               WHERE company_key IS NULL AND role_key = ANY(%(lone_roles)s::text[])))""",  # noqa: S608 - a constant
)
POSTINGS = Query(
    "trackers.postings",
    KnownPosting,
    """SELECT p.id AS posting_id, p.platform, p.vendor_id, p.board, p.requisition_id, p.title, p.company,
         p.canonical_url
       FROM unnest(%(platforms)s::text[], %(vendor_ids)s::text[]) AS w (platform, vendor_id)
       JOIN postings p ON p.platform = w.platform AND p.vendor_id = w.vendor_id""",
)

ONE_OF_SEVERAL = Query(
    "trackers.one_of_several",
    _Link,
    """SELECT coalesce(min(id), 0) AS application_id FROM applications
       WHERE company_key = ANY(%(company_keys)s::text[]) AND merged_into_id IS NULL
       GROUP BY company_key HAVING count(*) > 1 ORDER BY 1""",
)
EXPORTED = Query(
    "trackers.exported",
    Exported,
    """SELECT a.id AS application_id, a.company, a.role, coalesce(s.stage, a.status, 'applied') AS status,
         coalesce(a.status_at, s.last_event_at) AS status_at, a.status IS NOT NULL AS by_person, a.applied_at,
         a.applied_on, a.canonical_url, a.requisition_id, a.dismissed_at IS NOT NULL AS archived, a.note,
         a.origin, a.platform, a.created_at, s.last_event_kind, s.last_event_at
       FROM unnest(%(ids)s::bigint[]) WITH ORDINALITY w (id, place)
       JOIN applications a ON a.id = w.id
       LEFT JOIN standings s ON s.account_id = a.account_id AND s.application_id = a.id
       ORDER BY w.place""",
)


async def add_import(
    unit: Unit, *, name: str, content: bytes, mapping: Mapping, rows_total: int, now: datetime
) -> TrackerImportId:
    kept_name = shorten(clean(name).strip() or "A table", NAME_MAX)
    row = await unit.one(
        ADD, name=kept_name, content=content, mapping=Jsonb(mapping), rows_total=rows_total, now=now
    )
    return row.id


async def import_by_id(unit: Unit, import_id: TrackerImportId) -> TrackerImport:
    """Another account's is `Missing`."""
    return await unit.one(ONE, import_id=import_id)


async def import_held(unit: Unit, import_id: TrackerImportId) -> TrackerImport:
    """The same, and nobody else changes it to the end of the transaction."""
    return await unit.one(LOCKED, import_id=import_id)


async def imports(unit: Unit) -> list[TrackerImport]:
    """The newest first."""
    return await unit.all(ALL, limit=LISTED)


async def file_of(unit: Unit, import_id: TrackerImportId) -> tuple[bytes | None, Mapping]:
    """The file, until it is applied, and how it is read."""
    row = await unit.one(FILE, import_id=import_id)
    return row.content, msgspec.json.decode(row.mapping, type=Mapping)


async def set_mapping(unit: Unit, import_id: TrackerImportId, mapping: Mapping) -> bool:
    """False when it was applied meanwhile."""
    return await unit.run(SET_MAPPING, import_id=import_id, mapping=Jsonb(mapping)) == 1


async def begin(unit: Unit, import_id: TrackerImportId, now: datetime) -> bool:
    """False when it was applied already."""
    return await unit.run(BEGIN, import_id=import_id, now=now) == 1


async def begin_undo(unit: Unit, import_id: TrackerImportId) -> bool:
    """False when there is nothing to take back, or it is being taken back."""
    return await unit.run(BEGIN_UNDO, import_id=import_id) == 1


async def forget(unit: Unit, import_id: TrackerImportId) -> bool:
    """Drop a file that was not applied."""
    return await unit.run(FORGET, import_id=import_id) == 1


async def finish(unit: Unit, import_id: TrackerImportId) -> None:
    await unit.run(FINISH, import_id=import_id)


async def finish_undo(unit: Unit, import_id: TrackerImportId, now: datetime) -> None:
    await unit.run(UNDONE, import_id=import_id, now=now)


async def add_rows(unit: Unit, import_id: TrackerImportId, rows: Sequence[RowKept]) -> None:
    await unit.run(ADD_ROWS, import_id=import_id, rows=Jsonb(rows))


async def last_line(unit: Unit, import_id: TrackerImportId) -> int:
    """How far an import that was cut short has come; 0 at its start."""
    return (await unit.one(LAST_LINE, import_id=import_id)).line


async def refused_rows(
    unit: Unit, import_id: TrackerImportId, *, after: int = 0, limit: int
) -> list[RefusedRow]:
    return await unit.all(REFUSED, import_id=import_id, after=after, limit=limit)


async def written(unit: Unit, import_id: TrackerImportId, *, after: int, limit: int) -> list[Written]:
    """What can still be taken back, in the order of the file."""
    return await unit.all(WRITTEN, import_id=import_id, after=after, limit=limit)


async def mark_taken_back(
    unit: Unit, import_id: TrackerImportId, application_ids: Iterable[ApplicationId]
) -> None:
    await unit.run(TAKEN_BACK, import_id=import_id, application_ids=list(application_ids))


async def brought(unit: Unit, identities: Iterable[str]) -> dict[str, ApplicationId]:
    """The application of each row that was brought in before and not taken back."""
    rows = await unit.all(BROUGHT, identities=sorted(set(identities)))
    return {row.identity: row.application_id for row in rows}


async def taken(unit: Unit, import_id: TrackerImportId, ids: Iterable[ApplicationId]) -> set[ApplicationId]:
    """Those of these applications that earlier rows of an import are known as."""
    return {row.application_id for row in await unit.all(TAKEN, import_id=import_id, ids=list(ids))}


async def made(unit: Unit, import_id: TrackerImportId, *, limit: int) -> list[ApplicationId]:
    """The first of the applications that an import made."""
    return [row.application_id for row in await unit.all(MADE, import_id=import_id, limit=limit)]


async def faces(unit: Unit, ids: Iterable[ApplicationId], rows: Iterable[Complete] = ()) -> list[Face]:
    """These applications, and those that could be the same as one of the rows, dismissed ones included."""
    found = list(rows)
    roles = {each.role_key for each in found if each.canonical_url}
    jobs = sorted({(each.company_key, each.role_key or "") for each in found if each.company_key})
    return await unit.all(
        FACES,
        ids=sorted(set(ids)),
        urls=sorted({each.canonical_url for each in found if each.canonical_url}),
        any_role=None in roles,
        roles=sorted(role for role in roles if role),
        vendor_ids=sorted({each.vendor_id for each in found if each.vendor_id}),
        posting_ids=sorted({each.posting_id for each in found if each.posting_id}),
        company_keys=[company for company, _ in jobs],
        job_roles=[role for _, role in jobs],
        lone_roles=sorted({each.role_key for each in found if each.role_key and not each.company_key}),
    )


async def postings_at(unit: Unit, places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], KnownPosting]:
    """What the catalog knows of these platforms and their posting ids."""
    wanted = sorted(set(places))
    rows = await unit.all(
        POSTINGS, platforms=[each[0] for each in wanted], vendor_ids=[each[1] for each in wanted]
    )
    return {(row.platform, row.vendor_id): row for row in rows}


async def one_of_several(unit: Unit, company_keys: Iterable[str]) -> list[ApplicationId]:
    """One application of each of these employers that has more than one."""
    rows = await unit.all(ONE_OF_SEVERAL, company_keys=sorted(set(company_keys)))
    return [row.application_id for row in rows]


async def exported(unit: Unit, ids: Sequence[ApplicationId]) -> list[Exported]:
    """These applications as they leave, in this order."""
    return await unit.all(EXPORTED, ids=list(ids))
