"""The person's applications: the only writer of `applications`. Lists of them are read by `matcher/listing`.

What the person set (status, note, dismissal) is written only on their word. What one record leaves open a
later record of the same application may fill in; nothing known is overwritten, except what was only derived
from mail.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from matcher.aliases.store import expect_names, move_names, note_names, unnoted
from matcher.applications.rules import by_todays_rules, completed, has_old_keys, twin
from matcher.applications.types import (
    Application,
    Complete,
    Existing,
    Facts,
    NewApplication,
    OwnWords,
)
from matcher.decisions.store import hold_account, mark_attached_stale, mark_stale
from matcher.evidence.keys import keys_of_application
from matcher.pairs.store import find_pairs
from matcher.postings.store import known_posting
from matcher.timeline.store import RECEIVED_AT, restand
from schema.db import Unit
from schema.errors import Refusal
from schema.ids import ApplicationId
from schema.live import announce
from schema.query import Query, Statement
from schema.queue import CLICKED, enqueue
from schema.tasks import MatchAccount
from schema.text import clean
from schema.vocabulary import Stage


class AlreadyRecorded(Refusal):
    """There is another application to the same posting in your list."""

    code = "already_recorded"
    kind = "conflict"


class _Id(msgspec.Struct, frozen=True, kw_only=True):
    application_id: ApplicationId


EXISTING = Query(
    "applications.existing",
    Existing,
    """SELECT a.id AS application_id, a.origin, a.company_key, a.role_key, a.posting_id, a.canonical_url,
         a.platform, a.vendor_id, a.requisition_key, a.applied_at, a.applied_on, a.created_at,
         (SELECT min(g.sent_at) FROM attachments t
          JOIN messages g ON g.account_id = t.account_id AND g.id = t.message_id
          WHERE t.application_id = a.id) AS first_mail_at
       FROM applications a
       WHERE a.dismissed_at IS NULL AND a.id = ANY(ARRAY(
         SELECT id FROM applications WHERE posting_id = %(posting_id)s
         UNION SELECT id FROM applications WHERE canonical_url = %(canonical_url)s::text
         UNION SELECT id FROM applications WHERE vendor_id = %(vendor_id)s::text
         UNION SELECT id FROM applications
               WHERE company_key = %(company_key)s::text AND origin = 'derived'))""",
)
INSERT = Query(
    "applications.insert",
    _Id,
    """INSERT INTO applications (origin, company, company_key, role, role_key, posting_id, canonical_url,
         platform, board, vendor_id, requisition_id, requisition_key, applied_at, applied_on, note,
         created_at, updated_at)
       SELECT r.*, %(now)s, %(now)s
       FROM jsonb_to_record(%(row)s) AS r (origin text, company text, company_key text, role text,
         role_key text, posting_id bigint, canonical_url text, platform text, board text, vendor_id text,
         requisition_id text, requisition_key text, applied_at timestamptz, applied_on date, note text)
       RETURNING id AS application_id""",
)
COMPLETE = Statement(
    "applications.complete",
    """UPDATE applications a SET
         origin = CASE WHEN a.origin = 'derived' THEN r.origin ELSE a.origin END,
         company = CASE WHEN a.origin = 'derived' AND u.free THEN coalesce(r.company, a.company)
                        ELSE coalesce(a.company, r.company) END,
         company_key = CASE WHEN a.origin = 'derived' AND u.free THEN coalesce(r.company_key, a.company_key)
                            ELSE coalesce(a.company_key, r.company_key) END,
         role = CASE WHEN a.origin = 'derived' AND u.free THEN coalesce(r.role, a.role)
                     ELSE coalesce(a.role, r.role) END,
         role_key = CASE WHEN a.origin = 'derived' AND u.free THEN coalesce(r.role_key, a.role_key)
                         ELSE coalesce(a.role_key, r.role_key) END,
         posting_id = coalesce(a.posting_id, r.posting_id),
         canonical_url = coalesce(a.canonical_url, r.canonical_url),
         platform = coalesce(a.platform, r.platform), board = coalesce(a.board, r.board),
         vendor_id = coalesce(a.vendor_id, r.vendor_id),
         requisition_id = coalesce(a.requisition_id, r.requisition_id),
         requisition_key = coalesce(a.requisition_key, r.requisition_key),
         applied_at = CASE WHEN a.applied_on IS NULL THEN coalesce(a.applied_at, r.applied_at)
                           ELSE r.applied_at END,
         applied_on = CASE WHEN coalesce(a.applied_at, r.applied_at) IS NULL
                           THEN coalesce(a.applied_on, r.applied_on) END,
         note = CASE WHEN a.note = '' THEN r.note ELSE a.note END,
         updated_at = %(now)s
       FROM jsonb_to_record(%(row)s) AS r (origin text, company text, company_key text, role text,
         role_key text, posting_id bigint, canonical_url text, platform text, board text, vendor_id text,
         requisition_id text, requisition_key text, applied_at timestamptz, applied_on date, note text)
       CROSS JOIN LATERAL (SELECT NOT EXISTS (SELECT FROM application_edits e
         WHERE e.application_id = %(application_id)s AND e.undone_at IS NULL) AS free) u
       WHERE a.id = %(application_id)s""",
)
FACTS = Query(
    "applications.facts",
    Facts,
    """SELECT company, company_key, role, role_key, posting_id, canonical_url, platform, board, vendor_id,
         requisition_id, requisition_key, applied_at, applied_on
       FROM applications WHERE id = %(application_id)s""",
)
REWRITE = Statement(
    "applications.rewrite",
    """UPDATE applications SET (company, company_key, role, role_key, posting_id, canonical_url, platform,
         board, vendor_id, requisition_id, requisition_key, applied_at, applied_on, updated_at) = (
         SELECT r.*, %(now)s::timestamptz FROM jsonb_to_record(%(row)s) AS r (company text,
           company_key text, role text, role_key text, posting_id bigint, canonical_url text, platform text,
           board text, vendor_id text, requisition_id text, requisition_key text, applied_at timestamptz,
           applied_on date))
       WHERE id = %(application_id)s""",
)
SET_STATUS = Statement(
    "applications.set_status",
    """UPDATE applications SET status = %(status)s,
         status_at = CASE WHEN %(status)s::text IS NOT NULL THEN %(now)s::timestamptz END,
         updated_at = %(now)s
       WHERE id = %(application_id)s AND status IS DISTINCT FROM %(status)s::text""",
)
SET_NOTE = Statement(
    "applications.set_note",
    """UPDATE applications SET note = %(note)s, updated_at = %(now)s
       WHERE id = %(application_id)s AND note = coalesce(%(before)s::text, note)""",
)
DISMISS = Statement(
    "applications.dismiss",
    """UPDATE applications SET dismissed_at = coalesce(dismissed_at, %(now)s), updated_at = %(now)s
       WHERE id = %(application_id)s""",
)
UNDISMISS = Statement(
    "applications.undismiss",
    """UPDATE applications a SET dismissed_at = NULL, updated_at = %(now)s
       WHERE a.id = %(application_id)s AND NOT (a.origin = 'tracker' AND EXISTS (
         SELECT FROM applications b WHERE b.posting_id = a.posting_id AND b.id <> a.id
           AND b.origin = 'tracker' AND b.dismissed_at IS NULL))""",
)
ONE = Query(
    "applications.one",
    Application,
    f"""SELECT a.id AS application_id, a.origin, a.company, a.role, a.posting_id, a.canonical_url, a.platform,
         a.board, a.vendor_id, a.requisition_id, a.applied_at, a.applied_on, a.status, a.status_at,
         coalesce(s.stage, a.status, 'applied') AS stage, coalesce(s.mail_stage, 'applied') AS mail_stage,
         coalesce(s.messages, 0) AS messages, s.last_event_at, s.last_event_kind, a.note, a.created_at,
         a.updated_at, a.dismissed_at, a.merged_into_id,
         {RECEIVED_AT}
       FROM applications a
       LEFT JOIN standings s ON s.account_id = a.account_id AND s.application_id = a.id
       WHERE a.id = %(application_id)s""",  # noqa: S608 - a constant
)
STANDS_FOR = Query(
    "applications.stands_for",
    _Id,
    """SELECT coalesce(merged_into_id, id) AS application_id FROM applications
       WHERE id = %(application_id)s""",
)
RECORDS = Query(
    "applications.records",
    _Id,
    "SELECT id AS application_id FROM applications WHERE merged_into_id = %(application_id)s ORDER BY id",
)
MERGE = Statement(
    "applications.merge",
    """UPDATE applications SET merged_into_id = %(into)s, updated_at = %(now)s
       WHERE id = ANY(%(records)s::bigint[])""",
)
OWN = Query(
    "applications.own",
    OwnWords,
    "SELECT status, status_at, applied_at, applied_on FROM applications WHERE id = %(application_id)s",
)
SET_OWN = Statement(
    "applications.set_own",
    """UPDATE applications SET status = %(status)s, status_at = %(status_at)s, applied_at = %(applied_at)s,
         applied_on = %(applied_on)s, updated_at = %(now)s
       WHERE id = %(application_id)s""",
)

INSERT_MANY = Query(
    "applications.insert_many",
    _Id,
    """INSERT INTO applications (origin, company, company_key, role, role_key, posting_id, canonical_url,
         platform, board, vendor_id, requisition_id, requisition_key, applied_at, applied_on, note, status,
         status_at, dismissed_at, created_at, updated_at)
       SELECT r.*, %(now)s, %(now)s
       FROM jsonb_to_recordset(%(rows)s) AS r (origin text, company text, company_key text, role text,
         role_key text, posting_id bigint, canonical_url text, platform text, board text, vendor_id text,
         requisition_id text, requisition_key text, applied_at timestamptz, applied_on date, note text,
         status text, status_at timestamptz, dismissed_at timestamptz)
       RETURNING id AS application_id""",
)
REWRITE_MANY = Query(
    "applications.rewrite_many",
    _Id,
    """UPDATE applications a SET (origin, company, company_key, role, role_key, posting_id, canonical_url,
         platform, board, vendor_id, requisition_id, requisition_key, applied_at, applied_on, note, status,
         status_at, dismissed_at, updated_at) = (r.origin, r.company, r.company_key, r.role, r.role_key,
         r.posting_id, r.canonical_url, r.platform, r.board, r.vendor_id, r.requisition_id, r.requisition_key,
         r.applied_at, r.applied_on, r.note, r.status, r.status_at, r.dismissed_at, %(now)s::timestamptz)
       FROM jsonb_to_recordset(%(rows)s) AS r (application_id bigint, seen_at timestamptz, origin text,
         company text, company_key text, role text, role_key text, posting_id bigint, canonical_url text,
         platform text, board text, vendor_id text, requisition_id text, requisition_key text,
         applied_at timestamptz, applied_on date, note text, status text, status_at timestamptz,
         dismissed_at timestamptz)
       WHERE a.id = r.application_id AND a.updated_at = r.seen_at RETURNING a.id AS application_id""",
)
DISMISS_UNTOUCHED = Query(
    "applications.dismiss_untouched",
    _Id,
    """UPDATE applications a SET dismissed_at = coalesce(a.dismissed_at, %(now)s), updated_at = %(now)s
       FROM unnest(%(ids)s::bigint[], %(seen)s::timestamptz[]) AS w (id, seen_at)
       WHERE a.id = w.id AND a.updated_at = w.seen_at AND a.merged_into_id IS NULL
         AND NOT EXISTS (SELECT FROM applications o WHERE o.merged_into_id = a.id)
         AND NOT EXISTS (SELECT FROM matches m WHERE m.application_id = a.id AND m.by_person)
         AND NOT EXISTS (SELECT FROM fills f WHERE f.application_id = a.id)
         AND NOT EXISTS (SELECT FROM asks k WHERE k.application_id = a.id AND k.settled_by = 'person')
         AND NOT EXISTS (SELECT FROM acts c WHERE c.application_id = a.id AND c.actor = 'person')
       RETURNING a.id AS application_id""",
)
"""Nothing of the person's own is there: no word since it was recorded, no message, fill or ask of theirs."""


