"""Which answers are open for a message, and what each comes to. Pure.

The server declares the choices; a page only shows them. The same rules are asked again when an answer comes.
"""

import msgspec

from matcher.resolutions.former import Option
from schema.ids import ApplicationId, MessageId
from schema.vocabulary import Choice, MatchOutcome

_ORDER: tuple[Choice, ...] = (
    "confirm",
    "reject",
    "assign",
    "create_application",
    "not_an_application",
    "not_job_mail",
    "undo",
)


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """What decides which answers are open. `candidates` are all that are shown, the likeliest first."""

    message_id: MessageId
    outcome: MatchOutcome | None
    application_id: ApplicationId | None
    by_person: bool
    candidates: tuple[ApplicationId, ...]
    has_applications: bool
    can_undo: bool

    @property
    def refusable(self) -> ApplicationId | None:
        """What a refusal without a target means: what it is attached to, or the only candidate."""
        if self.application_id is not None:
            return self.application_id
        return self.candidates[0] if len(self.candidates) == 1 else None


def options(situation: Situation) -> list[Option]:
    return [
        Option(
            choice=choice,
            eligible=(reason := why_not(situation, choice)) is None,
            reason=reason,
            needs_target=choice == "assign" or (choice == "reject" and situation.refusable is None),
            affects=[situation.message_id],
        )
        for choice in _ORDER
    ]


def why_not(situation: Situation, choice: Choice) -> str | None:
    """Why a choice is closed, as a sentence for the person; None when it is open."""
    settled = situation.by_person and situation.outcome
    closed: dict[Choice, tuple[bool, str]] = {
        "confirm": (not situation.candidates, "There is no candidate to confirm."),
        "reject": (not situation.candidates, "There is no candidate to refuse."),
        "assign": (not situation.has_applications, "There is no application to choose from."),
        "create_application": (False, ""),
        "not_an_application": (settled == "not_an_application", "You said so already."),
        "not_job_mail": (settled == "not_job_mail", "You said so already."),
        "undo": (not situation.can_undo, "There is nothing of yours to take back."),
    }
    if choice == "confirm" and settled == "attached":
        return "You confirmed it already."
    is_closed, sentence = closed[choice]
    return sentence if is_closed else None


def outcome_of(choice: Choice, left: tuple[ApplicationId, ...]) -> MatchOutcome:
    """What a choice other than undo comes to; `left` are the candidates that remain after a refusal."""
    if choice == "reject":
        return "asks" if left else "none"
    if choice in {"confirm", "assign", "create_application"}:
        return "attached"
    return "not_job_mail" if choice == "not_job_mail" else "not_an_application"
