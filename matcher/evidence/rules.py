"""From one message and its candidates to a verdict: attached, asks, or none. Pure.

A machine attaches only when the best candidate clears the threshold on what no model read, is far enough
ahead of the second, and nothing contradicts it. A wrong link costs more than a missed one.
"""

from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from matcher.decisions.types import MachineOutcome, Verdict, Weighed
from matcher.evidence.go_between import speaks_of_a_client
from matcher.evidence.several import spoken_of
from matcher.evidence.types import Candidate, Lent, Letter
from matcher.evidence.unread import (
    is_a_boards_list,
    lists_openings,
    may_be_attached,
    names_a_title,
    names_another_before,
    tells_of_an_account,
)
from matcher.evidence.weighing import Reading, read, siblings_of, weigh, without_doubles, without_lent
from matcher.evidence.weights import Weights
from schema.ids import ApplicationId
from schema.vocabulary import EventKind, EvidenceName, FactName

__all__ = [
    "NEEDS_APPLICATION",
    "PROVES",
    "Doubt",
    "Reading",
    "is_about_nothing",
    "read",
    "unattachable",
    "verdict",
]

MOST_CANDIDATES = 5
"""Shown and stored of a doubtful message; the rest is further behind."""

MOST_TOGETHER = 12
"""Shown and stored of a message about several; a person attaches it to all of them at once."""

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
PROVES: frozenset[EventKind] = frozenset(
    {"acknowledgement", "rejection", "position_closed", "withdrawal_confirmed"}
)
"""What only one who applied is told; an invitation may come from somebody who found the person."""

