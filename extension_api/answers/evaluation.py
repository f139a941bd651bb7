"""How right the plan is on questions labelled by hand: by intent, and opposite answers apart. Pure.

Leaving a question is never wrong. Filling anything but the right answer is, and a yes for a no (or the other
way round) is counted by itself, because it can cost the person the job.
"""

import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Literal

import msgspec

from extension_api.answers.options import yes_or_no
from extension_api.answers.wording import question_key
from extension_api.protocol import FieldDescription, FieldKind, PlannedField
from extension_api.remembered.rules import options_key
from extension_api.remembered.types import Kind, Remembered
from schema.ids import AnswerId

Polarity = Literal["+", "-", "?"]
ASK = "ask"
_YES_NO = {"yn": ["Yes", "No"], "jn": ["Ja", "Nein"], "on": ["Oui", "Non"], "sn": ["Sí", "No"]}
_TYPED: dict[str, FieldKind] = {"t": "text", "n": "text", "a": "textarea"}
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its label: what is right for the person asked, or `ask`."""

    field: FieldDescription
    intent: str
    polarity: Polarity
    right: str


class Score(msgspec.Struct, kw_only=True):
    """`suggested` are shown and not written; `bad_suggested` of those say something that is not right."""

    intent: str
    asked: int = 0
    filled: int = 0
    right: int = 0
    opposite: int = 0
    suggested: int = 0
    bad_suggested: int = 0
    opposite_suggested: int = 0


class _Group(msgspec.Struct, frozen=True):
    cases: list[tuple[str, str, Polarity, str]]


class _Answers(msgspec.Struct, frozen=True):
    answers: list[tuple[str, str, str]]


def cases_in(text: str) -> list[Case]:
    """The labelled questions of a TOML text, a table for each intent."""
    groups = msgspec.convert(tomllib.loads(text), type=dict[str, _Group])
    return [
        Case(field=field_of(f"{intent}.{at}", label, kind), intent=intent, polarity=polarity, right=right)
        for intent, group in groups.items()
        for at, (label, kind, polarity, right) in enumerate(group.cases)
    ]


def answers_in(text: str) -> list[Remembered]:
    """What a person remembered, from a TOML text."""
    listed = msgspec.convert(tomllib.loads(text), type=_Answers).answers
    return [remembered_as(at, *row) for at, row in enumerate(listed, 1)]


def field_of(key: str, label: str, kind: str) -> FieldDescription:
    if kind in _TYPED:
        return FieldDescription(
            key=key, label=label, kind=_TYPED[kind], type="number" if kind == "n" else "text"
        )
    if kind in _YES_NO:
        return FieldDescription(key=key, label=label, kind="radio", options=_YES_NO[kind])
    several, _, listed = kind.rpartition("c:")
    options = (listed if kind.startswith("c:") else several + listed).split("|")
    return FieldDescription(
        key=key, label=label, kind="checkboxes" if kind.startswith("c:") else "select", options=options
    )


def remembered_as(number: int, label: str, kind: str, given: str) -> Remembered:
    field = field_of("k", label, kind)
    kept: Kind = "text" if kind in _TYPED else "choices" if kind.startswith("c:") else "choice"
    return Remembered(
        id=AnswerId(number),
        revision=1,
        question=label,
        question_key=question_key(label),
        kind=kept,
        options=field.options,
        options_key=options_key(field.options),
        company=None,
        company_key="",
        given=given.split("|") if kept == "choices" else [given],
        uses=0,
        used_at=None,
        updated_at=_BEGINNING,
    )


def said(line: PlannedField) -> str:
    """What a plan puts into a field, as labels write it."""
    return "|".join(line.options) if line.options else line.option or line.value or ""


def is_opposite(one: str, other: str) -> bool:
    return {yes_or_no(one), yes_or_no(other)} == {"yes", "no"}


def scored(
    cases: Sequence[Case], plan: Callable[[FieldDescription], PlannedField]
) -> tuple[list[Score], list[tuple[Case, PlannedField]]]:
    """The score of each intent, and every case that was filled or shown wrong."""
    scores: dict[str, Score] = {}
    bad: list[tuple[Case, PlannedField]] = []
    for case in cases:
        line = plan(case.field)
        _count(scores.setdefault(case.intent, Score(intent=case.intent)), case, line)
        if line.action != "leave" and said(line) != case.right:
            bad.append((case, line))
    return list(scores.values()), bad


def _count(score: Score, case: Case, line: PlannedField) -> None:
    score.asked += 1
    right, turned = said(line) == case.right, is_opposite(said(line), case.right)
    if line.action == "fill":
        score.filled += 1
        score.right += right
        score.opposite += turned
    elif line.action == "suggest":
        score.suggested += 1
        score.bad_suggested += not right
        score.opposite_suggested += turned
