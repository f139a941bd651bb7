"""Every message id of a mailbox, with what became of it. The one writer of `gmail_messages`.

Ids enter in the transaction that moves the cursor or the walk past them, and leave `wanted` in the one that
stores what was read. So nothing is skipped behind a cursor, and nothing that was read is fetched again.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from psycopg.types.json import Jsonb

from mailsync.classify.screen import NO_WORDS
from mailsync.gmail.ledger.types import Counts, Quarantined, Settled, Wanted
from mailsync.gmail.types import AGAIN, HIRING, NEW_MAIL, REST, Entry, GmailId, Known, Listed
from mailsync.gmail.walks.rules import Walk
from schema.db import Unit
from schema.ids import MailboxId
from schema.query import Query, Statement

SUSPECT_TRIES = 2
"""A message that was begun so often and never ended is fetched alone: it may be what ends the program."""


class _Exists(msgspec.Struct, frozen=True, kw_only=True):
    exists: bool


class _Time(msgspec.Struct, frozen=True, kw_only=True):
    at: datetime | None


KNOWN = Query(
    "gmail_messages.known",
    Known,
    """SELECT gmail_id, state, reason, labels, thread_id, message_id IS NOT NULL AS is_stored,
         content_sha256 IS NOT NULL AS is_read
       FROM gmail_messages WHERE mailbox_id = %(mailbox_id)s AND gmail_id = ANY(%(ids)s::text[])""",
)
RECORD = Statement(
    "gmail_messages.record",
    """INSERT INTO gmail_messages AS g (mailbox_id, gmail_id, state, reason, rank, place, thread_id, labels,
         seen_serial)
       SELECT %(mailbox_id)s, gmail_id, state, reason, %(rank)s, %(place)s, thread_id, labels, %(serial)s
       FROM jsonb_to_recordset(%(rows)s::jsonb)
         AS r (gmail_id text, state text, reason text, thread_id text, labels text[])
       ON CONFLICT (account_id, mailbox_id, gmail_id) DO UPDATE SET
         state = excluded.state, reason = excluded.reason, labels = excluded.labels,
         thread_id = excluded.thread_id, seen_serial = greatest(g.seen_serial, excluded.seen_serial),
         rank = CASE WHEN g.state = 'wanted' THEN least(g.rank, excluded.rank) ELSE excluded.rank END,
         place = CASE WHEN g.state = 'wanted' THEN g.place ELSE excluded.place END,
         tries = CASE WHEN g.state = 'wanted' THEN g.tries ELSE 0 END""",
)
WALKED = Statement(
    "gmail_messages.walked",
    # What was only missing from a list, or stood in the trash and is listed outside it, is back.
    """INSERT INTO gmail_messages AS g (mailbox_id, gmail_id, state, rank, place, thread_id, seen_serial)
       SELECT %(mailbox_id)s, gmail_id, 'wanted', %(rank)s,
         CASE WHEN %(oldest_first)s::boolean THEN -1 ELSE 1 END * (%(place)s::bigint + n), thread_id,
         %(serial)s
       FROM unnest(%(ids)s::text[], %(threads)s::text[]) WITH ORDINALITY AS listed (gmail_id, thread_id, n)
       ON CONFLICT (account_id, mailbox_id, gmail_id) DO UPDATE SET
         seen_serial = greatest(g.seen_serial, excluded.seen_serial),
         rank = CASE WHEN g.state = 'wanted' THEN least(g.rank, excluded.rank) ELSE g.rank END,
         place = CASE WHEN (g.state = 'wanted' AND g.rank <= excluded.rank)
                        OR g.state IN ('stored', 'not_kept', 'quarantined')
                      THEN g.place ELSE excluded.place END,
         state = CASE
           WHEN (g.state = 'gone' AND g.reason = 'absent')
             OR (g.state = 'left_out' AND g.reason IN ('spam', 'trash', 'not_labelled', 'narrowed'))
           THEN CASE WHEN g.message_id IS NOT NULL THEN 'stored'
                     WHEN g.content_sha256 IS NOT NULL THEN 'not_kept' ELSE 'wanted' END
           ELSE g.state END,
         reason = CASE
           WHEN (g.state = 'gone' AND g.reason = 'absent')
             OR (g.state = 'left_out' AND g.reason IN ('spam', 'trash', 'not_labelled', 'narrowed'))
           THEN CASE WHEN g.message_id IS NULL AND g.content_sha256 IS NOT NULL THEN 'seen_again' END
           ELSE g.reason END""",
)
LEFT_OUT = Statement(
    "gmail_messages.left_out",
    """INSERT INTO gmail_messages AS g (mailbox_id, gmail_id, state, reason, rank, place, thread_id, labels,
         seen_serial)
       SELECT %(mailbox_id)s, gmail_id, 'left_out', %(reason)s, %(rank)s, 0, thread_id, %(labels)s::text[],
         %(serial)s
       FROM unnest(%(ids)s::text[], %(threads)s::text[]) AS listed (gmail_id, thread_id)
       ON CONFLICT (account_id, mailbox_id, gmail_id) DO UPDATE SET
         seen_serial = greatest(g.seen_serial, excluded.seen_serial),
         reason = CASE WHEN g.state = 'wanted' THEN excluded.reason ELSE g.reason END,
         labels = CASE WHEN g.state = 'wanted' THEN excluded.labels ELSE g.labels END,
         state = CASE WHEN g.state = 'wanted' THEN 'left_out' ELSE g.state END""",
)
SEEN = Statement(
    "gmail_messages.seen",
    """UPDATE gmail_messages SET seen_serial = greatest(seen_serial, %(serial)s)
       WHERE mailbox_id = %(mailbox_id)s AND gmail_id = ANY(%(ids)s::text[])""",
)
SWEEP = Statement(
    "gmail_messages.sweep",
    """UPDATE gmail_messages SET state = 'gone', reason = 'absent'
       WHERE mailbox_id = %(mailbox_id)s AND seen_serial < %(serial)s AND state NOT IN ('gone', 'wanted')""",
)
NARROW = Statement(
    "gmail_messages.narrow",
    """UPDATE gmail_messages SET state = 'left_out', reason = 'narrowed'
       WHERE mailbox_id = %(mailbox_id)s AND state = 'wanted' AND rank IN (%(hiring)s, %(rest)s)""",
)
NEXT = Query(
    "gmail_messages.next",
    Wanted,
    # Nothing is put off that long: what seems so was put off by a clock that went wrong.
    """SELECT gmail_id, tries FROM gmail_messages
       WHERE mailbox_id = %(mailbox_id)s AND state = 'wanted' AND rank <= %(most_rank)s
         AND (not_before IS NULL OR not_before <= %(now)s OR not_before > %(now)s + interval '7 hours')
       ORDER BY rank, place LIMIT %(limit)s""",
)
BEGIN = Statement(
    "gmail_messages.begin",
    """UPDATE gmail_messages SET tries = tries + 1
       WHERE mailbox_id = %(mailbox_id)s AND gmail_id = ANY(%(ids)s::text[])""",
)
NOT_BEGUN = Statement(
    "gmail_messages.not_begun",
    """UPDATE gmail_messages SET tries = greatest(tries - 1, 0)
       WHERE mailbox_id = %(mailbox_id)s AND gmail_id = ANY(%(ids)s::text[]) AND state = 'wanted'""",
)
PUT_OFF = Statement(
    "gmail_messages.put_off",
    """UPDATE gmail_messages SET not_before = %(until)s
       WHERE mailbox_id = %(mailbox_id)s AND gmail_id = ANY(%(ids)s::text[]) AND state = 'wanted'""",
)
SETTLE = Statement(
    "gmail_messages.settle",
    # What a person narrowed away while it was being fetched has been read all the same.
    """UPDATE gmail_messages g SET state = r.state, reason = r.reason,
         thread_id = coalesce(r.thread_id, g.thread_id), labels = coalesce(r.labels, g.labels),
         message_id = coalesce(r.message_id, g.message_id),
         content_sha256 = coalesce(r.content_sha256, g.content_sha256), screen_version = r.screen_version,
         received_at = coalesce(r.received_at, g.received_at),
         size_bytes = coalesce(r.size_bytes, g.size_bytes),
         not_before = NULL, settled_at = %(now)s
       FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (gmail_id text, state text, reason text, thread_id text,
         labels text[], message_id bigint, content_sha256 text, screen_version integer,
         received_at timestamptz, size_bytes bigint)
       WHERE g.mailbox_id = %(mailbox_id)s AND g.gmail_id = r.gmail_id
         AND (g.state = 'wanted' OR (g.state = 'left_out' AND g.reason = 'narrowed'))""",
)
ANY_WANTED = Query(
    "gmail_messages.any_wanted",
    _Exists,
    """SELECT EXISTS (SELECT FROM gmail_messages WHERE mailbox_id = %(mailbox_id)s AND state = 'wanted'
         AND rank <= %(most_rank)s) AS exists""",
)
COUNTS = Query(
    "gmail_messages.counts",
    Counts,
    """SELECT count(*) FILTER (WHERE state = 'wanted') AS wanted,
         count(*) FILTER (WHERE state = 'stored') AS stored,
         count(*) FILTER (WHERE state = 'not_kept') AS not_kept,
         count(*) FILTER (WHERE state = 'left_out') AS left_out,
         count(*) FILTER (WHERE state = 'gone') AS gone,
         count(*) FILTER (WHERE state = 'quarantined') AS quarantined
       FROM gmail_messages WHERE mailbox_id = %(mailbox_id)s""",
)
NEWEST = Query(
    "gmail_messages.newest",
    _Time,
    "SELECT max(received_at) AS at FROM gmail_messages WHERE mailbox_id = %(mailbox_id)s",
)
QUARANTINED = Query(
    "gmail_messages.quarantined",
    Quarantined,
    """SELECT gmail_id, reason AS code, size_bytes, settled_at AS at FROM gmail_messages
       WHERE mailbox_id = %(mailbox_id)s AND state = 'quarantined'
       ORDER BY settled_at DESC NULLS LAST, gmail_id LIMIT %(limit)s""",
)
RESCREEN = Statement(
    "gmail_messages.rescreen",
    """UPDATE gmail_messages SET state = 'wanted', rank = %(rank)s, tries = 0, not_before = NULL
       WHERE mailbox_id = %(mailbox_id)s AND state = 'not_kept'
         AND (screen_version IS DISTINCT FROM %(version)s
              OR (reason = %(talk)s AND thread_id IN (
                SELECT l.thread_id FROM gmail_messages l
                WHERE l.mailbox_id = %(mailbox_id)s AND l.state = 'stored' AND l.thread_id IS NOT NULL)))
         AND (cardinality(%(reasons)s::text[]) = 0 OR reason = ANY(%(reasons)s::text[]))""",
)
WANT_THREADS = Statement(
    "gmail_messages.want_threads",
    """UPDATE gmail_messages SET state = 'wanted', rank = %(rank)s, tries = 0, not_before = NULL
       WHERE mailbox_id = %(mailbox_id)s AND state = 'not_kept' AND reason = %(talk)s
         AND thread_id = ANY(%(threads)s::text[])""",
)
TRY_AGAIN = Statement(
    "gmail_messages.try_again",
    """UPDATE gmail_messages SET state = 'wanted', reason = NULL, rank = %(rank)s, tries = 0,
         not_before = NULL
       WHERE mailbox_id = %(mailbox_id)s AND state = 'quarantined'""",
)
WANT_ELSEWHERE = Statement(
    "gmail_messages.want_elsewhere",
    """UPDATE gmail_messages SET state = 'wanted', rank = %(rank)s, tries = 0, not_before = NULL,
         content_sha256 = NULL
       WHERE mailbox_id <> %(mailbox_id)s AND state = 'stored' AND message_id IN (
         SELECT id FROM messages WHERE mailbox_id = %(mailbox_id)s ORDER BY id LIMIT %(limit)s)""",
)
FORGET = Statement(
    "gmail_messages.forget",
    """DELETE FROM gmail_messages WHERE mailbox_id = %(mailbox_id)s AND gmail_id IN (
         SELECT gmail_id FROM gmail_messages WHERE mailbox_id = %(mailbox_id)s LIMIT %(limit)s)""",
)


async def known(unit: Unit, mailbox_id: MailboxId, ids: Iterable[GmailId]) -> dict[GmailId, Known]:
    rows = await unit.all(KNOWN, mailbox_id=mailbox_id, ids=list(ids))
    return {row.gmail_id: row for row in rows}


async def record(
    unit: Unit, mailbox_id: MailboxId, entries: Sequence[Entry], *, serial: int, now: datetime
) -> None:
    """Write what the history told; what is new among it is fetched before everything else, newest first."""
    if entries:
        place = -int(now.timestamp() * 1000)
        await unit.run(
            RECORD, mailbox_id=mailbox_id, rows=Jsonb(entries), rank=NEW_MAIL, place=place, serial=serial
        )


async def walked(
    unit: Unit, mailbox_id: MailboxId, walk: Walk, items: Sequence[Listed], *, place: int, serial: int
) -> None:
    """Enter one page of a walk. `place` counts within the walk; the rest of a mailbox goes oldest first."""
    ids = [item.gmail_id for item in items]
    threads = [item.thread_id for item in items]
    if walk.purpose == "see":
        await unit.run(SEEN, mailbox_id=mailbox_id, ids=ids, serial=serial)
    elif walk.purpose == "leave_out":
        await unit.run(
            LEFT_OUT,
            mailbox_id=mailbox_id, ids=ids, threads=threads, reason=walk.reason, rank=walk.rank,
            labels=list(walk.labels), serial=serial,
        )  # fmt: skip
    else:
        await unit.run(
            WALKED,
            mailbox_id=mailbox_id, ids=ids, threads=threads, rank=walk.rank, place=place,
            oldest_first=walk.rank == REST, serial=serial,
        )  # fmt: skip


async def sweep(unit: Unit, mailbox_id: MailboxId, serial: int) -> int:
    """What no list of this cycle showed is gone; of what is still wanted, asking for it tells for certain."""
    return await unit.run(SWEEP, mailbox_id=mailbox_id, serial=serial)


async def narrow(unit: Unit, mailbox_id: MailboxId) -> None:
    """Forget what was wanted of the mailbox's past; the next walk wants again what it lists."""
    await unit.run(NARROW, mailbox_id=mailbox_id, hiring=HIRING, rest=REST)


