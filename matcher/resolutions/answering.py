"""The one way to answer an item: everything is read anew under the account's lock, then compared and done.

An answer to a superseded version changes nothing and gets the fresh item back, whatever the choice.
"""

from datetime import datetime
from typing import TypeGuard, get_args

from matcher.decisions.store import hold_account
from matcher.merging import merge
from matcher.resolutions.applications.splitting import split
from matcher.resolutions.asks.answering import mark_done
from matcher.resolutions.history.rules import decision_version
from matcher.resolutions.history.store import entry
from matcher.resolutions.items import item, items
from matcher.resolutions.messages.answering import answer_message
from matcher.resolutions.messages.store import message_states, question_of
from matcher.resolutions.names import act_entry, act_of, decision_of, subject_of
from matcher.resolutions.pairs.answering import answer_pair_item
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.statuses.answering import answer_status
from matcher.resolutions.types import (
    Answer,
    ApplicationItem,
    AskItem,
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
from schema.ids import ActId, MessageId
from schema.live import announce
from schema.plans import plan_kept
from schema.vocabulary import Choice

_OF_MESSAGES: frozenset[Verb] = frozenset(get_args(Choice))


async def resolve(unit: Unit, item_id: ItemId, answer: Answer, *, now: datetime) -> Resolved:
    """Raises `Missing` (the item or the target is not the person's), `StaleState` (with the fresh item),
    `ChoiceNotEligible`, `TargetRequired`, `Invalid`; whatever is raised, nothing was changed."""
    await hold_account(unit)
    await plan_kept(unit)
    subject = subject_of(item_id)
    if subject.kind == "message":
        return await _of_message(unit, item_id, MessageId(subject.first), answer, now)
    shown = await item(unit, item_id)
    if shown.version != answer.version:
        raise StaleState(shown)
    return await _of_act(unit, shown, answer, _open(shown.option(answer.choice)), now)


async def _of_message(
    unit: Unit, item_id: ItemId, message_id: MessageId, answer: Answer, now: datetime
) -> Resolved:
    question = await question_of(unit, message_id)
    if question.version != answer.version:
        raise StaleState(await item(unit, item_id))
    if not _is_about_a_message(answer.choice):
        raise ChoiceNotEligible
    option = _open(question.option(answer.choice))
    entry_id = await answer_message(unit, question, answer.choice, answer, now=now)
    after = (await message_states(unit, [message_id]))[message_id]
    involved = {*question.attached, *after.application_ids}
    is_undo = answer.choice == "undo"
    return Resolved(
        id=item_id,
        version=after.version,
        choice=answer.choice,
        outcome=after.outcome,
        application_id=next(iter(after.application_ids), None),
        created=answer.choice == "create_application",
        touched=Touched(messages=[message_id], applications=sorted(involved), asks=option.touches.asks),
        entry=None if is_undo else entry_id,
        entry_version=None if is_undo else decision_version(decision_of(entry_id), after.said_id),
    )


async def _of_act(unit: Unit, shown: Item, answer: Answer, option: Option, now: datetime) -> Resolved:
    done: HistoryEntry | None = None
    touched: Touched | None = None
    if answer.choice == "undo":
        touched = await undo_act(unit, _act_behind(shown), now=now)
    else:
        done = await entry(unit, act_entry(await _act(unit, shown, answer, now)))
    # What is no longer asked, because its mail is gone, is nowhere to be seen afterwards.
    after = next(iter(await items(unit, [shown.id])), None)
    is_split = answer.choice == "split"
    return Resolved(
        id=shown.id,
        version=after.version if after else None,
        choice=answer.choice,
        application_id=done and (done.other_application_id if is_split else done.application_id),
        created=is_split and answer.target is None,
        touched=touched or _touched(shown, after, option, done),
        entry=done.id if done else None,
        entry_version=done.version if done else None,
    )


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


def _open(option: Option | None) -> Option:
    if option is None or not option.eligible:
        raise ChoiceNotEligible((option.reason if option else None) or "")
    return option


def _act_behind(shown: Item) -> ActId:
    act_id = act_of(shown.undoes) if shown.undoes else None
    if act_id is None:
        raise ChoiceNotEligible
    return act_id


def _touched(before: Item, after: Item | None, option: Option, done: HistoryEntry | None) -> Touched:
    """What the answer with its own target really touched."""
    made = (done.application_id, done.other_application_id) if done else ()
    known = {*option.touches.applications, *(found for found in made if found is not None)}
    messages = option.touches.messages
    if isinstance(before, ApplicationItem) and isinstance(after, ApplicationItem):
        messages = sorted(set(before.message_ids) ^ set(after.message_ids))
    return Touched(messages=messages, applications=sorted(known), asks=option.touches.asks)


def _is_about_a_message(choice: Verb) -> TypeGuard[Choice]:
    return choice in _OF_MESSAGES
