"""The SQL of the page Today: counts and latest changes across features, read and never written here."""

from datetime import datetime

import msgspec

from schema.db import Unit
from schema.ids import ApplicationId
from schema.query import Query
from schema.vocabulary import EventKind, Stage


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    """How much waits for the person: doubtful messages, statuses that newer mail proposes, records that may
    be one application, and what employers wait for."""

    doubtful: int
    proposals: int
    pairs: int
    asks: int

    @property
    def questions(self) -> int:
        """What only the review page answers; an ask is marked done where it is shown, too."""
        return self.doubtful + self.proposals + self.pairs

    @property
    def waiting(self) -> int:
        """All that stands in the queue of the review page."""
        return self.questions + self.asks


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """An application whose mail said something: the latest of it."""

    application_id: ApplicationId
    company: str | None
    role: str | None
    stage: Stage
    kind: EventKind | None
    at: datetime | None


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """Of how many applications the status followed the mail by itself."""

    applications: int


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """The account's tasks by where they stand."""

    waiting: int
    running: int
    failed_lately: int


class Import(msgspec.Struct, frozen=True, kw_only=True):
    """The latest import of mail."""

    id: int
    name: str
    state: str
    bytes_done: int
    bytes_total: int | None
    seen: int
    stored: int
    known: int
    not_kept: int
    quarantined: int
    created_at: datetime
    finished_at: datetime | None


class Workers(msgspec.Struct, frozen=True, kw_only=True):
    """Workers or mail daemons seen within a minute, and when the last one was, by the database's clock."""

    present: int
    last_seen_at: datetime | None


NEEDS = Query(
    "today.needs",
    Needs,
    """SELECT (SELECT count(*)::int FROM matches WHERE outcome = 'asks') AS doubtful,
         (SELECT count(*)::int FROM standings WHERE proposal IS NOT NULL AND NOT dismissed) AS proposals,
         (SELECT count(*)::int FROM pairs WHERE answer IS NULL) AS pairs,
         (SELECT count(*)::int FROM asks k
          JOIN applications a ON a.account_id = k.account_id AND a.id = k.application_id
          WHERE k.settled_at IS NULL AND a.dismissed_at IS NULL AND a.merged_into_id IS NULL) AS asks""",
)
CHANGES = Query(
    "today.changes",
    Change,
    """SELECT a.id AS application_id, a.company, a.role, s.stage, s.last_event_kind AS kind,
         s.last_event_at AS at
       FROM standings s JOIN applications a ON a.account_id = s.account_id AND a.id = s.application_id
       WHERE NOT s.dismissed AND s.last_event_at >= %(since)s AND s.last_event_kind IS NOT NULL
       ORDER BY s.last_event_at DESC, a.id DESC LIMIT %(limit)s""",
)
FOLLOWED = Query(
    "today.followed",
    Followed,
    """SELECT count(DISTINCT application_id)::int AS applications FROM acts
       WHERE about = 'status' AND actor = 'machine' AND undone_at IS NULL AND created_at >= %(since)s""",
)
WORK = Query(
    "today.work",
    Work,
    """SELECT count(*) FILTER (WHERE status IN ('pending', 'waiting', 'awaiting_batch'))::int AS waiting,
         count(*) FILTER (WHERE status = 'running')::int AS running,
         count(*) FILTER (WHERE status = 'failed' AND finished_at > now() - interval '1 day')::int
           AS failed_lately
       FROM tasks WHERE status NOT IN ('done', 'cancelled')""",
)
LAST_IMPORT = Query(
    "today.last_import",
    Import,
    """SELECT id, name, state, bytes_done, bytes_total, seen, stored, known, not_kept, quarantined,
         created_at, finished_at
       FROM mail_imports ORDER BY id DESC LIMIT 1""",
)
WORKERS = Query(
    "today.workers",
    Workers,
    """SELECT count(*) FILTER (WHERE stopped_at IS NULL
           AND last_seen_at > clock_timestamp() - interval '1 minute')::int AS present,
         max(last_seen_at) AS last_seen_at
       FROM workers""",
)

MAIL_DAEMONS = Query(
    "today.mail_daemons",
    Workers,
    """SELECT count(*) FILTER (WHERE stopped_at IS NULL
           AND last_seen_at > clock_timestamp() - interval '1 minute')::int AS present,
         max(last_seen_at) AS last_seen_at
       FROM mail_daemons""",
)


async def needs(unit: Unit) -> Needs:
    return await unit.one(NEEDS)


async def changes(unit: Unit, *, since: datetime, limit: int) -> list[Change]:
    """The applications that moved since then, the latest first."""
    return await unit.all(CHANGES, since=since, limit=limit)


async def followed(unit: Unit, *, since: datetime) -> int:
    """How many statuses followed the mail by themselves since then, and stand."""
    return (await unit.one(FOLLOWED, since=since)).applications


async def work(unit: Unit) -> Work:
    return await unit.one(WORK)


async def last_import(unit: Unit) -> Import | None:
    return await unit.maybe(LAST_IMPORT)


async def workers(unit: Unit) -> Workers:
    """In a unit of the fleet."""
    return await unit.one(WORKERS)


async def mail_daemons(unit: Unit) -> Workers:
    """The processes that sync mailboxes."""
    return await unit.one(MAIL_DAEMONS)
