"""Does what a person said of a whole pattern, and takes it back: within a request, or for many in a task.

The act keeps exactly which messages under which decisions were meant. One that was decided anew meanwhile is
left alone, so nothing is approved that was not looked at, however late the work is done. Safe to repeat. The
caller holds the account's lock.
"""

from datetime import datetime

import msgspec

from mailsync.classify.store import correct_each, undo_same
from matcher.acts.store import count_messages
from matcher.acts.types import Act
from matcher.decisions.store import in_force
from matcher.resolutions.bulk.rules import word
from matcher.resolutions.bulk.types import Alike, Meant
from matcher.resolutions.messages.many import Tell, decide_each, take_back_each
from matcher.resolutions.messages.store import decided_by
from schema.db import Unit
from schema.ids import MessageId
from schema.live import announce
from schema.queue import CLICKED, enqueue
from schema.tasks import BulkMatch, MatchAccount

AT_ONCE = 500
"""So many are answered while the person waits; more are left to a task."""


async def do_pattern(unit: Unit, act: Act, *, tell: Tell | None = None) -> int:
    """Decide about all that still stand as they were looked at; how many decisions the act came to."""
    if done := await decided_by(unit, act.act_id):
        return len(done)
    meant = meant_of(act)
    same = await _unchanged(unit, meant)
    # Dated as the person said it, whenever the work is done.
    at = act.created_at
    words = [word(meant.choice, each) for each in same]
    count = await decide_each(unit, words, act.act_id, now=at, tell=tell)
    if meant.choice == "not_job_mail" and same:
        await correct_each(unit, [each.message_id for each in same], ["not_job_related"], None, now=at)
    await count_messages(unit, act.act_id, count)
    await _tell(unit)
    return count


async def undo_pattern(unit: Unit, act: Act, *, now: datetime) -> list[MessageId]:
    """Take back each of its decisions that still stands; about which messages. The act is marked undone."""
    if act.messages <= AT_ONCE:
        return await take_back_pattern(unit, act, now=now)
    await enqueue(unit, BulkMatch(act_id=act.act_id), priority=CLICKED)
    return await decided_by(unit, act.act_id)


async def take_back_pattern(
    unit: Unit, act: Act, *, now: datetime, tell: Tell | None = None
) -> list[MessageId]:
    if act.choice == "not_job_mail":
        await undo_same(unit, await decided_by(unit, act.act_id), said_at=act.created_at, now=now)
    back = await take_back_each(unit, act.act_id, now=now, tell=tell)
    await _tell(unit)
    return back


def meant_of(act: Act) -> Meant:
    return msgspec.json.decode(act.replaced or b"", type=Meant)


async def _unchanged(unit: Unit, meant: Meant) -> list[Alike]:
    now = await in_force(unit, [each.message_id for each in meant.alike])
    return [
        each
        for each in meant.alike
        if each.message_id in now and now[each.message_id].decision_id == each.decision_id
    ]


async def _tell(unit: Unit) -> None:
    await enqueue(unit, MatchAccount(), priority=CLICKED)
    announce(unit, "review")
    announce(unit, "applications")
