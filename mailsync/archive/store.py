"""Imports of archives: what was asked for, how far each got, how it ended. The one writer of these rows.

Progress moves by compare-and-set on the position: a run that lost its lease while it was reading cannot
commit a batch that another run committed already, so counts are exact.
"""

from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from mailsync.mailboxes.store import mailbox_of
from schema.db import Unit
from schema.ids import AccountId, ImportId, MailboxId
from schema.query import Query, Statement
from schema.text import clean, shorten

ImportState = Literal["queued", "running", "done", "failed"]
MOST_DETAIL_CHARACTERS = 500


class Import(msgspec.Struct, frozen=True, kw_only=True):
    """One import. `position` is where reading goes on; counts add up to `seen`."""

    id: ImportId
    mailbox_id: MailboxId
    name: str
    path: str
    spooled: bool
    state: ImportState
    failure_code: str | None
    failure_detail: str | None
    position: str | None
    bytes_done: int
    bytes_total: int | None
    seen: int
    stored: int
    known: int
    not_kept: int
    quarantined: int
    created_at: datetime
    finished_at: datetime | None


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """What one batch came to."""

    seen: int = 0
    stored: int = 0
    known: int = 0
    not_kept: int = 0
    quarantined: int = 0


class _ImportId(msgspec.Struct, frozen=True, kw_only=True):
    id: ImportId


class _Address(msgspec.Struct, frozen=True, kw_only=True):
    address: str


class _Account(msgspec.Struct, frozen=True, kw_only=True):
    id: AccountId


class _Owner(msgspec.Struct, frozen=True, kw_only=True):
    account_id: AccountId | None


class _Path(msgspec.Struct, frozen=True, kw_only=True):
    path: str


CREATE = Query(
    "archive.create_import",
    _ImportId,
    """INSERT INTO mail_imports (mailbox_id, name, path, spooled, sha256, bytes_total, created_at)
       VALUES (%(mailbox_id)s, %(name)s, %(path)s, %(spooled)s, %(sha256)s, %(bytes_total)s, %(now)s)
       RETURNING id""",
)
BY_ID = Query(
    "archive.import_by_id",
    Import,
    """SELECT id, mailbox_id, name, path, spooled, state, failure_code, failure_detail, position, bytes_done,
         bytes_total, seen, stored, known, not_kept, quarantined, created_at, finished_at
       FROM mail_imports WHERE id = %(import_id)s""",
)
BEGIN = Statement(
    "archive.begin_import",
    """UPDATE mail_imports SET state = 'running', bytes_total = %(bytes_total)s, failure_code = NULL,
         failure_detail = NULL, finished_at = NULL
       WHERE id = %(import_id)s AND state <> 'done'""",
)
ADVANCE = Statement(
    "archive.advance_import",
    """UPDATE mail_imports SET position = %(position)s, bytes_done = %(bytes_done)s, seen = seen + %(seen)s,
         stored = stored + %(stored)s, known = known + %(known)s, not_kept = not_kept + %(not_kept)s,
         quarantined = quarantined + %(quarantined)s
       WHERE id = %(import_id)s AND state = 'running' AND position IS NOT DISTINCT FROM %(before)s::text""",
)
FINISH = Statement(
    "archive.finish_import",
    """UPDATE mail_imports SET state = 'done', bytes_done = coalesce(bytes_total, bytes_done),
         finished_at = %(now)s
       WHERE id = %(import_id)s AND state = 'running'""",
)
FAIL = Statement(
    "archive.fail_import",
    """UPDATE mail_imports SET state = 'failed', failure_code = %(code)s, failure_detail = %(detail)s,
         finished_at = %(now)s
       WHERE id = %(import_id)s AND state IN ('queued', 'running')""",
)
OWN_ADDRESSES = Query(
    "archive.own_addresses",
    _Address,
    """SELECT lower(email) AS address FROM accounts WHERE id = jobtrail_account()
       UNION SELECT lower(address) FROM mailboxes WHERE address <> ''
       UNION SELECT lower(own) FROM gmail_mailboxes, unnest(send_as) AS own
       UNION SELECT lower(document ->> 'email') FROM profiles
         WHERE revision = (SELECT max(revision) FROM profiles) AND document ->> 'email' <> ''""",
)
INSTALLATION_OWNER = Query(
    "archive.installation_owner", _Owner, "SELECT owner_account_id AS account_id FROM installation"
)
KNOWN_PATHS = Query(
    "archive.known_paths",
    _Path,
    "SELECT DISTINCT path FROM mail_imports WHERE path = ANY(%(paths)s::text[])",
)
WANTED_PATHS = Query(
    "archive.wanted_paths",
    _Path,
    """SELECT DISTINCT path FROM mail_imports
       WHERE path = ANY(%(paths)s::text[]) AND state IN ('queued', 'running')""",
)
EVERY_ACCOUNT = Query("archive.every_account", _Account, "SELECT id FROM accounts ORDER BY id")
HOLD_PATHS = Statement(
    "archive.hold_paths", "SELECT pg_advisory_xact_lock(hashtextextended('mail_imports', 0))"
)


