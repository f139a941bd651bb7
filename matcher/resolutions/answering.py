"""A person's answer to one message: checked again, appended, put in force, in the caller's transaction.

Under the account's lock everything is read anew: whose message it is, which decision is in force, whether the
choice is open. An answer to a superseded decision changes nothing and gets the fresh item back.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mailsync.classify.store import correct
from mailsync.classify.store import in_force as in_force_reading
from mailsync.classify.store import undo as undo_correction
from matcher.applications.rules import completed
from matcher.applications.store import application, dismiss, insert_application
from matcher.applications.types import NewApplication
from matcher.decisions import store as decisions
from matcher.decisions.rules import before, choice_hash, is_word_of_a_person, undoable
from matcher.decisions.types import Logged, NewDecision, Weighed
from matcher.evidence.lookup import hashes
from matcher.evidence.matching import Looked, Move, look_at, spread
from matcher.evidence.weights import current_weights
from matcher.resolutions.former import Item, NewFromMessage, Resolved
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState, TargetRequired
from matcher.resolutions.rules import outcome_of
from matcher.resolutions.store import item, weighed_of
from matcher.timeline.store import restand
from schema.db import Unit
from schema.errors import Invalid
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.live import announce
from schema.queue import CLICKED, enqueue
from schema.tasks import MatchAccount
from schema.vocabulary import Choice


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer on its way: the item as it stands, and what the person chose."""

    shown: Item
    choice: Choice
    target: ApplicationId | None
    weighed: tuple[Weighed, ...]
    now: datetime

    @property
    def message_id(self) -> MessageId:
        return self.shown.message_id


async def resolve(
    unit: Unit,
    message_id: MessageId,
    *,
    version: DecisionId,
    choice: Choice,
    target: ApplicationId | None = None,
    new: NewFromMessage | None = None,
    now: datetime,
) -> Resolved:
    """Append the person's decision and put it in force.

    `target` names the application for `assign` and `reject`; `confirm` without one means the likeliest. `new`
    is for `create_application`. Raises `Missing` (message or target not the person's), `StaleState` (with the
    fresh item), `ChoiceNotEligible`, `TargetRequired`; whatever is raised, nothing was changed.
    """
    await decisions.hold_account(unit)
    shown = await item(unit, message_id)
    if shown.version != version:
        raise StaleState(shown)
    _require_open(shown, choice)
    weighed = await weighed_of(unit, version)
    answer = _Answer(shown=shown, choice=choice, target=target, weighed=weighed, now=now)
    if choice == "undo":
        return await _undo(unit, answer)
    looked = await _look(unit, message_id)
    decision = await _decide(unit, answer, looked, new)
    if choice == "not_job_mail":
        # The mail page says the same as the review page, and its undo is the same undo.
        await correct(unit, message_id, ["not_job_related"], now=now)
    return await _put_in_force(unit, answer, decision, looked)


async def _look(unit: Unit, message_id: MessageId) -> Looked:
    return (await look_at(unit, [message_id]))[0]


async def _decide(unit: Unit, answer: _Answer, looked: Looked, new: NewFromMessage | None) -> NewDecision:
    target = await _target(unit, answer, looked, new)
    left = tuple(found for found in answer.weighed if found.application_id != target)
    is_reject = answer.choice == "reject"
    outcome = outcome_of(answer.choice, tuple(found.application_id for found in left if not found.vetoed))
    attached = target if outcome == "attached" else None
    return NewDecision(
        message_id=answer.message_id,
        outcome=outcome,
        application_id=attached,
        actor="person",
        choice=answer.choice,
        policy_version=current_weights().version,
        input_hash=choice_hash(answer.shown.version, answer.choice, target),
        pattern=answer.shown.pattern,
        rejected_application_id=target if is_reject else None,
        replaces_id=answer.shown.version or None,
        anchor_application_id=attached,
        by_person=not is_reject,
        rank=looked.rank,
        stale=is_reject,
        reading_id=looked.letter.reading_id,
        candidates=left if is_reject else answer.weighed,
    )


async def _undo(unit: Unit, answer: _Answer) -> Resolved:
    log = (await decisions.log_of(unit, [answer.message_id])).get(answer.message_id, [])
    undone = undoable(log)
    if undone is None:
        raise ChoiceNotEligible
    if undone.choice == "not_job_mail":
        await _take_back_reading(unit, answer)
    if undone.choice == "create_application" and undone.application_id is not None:
        await _dismiss_if_untouched(unit, undone.application_id, answer.now)
    looked = await _look(unit, answer.message_id)
    decision = await _restoring(unit, answer, undone, before(log, undone), looked)
    return await _put_in_force(unit, answer, decision, looked)