async def record_application(unit: Unit, new: NewApplication, *, now: datetime) -> ApplicationId:
    """Record that the person applied; the id of the application it is, new or known already.

    Safe to repeat. Messages that may be about it are matched again by a task of the same transaction.
    Raises `Missing` when `posting_id` names no posting.
    """
    await hold_account(unit)
    complete = completed(new, await known_posting(unit, new))
    existing = await unit.all(
        EXISTING,
        posting_id=complete.posting_id,
        canonical_url=complete.canonical_url,
        vendor_id=complete.vendor_id,
        company_key=complete.company_key,
    )
    known = twin(complete, existing, now)
    if known is None:
        return await insert_application(unit, complete, now=now)
    await _look_again(unit, known)
    await unit.run(COMPLETE, application_id=known, row=Jsonb(complete), now=now)
    await _changed(unit, known, now=now)
    return await stands_for(unit, known)


async def insert_application(
    unit: Unit, complete: Complete, *, now: datetime, ask_for_match: bool = True
) -> ApplicationId:
    """Record one that is known to be of its own; everybody but the matcher asks `record_application`."""
    inserted = await unit.one(INSERT, row=Jsonb(complete), now=now)
    await _changed(unit, inserted.application_id, now=now, ask_for_match=ask_for_match)
    return inserted.application_id


