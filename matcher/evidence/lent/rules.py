"""Evidence lent by other messages: an answer, an invitation, a thread, a known person. Pure.

Only messages that are settled on their own evidence, or by a person, lend; so what is lent does not depend on
the order in which messages came. A thread is evidence, not proof: providers glue strangers together. Somebody
who wrote about two applications speaks for neither.
"""

from collections.abc import Iterable

from matcher.decisions.types import Piece, Span
from matcher.evidence.types import Candidate, Lent, Letter, Via
from matcher.evidence.weights import Strength
from schema.vocabulary import Direction

_ORDER: tuple[Via, ...] = ("reply_chain", "calendar", "thread", "contact")


def lent_pieces(
    letter: Letter, lent: Iterable[Lent], candidate: Candidate, strength: Strength
) -> list[Piece]:
    """At most one piece of each kind, however many messages lend it."""
    given = list(lent)
    several = len({item.application_id for item in given if item.via == "contact"}) > 1
    own = [item for item in given if item.application_id == candidate.application_id]
    return [
        _shared(letter, strength)
        if via == "contact" and several
        else _piece(via, letter, strength, by_person=any(item.by_person for item in own if item.via == via))
        for via in _ORDER
        if any(item.via == via for item in own)
    ]


def _piece(via: Via, letter: Letter, strength: Strength, *, by_person: bool) -> Piece:
    settled = "you attached" if by_person else "that is attached"
    says: dict[Via, str] = {
        "reply_chain": f"It answers a message {settled} to this application.",
        "calendar": f"It belongs to an invitation {settled} to this application.",
        "thread": f"The mailbox shows it in one thread with a message {settled} to this application.",
        "contact": f"It comes from a person who stands in a message {settled} to this application.",
    }
    counts: dict[Via, float] = {
        "reply_chain": strength.reply_chain,
        "calendar": strength.calendar,
        "thread": strength.thread,
        "contact": strength.contact,
    }
    return _for(via, counts[via], says[via], span=_place(via, letter))


def _shared(letter: Letter, strength: Strength) -> Piece:
    says = "It comes from a person who wrote to you about this application and about others."
    return _for("contact", strength.contact_shared, says, span=_place("contact", letter), sure=False)


def _place(via: Via, letter: Letter) -> Span | None:
    if via == "calendar":
        return next((fact.span for fact in letter.all_named("meeting")), None)
    return letter.sender_span(letter.sender_address) if via == "contact" and letter.sender_address else None


def _for(via: Via, strength: float, says: str, *, span: Span | None, sure: bool = True) -> Piece:
    direction: Direction = "for"
    return Piece(name=via, direction=direction, strength=strength, says=says, value=via, span=span, sure=sure)