async def _restoring(
    unit: Unit, answer: _Answer, undone: Logged, restored: Logged | None, looked: Looked
) -> NewDecision:
    is_persons = is_word_of_a_person(restored)
    # The machine's word is worth what its evidence still is.
    holds = restored is not None and (is_persons or restored.input_hash == looked.hash)
    application_id = restored.application_id if restored else None
    return NewDecision(
        message_id=answer.message_id,
        outcome=restored.outcome if restored else "none",
        application_id=application_id,
        actor="person",
        choice="undo",
        policy_version=current_weights().version,
        input_hash=restored.input_hash if restored else choice_hash(answer.shown.version, "undo"),
        pattern=restored.pattern if restored else "",
        replaces_id=answer.shown.version or None,
        undoes_id=undone.decision_id,
        anchor_application_id=application_id if is_persons else looked.verdict.anchor if holds else None,
        by_person=is_persons,
        stale=not holds,
        changes_stage=looked.changes_stage,
        rank=looked.rank,
        reading_id=looked.letter.reading_id,
        candidates=await weighed_of(unit, restored.decision_id) if restored else (),
    )


async def _put_in_force(unit: Unit, answer: _Answer, decision: NewDecision, looked: Looked) -> Resolved:
    ids = await decisions.append(unit, [decision], now=answer.now)
    old = looked.before
    if old is None or not looked.keys:
        # No machine may have looked for its application yet; what a person settles lends all the same.
        await decisions.write_keys(unit, {answer.message_id: hashes(looked.reading)})
    move = Move(
        letter=looked.letter,
        old=old.anchor_application_id if old else None,
        new=decision.anchor_application_id,
        was_read_before=old is not None,
    )
    await spread(unit, [move])
    touched = (old.application_id if old else None, decision.application_id)
    await restand(unit, [found for found in touched if found is not None])
    await enqueue(unit, MatchAccount(), priority=CLICKED)
    announce(unit, "review", answer.message_id)
    announce(unit, "applications", decision.application_id)
    return Resolved(
        version=ids[answer.message_id],
        outcome=decision.outcome,
        application_id=decision.application_id,
        created=answer.choice == "create_application",
        message_ids=[answer.message_id],
    )


async def _target(
    unit: Unit, answer: _Answer, looked: Looked, new: NewFromMessage | None
) -> ApplicationId | None:
    proposals = [found.application_id for found in answer.shown.candidates]
    match answer.choice:
        case "confirm":
            return _among(proposals, answer.target or proposals[0])
        case "reject":
            only = proposals[0] if len(proposals) == 1 else None
            meant = answer.target or answer.shown.application_id or only
            return _among(proposals, _required(meant))
        case "assign":
            return await _assignable(unit, _required(answer.target))
        case "create_application":
            return await _created(unit, answer, looked, new or NewFromMessage())
        case _:
            return None


def _require_open(shown: Item, choice: Choice) -> None:
    option = next(option for option in shown.options if option.choice == choice)
    if not option.eligible:
        raise ChoiceNotEligible(option.reason or "")


def _required(target: ApplicationId | None) -> ApplicationId:
    if target is None:
        raise TargetRequired(field="target")
    return target


def _among(proposals: Sequence[ApplicationId], target: ApplicationId) -> ApplicationId:
    if target not in proposals:
        raise ChoiceNotEligible("That application is not a candidate here; assign the message to it instead.")
    return target


async def _assignable(unit: Unit, target: ApplicationId) -> ApplicationId:
    found = await application(unit, target)
    if found.dismissed_at is not None:
        raise ChoiceNotEligible("That application is dismissed; bring it back first.")
    return target


async def _created(unit: Unit, answer: _Answer, looked: Looked, new: NewFromMessage) -> ApplicationId:
    """A new application in the words of the message, where the person gave none of their own."""
    company, role = new.company or answer.shown.company, new.role or answer.shown.role
    if not company and not role:
        raise Invalid("Name the employer or the role; the message names neither.", field="company")
    found = looked.reading.identifiers
    links = [] if found.is_a_list else [link for link in found.links if link.target.kind == "posting"]
    numbers = {number.key: number.fact.value for number in found.numbers}
    made = NewApplication(
        origin="manual",
        company=company,
        role=role,
        url=links[0].fact.value if len(links) == 1 else None,
        requisition_id=next(iter(numbers.values())) if len(numbers) == 1 else None,
    )
    return await insert_application(unit, completed(made, None), now=answer.now, ask_for_match=False)


async def _take_back_reading(unit: Unit, answer: _Answer) -> None:
    """What `not_job_mail` told the mail page, unless the person has said something else there since."""
    current = await in_force_reading(unit, answer.message_id)
    if current is not None and current.stage == "person" and current.kinds == ["not_job_related"]:
        await undo_correction(unit, answer.message_id, now=answer.now)


async def _dismiss_if_untouched(unit: Unit, application_id: ApplicationId, now: datetime) -> None:
    """What an answer created goes with it, unless the person has put something of their own there since."""
    made = await application(unit, application_id)
    if made.status is None and not made.note and made.messages <= 1:
        await dismiss(unit, application_id, now=now)