async def application(unit: Unit, application_id: ApplicationId) -> Application:
    """One record; of a merged one `merged_into_id` says which stands for it."""
    return await unit.one(ONE, application_id=application_id)


async def set_status(
    unit: Unit, application_id: ApplicationId, status: Stage | None, *, now: datetime
) -> None:
    """The person's own word; None gives the stage back to the timeline."""
    await hold_account(unit)
    await unit.one(FACTS, application_id=application_id)
    await unit.run(SET_STATUS, application_id=application_id, status=status, now=now)
    await _changed(unit, application_id, now=now)


async def put_status(
    unit: Unit, application_id: ApplicationId, status: Stage | None, *, at: datetime | None, now: datetime
) -> None:
    """A status that counts from another time than now: one that follows a message, or a word put back."""
    words = msgspec.structs.replace(await own_words(unit, application_id), status=status, status_at=at)
    await set_own_words(unit, application_id, words, now=now)
    await _changed(unit, application_id, now=now)


async def facts_of(unit: Unit, application_id: ApplicationId) -> Facts:
    return await unit.one(FACTS, application_id=application_id)


async def rewrite(unit: Unit, application_id: ApplicationId, facts: Facts, *, now: datetime) -> None:
    """For corrections only (`matcher/edits`): mail that fits what it was, or is now, is looked at again."""
    await _look_again(unit, application_id)
    await unit.run(REWRITE, application_id=application_id, row=Jsonb(facts), now=now)
    await follow(unit, [application_id], now=now)