async def begin(
    unit: Unit, mailbox_id: MailboxId, *, most_rank: int, limit: int, now: datetime
) -> list[Wanted]:
    """The next messages to fetch, counted as begun."""
    rows = await unit.all(NEXT, mailbox_id=mailbox_id, most_rank=most_rank, limit=limit, now=now)
    chosen = _together(rows)
    if chosen:
        await unit.run(BEGIN, mailbox_id=mailbox_id, ids=[row.gmail_id for row in chosen])
    return chosen


def _together(rows: list[Wanted]) -> list[Wanted]:
    """Up to the first suspect, or that one alone."""
    if rows and rows[0].tries >= SUSPECT_TRIES:
        return rows[:1]
    first = next((n for n, row in enumerate(rows) if row.tries >= SUSPECT_TRIES), len(rows))
    return rows[:first]


async def not_begun(unit: Unit, mailbox_id: MailboxId, ids: Sequence[GmailId]) -> None:
    """Google sent nothing for these, for reasons of its own: the try does not count."""
    if ids:
        await unit.run(NOT_BEGUN, mailbox_id=mailbox_id, ids=list(ids))


async def put_off(unit: Unit, mailbox_id: MailboxId, ids: Sequence[GmailId], until: datetime) -> None:
    if ids:
        await unit.run(PUT_OFF, mailbox_id=mailbox_id, ids=list(ids), until=until)


