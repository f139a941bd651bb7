"""An account is asked to be deleted: from then on nobody can sign in to it, and a task does the rest.

Access to Gmail is given back first, as when a mailbox is disconnected. For the page and the command line.
"""

import msgspec

from backend.accounts import store as accounts
from backend.mail.gmail import GmailDoor, who_of
from schema.clock import Clock
from schema.db import Database, Unit
from schema.errors import Refusal
from schema.ids import AccountId, TaskId
from schema.private import count_rows, private_tables
from schema.requests import request
from schema.tasks import DeleteAccount

SHOWN = {
    "applications": ("application", "applications"),
    "messages": ("message, with what was read from it", "messages, with everything that was read from them"),
    "match_decisions": ("decision about a message", "decisions about messages"),
    "profiles": ("version of the profile", "versions of the profile"),
    "documents": ("document", "documents"),
    "drafts": ("draft", "drafts"),
    "fills": ("filled form", "filled forms"),
    "gmail_mailboxes": ("mailbox at Google", "mailboxes at Google"),
    "mail_imports": ("archive of mail you brought in", "archives of mail you brought in"),
    "devices": ("paired browser", "paired browsers"),
    "saved_views": ("saved view", "saved views"),
}
"""What a person is told is lost, by table: one and many."""


class OwnerStays(Refusal):
    """The owner of this Jobtrail leaves last: other people still have an account here."""

    code = "owner_stays"
    kind = "conflict"


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """So many rows of one kind; `what` in words."""

    what: str
    rows: int


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """`unconfirmed`: mailboxes whose access Google did not confirm to have taken back."""

    task_id: TaskId
    unconfirmed: list[str]


async def what_is_lost(unit: Unit) -> list[Lost]:
    tables = {table.name: table for table in await private_tables(unit)}
    lost: list[Lost] = []
    for name, (one, many) in SHOWN.items():
        rows = await count_rows(unit, tables[name])
        lost.append(Lost(what=one if rows == 1 else many, rows=rows))
    return lost


async def require_may_leave(unit: Unit) -> None:
    """Raises `OwnerStays`."""
    owner = (await accounts.door(unit)).owner_account_id
    if owner == unit.owner and await accounts.has_others(unit):
        raise OwnerStays


async def leave(database: Database, clock: Clock, gmail: GmailDoor, account_id: AccountId) -> Left:
    """Give Gmail access back, then ask for the deletion. Raises `OwnerStays`; then nothing was changed."""
    async with database.as_account(account_id) as unit:
        await require_may_leave(unit)
    unconfirmed = await _disconnected(gmail, account_id)
    async with database.as_account(account_id) as unit:
        await accounts.begin_leaving(unit, clock.now())
        # After the invitations are withdrawn: whoever accepted one until now is seen here.
        await require_may_leave(unit)
        task_id = await request(unit, DeleteAccount(), dedupe_key=DeleteAccount.KIND)
    return Left(task_id=task_id, unconfirmed=unconfirmed)


async def _disconnected(gmail: GmailDoor, account_id: AccountId) -> list[str]:
    """Disconnect every mailbox; the addresses whose access Google did not confirm to have taken back."""
    unconfirmed: list[str] = []
    for status in await gmail.every(account_id):
        if status.state == "disconnected":
            continue
        try:
            done = await (await gmail.connections()).disconnect(who_of(account_id, status.mailbox_id))
        except Refusal:  # such as keys that cannot be read: no reason to keep somebody here
            unconfirmed.append(status.address)
            continue
        if not done.revoked:
            unconfirmed.append(status.address)
    return unconfirmed
