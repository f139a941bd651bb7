"""From one message and its candidates to a verdict: attached, asks, or none. Pure.

A machine attaches only when the best candidate clears the threshold on what no model read, is far enough
ahead of the second, and nothing contradicts it. A wrong link costs more than a missed one.
"""

from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from matcher.decisions.types import MachineOutcome, Piece, Verdict, Weighed
from matcher.evidence.employer import Writer, employer_piece, tenant_piece, writer_of
from matcher.evidence.identifiers import Identifiers, identifiers_of, posting_pieces
from matcher.evidence.lending import lent_pieces
from matcher.evidence.role import RoleFit, Titles, beside, role_fit, titles_of
from matcher.evidence.timing import time_pieces
from matcher.evidence.types import Candidate, Lent, Letter
from matcher.evidence.weights import Strength, Weights
from schema.ids import ApplicationId
from schema.vocabulary import EventKind, EvidenceName

MOST_CANDIDATES = 5
"""Shown and stored of a doubtful message; the rest is further behind."""

WITH_RUNNER_UP = 2
"""Stored of a sure one: what it is attached to, and what came next."""

NEEDS_APPLICATION: frozenset[EventKind] = frozenset(
    {
        "acknowledgement",
        "rejection",
        "position_closed",
        "assessment_invite",
        "interview_invite",
        "interview_scheduled",
        "info_request",
        "offer",
        "withdrawal_confirmed",
    }
)
Doubt = Literal["outreach", "contradicted", "weak", "close", "unread"]
_EXACT: frozenset[EvidenceName] = frozenset({"posting_url", "board_posting", "requisition", "reply_chain"})


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


def is_about_nothing(letter: Letter) -> bool:
    """No evidence is even looked for: the person wrote it, or it is not about a job."""
    return unattachable(letter) in {"own_hand", "not_job_related"}


def unattachable(letter: Letter) -> str | None:
    """Why no machine ever attaches this message, whatever the evidence; None when it may."""
    if letter.from_owner:
        return "own_hand"
    if letter.kinds and set(letter.kinds) <= {"not_job_related"}:
        return "not_job_related"
    if letter.kinds and set(letter.kinds) <= {"recruiter_outreach", "not_job_related"}:
        return "outreach"
    return None


def verdict(
    reading: Reading,
    candidates: Sequence[Candidate],
    lent: Sequence[Lent],
    refused: Collection[ApplicationId],
    weights: Weights,
) -> Verdict:
    """The same for any order of `candidates` and `lent`, and for repeated ones."""
    if is_about_nothing(reading.letter):
        return _nothing(unattachable(reading.letter) or "")
    distinct = {found.record_id: found for found in candidates if found.application_id not in refused}
    ordered = [distinct[key] for key in sorted(distinct)]
    running = [msgspec.structs.replace(found, ended_at=None) for found in ordered]
    alone = _decide(reading.letter, weigh(reading, running, (), weights), weights)
    whole = _decide(reading.letter, weigh(reading, ordered, lent, weights), weights)
    return msgspec.structs.replace(whole, anchor=alone.application_id)


def weigh(
    reading: Reading, candidates: Sequence[Candidate], lent: Sequence[Lent], weights: Weights
) -> list[Weighed]:
    """Every application with all pieces of its best record, the strongest first, vetoed ones last."""
    fits = {found.record_id: role_fit(reading.titles, found.role, weights.strength) for found in candidates}
    weighed = [
        _weighed(reading, candidate, _siblings(candidate, candidates), fits, lent, weights.strength)
        for candidate in candidates
    ]
    ranked: dict[ApplicationId, Weighed] = {}
    for found in sorted(weighed, key=lambda found: (found.vetoed, -found.score, found.application_id)):
        ranked.setdefault(found.application_id, found)
    return list(ranked.values())


