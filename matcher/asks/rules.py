"""Which events ask something of the person, and which later ones settle it. Pure."""

from collections.abc import Iterable
from datetime import date, datetime

import msgspec

from matcher.timeline.rules import ENDING_KINDS, in_order
from matcher.timeline.types import Event
from schema.ids import MessageId
from schema.vocabulary import AskKind, EventKind

_OPENS: dict[EventKind, AskKind] = {
    "assessment_invite": "finish_assessment",
    "interview_invite": "choose_time",
    "info_request": "send_information",
    "offer": "answer_offer",
}
_MEETING: tuple[EventKind, ...] = ("interview_invite", "interview_scheduled", "offer")
_SETTLED_BY: dict[AskKind, frozenset[EventKind]] = {
    "finish_assessment": ENDING_KINDS.union(_MEETING),
    "choose_time": ENDING_KINDS.union(_MEETING[1:]),
    "send_information": ENDING_KINDS.union(_MEETING, ("assessment_invite",)),
    # Only the person knows what they answered; an end settles it all the same.
    "answer_offer": ENDING_KINDS,
}


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """`settled_at` is when the settling message was sent."""

    kind: AskKind
    message_id: MessageId
    opened_at: datetime
    settled_at: datetime | None = None
    settling_message_id: MessageId | None = None


def asks_of(events: Iterable[Event]) -> list[Ask]:
    """One ask per message and kind. An event of unknown time opens nothing: it has no place in an order."""
    ordered = [event for event in in_order(events) if event.sent_at is not None]
    found: dict[tuple[MessageId, AskKind], Ask] = {}
    for place, event in enumerate(ordered):
        kind = _OPENS.get(event.kind)
        if kind is not None and event.sent_at is not None:
            found.setdefault((event.message_id, kind), _ask(kind, event, event.sent_at, ordered[place + 1 :]))
    return list(found.values())


def settles(kind: AskKind, later: EventKind) -> bool:
    """Whether an ask of that kind is done with once something like this is said later."""
    return later in _SETTLED_BY[kind]


def due(comparable: str) -> tuple[datetime | None, date | None]:
    """The instant or the plain day of an ISO spelling; neither for anything else, or for no real day."""
    try:
        if len(comparable) == len("2026-03-20"):
            return None, date.fromisoformat(comparable)
        instant = datetime.fromisoformat(comparable)
    except ValueError:
        return None, None
    return (instant, None) if instant.tzinfo else (None, instant.date())


def _ask(kind: AskKind, event: Event, opened_at: datetime, later: list[Event]) -> Ask:
    settling = next((other for other in later if _settles(kind, event, other)), None)
    return Ask(
        kind=kind,
        message_id=event.message_id,
        opened_at=opened_at,
        settled_at=settling.sent_at if settling else None,
        settling_message_id=settling.message_id if settling else None,
    )


def _settles(kind: AskKind, event: Event, other: Event) -> bool:
    """A message never settles what it asks itself; nor does a reminder of the same ask."""
    return other.message_id != event.message_id and settles(kind, other.kind)
