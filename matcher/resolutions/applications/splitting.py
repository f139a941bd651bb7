"""Messages of one application move to a new or another application, as one act, and go back as one.

The caller holds the account's lock, has compared the versions and found the choice open.
"""

from datetime import datetime

import msgspec

from matcher.acts.store import append_act, count_messages
from matcher.acts.types import Act, NewAct
from matcher.applications.rules import completed
from matcher.applications.store import application, insert_application
from matcher.applications.types import NewApplication
from matcher.decisions.store import in_force
from matcher.pairs.store import answer_pair, reopen_pair
from matcher.resolutions.messages.creating import dismiss_if_untouched
from matcher.resolutions.messages.many import Word, decide_each, take_back_each
from matcher.resolutions.refusals import ChoiceNotEligible
from matcher.resolutions.types import Answer, ApplicationItem
from matcher.timeline.store import restand
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import ActId, ApplicationId, MessageId
from schema.live import announce


class Replaced(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the split made the application it moved messages to, so that its undo puts that away again."""

    created: bool


async def split(unit: Unit, shown: ApplicationItem, answer: Answer, *, now: datetime) -> ActId:
    """The act it became; the application the messages moved to, a new one without a target, is its other one.

    Raises `Invalid` for messages it does not hold, or none, and `ChoiceNotEligible` for a target that cannot
    take any.
    """
    chosen = sorted(set(answer.messages))
    if not chosen:
        raise Invalid("Choose the messages to split off.", field="messages")
    if not set(chosen) <= set(shown.message_ids):
        raise Invalid("Some of these messages are not attached to this application.", field="messages")
    source = shown.application
    other_id = await _other(unit, shown, answer, now)
    if answer.target is None:
        # The person has just said that they are two.
        await answer_pair(unit, source.application_id, other_id, "kept_apart", now=now)
    act = _act(source.application_id, other_id, created=answer.target is None)
    act_id = await append_act(unit, act, now=now)
    words = await _words(unit, shown, chosen, other_id)
    await count_messages(unit, act_id, await decide_each(unit, words, act_id, now=now))
    _tell(unit, source.application_id, other_id)
    return act_id


async def undo_split(unit: Unit, act: Act, *, now: datetime) -> list[MessageId]:
    """The messages go back, as far as the person has not decided about them anew, and the application they
    made goes unless it was put to use; the act is marked undone already."""
    source, made = act.application_id, act.other_application_id
    if source is None or made is None:
        raise ChoiceNotEligible
    back = await take_back_each(unit, act.act_id, now=now)
    await restand(unit, [source, made])
    if act.replaced is None or msgspec.json.decode(act.replaced, type=Replaced).created:
        await reopen_pair(unit, source, made)
        await dismiss_if_untouched(unit, made, messages=0, now=now)
    _tell(unit, source, made)
    return back


async def _other(unit: Unit, shown: ApplicationItem, answer: Answer, now: datetime) -> ApplicationId:
    source = shown.application
    if answer.target is None:
        company, role = answer.new.company or source.company, answer.new.role or source.role
        made = NewApplication(origin="manual", company=company, role=role)
        return await insert_application(unit, completed(made, None), now=now, ask_for_match=False)
    found = await application(unit, answer.target)
    if answer.target in {source.application_id, *shown.merged_ids}:
        raise ChoiceNotEligible("That is this very application; choose another one.")
    if found.merged_into_id is not None or found.dismissed_at is not None:
        raise ChoiceNotEligible("That application is dismissed or part of another one; choose another one.")
    return answer.target


async def _words(
    unit: Unit, shown: ApplicationItem, chosen: list[MessageId], other_id: ApplicationId
) -> list[Word]:
    """A message about several applications stays with the others."""
    records = {shown.application.application_id, *shown.merged_ids}
    now = await in_force(unit, chosen)
    return [
        Word(
            message_id=message_id,
            choice="assign",
            outcome="attached",
            application_ids=(other_id, *sorted(now[message_id].attached_to - records - {other_id})),
        )
        for message_id in chosen
    ]


def _act(source: ApplicationId, other: ApplicationId, *, created: bool) -> NewAct:
    return NewAct(
        about="split",
        choice="split",
        application_id=source,
        other_application_id=other,
        replaced=msgspec.Raw(msgspec.json.encode(Replaced(created=created))),
    )


def _tell(unit: Unit, *application_ids: ApplicationId) -> None:
    announce(unit, "review")
    for application_id in application_ids:
        announce(unit, "applications", application_id)