async def create_import(
    unit: Unit,
    path: Path,
    *,
    name: str,
    size_bytes: int | None,
    spooled: bool,
    sha256: str | None,
    now: datetime,
) -> ImportId:
    mailbox_id = await mailbox_of(unit, "archive", "", now=now)
    row = await unit.one(
        CREATE,
        mailbox_id=mailbox_id,
        name=shorten(clean(name).strip() or "archive", 500),
        path=str(path),
        spooled=spooled,
        sha256=sha256,
        bytes_total=size_bytes,
        now=now,
    )
    return row.id


async def import_by_id(unit: Unit, import_id: ImportId) -> Import | None:
    """None when it does not exist or belongs to somebody else."""
    return await unit.maybe(BY_ID, import_id=import_id)


async def begin_import(unit: Unit, import_id: ImportId, bytes_total: int) -> None:
    """Set it running, one that failed before too: a replay goes on where it stood."""
    await unit.run(BEGIN, import_id=import_id, bytes_total=bytes_total)


async def advance_import(
    unit: Unit, import_id: ImportId, *, before: str | None, position: str, bytes_done: int, counts: Counts
) -> bool:
    """Whether the row still stood at `before`; False means that another run did this batch."""
    told = msgspec.structs.asdict(counts)
    touched = await unit.run(
        ADVANCE, import_id=import_id, before=before, position=position, bytes_done=bytes_done, **told
    )
    return touched == 1


async def finish_import(unit: Unit, import_id: ImportId, *, now: datetime) -> None:
    await unit.run(FINISH, import_id=import_id, now=now)


async def fail_import(unit: Unit, import_id: ImportId, code: str, detail: str, *, now: datetime) -> None:
    """`detail` names what was expected and found, never what a message says."""
    shown = shorten(clean(detail), MOST_DETAIL_CHARACTERS)
    await unit.run(FAIL, import_id=import_id, code=code, detail=shown, now=now)


async def own_addresses(unit: Unit) -> frozenset[str]:
    """Addresses whose mail is the person's own, in lower case."""
    return frozenset(row.address for row in await unit.all(OWN_ADDRESSES))


async def installation_owner(unit: Unit) -> AccountId | None:
    """Whose drop folder this installation has; None before the first visit."""
    row = await unit.maybe(INSTALLATION_OWNER)
    return row.account_id if row else None


async def paths_without_import(unit: Unit, paths: list[Path]) -> list[Path]:
    """Those nobody asked to import yet, held so until the unit ends: two daemons never ask for one twice."""
    await unit.run(HOLD_PATHS)
    known = {row.path for row in await unit.all(KNOWN_PATHS, paths=[str(path) for path in paths])}
    return [path for path in paths if str(path) not in known]


async def every_account(unit: Unit) -> list[AccountId]:
    """Whoever may have asked for an import on this installation."""
    return [row.id for row in await unit.all(EVERY_ACCOUNT)]


async def paths_still_wanted(unit: Unit, paths: list[Path]) -> list[Path]:
    """Those an import of this account has still to read."""
    rows = await unit.all(WANTED_PATHS, paths=[str(path) for path in paths])
    return [Path(row.path) for row in rows]
