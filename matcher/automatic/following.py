"""Lets statuses follow newer mail where the person opted in, each as an act that can be taken back.

The status is dated by the message it follows, so that mail sent later, in whatever order it arrives, still
counts; the person's own later word always wins. What the person took back is never applied again: a proposal
that was undone counts as declined.
"""

from datetime import datetime

import msgspec

from matcher.acts.store import append_act, take_back
from matcher.acts.types import NewAct
from matcher.applications.store import put_status
from matcher.automatic.store import Proposed, lost, proposed
from matcher.decisions.store import hold_account
from matcher.resolutions.statuses.rules import Before
from schema.db import Unit
from schema.ids import ActId


async def follow_mail(unit: Unit, *, now: datetime) -> int:
    """Bring automatic statuses in line with the standings; how many applications moved."""
    await hold_account(unit)
    gone = await lost(unit)
    for each in gone:
        await undo_followed(unit, each.act_id, now=now)
    found = await proposed(unit)
    for each in found:
        await _follow(unit, each, now)
    return len(gone) + len(found)


async def _follow(unit: Unit, found: Proposed, now: datetime) -> None:
    act = NewAct(
        about="status",
        choice="accept_status",
        actor="machine",
        application_id=found.application_id,
        message_id=found.message_id,
        stage=found.stage,
        replaced=msgspec.Raw(msgspec.json.encode(Before(status=found.status, status_at=found.status_at))),
    )
    await append_act(unit, act, now=now)
    await put_status(unit, found.application_id, found.stage, at=found.sent_at, now=now)


async def undo_followed(unit: Unit, act_id: ActId, *, now: datetime) -> None:
    """Put the person's word back as it stood. Raises `Missing`, or `UndoneAlready`."""
    act = await take_back(unit, act_id, now=now)
    if act.application_id is None or act.replaced is None:
        return
    before = msgspec.json.decode(act.replaced, type=Before)
    await put_status(unit, act.application_id, before.status, at=before.status_at, now=now)
