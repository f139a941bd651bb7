"""Whether a message speaks of several applications at once: one refusal for two roles, a digest. Pure.

An application is spoken of when the message names its employer and its title as a whole, or its number, or
links to its posting. A machine attaches such a message to none of them.
"""

from collections.abc import Sequence

import msgspec

from matcher.decisions.types import Weighed
from matcher.evidence.identifiers import posting_pieces
from matcher.evidence.kinship import collapsed
from matcher.evidence.role import stands_whole, title_words_of
from matcher.evidence.types import Candidate
from matcher.evidence.weighing import Reading
from matcher.evidence.weights import Strength
from schema.ids import ApplicationId

_NUMBERS = frozenset(("posting_url", "board_posting", "requisition"))


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    """One record the message speaks of, by what: equal `what` at one employer cannot be told apart.

    `by_number` when it names the number recorded; `is_numbered` when any number stands beside the title.
    """

    application_id: ApplicationId
    company_key: str
    what: str
    words: frozenset[str]
    by_number: bool
    is_numbered: bool


def spoken_of(
    reading: Reading, candidates: Sequence[Candidate], weighed: Sequence[Weighed], strength: Strength
) -> frozenset[ApplicationId]:
    """The applications a message is about together; empty when it is about one at most.

    A number decides between titles alike: who names the number of one means that one. Vetoed ones are none.
    """
    if len(candidates) == 1 or reading.identifiers.is_a_list:
        return frozenset()
    open_ones = {found.application_id for found in weighed if not _is_out(found)}
    told = [
        one
        for candidate in candidates
        if candidate.application_id in open_ones and (one := _told(reading, candidate, strength)) is not None
    ]
    numbered = [one for one in told if one.by_number]
    meant = _without_shorter([one for one in told if one.by_number or _is_another(one, numbered)])
    # One title at two employers is one opening under two names, or nobody can tell.
    matters = {one.what for one in meant}
    applications = frozenset(one.application_id for one in meant)
    return applications if len(matters) > 1 and len(applications) > 1 else frozenset()


def _is_out(found: Weighed) -> bool:
    """Vetoed; but a title beside another one is a reason to think of both."""
    return any(piece.direction == "veto" and piece.name != "role" for piece in found.pieces)


def _told(reading: Reading, candidate: Candidate, strength: Strength) -> _Told | None:
    pieces = posting_pieces(reading.identifiers, candidate, strength)
    number = next(
        (one for one in pieces if one.name in _NUMBERS and one.strength > strength.requisition_short), None
    )
    title = stands_whole(reading.titles, candidate.role)
    if number is None and (title is None or not _is_named(reading, candidate)):
        return None
    return _Told(
        application_id=candidate.application_id,
        company_key=candidate.company_key or "",
        what=number.value if number else title.key if title else "",
        words=title.words if title else title_words_of(candidate.role),
        by_number=number is not None,
        is_numbered=title is not None and title.is_numbered,
    )


def _is_named(reading: Reading, candidate: Candidate) -> bool:
    """Its employer's name, or another name or spelling of it, stands anywhere in the message."""
    if candidate.company_key is None:
        return False
    spelled = collapsed(candidate.company_key)
    return any(collapsed(key) == spelled for key in reading.writer.keys)


def _is_another(told: _Told, numbered: Sequence[_Told]) -> bool:
    """Its title has a number too, and is none of those told by one: "R-12 (Baker) becomes R-15 (Cook)"."""
    if numbered and not told.is_numbered:
        return False
    return not any(told.words <= one.words or one.words <= told.words for one in numbered)


def _without_shorter(told: Sequence[_Told]) -> list[_Told]:
    """ "Engineer, Payments" speaks of no "Engineer" at the same employer."""
    return [
        one
        for one in told
        if one.by_number
        or not any(one.company_key == other.company_key and one.words < other.words for other in told)
    ]
