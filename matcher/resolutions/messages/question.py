"""One message as a question: all that an answer to it rests on, and nothing that is only shown. Pure."""

from collections.abc import Sequence

import msgspec

from matcher.decisions.rules import before, undoable
from matcher.decisions.types import InForce, Logged, Weighed
from matcher.evidence.types import Letter
from matcher.resolutions.messages.rules import KnownAsk, Situation, options
from matcher.resolutions.names import decision_entry
from matcher.resolutions.types import EntryId, Option, ShownApplication, ShownCandidate, ShownPiece
from schema.ids import ApplicationId, DecisionId, MessageId
from schema.vocabulary import Choice


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """`now` is the decision in force, None while nobody examined the message; `log` is every decision about
    it, the oldest first; `weighed` and `candidates` are ranked, the likeliest first; `version` is what an
    answer has to carry."""

    letter: Letter
    now: InForce | None
    log: tuple[Logged, ...]
    weighed: tuple[Weighed, ...]
    candidates: tuple[ShownCandidate, ...]
    asks: tuple[KnownAsk, ...]
    has_applications: bool
    version: str

    @property
    def message_id(self) -> MessageId:
        return self.letter.message_id

    @property
    def decision_id(self) -> DecisionId | None:
        return self.now.decision_id if self.now else None

    @property
    def by_person(self) -> bool:
        return self.now is not None and self.now.by_person

    @property
    def attached(self) -> list[ApplicationId]:
        return sorted(self.now.attached_to) if self.now else []

    @property
    def pattern(self) -> str:
        """That of the decision in force, which stands in its log as well; empty before anybody decided."""
        return next((entry.pattern for entry in self.log if entry.decision_id == self.decision_id), "")

    @property
    def undoes(self) -> EntryId | None:
        """The line of the history that an undo takes back."""
        last = undoable(self.log)
        return decision_entry(last.decision_id) if last else None

    @property
    def company(self) -> str | None:
        return self._named("employer")

    @property
    def role(self) -> str | None:
        return self._named("role")

    def options(self) -> list[Option]:
        return options(self._situation())

    def option(self, choice: Choice) -> Option:
        return next(option for option in self.options() if option.choice == choice)

    def _named(self, name: str) -> str | None:
        return next((fact.value for fact in self.letter.named if fact.name == name), None)

    def _situation(self) -> Situation:
        last = undoable(self.log)
        restored = before(self.log, last) if last else None
        restores = (restored.application_id, *restored.also_application_ids) if restored else ()
        return Situation(
            message_id=self.message_id,
            kinds=self.letter.kinds,
            sent_at=self.letter.sent_at,
            outcome=self.now.outcome if self.now else None,
            attached=tuple(self.attached),
            by_person=self.by_person,
            pattern=self.pattern,
            candidates=self.candidates,
            asks=self.asks,
            has_applications=self.has_applications,
            can_undo=last is not None,
            restores=tuple(found for found in restores if found is not None),
        )


def candidates_shown(
    now: InForce | None, weighed: Sequence[Weighed], applications: dict[ApplicationId, ShownApplication]
) -> tuple[ShownCandidate, ...]:
    """Those weighed, the likeliest first, after what it is attached to without having been weighed."""
    scores = {found.application_id: found for found in weighed}
    attached = now.attached_to if now else frozenset[ApplicationId]()
    wanted = [*sorted(attached - scores.keys()), *scores]
    return tuple(
        _candidate(applications[key], scores.get(key), is_attached=key in attached)
        for key in wanted
        if key in applications
    )


def _candidate(
    application: ShownApplication, weighed: Weighed | None, *, is_attached: bool
) -> ShownCandidate:
    shown = [
        ShownPiece(name=piece.name, direction=piece.direction, strength=piece.strength, says=piece.says)
        for piece in (weighed.pieces if weighed else ())
    ]
    return ShownCandidate(
        application=application,
        score=weighed.score if weighed else 0.0,
        is_attached=is_attached,
        evidence_for=[piece for piece in shown if piece.direction == "for"],
        evidence_against=[piece for piece in shown if piece.direction != "for"],
    )
