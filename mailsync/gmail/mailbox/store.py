"""The rows of connected mailboxes and of their gaps: grant, cursors, walk, troubles. Their one writer.

Cursors move in the same transaction as what they stand for, and only behind the fence of the turn, which the
sync takes first. A grant is changed only under the serial it was read with.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mailsync.gmail.types import Cycle, MailboxState, Phase
from schema.db import Unit
from schema.ids import MailboxId
from schema.query import Query, Statement


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """One mailbox. `walk` None: every list of its cycle is done."""

    mailbox_id: MailboxId
    address: str
    state: MailboxState
    google_id: str
    grant_serial: int
    grant_checked_at: datetime | None
    include_spam: bool
    narrow_query: str
    narrow_labels: list[str]
    send_as: list[str]
    phase: Phase
    cursor: str | None
    cursor_page: str | None
    cycle: Cycle
    walk: str | None
    walk_page: str | None
    walk_place: int
    walk_serial: int
    walk_since: datetime | None
    walk_restarts: int
    listed: bool
    history_good_at: datetime | None
    history_refusals: int
    relisted_at: datetime | None
    troubles: int
    last_error: str | None
    last_error_at: datetime | None
    last_success_at: datetime | None
    paused_until: datetime | None
    pace: float | None
    paced_at: datetime | None
    created_at: datetime


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """From `since` on Gmail no longer told what changed; filled once the mailbox was listed anew."""

    since: datetime | None
    found_at: datetime
    filled_at: datetime | None


_COLUMNS = """g.mailbox_id, m.address, g.state, g.google_id, g.grant_serial, g.grant_checked_at,
         g.include_spam, g.narrow_query, g.narrow_labels, g.send_as, g.phase, g.cursor, g.cursor_page,
         g.cycle, g.walk, g.walk_page, g.walk_place, g.walk_serial, g.walk_since, g.walk_restarts, g.listed,
         g.history_good_at, g.history_refusals, g.relisted_at, g.troubles, g.last_error, g.last_error_at,
         g.last_success_at, g.paused_until, g.pace, g.paced_at, g.created_at
       FROM gmail_mailboxes g JOIN mailboxes m ON m.account_id = g.account_id AND m.id = g.mailbox_id"""
BY_ID = Query("gmail_mailboxes.by_id", Box, f"SELECT {_COLUMNS} WHERE g.mailbox_id = %(mailbox_id)s")
LOCKED = Query(
    "gmail_mailboxes.locked", Box, f"SELECT {_COLUMNS} WHERE g.mailbox_id = %(mailbox_id)s FOR UPDATE OF g"
)
EVERY = Query("gmail_mailboxes.every", Box, f"SELECT {_COLUMNS} ORDER BY g.mailbox_id")
GRANT = Statement(
    "gmail_mailboxes.grant",
    """INSERT INTO gmail_mailboxes AS g (mailbox_id, state, google_id, grant_serial, granted_at,
         grant_checked_at, created_at)
       VALUES (%(mailbox_id)s, %(state)s, %(google_id)s, 1, %(now)s, %(now)s, %(now)s)
       ON CONFLICT (account_id, mailbox_id) DO UPDATE SET state = excluded.state,
         google_id = excluded.google_id, grant_serial = g.grant_serial + 1, granted_at = excluded.granted_at,
         grant_checked_at = excluded.granted_at, troubles = 0, last_error = NULL, last_error_at = NULL,
         paused_until = NULL""",
)
STAND = Statement(
    "gmail_mailboxes.stand",
    """UPDATE gmail_mailboxes SET state = %(state)s, last_error = %(code)s,
         last_error_at = CASE WHEN %(code)s::text IS NULL THEN NULL ELSE %(now)s::timestamptz END,
         paused_until = NULL, grant_serial = grant_serial + 1
       WHERE mailbox_id = %(mailbox_id)s AND grant_serial = %(serial)s""",
)
CHECKED = Statement(
    "gmail_mailboxes.checked",
    """UPDATE gmail_mailboxes SET grant_checked_at = %(now)s
       WHERE mailbox_id = %(mailbox_id)s AND grant_serial = %(serial)s AND state = 'connected'""",
)
BEGIN = Statement(
    "gmail_mailboxes.begin",
    """UPDATE gmail_mailboxes SET phase = 'listing', cursor = %(cursor)s, cursor_page = NULL,
         send_as = %(send_as)s::text[], cycle = 'first', walk = %(walk)s, walk_page = NULL, walk_place = 0,
         walk_serial = walk_serial + 1, history_good_at = %(now)s, last_success_at = %(now)s
       WHERE mailbox_id = %(mailbox_id)s""",
)
MOVE = Statement(
    "gmail_mailboxes.move",
    """UPDATE gmail_mailboxes SET cursor = %(cursor)s, cursor_page = %(page)s,
         history_good_at = CASE WHEN %(page)s::text IS NULL THEN %(now)s::timestamptz
                                ELSE history_good_at END,
         history_refusals = CASE WHEN %(page)s::text IS NULL THEN 0 ELSE history_refusals END,
         last_success_at = %(now)s
       WHERE mailbox_id = %(mailbox_id)s""",
)
WALK = Statement(
    "gmail_mailboxes.walk",
    """UPDATE gmail_mailboxes SET walk = %(walk)s, walk_page = %(page)s, walk_place = %(place)s,
         walk_restarts = CASE WHEN walk IS DISTINCT FROM %(walk)s THEN 0 ELSE walk_restarts END,
         listed = listed OR %(listed)s::boolean, last_success_at = %(now)s
       WHERE mailbox_id = %(mailbox_id)s AND walk_serial = %(serial)s""",
)
RESTART = Statement(
    "gmail_mailboxes.restart",
    """UPDATE gmail_mailboxes SET walk_page = NULL, walk_place = 0, walk_restarts = walk_restarts + 1
       WHERE mailbox_id = %(mailbox_id)s AND walk_serial = %(serial)s""",
)
REPLAY = Statement(
    "gmail_mailboxes.replay",
    "UPDATE gmail_mailboxes SET cursor_page = NULL WHERE mailbox_id = %(mailbox_id)s",
)
RELIST = Statement(
    "gmail_mailboxes.relist",
    """UPDATE gmail_mailboxes SET cursor = %(cursor)s, cursor_page = NULL, phase = 'listing', cycle = 'gap',
         walk = %(walk)s, walk_page = NULL, walk_place = 0, walk_serial = walk_serial + 1,
         walk_since = %(since)s, history_refusals = history_refusals + 1, relisted_at = %(now)s,
         listed = false
       WHERE mailbox_id = %(mailbox_id)s""",
)
GAP = Statement(
    "gmail_gaps.add",
    """INSERT INTO gmail_gaps (mailbox_id, since, found_at) VALUES (%(mailbox_id)s, %(since)s, %(now)s)""",
)
FILLED = Statement(
    "gmail_gaps.filled",
    "UPDATE gmail_gaps SET filled_at = %(now)s WHERE mailbox_id = %(mailbox_id)s AND filled_at IS NULL",
)
GAPS = Query(
    "gmail_gaps.latest",
    Gap,
    """SELECT since, found_at, filled_at FROM gmail_gaps WHERE mailbox_id = %(mailbox_id)s
       ORDER BY id DESC LIMIT %(limit)s""",
)
FORGET_GAPS = Statement("gmail_gaps.forget", "DELETE FROM gmail_gaps WHERE mailbox_id = %(mailbox_id)s")
PHASE = Statement(
    "gmail_mailboxes.phase",
    """UPDATE gmail_mailboxes SET phase = %(phase)s
       WHERE mailbox_id = %(mailbox_id)s AND phase <> %(phase)s AND phase <> 'starting'""",
)
WELL = Statement(
    "gmail_mailboxes.well",
    """UPDATE gmail_mailboxes SET troubles = 0, last_error = NULL, last_error_at = NULL, paused_until = NULL
       WHERE mailbox_id = %(mailbox_id)s AND (troubles > 0 OR last_error IS NOT NULL)""",
)
TROUBLE = Statement(
    "gmail_mailboxes.trouble",
    """UPDATE gmail_mailboxes SET troubles = troubles + %(counted)s, last_error = %(code)s,
         last_error_at = %(now)s, paused_until = %(until)s
       WHERE mailbox_id = %(mailbox_id)s""",
)
PACE = Statement(
    "gmail_mailboxes.pace",
    """UPDATE gmail_mailboxes SET pace = %(pace)s, paced_at = %(now)s, last_success_at = %(now)s,
         troubles = 0, last_error = NULL, last_error_at = NULL, paused_until = NULL
       WHERE mailbox_id = %(mailbox_id)s""",
)
NARROW = Statement(
    "gmail_mailboxes.narrow",
    """UPDATE gmail_mailboxes SET narrow_query = %(query)s, narrow_labels = %(labels)s::text[],
         include_spam = %(include_spam)s,
         phase = CASE WHEN phase = 'starting' THEN phase ELSE 'listing' END,
         walk = CASE WHEN phase = 'starting' THEN walk ELSE %(walk)s END,
         walk_page = NULL, walk_place = 0, walk_serial = walk_serial + 1, listed = false, cycle = 'first'
       WHERE mailbox_id = %(mailbox_id)s""",
)
RESET = Statement(
    "gmail_mailboxes.reset",
    """UPDATE gmail_mailboxes SET phase = 'starting', cursor = NULL, cursor_page = NULL, cycle = 'first',
         walk = NULL, walk_page = NULL, walk_place = 0, walk_since = NULL, listed = false,
         history_good_at = NULL, history_refusals = 0, relisted_at = NULL, pace = NULL, paced_at = NULL
       WHERE mailbox_id = %(mailbox_id)s""",
)


async def box(unit: Unit, mailbox_id: MailboxId) -> Box:
    """Raises `Missing`."""
    return await unit.one(BY_ID, mailbox_id=mailbox_id)


async def box_or_none(unit: Unit, mailbox_id: MailboxId) -> Box | None:
    return await unit.maybe(BY_ID, mailbox_id=mailbox_id)


async def locked_box(unit: Unit, mailbox_id: MailboxId) -> Box:
    return await unit.one(LOCKED, mailbox_id=mailbox_id)


async def boxes(unit: Unit) -> list[Box]:
    return await unit.all(EVERY)


async def grant(
    unit: Unit, mailbox_id: MailboxId, *, state: MailboxState, google_id: str, now: datetime
) -> None:
    """A consent was given, whole or not; what was synced before stays, and goes on from there."""
    await unit.run(GRANT, mailbox_id=mailbox_id, state=state, google_id=google_id, now=now)


async def stand(unit: Unit, found: Box, state: MailboxState, *, code: str | None, now: datetime) -> bool:
    """From now on in `state`; False when the grant is another one already."""
    touched = await unit.run(
        STAND, mailbox_id=found.mailbox_id, serial=found.grant_serial, state=state, code=code, now=now
    )
    return touched == 1


async def checked(unit: Unit, found: Box, *, now: datetime) -> bool:
    """The grant works; False when it is another one by now."""
    return await unit.run(CHECKED, mailbox_id=found.mailbox_id, serial=found.grant_serial, now=now) == 1


async def begin(
    unit: Unit, mailbox_id: MailboxId, *, cursor: str, send_as: Sequence[str], walk: str, now: datetime
) -> None:
    """The first sync starts: `cursor` was taken before anything is listed."""
    await unit.run(BEGIN, mailbox_id=mailbox_id, cursor=cursor, send_as=list(send_as), walk=walk, now=now)


async def move(unit: Unit, mailbox_id: MailboxId, *, cursor: str, page: str | None, now: datetime) -> None:
    """One page of history is recorded. With a page to go on with the cursor itself stays."""
    await unit.run(MOVE, mailbox_id=mailbox_id, cursor=cursor, page=page, now=now)


async def walk_on(
    unit: Unit, found: Box, *, walk: str | None, page: str | None, place: int, listed: bool, now: datetime
) -> bool:
    """One page is in the ledger; False when a person wants something else walked by now."""
    touched = await unit.run(
        WALK,
        mailbox_id=found.mailbox_id,
        serial=found.walk_serial,
        walk=walk,
        page=page,
        place=place,
        listed=listed,
        now=now,
    )
    return touched == 1


async def restart_walk(unit: Unit, found: Box) -> None:
    """Its page token died; ids that are in the ledger already stay as they are."""
    await unit.run(RESTART, mailbox_id=found.mailbox_id, serial=found.walk_serial)


async def replay_history(unit: Unit, mailbox_id: MailboxId) -> None:
    """Its page token died; what was recorded already says the same again."""
    await unit.run(REPLAY, mailbox_id=mailbox_id)


async def relist(
    unit: Unit,
    mailbox_id: MailboxId,
    *,
    cursor: str,
    since: datetime | None,
    walk: str,
    now: datetime,
) -> None:
    """The history ended: go on from `cursor`, and list what may have been missed, from `since` on first."""
    await unit.run(RELIST, mailbox_id=mailbox_id, cursor=cursor, since=since, walk=walk, now=now)
    await unit.run(GAP, mailbox_id=mailbox_id, since=since, now=now)


async def gaps_filled(unit: Unit, mailbox_id: MailboxId, *, now: datetime) -> None:
    await unit.run(FILLED, mailbox_id=mailbox_id, now=now)


async def gaps(unit: Unit, mailbox_id: MailboxId, *, limit: int = 20) -> list[Gap]:
    return await unit.all(GAPS, mailbox_id=mailbox_id, limit=limit)


async def set_phase(unit: Unit, mailbox_id: MailboxId, phase: Phase) -> bool:
    """Whether that is news."""
    return await unit.run(PHASE, mailbox_id=mailbox_id, phase=phase) == 1


async def is_well(unit: Unit, mailbox_id: MailboxId) -> None:
    await unit.run(WELL, mailbox_id=mailbox_id)


async def has_trouble(
    unit: Unit, mailbox_id: MailboxId, code: str, *, until: datetime | None, now: datetime, counts: bool
) -> None:
    """`counts`: the next rest is longer. A pause Google asked for counts in the buckets instead."""
    counted = 1 if counts else 0
    await unit.run(TROUBLE, mailbox_id=mailbox_id, code=code, until=until, now=now, counted=counted)


async def set_pace(unit: Unit, mailbox_id: MailboxId, pace: float | None, *, now: datetime) -> None:
    """Messages a minute; None while too few were measured."""
    await unit.run(PACE, mailbox_id=mailbox_id, pace=pace, now=now)


async def narrow(
    unit: Unit, mailbox_id: MailboxId, *, query: str, labels: Sequence[str], include_spam: bool, walk: str
) -> None:
    """Want something else of the mailbox: it is walked anew, and what is known is not fetched again."""
    await unit.run(
        NARROW, mailbox_id=mailbox_id, query=query, labels=list(labels), include_spam=include_spam, walk=walk
    )


async def reset(unit: Unit, mailbox_id: MailboxId) -> None:
    """As before the first sync: after all data of the mailbox was deleted, the cursor goes too."""
    await unit.run(RESET, mailbox_id=mailbox_id)
    await unit.run(FORGET_GAPS, mailbox_id=mailbox_id)
