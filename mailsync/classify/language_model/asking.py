"""Asking for stage 4: in the transaction that leaves messages open, or when the owner lets a model read.

Without the owner's permission nothing is asked for. Whether there is a model at all is the worker's to know.
"""

from collections.abc import Sequence
from datetime import datetime

from mailsync.classify.language_model import store
from schema.db import Unit
from schema.ids import MessageId
from schema.queue import ORDINARY, SWEEP, Wanted, enqueue_many
from schema.tasks import InterpretMail

WINDOW = 10
"""Messages in one task: with the longest time a message may take, still within the time of the task."""
MOST_AT_ONCE = 10_000


async def ask_about(unit: Unit, open_messages: Sequence[MessageId], *, priority: int = ORDINARY) -> int:
    """Have a model look at these messages, in windows; how many tasks that took."""
    if not open_messages or not await store.may_read(unit):
        return 0
    windows = [open_messages[at : at + WINDOW] for at in range(0, len(open_messages), WINDOW)]
    wanted = [Wanted(payload=InterpretMail(message_ids=tuple(each)), priority=priority) for each in windows]
    return len(await enqueue_many(unit, wanted))


async def ask_about_all(unit: Unit) -> int:
    """Have a model look at every message of the account that is still open, newest first."""
    return await ask_about(unit, await store.open_messages(unit, limit=MOST_AT_ONCE), priority=SWEEP)


async def let_model_read(unit: Unit, *, allowed: bool, now: datetime) -> int:
    """The owner's switch. On: everything open is asked about. Off: nothing more is sent, from now on."""
    await store.set_permission(unit, allowed=allowed, now=now)
    return await ask_about_all(unit) if allowed else 0
