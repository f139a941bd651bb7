"""The outcome of an evaluation as lines of text, or as one JSON object a line. Pure."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from mailsync.evaluation.figures import Share
from matcher.evaluation.figures import Bar, DerivedFigures, Figures, Group, figures
from matcher.evaluation.judging import Judged, JudgedDerived
from matcher.evaluation.run import Outcome, Speed


class _GroupLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["whole", "family", "language"]
    figures: Group


class _BarLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["bar"] = "bar"
    name: str
    value: float | None
    unit: str
    bar: float
    holds: bool | None


class _DerivedLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["derived"] = "derived"
    figures: DerivedFigures


class _SpeedLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["speed"] = "speed"
    speed: Speed


class _JudgedLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["wrong", "missed"]
    message: Judged


class _SpuriousLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["spurious"] = "spurious"
    application: JudgedDerived


class _NoteLine(msgspec.Struct, frozen=True, kw_only=True):
    row: Literal["note"] = "note"
    note: str


def json_lines(outcome: Outcome) -> Iterator[str]:
    told = figures(outcome)
    rows = (
        _GroupLine(row="whole", figures=told.whole),
        *(_bar_line(bar) for bar in told.bars),
        _DerivedLine(figures=told.derived),
        _SpeedLine(speed=told.speed),
        *(_GroupLine(row="family", figures=each) for each in told.families),
        *(_GroupLine(row="language", figures=each) for each in told.languages),
        *(_JudgedLine(row="wrong", message=each) for each in outcome.judged if each.verdict == "wrong"),
        *(_JudgedLine(row="missed", message=each) for each in outcome.judged if each.verdict == "missed"),
        *(_SpuriousLine(application=each) for each in _not_right(outcome)),
        *(_NoteLine(note=each) for each in outcome.notes),
    )
    return (msgspec.json.encode(row).decode() for row in rows)


def _bar_line(bar: Bar) -> _BarLine:
    return _BarLine(name=bar.name, value=bar.value, unit=bar.unit, bar=bar.bar, holds=bar.holds)


def lines(outcome: Outcome) -> Iterator[str]:
    told = figures(outcome)
    yield from (f"note: {note}" for note in outcome.notes)
    yield from _whole(told)
    yield ""
    yield from _table("family", told.families)
    yield from _table("language", told.languages)
    yield from (_wrong(each) for each in outcome.judged if each.verdict == "wrong")
    for found in _not_right(outcome):
        why = found.why or "derived before"
        yield f"{found.worth} derived application: {found.company}, {found.role} ({why})"


def _wrong(each: Judged) -> str:
    truth = "+".join(each.truth) or "none"
    can = ", undecidable" if each.expected == "undecidable" else ""
    where = f"WRONG {each.id} ({each.family or '-'})"
    return f"{where}: {truth}{can}; attached to {each.attached} by {each.pattern}"


def _whole(told: Figures) -> Iterator[str]:
    whole, derived, speed = told.whole, told.derived, told.speed
    worths = ", ".join(
        f"{many} {word}"
        for many, word in (
            (derived.right, "right"),
            (derived.unsure, "unsure"),
            (derived.double, "double"),
            (derived.spurious, "spurious"),
        )
    )
    rates = [_rate(speed, spent) for spent in (speed.matching, speed.reading, speed.storing)]
    rows = (
        ("messages", f"{whole.count:,}"),
        ("links right of links", _counted(whole.precision)),
        ("wrong links per 1,000 messages", f"{whole.wrong_per_1000:.2f} ({whole.wrong})"),
        ("recall on decidable mail", _counted(whole.recall)),
        ("abstained on undecidable mail", _counted(whole.abstained)),
        ("mail about none left alone", _counted(whole.left_alone)),
        ("mail about several asked", _counted(whole.several)),
        ("a person would be asked", f"{whole.asked:,}"),
        ("truth proposed first", _counted(whole.top_1)),
        ("truth among the first three", _counted(whole.top_3)),
        ("never examined", f"{whole.unseen:,}"),
        ("derived applications", f"{worths}; {derived.messages} messages on right ones"),
        ("messages a second", f"{rates[0]} matched, {rates[1]} read, {rates[2]} stored"),
    )
    yield from (f"{name:<33}{value}" for name, value in rows)
    yield from map(_bar, told.bars)


def _bar(bar: Bar) -> str:
    word = {True: "holds", False: "DOES NOT HOLD", None: "too little to tell"}[bar.holds]
    value = "-" if bar.value is None else f"{bar.value:.4g}"
    return f"bar: {bar.name} {value}{bar.unit} >= {bar.bar:g}{bar.unit}: {word}"


_COLUMNS = (
    ("n", 7), ("wrong", 7), ("recall", 8), ("abstain", 9), ("none", 7), ("asked", 7), ("top-1", 7),
    ("top-3", 7),
)  # fmt: skip


def _table(what: str, groups: Sequence[Group]) -> Iterator[str]:
    if groups:
        yield f"{what:<34}" + "".join(f"{name:>{width}}" for name, width in _COLUMNS)
        yield from map(_line, groups)
        yield ""


def _line(each: Group) -> str:
    cells = (
        str(each.count),
        str(each.wrong),
        _short(each.recall),
        _short(each.abstained),
        _short(each.left_alone),
        str(each.asked),
        _short(each.top_1),
        _short(each.top_3),
    )
    widths = (width for _, width in _COLUMNS)
    told = "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"{each.name:<34}{told}"


def _not_right(outcome: Outcome) -> list[JudgedDerived]:
    return [each for each in outcome.derived if each.worth in ("double", "spurious")]


def _counted(found: Share) -> str:
    if found.value is None:
        return "-"
    return f"{found.value:.4f} ({found.low:.4f}-{found.high:.4f}), {found.hits:,} of {found.of:,}"


def _short(found: Share) -> str:
    return "-" if found.value is None else f"{found.value:.3f}"


def _rate(speed: Speed, seconds: float) -> str:
    return f"{speed.messages / seconds:,.0f}" if seconds else "-"
