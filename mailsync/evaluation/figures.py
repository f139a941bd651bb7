"""Precision, recall, F1 and their intervals, and the confusions that do harm. Pure."""

import math
from collections.abc import Iterable, Sequence

import msgspec

from mailsync.evaluation.labels import ANSWERS, MAIN, OF_KIND, Answer
from mailsync.evaluation.run import Judged
from schema.identity.names import comparable_company, title_parts
from schema.vocabulary import FactName

_Z = 1.96
GOOD_NEWS: frozenset[Answer] = frozenset(
    ("acknowledgement", "interview_or_assessment", "offer", "outreach", "action_needed")
)


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a whole with its 95 % Wilson interval; `value` is None of nothing at all."""

    hits: int
    of: int
    value: float | None
    low: float
    high: float


class ClassFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The interval of F1 is that of the share it is: twice the hits of all that was said and was true."""

    answer: Answer
    count: int
    precision: Share
    recall: Share
    f1: Share


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """`macro_f1` is over those of the six main answers that occur."""

    count: int
    classes: tuple[ClassFigures, ...]
    macro_f1: float
    decided: Share
    right_of_decided: Share
    refusals_as_good_news: int
    letters_as_refusals: int
    false_alarms: Share
    employer: Share
    role: Share


def share(hits: int, of: int) -> Share:
    if of == 0:
        return Share(hits=0, of=0, value=None, low=0.0, high=1.0)
    part, weight = hits / of, _Z * _Z / of
    middle = (part + weight / 2) / (1 + weight)
    reach = _Z * math.sqrt(part * (1 - part) / of + weight / (4 * of)) / (1 + weight)
    return Share(hits=hits, of=of, value=part, low=max(0.0, middle - reach), high=min(1.0, middle + reach))


def figures(judged: Sequence[Judged]) -> Figures:
    classes = tuple(_class(answer, judged) for answer in ANSWERS)
    main = [each.f1.value or 0.0 for each in classes if each.answer in MAIN and each.count]
    decided = [each for each in judged if each.said is not None]
    nothing = [each for each in judged if each.truth == "none"]
    return Figures(
        count=len(judged),
        classes=classes,
        macro_f1=sum(main) / len(main) if main else 0.0,
        decided=share(len(decided), len(judged)),
        right_of_decided=share(sum(each.is_right for each in decided), len(decided)),
        refusals_as_good_news=sum(map(is_dangerous, judged)),
        letters_as_refusals=sum(each.said == "rejection" and each.truth in GOOD_NEWS for each in judged),
        false_alarms=share(sum(each.said not in (None, "none") for each in nothing), len(nothing)),
        employer=_named("employer", judged),
        role=_named("role", judged),
    )


def is_dangerous(judged: Judged) -> bool:
    """A refusal of which any event at all is good news."""
    said = {OF_KIND[event.kind] for event in judged.reading.events}
    return judged.truth == "rejection" and bool(said & GOOD_NEWS)


def _class(answer: Answer, judged: Iterable[Judged]) -> ClassFigures:
    mine = [(each.truth == answer, _counts_as(each, answer)) for each in judged]
    hits = sum(true and said for true, said in mine)
    true, said = sum(true for true, _ in mine), sum(said for _, said in mine)
    return ClassFigures(
        answer=answer,
        count=true,
        precision=share(hits, said),
        recall=share(hits, true),
        f1=share(2 * hits, true + said),
    )


def _counts_as(judged: Judged, answer: Answer) -> bool:
    return judged.said == answer or (answer == "none" and judged.said is None and judged.truth == "none")


def _named(name: FactName, judged: Iterable[Judged]) -> Share:
    """Of the messages whose label names one."""
    wanted = [(each, value) for each in judged if (value := _wanted(name, each))]
    return share(sum(is_same(name, value, told_name(name, each)) for each, value in wanted), len(wanted))


def _wanted(name: FactName, judged: Judged) -> str | None:
    return judged.line.employer if name == "employer" else judged.line.role


def told_name(name: FactName, judged: Judged) -> str | None:
    return next((fact.value for fact in judged.reading.facts if fact.name == name), None)


def is_same(name: FactName, wanted: str, told: str | None) -> bool:
    """In the spelling names are compared by; one may go on where the other ends ("Northwind Systems")."""
    if told is None:
        return False
    comparable = comparable_company if name == "employer" else _comparable_role
    one, two = comparable(wanted), comparable(told)
    return bool(one and two) and (one == two or one.startswith(f"{two} ") or two.startswith(f"{one} "))


def _comparable_role(title: str) -> str:
    return title_parts(title).key
