"""A person's answer to one message: checked again, appended, put in force, in the caller's transaction.

The caller holds the account's lock and has compared the versions. An undo restores what was in force before.
"""

from datetime import datetime

import msgspec

from mailsync.classify.store import correct
from mailsync.classify.store import in_force as in_force_reading
from mailsync.classify.store import undo as undo_correction
from matcher.aliases.store import forget, learn
from matcher.applications.store import application
from matcher.decisions import store as decisions
from matcher.decisions.rules import before, choice_hash, undoable
from matcher.decisions.types import NewDecision
from matcher.evidence.lookup import hashes
from matcher.evidence.matching import Looked, Move, look_at, spread
from matcher.evidence.rules import is_about_nothing, read
from matcher.evidence.types import Letter
from matcher.evidence.weights import current_weights
from matcher.resolutions.messages.creating import created, dismiss_if_untouched
from matcher.resolutions.messages.question import Question
from matcher.resolutions.messages.restoring import restoring
from matcher.resolutions.messages.rules import outcome_of
from matcher.resolutions.messages.store import weighed_of
from matcher.resolutions.names import decision_entry, decision_of
from matcher.resolutions.refusals import ChoiceNotEligible, TargetRequired
from matcher.resolutions.types import Answer, EntryId
from matcher.timeline.store import restand
from schema.db import Unit
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.live import announce
from schema.queue import CLICKED, enqueue
from schema.tasks import MatchAccount
from schema.vocabulary import Choice

_TEACHING: frozenset[Choice] = frozenset({"confirm", "assign", "create_application"})
"""Answers that say of one message which one employer wrote it; of many at once nobody read each."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One answer on its way: the question as it stands, and what the person chose. `looked` is what the
    evidence says of a message that no machine had examined."""

    question: Question
    choice: Choice
    now: datetime
    looked: Looked | None

    @property
    def message_id(self) -> MessageId:
        return self.question.message_id

    @property
    def letter(self) -> Letter:
        return self.question.letter

    @property
    def changes_stage(self) -> bool:
        known = self.looked or self.question.now
        return known.changes_stage if known else False

    @property
    def rank(self) -> int:
        known = self.looked or self.question.now
        return known.rank if known else 2


async def answer_message(
    unit: Unit, question: Question, choice: Choice, answer: Answer, *, now: datetime
) -> EntryId:
    """Append the decision and put it in force; its line of the history. Raises `Missing` for a target that is
    not the person's, `ChoiceNotEligible`, `TargetRequired`, `Invalid`."""
    if choice == "undo":
        return await _undo(unit, question, now)
    # What the person settles is not for the machine to judge; of what nobody examined it says its rank.
    looked = None if question.now else await _look(unit, question)
    case = Case(question=question, choice=choice, now=now, looked=looked)
    decision = _decided(case, await _meant(unit, case, answer))
    if choice == "not_job_mail":
        # The mail page says the same as the review page, and its undo is the same undo.
        await correct(unit, case.message_id, ["not_job_related"], now=now)
    decision_id = await _put_in_force(unit, case, decision)
    if question.undoes is not None:
        await forget(unit, decision_of(question.undoes))
    if choice in _TEACHING:
        await _learn(unit, case, decision, decision_id)
    return decision_entry(decision_id)


async def _look(unit: Unit, question: Question) -> Looked:
    return (await look_at(unit, [question.message_id]))[0]


async def _meant(unit: Unit, case: Case, answer: Answer) -> list[ApplicationId]:
    """The applications the answer names, the first one first; none for what it is not."""
    option = case.question.option(case.choice)
    target = answer.target or option.target
    match case.choice:
        case "confirm" | "reject":
            return [_among(case, target)]
        case "confirm_all":
            return list(option.touches.applications)
        case "assign":
            return [await assignable(unit, target)]
        case "create_application":
            return [await created(unit, case.question, answer.new, now=case.now)]
        case _:
            return []


