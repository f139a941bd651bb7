"""Takes one line of the history back, under the account's lock.

Refused with the fresh line, and with the item as it stands, when something newer was put on top since the
person looked; nothing was changed then.
"""

from datetime import datetime

from matcher.decisions.store import hold_account
from matcher.resolutions.history.store import entry
from matcher.resolutions.items import item
from matcher.resolutions.messages.answering import answer_message
from matcher.resolutions.messages.store import question_of
from matcher.resolutions.names import act_of
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import Answer, EntryId, HistoryEntry, Item, MessageItem, Resolved, Touched
from matcher.resolutions.undoing import undo_act
from schema.db import Unit
from schema.errors import Missing


async def undo_entry(unit: Unit, entry_id: EntryId, *, version: str, now: datetime) -> Resolved:
    """Raises `Missing`, `StaleState`, `ChoiceNotEligible`."""
    await hold_account(unit)
    found = await entry(unit, entry_id)
    before = await _item(unit, found)
    if found.version != version:
        raise StaleState(before, entry=found)
    if not found.can_undo:
        raise ChoiceNotEligible(found.reason or "")
    touched = await _undo(unit, found, before, now)
    after = await _item(unit, found)
    is_message = isinstance(after, MessageItem)
    return Resolved(
        id=found.item,
        version=after.version if after else None,
        choice="undo",
        outcome=after.outcome if is_message and after.outcome != "not_examined" else None,
        application_id=next(iter(after.application_ids), None) if is_message else found.application_id,
        touched=touched,
        entry=None,
        entry_version=None,
    )


async def _undo(unit: Unit, found: HistoryEntry, before: Item | None, now: datetime) -> Touched:
    act_id = act_of(found.id)
    if act_id is not None:
        return await undo_act(unit, act_id, now=now)
    if not isinstance(before, MessageItem):
        raise Missing
    question = await question_of(unit, before.message_id)
    await answer_message(unit, question, "undo", Answer(choice="undo", version=""), now=now)
    return question.option("undo").touches


async def _item(unit: Unit, found: HistoryEntry) -> Item | None:
    """None for a whole pattern, and for what is gone: its mail was deleted, or an ask is asked no longer."""
    if found.item is None:
        return None
    try:
        return await item(unit, found.item)
    except Missing:
        return None
