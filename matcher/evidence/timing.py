"""Evidence about when: never before the application, soon after it, not after it had ended. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

from matcher.decisions.types import Piece
from matcher.evidence.types import Candidate, Letter
from matcher.evidence.weights import Strength
from schema.vocabulary import Direction

CLOCKS_APART = timedelta(minutes=15)
"""Two machines' clocks may differ by this much before "sent earlier" means anything."""

DAY_OF_GRACE = timedelta(days=1)
"""A plain date may be that of another time zone."""

SOON = timedelta(days=120)
LATE = timedelta(days=270)
VERY_LATE = timedelta(days=540)

RECEIPTS_COME_WITHIN = timedelta(days=3)
LONG_BEFORE = timedelta(days=14)
"""A receipt is not for what was applied to this long before, where the person applied anew just now."""


def time_pieces(
    letter: Letter, candidate: Candidate, siblings: Sequence[Candidate], strength: Strength
) -> list[Piece]:
    """None at all when the message or the application has no time. `siblings` are at the same employer."""
    sent = letter.sent_at
    if sent is None:
        return []
    applied = earliest(candidate)
    pieces: list[Piece] = []
    if applied is not None:
        pieces += _against_applying(sent, applied, candidate, strength)
    ended = candidate.ended_at
    if ended is not None and any(_applied_between(other, ended, sent) for other in siblings):
        says = (
            f"This application had ended on {ended:%d %B %Y}; you applied there again before this was sent."
        )
        pieces.append(_piece("against", strength.time_after_end, says, sent))
    elif applied is not None and _is_receipt_of_another(letter, applied, siblings):
        says = "It confirms an application, and you applied there anew just before it was sent."
        pieces.append(_piece("against", strength.time_after_end, says, sent))
    return pieces


def _is_receipt_of_another(letter: Letter, applied: datetime, siblings: Sequence[Candidate]) -> bool:
    sent = letter.sent_at
    if sent is None or "acknowledgement" not in letter.kinds:
        return False
    later = (when for other in siblings if (when := earliest(other)) is not None)
    return any(
        applied + LONG_BEFORE < when <= sent <= when + RECEIPTS_COME_WITHIN + DAY_OF_GRACE for when in later
    )


def earliest(candidate: Candidate) -> datetime | None:
    """The first instant at which an answer can have been sent; None when nobody knows when it was applied."""
    if candidate.applied_at is not None:
        return candidate.applied_at - CLOCKS_APART
    if candidate.applied_on is not None:
        return datetime.combine(candidate.applied_on, time.min, UTC) - DAY_OF_GRACE
    return None


def _against_applying(
    sent: datetime, applied: datetime, candidate: Candidate, strength: Strength
) -> list[Piece]:
    day = candidate.applied_on or (candidate.applied_at or applied).date()
    apart = sent - applied
    if apart < timedelta(0):
        return [_piece("veto", 0.0, f"It was sent before you applied on {day:%d %B %Y}.", sent)]
    if apart <= SOON:
        return [
            _piece(
                "for",
                strength.time_near,
                f"It was sent within weeks of your applying on {day:%d %B %Y}.",
                sent,
            )
        ]
    if apart <= LATE:
        return []
    says = f"It was sent {apart.days} days after you applied on {day:%d %B %Y}."
    late = strength.time_late if apart <= VERY_LATE else strength.time_very_late
    return [_piece("against", late, says, sent)]


def _applied_between(other: Candidate, ended: datetime, sent: datetime) -> bool:
    applied = earliest(other)
    return applied is not None and ended < applied <= sent


def _piece(direction: Direction, strength: float, says: str, sent: datetime) -> Piece:
    return Piece(name="time", direction=direction, strength=strength, says=says, value=sent.isoformat())
