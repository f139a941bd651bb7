"""What `jobtrail mail sync` does: one turn at each connected mailbox of an account, in this process."""

from uuid import uuid4

import msgspec

from backend.cli import store
from mailsync.classify import screen
from mailsync.gmail.keeper import Keeper, surroundings
from mailsync.gmail.ledger.store import rescreen
from mailsync.gmail.status import GmailStatus, gmail_status
from mailsync.gmail.types import Who
from schema.clock import SystemClock
from schema.db import Database
from schema.errors import HeldElsewhere, Refusal
from schema.ids import AccountId
from schema.secrets.keys import ensure
from schema.settings import Settings


class NoMailbox(Refusal):
    """No Gmail mailbox is connected; connect one on the settings page."""

    code = "no_mailbox_connected"
    kind = "conflict"


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How the mailboxes stand after the turn."""

    mailboxes: list[GmailStatus]


async def sync_mail(database: Database, settings: Settings, email: str, *, screen_again: bool) -> Ended:
    """Raises `NoMailbox`, or `HeldElsewhere` naming the daemon that is at it."""
    clock = SystemClock()
    account_id = await store.account_named(database, email)
    keeper = Keeper(surroundings(database, clock, settings, ensure(settings.home, clock)), uuid4())
    connected = await _connected(database, clock, account_id)
    try:
        for each in connected:
            if screen_again:
                await _want_again(database, account_id, each)
            if not await keeper.once(Who(account_id=account_id, mailbox_id=each.mailbox_id)):
                name = each.holder.name if each.holder else None
                raise HeldElsewhere(f"{each.address} is being synced by {name or 'another process'}.")
    finally:
        await keeper.stop()
    return Ended(mailboxes=await _connected(database, clock, account_id, also_lost=True))


async def _want_again(database: Database, account_id: AccountId, each: GmailStatus) -> None:
    async with database.as_account(account_id) as unit:
        await rescreen(unit, each.mailbox_id, version=screen.VERSION)


async def _connected(
    database: Database, clock: SystemClock, account_id: AccountId, *, also_lost: bool = False
) -> list[GmailStatus]:
    every = await gmail_status(database, clock, account_id)
    found = [each for each in every if also_lost or each.state == "connected"]
    if not found:
        raise NoMailbox
    return found


def told(status: GmailStatus) -> str:
    """One line on a mailbox."""
    counts = status.counts
    line = (
        f"{status.address}: {counts.stored} kept, {counts.not_kept} not about jobs,"
        f" {counts.wanted} still to read, {counts.quarantined} unreadable"
    )
    if status.state != "connected":
        return f"{line}; it has to be connected anew ({status.state})"
    return f"{line}; stopped by {status.last_error}" if status.last_error else line