def _weighed(
    reading: Reading,
    candidate: Candidate,
    siblings: Sequence[Candidate],
    fits: dict[ApplicationId, RoleFit | None],
    lent: Sequence[Lent],
    strength: Strength,
) -> Weighed:
    posting = posting_pieces(reading.identifiers, candidate, strength)
    others = [fits[other.record_id] for other in siblings]
    fit = beside(fits[candidate.record_id], others, strength)
    found = [
        *posting,
        *lent_pieces(lent, candidate, strength),
        employer_piece(reading.writer, candidate, strength),
        tenant_piece(reading.writer, candidate, strength),
        fit.piece if fit else None,
        *time_pieces(reading.letter, candidate, siblings, strength),
    ]
    pieces = [piece for piece in found if piece is not None]
    if any(piece.strength >= strength.posting_url for piece in posting):
        # The very posting says who and what it is; names may differ by brand, language or spelling.
        pieces = [piece for piece in pieces if not _is_other_name(piece)]
    pieces.sort(key=lambda piece: (piece.direction != "veto", -abs(piece.strength)))
    score = round(sum(piece.strength for piece in pieces), 3)
    return Weighed(application_id=candidate.application_id, score=score, pieces=tuple(pieces))


def _decide(letter: Letter, weighed: Sequence[Weighed], weights: Weights) -> Verdict:
    open_ones = [found for found in weighed if not found.vetoed]
    best = open_ones[0] if open_ones else None
    shown = tuple(found for found in weighed if _has_evidence(found))[:MOST_CANDIDATES]
    if best is None or best.score < weights.decision.plausible:
        return _without_candidate(letter, best, shown)
    second = max(open_ones[1].score, 0.0) if len(open_ones) > 1 else 0.0
    margin = round(best.score - second, 3)
    doubt = _doubt(letter, best, margin, weights)
    return Verdict(
        outcome=_outcome(letter, best, doubt, weights),
        application_id=best.application_id if doubt is None else None,
        anchor=None,
        score=best.score,
        margin=margin,
        pattern=f"{doubt or 'sure'}:{'+'.join(_names_for(best))}",
        candidates=shown[:WITH_RUNNER_UP] if doubt is None else shown,
    )


def _without_candidate(letter: Letter, best: Weighed | None, shown: tuple[Weighed, ...]) -> Verdict:
    return Verdict(
        outcome="asks" if NEEDS_APPLICATION.intersection(letter.kinds) else "none",
        application_id=None,
        anchor=None,
        score=best.score if best else None,
        margin=None,
        pattern="alone",
        candidates=shown,
    )


def _outcome(letter: Letter, best: Weighed, doubt: Doubt | None, weights: Weights) -> MachineOutcome:
    """Doubt about something worth a person's minute is asked; about the rest nothing is said."""
    if doubt is None:
        return "attached"
    if doubt == "outreach":
        return "asks" if "reply_chain" in _names_for(best) else "none"
    return "none" if _is_unread(letter) and best.score < weights.decision.attach else "asks"


def _doubt(letter: Letter, best: Weighed, margin: float, weights: Weights) -> Doubt | None:
    """Why the best candidate is not attached by itself; None when it is."""
    limits = weights.decision
    # What only a model read may propose, but lends nothing to a decision.
    sure = sum(piece.strength for piece in best.pieces if piece.sure or piece.strength < 0)
    if unattachable(letter) is not None:
        return "outreach"
    if any(piece.strength <= limits.contradiction for piece in best.pieces):
        return "contradicted"
    if sure < limits.attach:
        return "weak"
    if margin - (best.score - sure) < limits.margin:
        return "close"
    if _is_unread(letter) and not _EXACT.intersection(_names_for(best)):
        return "unread"
    return None


def _is_unread(letter: Letter) -> bool:
    """Nobody could tell what it says, or it says nothing that moves an application."""
    return not letter.kinds or set(letter.kinds) <= {"status_update", "not_job_related"}


def _nothing(reason: str) -> Verdict:
    return Verdict(
        outcome="none",
        application_id=None,
        anchor=None,
        score=None,
        margin=None,
        pattern=reason,
        candidates=(),
    )


def _names_for(found: Weighed) -> list[EvidenceName]:
    return sorted({piece.name for piece in found.pieces if piece.direction == "for"})


def _has_evidence(found: Weighed) -> bool:
    """Worth showing: something besides the time speaks for it."""
    return any(piece.direction == "for" and piece.name != "time" for piece in found.pieces)


def _is_other_name(piece: Piece) -> bool:
    return piece.name in {"employer", "role"} and piece.direction == "against"


def _siblings(candidate: Candidate, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The other candidates at the same employer."""
    return [
        other
        for other in candidates
        if other.application_id != candidate.application_id
        and other.company_key is not None
        and other.company_key == candidate.company_key
    ]