async def set_note(
    unit: Unit, application_id: ApplicationId, note: str, *, now: datetime, before: str | None = None
) -> bool:
    """False, with nothing written, when the note is another than `before` by now."""
    await unit.one(FACTS, application_id=application_id)
    done = await unit.run(SET_NOTE, application_id=application_id, note=clean(note), before=before, now=now)
    announce(unit, "applications", application_id)
    return done > 0


async def dismiss(unit: Unit, application_id: ApplicationId, *, now: datetime) -> None:
    """Take it out of the list and out of matching; what the person attached to it stays attached."""
    await hold_account(unit)
    await unit.one(FACTS, application_id=application_id)
    await unit.run(DISMISS, application_id=application_id, now=now)
    await mark_attached_stale(unit, [application_id])
    await _changed(unit, application_id, now=now)


async def undismiss(unit: Unit, application_id: ApplicationId, *, now: datetime) -> None:
    """Takes `dismiss` back. Refused as `AlreadyRecorded` when the same posting was recorded since."""
    await hold_account(unit)
    await unit.one(FACTS, application_id=application_id)
    if not await unit.run(UNDISMISS, application_id=application_id, now=now):
        raise AlreadyRecorded
    await _changed(unit, application_id, now=now)


async def stands_for(unit: Unit, application_id: ApplicationId) -> ApplicationId:
    """The record itself, or the one it was merged into. Another account's is `Missing`."""
    return (await unit.one(STANDS_FOR, application_id=application_id)).application_id


async def merged_records(unit: Unit, application_id: ApplicationId) -> list[ApplicationId]:
    """The records merged into this one."""
    return [row.application_id for row in await unit.all(RECORDS, application_id=application_id)]


async def own_words(unit: Unit, application_id: ApplicationId) -> OwnWords:
    return await unit.one(OWN, application_id=application_id)


async def set_own_words(unit: Unit, application_id: ApplicationId, words: OwnWords, *, now: datetime) -> None:
    """For what carries the person's words from one place to another, and calls for what follows from it."""
    await unit.run(SET_OWN, application_id=application_id, now=now, **msgspec.structs.asdict(words))


async def merge_records(
    unit: Unit, records: Sequence[ApplicationId], into: ApplicationId | None, *, now: datetime
) -> None:
    """Have `into` stand for these records; None has each stand for itself again. The caller holds the
    account's lock and calls `follow` once all is in place."""
    await unit.run(MERGE, records=list(records), into=into, now=now)


async def follow(unit: Unit, application_ids: Iterable[ApplicationId], *, now: datetime) -> None:
    """What follows from records that were merged or parted."""
    ids = list(application_ids)
    await mark_attached_stale(unit, ids)
    await _changed(unit, *ids, now=now)


async def bring_keys_up(unit: Unit, *, now: datetime) -> int:
    """What was recorded past this store, or by rules that were others, is found by those of today; for how
    many, at most some hundreds at once. The caller holds the account's lock."""
    rows = await unnoted(unit)
    await note_names(unit, rows)
    for row in rows:
        if has_old_keys(row):
            facts = by_todays_rules(await facts_of(unit, row.application_id))
            await unit.run(REWRITE, application_id=row.application_id, row=Jsonb(facts), now=now)
            await move_names(unit, row.company_key, facts.company_key)
            await _look_again(unit, row.application_id)
    return len(rows)


async def _look_again(unit: Unit, application_id: ApplicationId) -> None:
    keys = await unit.one(FACTS, application_id=application_id)
    await expect_names(unit, application_id, keys.company)
    await mark_stale(unit, keys_of_application(keys))


async def _changed(
    unit: Unit, *application_ids: ApplicationId, now: datetime, ask_for_match: bool = True
) -> None:
    """What follows from any change to applications, in the same transaction."""
    for application_id in application_ids:
        await _look_again(unit, application_id)
    await restand(unit, application_ids)
    await find_pairs(unit, application_ids, now=now)
    if ask_for_match:
        # No dedupe key: a run that is just ending may have passed this application by.
        await enqueue(unit, MatchAccount(), priority=CLICKED)
    for application_id in application_ids:
        announce(unit, "applications", application_id)