def _decided(case: Case, meant: list[ApplicationId]) -> NewDecision:
    question = case.question
    left = tuple(found for found in question.weighed if found.application_id not in meant)
    is_reject = case.choice == "reject"
    outcome = outcome_of(case.choice, [found.application_id for found in left if not found.vetoed])
    attached = meant if outcome == "attached" else []
    return NewDecision(
        message_id=case.message_id,
        outcome=outcome,
        application_id=attached[0] if attached else None,
        also_application_ids=tuple(attached[1:]),
        actor="person",
        choice=case.choice,
        policy_version=current_weights().version,
        input_hash=choice_hash(question.decision_id, case.choice, *meant),
        pattern=question.pattern,
        rejected_application_id=meant[0] if is_reject else None,
        replaces_id=question.decision_id,
        # What is about several vouches for none of them.
        anchor_application_id=attached[0] if len(attached) == 1 else None,
        by_person=not is_reject,
        changes_stage=case.changes_stage,
        rank=case.rank,
        stale=is_reject,
        reading_id=case.letter.reading_id,
        candidates=left if is_reject else question.weighed,
    )


async def _undo(unit: Unit, question: Question, now: datetime) -> EntryId:
    undone, old = undoable(question.log), question.now
    if undone is None or old is None:
        raise ChoiceNotEligible
    if undone.choice == "not_job_mail":
        await _take_back_reading(unit, question.message_id, now)
    if undone.choice == "create_application" and undone.application_id is not None:
        await dismiss_if_untouched(unit, undone.application_id, messages=1, now=now)
    await forget(unit, undone.decision_id)
    restored = before(question.log, undone)
    weighed = await weighed_of(unit, restored.decision_id) if restored else ()
    decision = restoring(undone, restored, old, weighed)
    case = Case(question=question, choice="undo", now=now, looked=None)
    decision_id = await _put_in_force(unit, case, decision)
    if restored is not None and restored.choice in _TEACHING:
        await _learn(unit, case, decision, restored.decision_id)
    return decision_entry(decision_id)


async def _learn(unit: Unit, case: Case, decision: NewDecision, decision_id: DecisionId) -> None:
    if decision.application_id is not None:
        await learn(unit, decision_id, case.letter, decision.application_id, now=case.now)


async def _put_in_force(unit: Unit, case: Case, decision: NewDecision) -> DecisionId:
    ids = await decisions.append(unit, [decision], now=case.now)
    letter, old = case.letter, case.question.now
    if old is None or is_about_nothing(letter):
        # No machine may have looked for its application yet; what a person settles lends all the same.
        reading = case.looked.reading if case.looked else read(letter)
        await decisions.write_keys(unit, {case.message_id: hashes(reading)})
    move = Move(
        letter=letter,
        old=old.anchor_application_id if old else None,
        new=decision.anchor_application_id,
        was_read_before=old is not None,
    )
    await spread(unit, [move])
    touched = (old.attached_to if old else frozenset[ApplicationId]()) | attached_by(decision)
    await restand(unit, touched)
    await enqueue(unit, MatchAccount(), priority=CLICKED)
    announce(unit, "review", case.message_id)
    announce(unit, "applications", decision.application_id)
    return ids[case.message_id]


def attached_by(decision: NewDecision) -> frozenset[ApplicationId]:
    found = (decision.application_id, *decision.also_application_ids)
    return frozenset(application_id for application_id in found if application_id is not None)


async def assignable(unit: Unit, target: ApplicationId | None) -> ApplicationId:
    found = await application(unit, _required(target))
    if found.dismissed_at is not None:
        raise ChoiceNotEligible("That application is dismissed; bring it back first.")
    return found.application_id


def _required(target: ApplicationId | None) -> ApplicationId:
    if target is None:
        raise TargetRequired(field="target")
    return target


def _among(case: Case, target: ApplicationId | None) -> ApplicationId:
    candidates = [found.application_id for found in case.question.candidates]
    if _required(target) not in candidates or target is None:
        raise ChoiceNotEligible("That application is not a candidate here; assign the message to it instead.")
    return target


async def _take_back_reading(unit: Unit, message_id: MessageId, now: datetime) -> None:
    """What `not_job_mail` told the mail page, unless the person has said something else there since."""
    current = await in_force_reading(unit, message_id)
    if current is not None and current.stage == "person" and current.kinds == ["not_job_related"]:
        await undo_correction(unit, message_id, now=now)
