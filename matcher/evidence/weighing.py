"""What one message tells, and what that amounts to for each of its candidates. Pure; decides nothing."""

from collections.abc import Sequence

import msgspec

from matcher.aliases.types import OtherName
from matcher.decisions.types import Piece, Weighed
from matcher.evidence.beside_title import employer_beside_title
from matcher.evidence.employer import tenant_piece
from matcher.evidence.identifiers import Identifiers, identifiers_of, posting_pieces
from matcher.evidence.kinship import kinship
from matcher.evidence.lent.rules import lent_pieces
from matcher.evidence.place import place_piece
from matcher.evidence.role import RoleFit, Titles, beside, is_one_title, role_fit, titles_of
from matcher.evidence.timing import time_pieces
from matcher.evidence.types import Candidate, Lent, Letter
from matcher.evidence.weights import Strength, Weights
from matcher.evidence.writer import Writer, with_known, writer_of
from schema.ids import ApplicationId

_RARE_CHARS = 6
_ONE_HOUSE = frozenset(("spelling", "group", "mistyped"))
_NAMES_WHAT = frozenset({"employer", "role"})


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What one message tells, read once for all its candidates."""

    letter: Letter
    writer: Writer
    identifiers: Identifiers
    titles: Titles


def read(letter: Letter) -> Reading:
    return Reading(
        letter=letter,
        writer=writer_of(letter),
        identifiers=identifiers_of(letter),
        titles=titles_of(letter),
    )


def knowing(reading: Reading, other_names: Sequence[OtherName], vouched: frozenset[str]) -> Reading:
    """With what the person holds its names for, and the companies whose domain it was sent from."""
    return msgspec.structs.replace(reading, writer=with_known(reading.writer, other_names, vouched))


def without_lent(reading: Reading) -> Reading:
    """Without what settled messages vouch for: what is left may be lent on."""
    return msgspec.structs.replace(
        reading, writer=msgspec.structs.replace(reading.writer, vouched=frozenset())
    )


def without_doubles(reading: Reading, candidates: Sequence[Candidate]) -> list[Candidate]:
    """What was derived from mail under another name gives way to what the person recorded for it."""
    held = {(name.used_key, name.key) for name in reading.writer.other_names}
    recorded = [found for found in candidates if not found.is_derived]
    return [
        found
        for found in candidates
        if not (
            found.is_derived
            and any(
                (found.company_key, other.company_key) in held and is_one_title(found.role, other.role)
                for other in recorded
            )
        )
    ]


def weigh(
    reading: Reading, candidates: Sequence[Candidate], lent: Sequence[Lent], weights: Weights
) -> list[Weighed]:
    """Every application with all pieces of its best record, the strongest first, vetoed ones last."""
    fits = {
        found.record_id: role_fit(reading.titles, found.role, weights.strength, company=found.company)
        for found in candidates
    }
    weighed = [
        _weighed(reading, candidate, siblings_of(candidate, candidates), fits, lent, weights)
        for candidate in candidates
    ]
    ranked: dict[ApplicationId, Weighed] = {}
    for found in sorted(weighed, key=lambda found: (found.vetoed, -found.score, found.application_id)):
        ranked.setdefault(found.application_id, found)
    return list(ranked.values())


def siblings_of(candidate: Candidate, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The other candidates at the same employer, whichever way its name was recorded."""
    return [
        other
        for other in candidates
        if other.application_id != candidate.application_id and of_one_employer(candidate, other)
    ]


def of_one_employer(one: Candidate, other: Candidate) -> bool:
    """ "M\u00fcller Bau", "Mueller Bau" and "M\u00fcller Bau Group" are one; a part may be another."""
    if one.company_key is None or other.company_key is None:
        return False
    return one.company_key == other.company_key or (
        kinship(one.company or "", other.company or "") in _ONE_HOUSE
    )


def _weighed(
    reading: Reading,
    candidate: Candidate,
    siblings: Sequence[Candidate],
    fits: dict[ApplicationId, RoleFit | None],
    lent: Sequence[Lent],
    weights: Weights,
) -> Weighed:
    strength = weights.strength
    posting = posting_pieces(reading.identifiers, candidate, strength)
    others = [fits[other.record_id] for other in siblings]
    fit = beside(fits[candidate.record_id], candidate.role, others, strength)
    found = [
        *posting,
        *([] if _names_a_sibling(fit, others) else lent_pieces(reading.letter, lent, candidate, strength)),
        employer_beside_title(reading.writer, candidate, fit, strength),
        tenant_piece(reading.writer, candidate, strength),
        _title_piece(fit, candidate, strength),
        place_piece(reading.letter, candidate, siblings, strength),
        *time_pieces(reading.letter, candidate, siblings, strength),
    ]
    pieces = [piece for piece in found if piece is not None and piece.name not in weights.without]
    if any(piece.strength >= strength.posting_url for piece in posting):
        # The very posting says who and what it is; names may differ by brand, language or spelling.
        pieces = [piece for piece in pieces if not _is_other_name(piece)]
    elif any(piece.name == "calendar" for piece in pieces):
        # A change of an entry says who meets, which reads like a name.
        pieces = [piece for piece in pieces if piece.name != "employer" or piece.direction != "against"]
    elif any(_is_rare_number(piece, strength) for piece in posting):
        pieces = [piece for piece in pieces if not _is_near_name(piece, fit, strength)]
    pieces.sort(key=lambda piece: (piece.direction != "veto", -abs(piece.strength)))
    score = round(sum(piece.strength for piece in pieces), 3)
    return Weighed(application_id=candidate.application_id, score=score, pieces=tuple(pieces))


def _title_piece(fit: RoleFit | None, candidate: Candidate, strength: Strength) -> Piece | None:
    """Where the employer was not recorded the very title has to say alone which application it is."""
    if fit is None or fit.fit != "same" or candidate.company_key is not None or not fit.piece.sure:
        return fit.piece if fit else None
    says = f"{fit.piece.says} You recorded no employer for it."
    return msgspec.structs.replace(fit.piece, strength=strength.role_lone, says=says)


def _names_a_sibling(fit: RoleFit | None, others: Sequence[RoleFit | None]) -> bool:
    """A conversation about one opening can turn to another of the same employer: then it lends nothing."""
    named = any(other is not None and other.fit == "same" and other.piece.sure for other in others)
    return named and fit is not None and fit.fit in {"other", "level_other", "intern"}


def _is_rare_number(piece: Piece, strength: Strength) -> bool:
    """So long that no other employer is likely to have given it as well."""
    letters = sum(letter.isalnum() for letter in piece.value)
    return piece.name == "requisition" and piece.strength >= strength.requisition and letters >= _RARE_CHARS


def _is_near_name(piece: Piece, fit: RoleFit | None, strength: Strength) -> bool:
    """A group's name says nothing against the very number; another's does, unless the title agrees too."""
    if piece.name != "employer" or piece.direction != "against":
        return False
    return piece.strength >= strength.employer_near or (fit is not None and fit.fit == "same")


def _is_other_name(piece: Piece) -> bool:
    return piece.name in _NAMES_WHAT and piece.direction == "against"
