"""The decision that takes a person's answer back: what was in force before stands again. Pure.

A word of the person's own stands as it stood. What a machine said is shown again and weighed anew: its
evidence may be another by now, and only the machine says what may be lent on.
"""

from matcher.decisions.rules import choice_hash, is_word_of_a_person
from matcher.decisions.types import InForce, Logged, NewDecision, Weighed
from matcher.evidence.weights import current_weights
from schema.ids import ActId


def restoring(
    undone: Logged,
    restored: Logged | None,
    old: InForce,
    candidates: tuple[Weighed, ...],
    *,
    act_id: ActId | None = None,
) -> NewDecision:
    """`old` is in force now, `restored` was before `undone`; `act_id` is the act that takes many back."""
    is_persons = is_word_of_a_person(restored)
    application_id = restored.application_id if restored else None
    also = tuple(restored.also_application_ids) if restored else ()
    return NewDecision(
        message_id=undone.message_id,
        outcome=restored.outcome if restored else "none",
        application_id=application_id,
        also_application_ids=also,
        actor="person",
        act_id=act_id,
        choice="undo",
        policy_version=current_weights().version,
        # Of no evidence that the machine could find again, so that it decides anew.
        input_hash=choice_hash(old.decision_id, "undo"),
        pattern=restored.pattern if restored else "",
        replaces_id=old.decision_id,
        undoes_id=undone.decision_id,
        anchor_application_id=application_id if is_persons and not also else None,
        by_person=is_persons,
        stale=not is_persons,
        changes_stage=old.changes_stage,
        rank=old.rank,
        reading_id=old.reading_id,
        candidates=candidates,
    )
