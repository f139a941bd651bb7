"""Shares with their intervals, of everything judged and of each family and language. Pure."""

from collections.abc import Callable, Sequence

import msgspec

from mailsync.evaluation.figures import Share, share
from matcher.evaluation.judging import Expected, Judged, JudgedDerived
from matcher.evaluation.run import Outcome, Speed

_ENOUGH_FOR_SPEED = 500
PRECISION_BAR, RECALL_BAR, ABSTENTION_BAR, SPEED_BAR = 0.99, 0.85, 0.98, 200.0


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """The messages of one family or language, or all of them.

    `precision` is of links to recorded applications and of wrong ones. `abstained` is of undecidable mail,
    `left_alone` of mail about none of the applications, `several` of mail about several. `top_1` and `top_3`
    are of the questions whose answer is one of the applications.
    """

    name: str
    count: int
    wrong: int
    wrong_per_1000: float
    precision: Share
    recall: Share
    abstained: Share
    left_alone: Share
    several: Share
    asked: int
    top_1: Share
    top_3: Share
    unseen: int


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """`holds` is None when there is too little to tell."""

    name: str
    value: float | None
    unit: str
    bar: float
    holds: bool | None


class DerivedFigures(msgspec.Struct, frozen=True, kw_only=True):
    """`messages` are attached to derived ones with right; `unsure` ones hold only undecidable mail."""

    right: int
    unsure: int
    double: int
    spurious: int
    messages: int


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    whole: Group
    families: tuple[Group, ...]
    languages: tuple[Group, ...]
    derived: DerivedFigures
    speed: Speed
    bars: tuple[Bar, ...]


def figures(outcome: Outcome) -> Figures:
    whole = group("all", outcome.judged)
    return Figures(
        whole=whole,
        families=_groups(outcome.judged, lambda each: each.family),
        languages=_groups(outcome.judged, lambda each: each.language),
        derived=_derived(outcome.derived, outcome.judged),
        speed=outcome.speed,
        bars=_bars(whole, outcome.speed),
    )


def group(name: str, judged: Sequence[Judged]) -> Group:
    wrong = sum(each.verdict == "wrong" for each in judged)
    right = sum(each.verdict == "right" for each in judged)
    asks = [each for each in judged if each.said == "asks"]
    answerable = [each for each in asks if each.truth]
    return Group(
        name=name,
        count=len(judged),
        wrong=wrong,
        wrong_per_1000=round(1000 * wrong / len(judged), 3) if judged else 0.0,
        precision=share(right, right + wrong),
        recall=share(right, sum(each.expected == "one" for each in judged)),
        abstained=_unattached("undecidable", judged),
        left_alone=_unattached("none", judged),
        several=_unattached("several", judged),
        asked=len(asks),
        top_1=share(sum(each.rank == 1 for each in answerable), len(answerable)),
        top_3=share(sum((each.rank or 9) <= 3 for each in answerable), len(answerable)),  # noqa: PLR2004
        unseen=sum(each.said == "unseen" for each in judged),
    )


def _unattached(wanted: Expected, judged: Sequence[Judged]) -> Share:
    mine = [each for each in judged if each.expected == wanted]
    return share(sum(each.verdict != "wrong" for each in mine), len(mine))


def _groups(judged: Sequence[Judged], by: Callable[[Judged], str]) -> tuple[Group, ...]:
    names = sorted({by(each) for each in judged} - {""})
    return tuple(group(name, [each for each in judged if by(each) == name]) for name in names)


def _derived(found: Sequence[JudgedDerived], judged: Sequence[Judged]) -> DerivedFigures:
    worths = [each.worth for each in found]
    return DerivedFigures(
        right=worths.count("right"),
        unsure=worths.count("unsure"),
        double=worths.count("double"),
        spurious=worths.count("spurious"),
        messages=sum(each.verdict == "derived" for each in judged),
    )


def _bars(whole: Group, speed: Speed) -> tuple[Bar, ...]:
    enough = speed.messages >= _ENOUGH_FOR_SPEED and speed.matching
    rate = round(speed.messages / speed.matching, 1) if enough else None
    return (
        _precision_bar(whole.precision),
        _bar("recall on decidable mail", whole.recall.value, "", RECALL_BAR),
        _bar("abstention on undecidable mail", whole.abstained.value, "", ABSTENTION_BAR),
        _bar("messages matched a second", rate, "/s", SPEED_BAR),
    )


def _precision_bar(precision: Share) -> Bar:
    """The lower end of the interval; of few links even a clean record proves nothing."""
    low = precision.low if precision.of else None
    told = _bar("precision of links, lower bound", low, "", PRECISION_BAR)
    proves_nothing = precision.hits == precision.of and not told.holds
    return msgspec.structs.replace(told, holds=None) if proves_nothing else told


def _bar(name: str, value: float | None, unit: str, bar: float) -> Bar:
    return Bar(name=name, value=value, unit=unit, bar=bar, holds=None if value is None else value >= bar)
