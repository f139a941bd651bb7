"""Chooses when the sum is enough: the highest recall within a budget of wrong links. Pure."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from matcher.evidence.weights import Decision
from matcher.fitting.judging import Scored, Tally

WRONG_OF_LINKS = 0.002
"""A fifth of what the bar allows: letters of ours are tamer than those of the world."""

LEAST_MARGIN = 0.5
_STEP = 0.25
_ATTACH = tuple(2.0 + _STEP * each for each in range(25))
_MARGIN = tuple(LEAST_MARGIN + _STEP * each for each in range(11))
_CONTRADICTION = (-0.5, -1.0, -1.5, -2.0, -2.5, -3.0)


def chosen(found: Sequence[Scored], start: Decision, highest: float = max(_ATTACH)) -> Decision:
    """Of equals the strictest. When nothing keeps within the budget, what comes nearest to it.

    `highest` is what attaching may need at most.
    """
    return max(_tried(found, start, highest), key=lambda each: _worth(*each))[0]


def _tried(found: Sequence[Scored], start: Decision, highest: float) -> Iterator[tuple[Decision, Tally]]:
    usable = [each for each in found if each.best is not None and each.case.may_attach]
    sure, margin, worst = (np.array(column) for column in _columns(usable))
    right = np.array([each.best is each.case.wanted for each in usable], dtype=bool)
    wanted = sum(each.case.decidable and each.case.truth == 1 for each in found)
    for attach, ahead, contradiction in itertools.product(
        [each for each in _ATTACH if each <= highest], _MARGIN, _CONTRADICTION
    ):
        linked = (sure >= attach) & (margin >= ahead) & (worst > contradiction)
        hits = int((linked & right).sum())
        yield (
            Decision(
                attach=attach,
                margin=ahead,
                contradiction=contradiction,
                plausible=min(start.plausible, attach),
            ),
            Tally(right=hits, wrong=int(linked.sum()) - hits, wanted=wanted, count=len(found)),
        )


def _columns(found: Sequence[Scored]) -> tuple[list[float], list[float], list[float]]:
    return [each.sure for each in found], [each.margin for each in found], [each.worst for each in found]


def _worth(limits: Decision, told: Tally) -> tuple[float, float, float, float, float]:
    links = told.right + told.wrong
    over = max(0.0, told.wrong / links - WRONG_OF_LINKS) if links else 0.0
    return (-round(over, 6), told.right, limits.margin, limits.contradiction, limits.attach)
