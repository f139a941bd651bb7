"""An ask marked as done by the person, and open again.

The caller holds the account's lock, has compared the versions and found the choice open.
"""

from datetime import datetime

from matcher.acts.store import append_act
from matcher.acts.types import Act, NewAct
from matcher.asks.store import reopen_ask, settle_ask
from matcher.resolutions.refusals import ChoiceNotEligible
from matcher.resolutions.types import AskItem
from matcher.timeline.store import restand
from schema.db import Unit
from schema.ids import ActId
from schema.live import announce


async def mark_done(unit: Unit, shown: AskItem, *, now: datetime) -> ActId:
    await settle_ask(unit, shown.ask_id, now=now)
    new = NewAct(
        about="ask",
        choice="mark_done",
        application_id=shown.application.application_id,
        ask_id=shown.ask_id,
        message_id=shown.excerpt.message_id,
    )
    announce(unit, "review")
    return await append_act(unit, new, now=now)


async def undo_ask(unit: Unit, act: Act) -> None:
    """Open again, unless mail has settled it meanwhile; the act is marked undone already."""
    if act.ask_id is None or act.application_id is None:
        raise ChoiceNotEligible
    await reopen_ask(unit, act.ask_id)
    await restand(unit, [act.application_id])
    announce(unit, "review")
