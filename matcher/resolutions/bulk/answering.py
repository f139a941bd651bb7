"""A person's answer to a whole pattern: one act, over exactly what they looked at."""

from datetime import datetime

import msgspec

from matcher.acts.store import act, append_act
from matcher.acts.types import NewAct
from matcher.decisions.store import hold_account
from matcher.resolutions.bulk.doing import AT_ONCE, do_pattern
from matcher.resolutions.bulk.rules import mark, meant_by
from matcher.resolutions.bulk.store import alike, shown
from matcher.resolutions.bulk.types import Alike, Meant
from matcher.resolutions.history.rules import act_version
from matcher.resolutions.names import act_entry
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import BulkChoice, BulkDone
from schema.db import Unit
from schema.ids import ActId
from schema.queue import CLICKED, enqueue
from schema.tasks import BulkMatch


async def answer_all(
    unit: Unit, pattern: str, choice: BulkChoice, *, version: str, now: datetime
) -> BulkDone:
    """Say the same of all that wait with this pattern. Raises `StaleState`, with how it stands now, when the
    set is another than the one looked at, and `ChoiceNotEligible`; nothing was changed then.

    Many are decided about by a task; the act stands from now on, and can be taken back before it is done.
    """
    await hold_account(unit)
    found = await alike(unit, pattern)
    if mark(pattern, found) != version:
        raise StaleState(bulk=await shown(unit, pattern, found))
    meant = meant_by(choice, found)
    if not meant:
        raise ChoiceNotEligible("None of them has a candidate to confirm.")
    act_id = await _append(unit, pattern, choice, meant, now)
    is_small = len(meant) <= AT_ONCE
    if is_small:
        await do_pattern(unit, await act(unit, act_id))
    else:
        await enqueue(unit, BulkMatch(act_id=act_id), priority=CLICKED)
    return BulkDone(
        act_id=act_id,
        choice=choice,
        pattern=pattern,
        messages=len(meant),
        is_done=is_small,
        entry=act_entry(act_id),
        entry_version=act_version(act_id, None),
    )


async def _append(unit: Unit, pattern: str, choice: BulkChoice, meant: list[Alike], now: datetime) -> ActId:
    kept = msgspec.Raw(msgspec.json.encode(Meant(choice=choice, alike=meant)))
    new = NewAct(about="pattern", choice=choice, pattern=pattern, messages=len(meant), replaced=kept)
    return await append_act(unit, new, now=now)
