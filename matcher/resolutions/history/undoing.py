"""Takes one line of the history back, under the account's lock.

Refused with the fresh line, and with the item as it stands, when something newer was put on top since the
person looked; nothing was changed then.
"""

from datetime import datetime

from matcher.decisions.store import hold_account
from matcher.resolutions.history.store import entry
from matcher.resolutions.items import item
from matcher.resolutions.messages.answering import answer_message
from matcher.resolutions.messages.store import message_states, question_of
from matcher.resolutions.names import act_of
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import Answer, EntryId, HistoryEntry, Item, Resolved
from matcher.resolutions.undoing import undo_act
from schema.db import Unit
from schema.errors import Missing
from schema.ids import ActId
from schema.plans import plan_kept


async def undo_entry(unit: Unit, entry_id: EntryId, *, version: str, now: datetime) -> Resolved:
    """Raises `Missing`, `StaleState`, `ChoiceNotEligible`."""
    await hold_account(unit)
    await plan_kept(unit)
    found = await entry(unit, entry_id)
    if found.version != version:
        raise StaleState(await _item(unit, found), entry=found)
    if not found.can_undo:
        raise ChoiceNotEligible(found.reason or "")
    act_id = act_of(found.id)
    return await (_of_decision(unit, found, now) if act_id is None else _of_act(unit, found, act_id, now))


async def _of_decision(unit: Unit, found: HistoryEntry, now: datetime) -> Resolved:
    if found.message_id is None:
        raise Missing
    question = await question_of(unit, found.message_id)
    touched = question.option("undo").touches
    await answer_message(unit, question, "undo", Answer(choice="undo", version=""), now=now)
    after = (await message_states(unit, [found.message_id]))[found.message_id]
    return Resolved(
        id=found.item,
        version=after.version,
        choice="undo",
        outcome=after.outcome,
        application_id=next(iter(after.application_ids), None),
        touched=touched,
        entry=None,
        entry_version=None,
    )


async def _of_act(unit: Unit, found: HistoryEntry, act_id: ActId, now: datetime) -> Resolved:
    touched = await undo_act(unit, act_id, now=now)
    after = await _item(unit, found)
    return Resolved(
        id=found.item,
        version=after.version if after else None,
        choice="undo",
        application_id=found.application_id,
        touched=touched,
        entry=None,
        entry_version=None,
    )


async def _item(unit: Unit, found: HistoryEntry) -> Item | None:
    """None for a whole pattern, and for what is gone: its mail was deleted, or an ask is asked no longer."""
    if found.item is None:
        return None
    try:
        return await item(unit, found.item)
    except Missing:
        return None
