"""The outcome of an evaluation as lines of text, or as one JSON object a line. Pure."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from mailsync.evaluation.figures import (
    ClassFigures,
    Figures,
    Share,
    figures,
    is_dangerous,
    is_same,
    told_name,
)
from mailsync.evaluation.run import Judged, Outcome

_Name = Literal["employer", "role"]


class _ClassLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["class"] = "class"
    figures: ClassFigures


class _WholeLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["whole"] = "whole"
    figures: Figures


class _ErrorLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["error"] = "error"
    file: str
    label: str
    read_as: str
    dangerous: bool
    stage: str
    rule: str
    span: str


class _NameLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["name_error"] = "name_error"
    file: str
    name: _Name
    wanted: str
    told: str | None


class _UnreadLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["unread"] = "unread"
    error: str


def json_lines(outcome: Outcome) -> Iterator[str]:
    told = figures(outcome.judged)
    rows = (
        *(_ClassLine(figures=each) for each in told.classes),
        _WholeLine(figures=msgspec.structs.replace(told, classes=())),
        *_errors(outcome),
        *_name_errors(outcome),
        *(_UnreadLine(error=error) for error in outcome.unread),
    )
    return (msgspec.json.encode(row).decode() for row in rows)


def lines(outcome: Outcome) -> Iterator[str]:
    yield from (f"not judged: {sentence}" for sentence in outcome.unread)
    if outcome.judged:
        yield from _told(outcome)


def _told(outcome: Outcome) -> Iterator[str]:
    told = figures(outcome.judged)
    yield f"{'':26}{'n':>5}  {'precision':22}{'recall':22}{'F1':22}"
    for each in told.classes:
        shares = "".join(f"{_share(share):22}" for share in (each.precision, each.recall, each.f1))
        yield f"{each.answer:26}{each.count:>5}  {shares}".rstrip()
    yield f"macro-F1                  {told.macro_f1:.3f}"
    yield f"decided                   {_share(told.decided)}"
    yield f"right of decided          {_share(told.right_of_decided)}"
    yield f"refusals as good news     {told.refusals_as_good_news}"
    yield f"letters as refusals       {told.letters_as_refusals}"
    yield f"false alarms              {_share(told.false_alarms)}"
    yield f"employer right            {_share(told.employer)}"
    yield f"role right                {_share(told.role)}"
    for error in _errors(outcome):
        mark = "DANGEROUS " if error.dangerous else ""
        by = f"{error.stage} {error.rule}".strip()
        yield f"{mark}{error.file}: {error.label} read as {error.read_as} ({by}) {error.span!r}"
    for name in _name_errors(outcome):
        yield f"{name.file}: {name.name} {name.wanted!r} read as {name.told!r}"


def _share(share: Share) -> str:
    if share.value is None:
        return "-"
    return f"{share.value:.3f} ({share.low:.2f}-{share.high:.2f})"


def _errors(outcome: Outcome) -> Iterator[_ErrorLine]:
    for judged in outcome.judged:
        if not judged.is_right or is_dangerous(judged):
            yield _error(judged)


def _error(judged: Judged) -> _ErrorLine:
    first = next(iter(judged.reading.events), None)
    return _ErrorLine(
        file=judged.line.file,
        label=judged.line.label,
        read_as="dropped" if judged.dropped else judged.said or "open",
        dangerous=is_dangerous(judged),
        stage=judged.reading.stage,
        rule=first.rule if first else judged.reading.note,
        span=" ".join(first.span.text.split())[:200] if first and first.span else "",
    )


def _name_errors(outcome: Outcome) -> Iterator[_NameLine]:
    for judged in outcome.judged:
        wanted: tuple[tuple[_Name, str | None], ...] = (
            ("employer", judged.line.employer),
            ("role", judged.line.role),
        )
        for name, value in wanted:
            told = told_name(name, judged)
            if value and not is_same(name, value, told):
                yield _NameLine(file=judged.line.file, name=name, wanted=value, told=told)
