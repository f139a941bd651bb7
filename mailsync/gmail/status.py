"""How each connected mailbox stands, for pages and commands: counts, pace, and an end that is not guessed."""

from datetime import datetime, timedelta

import msgspec

from mailsync.gmail.ledger import store as ledger
from mailsync.gmail.ledger.types import Counts, Quarantined
from mailsync.gmail.mailbox import store as mailbox
from mailsync.gmail.mailbox.store import Box, Gap
from mailsync.gmail.turns.store import Holder, holder_of
from mailsync.gmail.types import MailboxState, Phase, Who
from schema.clock import Clock
from schema.db import Database
from schema.ids import AccountId, MailboxId

_PACE_LASTS = timedelta(minutes=5)
_UNUSABLE = 2


class GmailStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One mailbox. Unknown is None: a total before everything is listed, a pace before it is measured.

    `history_usable` False: Gmail does not tell changes at present, and the mailbox is compared as a whole
    every hour. `holder` None: nobody syncs it at the moment.
    """

    mailbox_id: MailboxId
    address: str
    state: MailboxState
    phase: Phase
    is_recovering: bool
    counts: Counts
    total: int | None
    pace: float | None
    remaining: timedelta | None
    ready_at: datetime | None
    last_success_at: datetime | None
    last_error: str | None
    last_error_at: datetime | None
    paused_until: datetime | None
    history_usable: bool
    gaps: list[Gap]
    quarantined: list[Quarantined]
    narrow_query: str
    narrow_labels: list[str]
    include_spam: bool
    holder: Holder | None


async def gmail_status(db: Database, clock: Clock, account_id: AccountId) -> list[GmailStatus]:
    """Every Gmail mailbox of an account, oldest first."""
    found: list[GmailStatus] = []
    async with db.as_account(account_id) as unit:
        for box in await mailbox.boxes(unit):
            counts = await ledger.counts(unit, box.mailbox_id)
            bad = await ledger.quarantined(unit, box.mailbox_id) if counts.quarantined else []
            gaps = await mailbox.gaps(unit, box.mailbox_id)
            async with unit.in_fleet():
                holder = await holder_of(unit, Who(account_id=account_id, mailbox_id=box.mailbox_id))
            found.append(_status(box, counts, bad, gaps, holder, clock.now()))
    return found


def _status(
    box: Box, counts: Counts, bad: list[Quarantined], gaps: list[Gap], holder: Holder | None, now: datetime
) -> GmailStatus:
    pace = _pace(box, now)
    remaining = time_left(box, counts, pace)
    return GmailStatus(
        mailbox_id=box.mailbox_id,
        address=box.address,
        state=box.state,
        phase=box.phase,
        is_recovering=box.cycle == "gap" and box.walk is not None,
        counts=counts,
        total=total(box, counts),
        pace=pace,
        remaining=remaining,
        ready_at=None if remaining is None else now + remaining,
        last_success_at=box.last_success_at,
        last_error=box.last_error,
        last_error_at=box.last_error_at,
        paused_until=box.paused_until,
        history_usable=box.history_refusals < _UNUSABLE,
        gaps=gaps,
        quarantined=bad,
        narrow_query=box.narrow_query,
        narrow_labels=box.narrow_labels,
        include_spam=box.include_spam,
        holder=holder,
    )


def total(box: Box, counts: Counts) -> int | None:
    """Messages that are or will be read; None until every id was listed."""
    done = counts.stored + counts.not_kept + counts.quarantined
    return done + counts.wanted if box.listed else None


def _pace(box: Box, now: datetime) -> float | None:
    """A pace that was measured long ago says nothing about now."""
    if box.pace is None or box.paced_at is None or abs(now - box.paced_at) > _PACE_LASTS:
        return None
    return box.pace


def time_left(box: Box, counts: Counts, pace: float | None) -> timedelta | None:
    """None when nobody can know: not listed yet, no pace, paused, or not connected."""
    if box.state != "connected" or not box.listed or box.paused_until is not None:
        return None
    if counts.wanted == 0:
        return timedelta()
    return None if pace is None else timedelta(minutes=counts.wanted / pace)
