"""Takes any act back: what it replaced stands again, as far as nothing newer was put on it.

The caller holds the account's lock, has compared the versions and found that it can be undone.
"""

from collections.abc import Sequence
from datetime import datetime

from matcher.acts.store import act as act_of
from matcher.acts.store import take_back
from matcher.acts.types import Act
from matcher.merging import undo_pair
from matcher.resolutions.applications.splitting import undo_split
from matcher.resolutions.asks.answering import undo_ask
from matcher.resolutions.bulk.doing import undo_pattern
from matcher.resolutions.statuses.answering import undo_status
from matcher.resolutions.types import Touched
from schema.db import Unit
from schema.ids import ActId, MessageId
from schema.live import announce


async def undo_act(unit: Unit, act_id: ActId, *, now: datetime) -> Touched:
    """What it touched. Raises `Missing`, `UndoneAlready`, or the refusal of what it was about; nothing was
    changed then."""
    found = await act_of(unit, act_id)
    if found.about == "pair":
        await undo_pair(unit, act_id, now=now)
        announce(unit, "review")
        return _touched(found)
    await take_back(unit, act_id, now=now)
    match found.about:
        case "status":
            await undo_status(unit, found, now=now)
        case "ask":
            await undo_ask(unit, found)
        case "split":
            return _touched(found, await undo_split(unit, found, now=now))
        case "pattern":
            return _touched(found, await undo_pattern(unit, found, now=now))
    return _touched(found)


def _touched(act: Act, messages: Sequence[MessageId] = ()) -> Touched:
    both = (act.application_id, act.other_application_id)
    return Touched(
        messages=list(messages),
        applications=[found for found in both if found is not None],
        asks=[act.ask_id] if act.ask_id is not None else [],
    )
