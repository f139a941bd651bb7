"""A line of either log as one of the history: whether it can be taken back, and its version. Pure."""

from datetime import datetime

from matcher.resolutions.choices import unless
from matcher.resolutions.history.types import ActRow, DecisionRow
from matcher.resolutions.names import (
    act_entry,
    application_item,
    ask_item,
    decision_entry,
    message_item,
    pair_item,
    status_item,
)
from matcher.resolutions.types import HistoryEntry, ItemId
from matcher.resolutions.versions import version
from schema.ids import ActId, DecisionId

UNDONE = "It was taken back already."
_NEWER = "You decided about it anew since; take that back first."


def decision_version(decision_id: DecisionId, newest_id: DecisionId | None) -> str:
    """What a machine decides meanwhile makes no other version: it lies below the person's word."""
    return version("decision", decision_id, newest_id)


def act_version(act_id: ActId, undone_at: datetime | None, *, is_on_top: bool = True) -> str:
    return version("act", act_id, undone_at, is_on_top)


def entry_of_decision(row: DecisionRow) -> HistoryEntry:
    reason = unless(
        (row.actor == "machine", "Its evidence decided it; open the message to say otherwise."),
        (row.undone_at is not None, UNDONE),
        (row.standing_id != row.decision_id, _NEWER),
    )
    return HistoryEntry(
        id=decision_entry(row.decision_id),
        version=decision_version(row.decision_id, row.newest_id),
        choice=row.choice or "confirm",
        by_person=row.actor == "person",
        decided_at=row.created_at,
        item=message_item(row.message_id),
        message_id=row.message_id,
        subject=row.subject,
        sent_at=row.sent_at,
        application_id=row.application_id,
        company=row.company,
        role=row.role,
        other_application_id=None,
        other_company=None,
        other_role=None,
        outcome=row.outcome,
        stage=None,
        pattern=row.pattern or None,
        messages=1,
        replaced_outcome=row.replaced_outcome,
        replaced_application_id=row.replaced_application_id,
        replaced_stage=None,
        undone_at=row.undone_at,
        can_undo=reason is None,
        reason=reason,
    )


def entry_of_act(row: ActRow) -> HistoryEntry:
    reason = unless(
        (row.undone_at is not None, UNDONE),
        (not row.is_newest, _NEWER),
        (not row.is_on_top, "It was changed in another way since."),
    )
    return HistoryEntry(
        id=act_entry(row.act_id),
        version=act_version(row.act_id, row.undone_at, is_on_top=row.is_newest and row.is_on_top),
        choice=row.choice,  # pyright: ignore[reportArgumentType] - only verbs are ever appended
        by_person=row.actor == "person",
        decided_at=row.created_at,
        item=_item(row),
        message_id=row.message_id,
        subject=row.subject,
        sent_at=row.sent_at,
        application_id=row.application_id,
        company=row.company,
        role=row.role,
        other_application_id=row.other_application_id,
        other_company=row.other_company,
        other_role=row.other_role,
        outcome=None,
        stage=row.stage,
        pattern=row.pattern,
        messages=row.messages,
        replaced_outcome=None,
        replaced_application_id=None,
        replaced_stage=row.replaced_stage,
        undone_at=row.undone_at,
        can_undo=reason is None,
        reason=reason,
    )


def _item(row: ActRow) -> ItemId | None:
    if row.application_id is None:
        return None
    match row.about:
        case "status":
            return status_item(row.application_id)
        case "ask":
            return ask_item(row.ask_id) if row.ask_id is not None else None
        case "pair":
            other = row.other_application_id
            return pair_item(row.application_id, other) if other is not None else None
        case "split":
            return application_item(row.application_id)
        case "pattern":
            return None
