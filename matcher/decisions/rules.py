"""What a message's log of decisions means: what may be undone, what that restores, what was refused. Pure."""

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from matcher.decisions.types import EvidenceRow, Logged, Piece, Span, Verdict, Weighed
from schema.ids import ApplicationId, DecisionId


def input_hash(verdict: Verdict, policy_version: int) -> str:
    """The identity of what a machine decision rests on: the policy and every piece of evidence.

    Two runs over the same evidence give the same hash, so that the second one appends nothing.
    """
    return hashlib.sha256(msgspec.json.encode((policy_version, verdict))).hexdigest()


def choice_hash(*parts: str | int | None) -> str:
    """The identity of what a person decided upon: the decision they saw, their choice and its target."""
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def candidates_of(rows: Iterable[EvidenceRow]) -> tuple[Weighed, ...]:
    """Evidence rows of one decision, put together again as they were weighed."""
    pieces: dict[ApplicationId, list[Piece]] = {}
    ranks: dict[ApplicationId, tuple[int, float]] = {}
    for row in rows:
        pieces.setdefault(row.application_id, []).append(_piece(row))
        ranks[row.application_id] = (row.rank, row.candidate_score)
    return tuple(
        Weighed(application_id=key, score=ranks[key][1], pieces=tuple(pieces[key]))
        for key in sorted(ranks, key=lambda key: ranks[key][0])
    )


def rank_of(*, changes_stage: bool, is_answerable: bool) -> int:
    """3: answering moves an application. 2: it can be answered. 1: it can only be refused."""
    if not is_answerable:
        return 1
    return 3 if changes_stage else 2


def undoable(log: Sequence[Logged]) -> Logged | None:
    """The person's last decision that stands; None when there is none left to take back."""
    undone = {entry.undoes_id for entry in log if entry.undoes_id is not None}
    standing = [
        entry
        for entry in log
        if entry.actor == "person" and entry.choice != "undo" and entry.decision_id not in undone
    ]
    return max(standing, key=lambda entry: entry.decision_id, default=None)


def before(log: Sequence[Logged], undone: Logged) -> Logged | None:
    """What was in force before `undone`, looking through earlier undos to what they restored."""
    by_id = {entry.decision_id: entry for entry in log}
    found = _get(by_id, undone.replaces_id)
    while found is not None and found.undoes_id is not None:
        taken_back = _get(by_id, found.undoes_id)
        found = _get(by_id, taken_back.replaces_id if taken_back else None)
    return found


def is_word_of_a_person(entry: Logged | None) -> bool:
    """A choice that settles the message. A refusal of one candidate only narrows what the machine may say."""
    return entry is not None and entry.actor == "person" and entry.choice not in {"reject", "undo"}


def refused(log: Sequence[Logged]) -> frozenset[ApplicationId]:
    """Applications the person said this message is not about; no machine proposes them again."""
    undone = {entry.undoes_id for entry in log}
    return frozenset(
        entry.rejected_application_id
        for entry in log
        if entry.rejected_application_id is not None and entry.decision_id not in undone
    )


def _get(by_id: dict[DecisionId, Logged], decision_id: DecisionId | None) -> Logged | None:
    return None if decision_id is None else by_id.get(decision_id)


def _piece(row: EvidenceRow) -> Piece:
    place = None
    if row.span_source is not None and row.span_start is not None and row.span_end is not None:
        place = Span(source=row.span_source, start=row.span_start, end=row.span_end)
    return Piece(
        name=row.name,
        direction=row.direction,
        strength=row.strength,
        says=row.says,
        value=row.value,
        span=place,
    )
