"""The one way to answer an item: everything is read anew under the account's lock, then compared and done.

An answer to a superseded version changes nothing and gets the fresh item back, whatever the choice.
"""

from datetime import datetime
from typing import TypeGuard, get_args

from matcher.decisions.store import hold_account
from matcher.merging import merge
from matcher.resolutions.applications.splitting import split
from matcher.resolutions.asks.answering import mark_done
from matcher.resolutions.history.store import entry
from matcher.resolutions.items import item
from matcher.resolutions.messages.answering import answer_message
from matcher.resolutions.names import act_entry, act_of
from matcher.resolutions.pairs.answering import answer_pair_item
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.statuses.answering import answer_status
from matcher.resolutions.types import (
    Answer,
    ApplicationItem,
    AskItem,
    EntryId,
    HistoryEntry,
    Item,
    ItemId,
    MessageItem,
    Option,
    PairItem,
    Resolved,
    StatusItem,
    Touched,
    Verb,
)
from matcher.resolutions.undoing import undo_act
from schema.db import Unit
from schema.ids import ActId
from schema.live import announce
from schema.vocabulary import Choice

_OF_MESSAGES: frozenset[Verb] = frozenset(get_args(Choice))


async def resolve(unit: Unit, item_id: ItemId, answer: Answer, *, now: datetime) -> Resolved:
    """Raises `Missing` (the item or the target is not the person's), `StaleState` (with the fresh item),
    `ChoiceNotEligible`, `TargetRequired`, `Invalid`; whatever is raised, nothing was changed."""
    await hold_account(unit)
    shown = await item(unit, item_id)
    if shown.version != answer.version:
        raise StaleState(shown)
    option = _open(shown, answer.choice)
    if answer.choice == "undo" and not isinstance(shown, MessageItem):
        touched = await undo_act(unit, _act_behind(shown), now=now)
        return _resolved(answer.choice, await item(unit, item_id), touched, None)
    entry_id = await _do(unit, shown, answer, now)
    after = await item(unit, item_id)
    done = await entry(unit, entry_id)
    made = None if answer.choice == "undo" else done
    created = answer.choice in {"create_application", "split"} and answer.target is None
    return _resolved(answer.choice, after, _touched(shown, after, option, done), made, created=created)


async def _do(unit: Unit, shown: Item, answer: Answer, now: datetime) -> EntryId:
    """The line of the history the answer became."""
    if isinstance(shown, MessageItem) and _is_about_a_message(answer.choice):
        return await answer_message(unit, shown, answer.choice, answer, now=now)
    return act_entry(await _act(unit, shown, answer, now))


async def _act(unit: Unit, shown: Item, answer: Answer, now: datetime) -> ActId:
    match shown:
        case StatusItem():
            application_id = shown.application.application_id
            return await answer_status(unit, application_id, answer.choice, now=now)
        case AskItem():
            return await mark_done(unit, shown, now=now)
        case PairItem():
            return await answer_pair_item(unit, shown, answer.choice, answer.target, now=now)
        case ApplicationItem() if answer.choice == "split":
            return await split(unit, shown, answer, now=now)
        case ApplicationItem():
            return await _merge(unit, shown, answer, now)
        case MessageItem():
            raise ChoiceNotEligible


async def _merge(unit: Unit, shown: ApplicationItem, answer: Answer, now: datetime) -> ActId:
    if answer.target is None:
        raise TargetRequired(field="target")
    announce(unit, "review")
    return await merge(unit, shown.application.application_id, answer.target, now=now)


def _open(shown: Item, choice: Verb) -> Option:
    option = shown.option(choice)
    if option is None or not option.eligible:
        raise ChoiceNotEligible((option.reason if option else None) or "")
    return option


def _act_behind(shown: Item) -> ActId:
    act_id = act_of(shown.undoes) if shown.undoes else None
    if act_id is None:
        raise ChoiceNotEligible
    return act_id


def _touched(before: Item, after: Item, option: Option, done: HistoryEntry) -> Touched:
    """What the answer with its own target really touched."""
    if isinstance(before, MessageItem) and isinstance(after, MessageItem):
        involved = {*before.application_ids, *after.application_ids}
        return Touched(messages=[before.message_id], applications=sorted(involved), asks=option.touches.asks)
    made = (done.application_id, done.other_application_id)
    known = {*option.touches.applications, *(found for found in made if found is not None)}
    messages = option.touches.messages
    if isinstance(before, ApplicationItem) and isinstance(after, ApplicationItem):
        messages = sorted(set(before.message_ids) ^ set(after.message_ids))
    return Touched(messages=messages, applications=sorted(known), asks=option.touches.asks)


def _resolved(
    choice: Verb, after: Item, touched: Touched, done: HistoryEntry | None, *, created: bool = False
) -> Resolved:
    is_message = isinstance(after, MessageItem)
    application_id = done.application_id if done else None
    if is_message:
        application_id = next(iter(after.application_ids), None)
    elif done and choice == "split":
        application_id = done.other_application_id
    return Resolved(
        id=after.id,
        version=after.version,
        choice=choice,
        outcome=after.outcome if is_message and after.outcome != "not_examined" else None,
        application_id=application_id,
        created=created,
        touched=touched,
        entry=done.id if done else None,
        entry_version=done.version if done else None,
    )


def _is_about_a_message(choice: Verb) -> TypeGuard[Choice]:
    return choice in _OF_MESSAGES
