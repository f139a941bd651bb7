"""Evidence lent by other messages: an answer to a settled one, one thread, a known correspondent. Pure.

Only messages that are settled on their own evidence, or by a person, lend; so what is lent does not depend on
the order in which messages came. A thread is evidence, not proof: providers glue strangers together.
"""

from collections.abc import Iterable
from typing import Literal

from matcher.decisions.types import Piece
from matcher.evidence.types import Candidate, Lent
from matcher.evidence.weights import Strength

Via = Literal["reply_chain", "thread", "contact"]
_ORDER: tuple[Via, ...] = ("reply_chain", "thread", "contact")


def lent_pieces(lent: Iterable[Lent], candidate: Candidate, strength: Strength) -> list[Piece]:
    """At most one piece of each kind, however many messages lend it."""
    own = [item for item in lent if item.application_id == candidate.application_id]
    return [
        _piece(via, strength, by_person=any(item.by_person for item in own if item.via == via))
        for via in _ORDER
        if any(item.via == via for item in own)
    ]


def _piece(via: Via, strength: Strength, *, by_person: bool) -> Piece:
    settled = "you attached" if by_person else "that is attached"
    says: dict[Via, str] = {
        "reply_chain": f"It answers a message {settled} to this application.",
        "thread": f"The mailbox shows it in one thread with a message {settled} to this application.",
        "contact": f"Its sender wrote a message {settled} to this application.",
    }
    counts: dict[Via, float] = {
        "reply_chain": strength.reply_chain,
        "thread": strength.thread,
        "contact": strength.contact,
    }
    return Piece(name=via, direction="for", strength=counts[via], says=says[via], value=via)
