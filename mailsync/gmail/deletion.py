"""`mail.delete.v1`: everything a disconnected mailbox brought goes, in portions that each commit as a whole.

The cursor goes first, then the ledger, then the mail: connected again behind a deletion that was cut short,
the mailbox is read anew, and no row of the ledger outlives its message and keeps that from coming back. What
another door brought first stays.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from mailsync.gmail.ledger import store as ledger
from mailsync.gmail.mailbox import store as mailbox
from mailsync.gmail.sync.rules import quarantine_of
from mailsync.gmail.types import Who
from mailsync.messages.store import delete_some, leave_quarantine
from pipeline.worker.types import Done, Permanent, TaskRun
from schema.db import Database, Unit
from schema.errors import Refusal
from schema.ids import MailboxId, TaskId
from schema.live import announce
from schema.queue import enqueue
from schema.requests import request
from schema.tasks import DeleteMail, MatchAccount

PORTION = 500
"""Messages in one transaction."""

Report = Callable[[int], Awaitable[None]]
"""Hears how many messages are deleted so far."""


class StillConnected(Refusal):
    """The mailbox is still connected: disconnect it first, or its mail would come back."""

    code = "mailbox_still_connected"
    kind = "conflict"


def deletion_key(mailbox_id: MailboxId) -> str:
    """One deletion of a mailbox at a time; pages find it by this key."""
    return f"{DeleteMail.KIND}:{mailbox_id}"


async def ask_for_deletion(unit: Unit, mailbox_id: MailboxId) -> TaskId:
    """Raises `StillConnected`, `AlreadyUnderWay`, and `Missing` for a mailbox that is not theirs."""
    await _leave_alone(unit, mailbox_id)
    return await request(unit, DeleteMail(mailbox_id=mailbox_id), dedupe_key=deletion_key(mailbox_id))


async def delete_mail(run: TaskRun, payload: DeleteMail) -> Done:
    """Handler of `mail.delete.v1`. Connected again meanwhile, the mailbox keeps what is left."""
    who = Who(account_id=run.owner, mailbox_id=MailboxId(payload.mailbox_id))

    async def report(deleted: int) -> None:
        await run.progress(deleted, None, f"{deleted} messages deleted")

    try:
        await delete_all(run.db, who, report)
    except StillConnected as error:
        raise Permanent("mailbox_connected") from error
    return Done("deleted")


async def delete_all(db: Database, who: Who, report: Report) -> int:
    """How many messages were deleted. Raises `StillConnected`, also when somebody connects it meanwhile."""
    async with _left_alone(db, who) as unit:
        await mailbox.reset(unit, who.mailbox_id)
        await leave_quarantine(unit, quarantine_of(who.mailbox_id))
    while await _portion(db, who, ledger.forget_some):
        pass
    deleted = 0
    while portion := await _portion(db, who, _delete_messages):
        deleted += portion
        await report(deleted)
    async with _left_alone(db, who) as unit:
        await enqueue(unit, MatchAccount())
        announce(unit, "mail")
    return deleted


async def _delete_messages(unit: Unit, mailbox_id: MailboxId, limit: int) -> int:
    """A message that another mailbox of this person has too is fetched from there again."""
    await ledger.want_elsewhere(unit, mailbox_id, limit)
    return await delete_some(unit, mailbox_id, limit)


async def _portion(db: Database, who: Who, delete: Callable[[Unit, MailboxId, int], Awaitable[int]]) -> int:
    async with _left_alone(db, who) as unit:
        return await delete(unit, who.mailbox_id, PORTION)


@asynccontextmanager
async def _left_alone(db: Database, who: Who) -> AsyncGenerator[Unit, None]:
    """A unit until whose end nobody connects this mailbox."""
    async with db.as_account(who.account_id) as unit:
        await _leave_alone(unit, who.mailbox_id)
        yield unit


async def _leave_alone(unit: Unit, mailbox_id: MailboxId) -> None:
    if (await mailbox.locked_box(unit, mailbox_id)).state == "connected":
        raise StillConnected
