"""Which answers are open for a message, and exactly what each would touch. Pure.

The server declares the choices; a page only shows them. The same rules are asked again when an answer comes.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from matcher.asks.rules import settles
from matcher.resolutions.types import Option, ShownCandidate, TargetSource, Touched
from schema.ids import ApplicationId, AskId, MessageId
from schema.vocabulary import AskKind, Choice, EventKind, EvidenceName, MatchOutcome

_ORDER: tuple[Choice, ...] = (
    "confirm",
    "confirm_all",
    "reject",
    "assign",
    "create_application",
    "not_an_application",
    "not_job_mail",
    "undo",
)
_NAMING: frozenset[EvidenceName] = frozenset(
    {"posting_url", "board_posting", "requisition", "role", "calendar"}
)
"""Evidence that means one application and not its siblings."""


class KnownAsk(msgspec.Struct, frozen=True, kw_only=True):
    """An ask of an application the message is, or may be, attached to."""

    ask_id: AskId
    application_id: ApplicationId
    message_id: MessageId
    kind: AskKind
    opened_at: datetime
    settled_at: datetime | None
    settling_message_id: MessageId | None


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """What decides which answers are open. `candidates` are all that are shown, the likeliest first.

    `restores` is what an undo would attach it to again.
    """

    message_id: MessageId
    kinds: tuple[EventKind, ...]
    sent_at: datetime | None
    outcome: MatchOutcome | None
    attached: tuple[ApplicationId, ...]
    by_person: bool
    pattern: str
    candidates: tuple[ShownCandidate, ...]
    asks: tuple[KnownAsk, ...]
    has_applications: bool
    can_undo: bool
    restores: tuple[ApplicationId, ...]

    @property
    def open_ones(self) -> list[ApplicationId]:
        """Candidates that can be confirmed."""
        return [found.application_id for found in self.candidates if not found.application.is_dismissed]

    @property
    def likeliest(self) -> ApplicationId | None:
        """What a confirmation without a target means."""
        attached = [found for found in self.attached if found in self.open_ones]
        return next(iter(attached or self.open_ones), None)

    @property
    def refusable(self) -> ApplicationId | None:
        """What a refusal without a target means: what it is attached to, or the only candidate."""
        if len(self.attached) == 1:
            return self.attached[0]
        return self.candidates[0].application_id if len(self.candidates) == 1 else None

    @property
    def named(self) -> list[ApplicationId]:
        """Every application the message is about by its own words."""
        is_about_several = self.pattern.partition(":")[0] == "several"
        return [
            found.application_id
            for found in self.candidates
            if found.application_id in self.open_ones
            and all(piece.direction != "veto" for piece in found.evidence_against)
            and (is_about_several or any(piece.name in _NAMING for piece in found.evidence_for))
        ]


def options(situation: Situation) -> list[Option]:
    return [_option(situation, choice) for choice in _ORDER]


def why_not(situation: Situation, choice: Choice) -> str | None:
    """Why a choice is closed, as a sentence for the person; None when it is open."""
    settled = situation.outcome if situation.by_person else None
    all_named = set(situation.named)
    closed: dict[Choice, tuple[tuple[bool, str], ...]] = {
        "confirm": (
            (not situation.open_ones, "There is no candidate to confirm."),
            (settled == "attached", "You confirmed it already."),
        ),
        "confirm_all": (
            (len(all_named) < 2, "It does not name several of your applications."),  # noqa: PLR2004
            (settled == "attached" and all_named == set(situation.attached), "You confirmed them already."),
        ),
        "reject": ((not situation.candidates, "There is no candidate to refuse."),),
        "assign": ((not situation.has_applications, "There is no application to choose from."),),
        "not_an_application": ((settled == "not_an_application", "You said so already."),),
        "not_job_mail": ((settled == "not_job_mail", "You said so already."),),
        "undo": ((not situation.can_undo, "There is nothing of yours to take back."),),
    }
    return next((sentence for is_closed, sentence in closed.get(choice, ()) if is_closed), None)


def outcome_of(choice: Choice, left: Sequence[ApplicationId]) -> MatchOutcome:
    """What a choice other than undo comes to; `left` are the candidates that remain after a refusal."""
    if choice == "reject":
        return "asks" if left else "none"
    if choice in {"confirm", "confirm_all", "assign", "create_application"}:
        return "attached"
    return "not_job_mail" if choice == "not_job_mail" else "not_an_application"


def touched(situation: Situation, becomes: Iterable[ApplicationId]) -> Touched:
    """What changes when the message is attached to just `becomes`: what it leaves, and what it comes to."""
    new, old = set(becomes), set(situation.attached)
    return Touched(
        messages=[situation.message_id],
        applications=sorted(new | old),
        asks=[ask.ask_id for ask in situation.asks if _moves(situation, ask, old - new, new - old)],
    )


def _option(situation: Situation, choice: Choice) -> Option:
    reason = why_not(situation, choice)
    source, target = _target(situation, choice)
    return Option(
        choice=choice,
        eligible=reason is None,
        reason=reason,
        needs_target=source is not None and target is None,
        target_source=source,
        target=target,
        touches=touched(situation, _becomes(situation, choice, target)),
    )


def _target(situation: Situation, choice: Choice) -> tuple[TargetSource | None, ApplicationId | None]:
    match choice:
        case "confirm":
            return "candidates", situation.likeliest
        case "reject":
            return "candidates", situation.refusable
        case "assign":
            return "applications", None
        case _:
            return None, None


def _becomes(situation: Situation, choice: Choice, target: ApplicationId | None) -> Sequence[ApplicationId]:
    """What the message is attached to afterwards, as far as it is known beforehand."""
    match choice:
        case "confirm":
            return [target] if target is not None else []
        case "confirm_all":
            return situation.named
        case "undo":
            return situation.restores
        case _:
            return []


def _moves(situation: Situation, ask: KnownAsk, left: set[ApplicationId], joined: set[ApplicationId]) -> bool:
    """Whether an ask is opened or settled by this message where it leaves, or settled where it comes to."""
    if ask.application_id in left:
        return situation.message_id in {ask.message_id, ask.settling_message_id}
    is_open = ask.application_id in joined and ask.settled_at is None
    later = situation.sent_at is not None and situation.sent_at > ask.opened_at
    return is_open and later and any(settles(ask.kind, kind) for kind in situation.kinds)