Doubt = Literal["outreach", "several", "contradicted", "weak", "close", "unread"]
_TELL_OPENINGS: frozenset[EvidenceName] = frozenset(
    {"posting_url", "board_posting", "requisition", "reply_chain", "calendar", "role"}
)
_EXACT: frozenset[EvidenceName] = frozenset(
    {"posting_url", "board_posting", "requisition", "reply_chain", "calendar"}
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
    ordered = without_doubles(reading, [distinct[key] for key in sorted(distinct)])
    running = [msgspec.structs.replace(found, ended_at=None) for found in ordered]
    alone = _decide(without_lent(reading), running, (), weights)
    whole = _decide(reading, ordered, lent, weights)
    return msgspec.structs.replace(whole, anchor=alone.application_id)


def _decide(
    reading: Reading, candidates: Sequence[Candidate], lent: Sequence[Lent], weights: Weights
) -> Verdict:
    weighed = weigh(reading, candidates, lent, weights)
    together = spoken_of(reading, candidates, weighed, weights.strength)
    if together and unattachable(reading.letter) is None:
        return _several([found for found in weighed if found.application_id in together])
    return _one(reading.letter, weighed, candidates, weights)


def _several(weighed: Sequence[Weighed]) -> Verdict:
    """About all of them, so to none by a machine; the evidence is kept for each."""
    names = sorted({name for found in weighed for name in _names_for(found)})
    return Verdict(
        outcome="asks",
        application_id=None,
        anchor=None,
        score=weighed[0].score,
        margin=0.0,
        pattern=f"several:{'+'.join(names)}",
        candidates=tuple(weighed[:MOST_TOGETHER]),
    )


def _rivals(weighed: Sequence[Weighed], candidates: Sequence[Candidate]) -> frozenset[ApplicationId]:
    """Other applications at the employer of the best one."""
    best = next((found.application_id for found in weighed if not found.vetoed), None)
    own = [found for found in candidates if found.application_id == best]
    same = {other.application_id for found in own for other in siblings_of(found, candidates)}
    return frozenset(same)


def _one(
    letter: Letter, weighed: Sequence[Weighed], candidates: Sequence[Candidate], weights: Weights
) -> Verdict:
    open_ones = [found for found in weighed if not found.vetoed]
    best = open_ones[0] if open_ones else None
    shown = tuple(found for found in weighed if _has_evidence(found))[:MOST_CANDIDATES]
    if best is None or best.score < weights.decision.plausible:
        return _without_candidate(letter, best, shown)
    second = max(open_ones[1].score, 0.0) if len(open_ones) > 1 else 0.0
    after_end = weights.strength.time_after_end
    rivals = _rivals(weighed, candidates)
    apart = [
        _of_opening(best, after_end) - _of_opening(other, after_end)
        for other in open_ones
        if other.application_id in rivals
    ]
    margin = round(min([best.score - second, *apart]), 3)
    company, role = _names_of(best, candidates)
    doubt = _doubt(letter, best, margin, weights)
    if doubt is None and not letter.kinds and _only_names(best) and is_a_boards_list(letter, role):
        doubt = "unread"
    if doubt in {None, "unread"} and not _says_which(best):
        waits = any(
            other.application_id in rivals and not _had_ended(other, after_end) for other in open_ones
        )
        doubt = _doubt_of_kind(
            letter,
            doubt,
            company,
            role,
            is_alone=not waits,
            is_known=_is_by_somebody_known(best),
        )
    return Verdict(
        outcome=_outcome(letter, best, doubt, weights),
        application_id=best.application_id if doubt is None else None,
        anchor=None,
        score=best.score,
        margin=margin,
        pattern=f"{doubt or 'sure'}:{'+'.join(_names_for(best))}",
        candidates=shown[:WITH_RUNNER_UP] if doubt is None else shown,
    )


def _had_ended(found: Weighed, after_end: float) -> bool:
    """It was over, and the person had applied anew, before this was sent."""
    return any(piece.name == "time" and piece.strength <= after_end for piece in found.pieces)


def _doubt_of_kind(
    letter: Letter,
    doubt: Doubt | None,
    company: str | None,
    role: str | None,
    *,
    is_alone: bool,
    is_known: bool,
) -> Doubt | None:
    """Of what names the employer alone: sure when it is told or plain that it answers this application."""
    is_only = is_alone and role is None
    if speaks_of_a_client(letter) or (not is_only and names_a_title(letter.subject, company, role)):
        return "unread"
    if names_another_before(letter, company, role):
        return "unread"
    if doubt is None or letter.kinds or not is_alone:
        return doubt
    return None if may_be_attached(letter, company, role, is_known=is_known) else doubt


def _is_by_somebody_known(found: Weighed) -> bool:
    """Somebody who wrote about this application and no other."""
    return any(piece.name == "contact" and piece.sure and piece.direction == "for" for piece in found.pieces)


def _names_of(found: Weighed, candidates: Sequence[Candidate]) -> tuple[str | None, str | None]:
    own = [each for each in candidates if each.application_id == found.application_id]
    company = next((each.company for each in own if each.company), None)
    return company, next((each.role for each in own if each.role), None)


def _without_candidate(letter: Letter, best: Weighed | None, shown: tuple[Weighed, ...]) -> Verdict:
    return Verdict(
        outcome="asks" if NEEDS_APPLICATION.intersection(letter.kinds) else "none",
        application_id=None,
        anchor=None,
        score=best.score if best else None,
        margin=None,
        pattern="unproven:" if _is_unproven(letter) else "alone",
        candidates=shown,
    )


def _is_unproven(letter: Letter) -> bool:
    """It names an employer and a role, but not one who was found by somebody would be told anything else."""
    needed: tuple[FactName, FactName] = ("employer", "role")
    named = all(any(fact.sure for fact in letter.all_named(name)) for name in needed)
    return named and bool(letter.kinds) and not PROVES.intersection(letter.kinds)


def _outcome(letter: Letter, best: Weighed, doubt: Doubt | None, weights: Weights) -> MachineOutcome:
    """Doubt about something worth a person's minute is asked; about the rest nothing is said."""
    if doubt is None:
        return "attached"
    if doubt == "outreach":
        names = set(_names_for(best))
        return "asks" if "reply_chain" in names or {"employer", "role"} <= names else "none"
    return "none" if not letter.kinds and best.score < weights.decision.attach else "asks"


def _doubt(letter: Letter, best: Weighed, margin: float, weights: Weights) -> Doubt | None:
    """Why the best candidate is not attached by itself; None when it is."""
    limits = weights.decision
    # What only a model read, and names that are only akin, may propose but lend nothing to a decision.
    sure = sum(piece.strength for piece in best.pieces if piece.sure or piece.strength < 0)
    if unattachable(letter) is not None:
        return "outreach"
    if any(piece.strength <= limits.contradiction for piece in best.pieces):
        return "contradicted"
    if sure < limits.attach:
        return "weak"
    if margin - (best.score - sure) < limits.margin:
        return "close"
    if not _says_which(best):
        return (
            "unread"
            if not letter.kinds or tells_of_an_account(letter) or speaks_of_a_client(letter)
            else None
        )
    return "unread" if not letter.kinds and _only_names(best) and lists_openings(letter) else None


def _of_opening(found: Weighed, after_end: float) -> float:
    """What tells two openings of one employer apart: not when it came, who wrote it or what carried it."""
    return sum(
        piece.strength
        for piece in found.pieces
        if (piece.sure or piece.strength < 0)
        and (piece.name in _TELL_OPENINGS or (piece.name == "time" and piece.strength <= after_end))
    )


def _says_which(found: Weighed) -> bool:
    """Whatever it says, it names the very opening, or what for, and who hires or is known to write of it."""
    names = {piece.name for piece in found.pieces if piece.direction == "for" and piece.sure}
    return bool(_EXACT & names) or ("role" in names and not names.isdisjoint({"employer", "contact"}))


def _only_names(found: Weighed) -> bool:
    return _EXACT.isdisjoint(_names_for(found))


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
