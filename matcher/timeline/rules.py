"""From events in order of sending, and the person's word, to where an application stands. Pure.

Never asks a clock and never reads silence as a rejection: days without news are a number, not a stage.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime

from matcher.timeline.types import Change, Event, PersonStatus, Standing
from schema.ids import MessageId
from schema.vocabulary import EventKind, Stage

STAGE_OF: dict[EventKind, Stage] = {
    "acknowledgement": "acknowledged",
    "info_request": "acknowledged",
    "assessment_invite": "assessment",
    "interview_invite": "interviewing",
    "interview_scheduled": "interviewing",
    "offer": "offer",
    "rejection": "rejected",
    "position_closed": "closed",
    "withdrawal_confirmed": "withdrawn",
}
PROGRESS: tuple[Stage, ...] = ("applied", "acknowledged", "assessment", "interviewing", "offer")
ENDED: frozenset[Stage] = frozenset({"rejected", "withdrawn", "closed"})
ENDING_KINDS: frozenset[EventKind] = frozenset({"rejection", "position_closed", "withdrawal_confirmed"})
_REOPENING: frozenset[Stage] = frozenset({"assessment", "interviewing", "offer"})
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


def in_order(events: Iterable[Event]) -> list[Event]:
    """By time of sending; ids only break ties. An event of unknown time never outruns a known one.

    What one message says at the same instant is read with its ending last: a refusal that also thanks for
    applying is a refusal.
    """
    return sorted(
        events,
        key=lambda event: (
            event.sent_at or _BEFORE_ALL,
            event.message_id,
            event.kind in ENDING_KINDS,
            event.event_id,
        ),
    )


def standing(
    events: Iterable[Event],
    person: PersonStatus | None,
    declined: Collection[tuple[MessageId, Stage]] = (),
) -> Standing:
    """`declined` are the proposals the person turned down: which message, and to what stage."""
    ordered = in_order(events)
    changes = _changes(ordered)
    mail_stage = changes[-1].stage if changes else "applied"
    proposed = _proposed(changes, person, declined)
    return Standing(
        stage=person.stage if person else mail_stage,
        mail_stage=mail_stage,
        by_person=person is not None,
        changes=changes,
        reopened_by=_reopening(changes),
        last_event=ordered[-1] if ordered else None,
        proposal=proposed.stage if proposed else None,
        proposed_by=proposed.event if proposed else None,
    )


def follows(stage: Stage, kind: EventKind) -> Stage | None:
    """The stage an event leads to from `stage`; None when it changes nothing.

    A receipt after a refusal reopens nothing: it is a late copy, or belongs to another application.
    """
    reached = STAGE_OF.get(kind)
    if reached is None or reached == stage:
        return None
    if reached in ENDED:
        return reached
    if stage in ENDED:
        return reached if reached in _REOPENING else None
    return reached if PROGRESS.index(reached) > PROGRESS.index(stage) else None


def silent_days(last: datetime | None, now: datetime) -> int | None:
    """Whole days since the last sign of life; None when there was none that has a time."""
    return None if last is None else max((now - last).days, 0)


def _changes(ordered: list[Event]) -> tuple[Change, ...]:
    stage: Stage = "applied"
    changes: list[Change] = []
    for event in ordered:
        reached = follows(stage, event.kind)
        if reached is not None:
            reopens = stage in ENDED and reached not in ENDED
            changes.append(Change(stage=reached, event=event, reopens=reopens))
            stage = reached
    return tuple(changes)


def _reopening(changes: tuple[Change, ...]) -> Event | None:
    for change in reversed(changes):
        if change.stage in ENDED:
            return None
        if change.reopens:
            return change.event
    return None


def _proposed(
    changes: tuple[Change, ...],
    person: PersonStatus | None,
    declined: Collection[tuple[MessageId, Stage]],
) -> Change | None:
    """The last change of the mail, where it came after the person's word and says something else."""
    last = changes[-1] if changes else None
    if person is None or last is None or last.stage == person.stage:
        return None
    if (last.event.message_id, last.stage) in declined:
        return None
    sent_at = last.event.sent_at
    return last if sent_at is not None and sent_at > person.at else None
