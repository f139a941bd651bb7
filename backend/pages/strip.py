"""A timeline as a picture: one line of time with a mark for each event, as places in per cent. Pure.

Places keep the order and the rough distances; marks that would lie on each other are pushed apart, so that
each stays readable. The list below the picture holds the exact instants.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec

from schema.ids import MessageId
from schema.vocabulary import EventKind

Shape = Literal["start", "plain", "ask", "good", "end"]
LEFT, RIGHT = 2.0, 98.0
MARKS_MAX = 24

_SHAPES: dict[EventKind, Shape] = {
    "assessment_invite": "ask",
    "interview_invite": "ask",
    "interview_scheduled": "ask",
    "info_request": "ask",
    "offer": "good",
    "rejection": "end",
    "position_closed": "end",
    "withdrawal_confirmed": "end",
}


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened at a known instant. `kind` None is the applying itself."""

    at: datetime
    kind: EventKind | None
    message_id: MessageId | None = None


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """`place` is in per cent of the width."""

    place: float
    shape: Shape
    moment: Moment


class Strip(msgspec.Struct, frozen=True, kw_only=True):
    """`known_to` is where the last event lies; from there to the end nobody wrote."""

    marks: list[Mark]
    start: datetime
    end: datetime
    known_to: float
    ended: bool
    left_out: int


def strip_of(moments: Sequence[Moment], now: datetime, *, ended: bool) -> Strip | None:
    """The picture, or None when no instant is known. An ended application's line ends with its last event."""
    if not moments:
        return None
    ordered = sorted(moments, key=lambda moment: (moment.at, moment.message_id or 0))
    shown = _shown(ordered)
    start, last = shown[0].at, shown[-1].at
    end = last if ended else max(now, last)
    places = _apart([_place(moment.at, start, end) for moment in shown])
    marks = [
        Mark(place=place, shape=_shape(moment), moment=moment)
        for place, moment in zip(places, shown, strict=True)
    ]
    return Strip(
        marks=marks,
        start=start,
        end=end,
        known_to=marks[-1].place,
        ended=ended,
        left_out=len(ordered) - len(shown),
    )


def _shown(ordered: list[Moment]) -> list[Moment]:
    """The first and the latest ones, when there are more than a picture can hold."""
    if len(ordered) <= MARKS_MAX:
        return ordered
    return [ordered[0], *ordered[-(MARKS_MAX - 1) :]]


def _shape(moment: Moment) -> Shape:
    return "start" if moment.kind is None else _SHAPES.get(moment.kind, "plain")


def _place(at: datetime, start: datetime, end: datetime) -> float:
    span = (end - start).total_seconds()
    share = (at - start).total_seconds() / span if span > 0 else 0.0
    return LEFT + share * (RIGHT - LEFT)


def _apart(places: list[float]) -> list[float]:
    """Rising places pushed apart until none lies on another, and back from the right edge."""
    gap = min(3.0, (RIGHT - LEFT) / max(len(places) - 1, 1))
    moved = list(places)
    for index in range(1, len(moved)):
        moved[index] = max(moved[index], moved[index - 1] + gap)
    ceiling = RIGHT
    for index in range(len(moved) - 1, -1, -1):
        moved[index] = min(moved[index], ceiling)
        ceiling = moved[index] - gap
    return [round(place, 2) for place in moved]
