"""The mailboxes at Gmail in short, for pages about something else. Only what is being read is counted."""

from datetime import datetime

import msgspec

from backend.mail.standing import NEEDS_PERSON, percent
from mailsync.gmail.ledger.store import counts
from mailsync.gmail.mailbox.store import Box, boxes
from mailsync.gmail.status import total
from mailsync.gmail.types import MailboxState
from schema.db import Unit
from schema.ids import MailboxId


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """`percent` None while nobody knows how much there is; `done` is counted only while it is read."""

    mailbox_id: MailboxId
    address: str
    state: MailboxState
    is_reading: bool
    done: int
    total: int | None
    paused_until: datetime | None

    @property
    def needs_person(self) -> bool:
        return self.state in NEEDS_PERSON

    @property
    def percent(self) -> int | None:
        return percent(self.done, self.total)

    @property
    def link(self) -> str:
        return f"/settings/mail/{self.mailbox_id}"

    @property
    def told(self) -> str:
        """What keeps it from being read, when the person can mend that."""
        words: dict[MailboxState, str] = {
            "grant_lost": "Google no longer lets Jobtrail read it.",
            "scope_declined": "The box for reading mail was left unticked at Google.",
            "refresh_missing": "Google gave no lasting access.",
        }
        return words.get(self.state, "")


async def briefs(unit: Unit, now: datetime) -> list[Brief]:
    """Those that are read right now or need the person first; what was disconnected is not told."""
    found = [await _brief(unit, box, now) for box in await boxes(unit) if box.state != "disconnected"]
    return sorted(found, key=lambda brief: (not brief.needs_person, not brief.is_reading))


async def _brief(unit: Unit, box: Box, now: datetime) -> Brief:
    is_reading = box.state == "connected" and box.phase != "in_step"
    counted = await counts(unit, box.mailbox_id) if is_reading else None
    paused = box.paused_until if box.paused_until is not None and box.paused_until > now else None
    return Brief(
        mailbox_id=box.mailbox_id,
        address=box.address,
        state=box.state,
        is_reading=is_reading,
        done=0 if counted is None else counted.stored + counted.not_kept + counted.quarantined,
        total=None if counted is None else total(box, counted),
        paused_until=paused,
    )