async def settle(unit: Unit, mailbox_id: MailboxId, rows: Sequence[Settled], *, now: datetime) -> None:
    if rows:
        await unit.run(SETTLE, mailbox_id=mailbox_id, rows=Jsonb(rows), now=now)


async def any_wanted(unit: Unit, mailbox_id: MailboxId, *, most_rank: int = AGAIN) -> bool:
    """Also those that were put off."""
    return (await unit.one(ANY_WANTED, mailbox_id=mailbox_id, most_rank=most_rank)).exists


async def counts(unit: Unit, mailbox_id: MailboxId) -> Counts:
    return await unit.one(COUNTS, mailbox_id=mailbox_id)


async def newest(unit: Unit, mailbox_id: MailboxId) -> datetime | None:
    """When Gmail received the newest message that was read, by its clock."""
    return (await unit.one(NEWEST, mailbox_id=mailbox_id)).at


async def quarantined(unit: Unit, mailbox_id: MailboxId, *, limit: int = 100) -> list[Quarantined]:
    return await unit.all(QUARANTINED, mailbox_id=mailbox_id, limit=limit)


async def rescreen(unit: Unit, mailbox_id: MailboxId, *, version: int, reasons: Sequence[str] = ()) -> int:
    """Want those again that another screen did not keep, or that stand in one thread with what was kept: for
    these reasons, or all. How many."""
    return await unit.run(
        RESCREEN,
        mailbox_id=mailbox_id, version=version, reasons=list(reasons), rank=AGAIN, talk=NO_WORDS,
    )  # fmt: skip


async def want_threads(unit: Unit, mailbox_id: MailboxId, threads: Sequence[str]) -> int:
    """Want what said nothing of jobs and stands in these threads again. How many."""
    if not threads:
        return 0
    return await unit.run(
        WANT_THREADS, mailbox_id=mailbox_id, threads=list(threads), rank=AGAIN, talk=NO_WORDS
    )


async def try_again(unit: Unit, mailbox_id: MailboxId) -> int:
    """Want what is in quarantine once more, after a release that may read it. How many."""
    return await unit.run(TRY_AGAIN, mailbox_id=mailbox_id, rank=AGAIN)


async def want_elsewhere(unit: Unit, mailbox_id: MailboxId, limit: int) -> None:
    """The first `limit` messages of this mailbox are about to be deleted: where others have them too, they
    are wanted from there."""
    await unit.run(WANT_ELSEWHERE, mailbox_id=mailbox_id, limit=limit, rank=AGAIN)


async def forget_some(unit: Unit, mailbox_id: MailboxId, limit: int) -> int:
    return await unit.run(FORGET, mailbox_id=mailbox_id, limit=limit)
