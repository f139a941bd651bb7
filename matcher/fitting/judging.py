"""What the machine would do with each case under given numbers, without a database. Pure.

The rule is the one of `matcher/evidence/rules.py`: enough from what no model read, far enough ahead, nothing
against it. What is not numbers was asked of those rules themselves, and stands in the case.
"""

from collections.abc import Mapping, Sequence

import msgspec

from matcher.evidence.weights import Decision
from matcher.fitting.cases import Case, Option

Strengths = Mapping[str, float]


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """The best candidate of a case: what speaks for it for sure, how far ahead, and the worst against it."""

    case: Case
    best: Option | None
    sure: float
    margin: float
    worst: float


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """`links` right and wrong; `wanted` messages are about one application and can be told."""

    right: int
    wrong: int
    wanted: int
    count: int

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def wrong_per_1000(self) -> float:
        return 1000 * self.wrong / self.count if self.count else 0.0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            right=self.right + other.right,
            wrong=self.wrong + other.wrong,
            wanted=self.wanted + other.wanted,
            count=self.count + other.count,
        )


NOTHING = Tally(right=0, wrong=0, wanted=0, count=0)


def scored(case: Case, strengths: Strengths) -> Scored:
    running = [
        (sum(strengths[name] for name in option.names), -place, option)
        for place, option in enumerate(case.options)
        if not option.vetoed
    ]
    if not running:
        return Scored(case=case, best=None, sure=0.0, margin=0.0, worst=0.0)
    running.sort(key=lambda each: each[:2], reverse=True)
    score, _, best = running[0]
    second = max(running[1][0], 0.0) if len(running) > 1 else 0.0
    against = [strengths[name] for name in best.names if strengths[name] < 0]
    sure = sum(strengths[name] for name in best.sure) + sum(
        strengths[name] for name in best.names if name not in best.sure and strengths[name] < 0
    )
    # What only a model read lends nothing to being ahead either.
    margin = score - second - (score - sure)
    return Scored(
        case=case, best=best, sure=round(sure, 3), margin=round(margin, 3), worst=min(against, default=0.0)
    )


def attaches(found: Scored, limits: Decision) -> bool:
    return (
        found.best is not None
        and found.case.may_attach
        and found.sure >= limits.attach
        and found.margin >= limits.margin
        and found.worst > limits.contradiction
    )


def tally(found: Sequence[Scored], limits: Decision) -> Tally:
    right = wrong = 0
    for each in found:
        if attaches(each, limits):
            is_right = each.best is not None and each.best is each.case.wanted
            right, wrong = right + is_right, wrong + (not is_right)
    wanted = sum(each.case.decidable and each.case.truth == 1 for each in found)
    return Tally(right=right, wrong=wrong, wanted=wanted, count=len(found))
