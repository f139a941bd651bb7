"""Fits how much each piece counts: a choice among candidates and none, by maximum likelihood.

The logarithm of the odds of each candidate against "none of these" is the sum of its pieces less a constant;
the truth is the candidate, or none. What speaks for goes on speaking for, what speaks against against. A pull
towards the numbers set by hand keeps those that the mail says little about.
"""

from collections.abc import Sequence
from typing import Protocol, cast

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from matcher.fitting.cases import Case
from matcher.fitting.judging import Strengths

Numbers = NDArray[np.float64]
PULL = 0.02
"""Of one squared point of distance from the number set by hand, in misjudged messages of a thousand."""

MUST_DO = ("employer_named", "role_same")
"""Who hires and for what, both named, are enough together: of what is derived from mail nobody knows more."""

_STIFF = 1.0
_LEAST = 0.05
_DIGITS = 2


class _Result(Protocol):
    x: Numbers


class _Problem:
    """Pieces as rows of counts; where the rows of each case begin, and which row, if any, is the truth."""

    def __init__(self, found: Sequence[Case], names: Sequence[str]) -> None:
        place = {name: column for column, name in enumerate(names)}
        rows: list[list[float]] = []
        self.starts: list[int] = []
        self.truths: list[int] = []
        for case in found:
            options = [option for option in case.options if not option.vetoed]
            if not options:
                continue
            self.starts.append(len(rows))
            truth = -1
            for option in options:
                if option is case.wanted:
                    truth = len(rows)
                row = [0.0] * len(names)
                for name in option.names:
                    row[place[name]] += 1.0
                rows.append(row)
            self.truths.append(truth)
        self.rows: Numbers = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))

    def loss(self, values: Numbers) -> tuple[float, Numbers]:
        """The mean surprise over all cases, and its gradient; the last value is the constant."""
        scores = self.rows @ values[:-1] - values[-1]
        starts = np.array(self.starts)
        highest = np.maximum(np.maximum.reduceat(scores, starts), 0.0)
        sizes = np.diff(np.append(starts, len(scores)))
        powers = np.exp(scores - np.repeat(highest, sizes))
        total = np.add.reduceat(powers, starts) + np.exp(-highest)
        truths = np.array(self.truths)
        known = truths >= 0
        surprise = np.log(total) + highest
        surprise[known] -= scores[truths[known]]
        wrong = powers / np.repeat(total, sizes)
        wrong[truths[known]] -= 1.0
        gradient = np.append(wrong @ self.rows, -wrong.sum())
        return float(surprise.mean()), gradient / len(starts)


def fitted(found: Sequence[Case], start: Strengths, attach: float) -> dict[str, float]:
    """Strengths on the scale where `attach` is what attaching needs; the same for the same cases."""
    names = list(start)
    problem = _Problem(found, names)
    prior: Numbers = np.array([start[name] for name in names])
    begin: Numbers = np.append(prior, attach)
    enough = [names.index(name) for name in MUST_DO]

    def loss(values: Numbers) -> tuple[float, Numbers]:
        surprise, gradient = problem.loss(values)
        apart = values - begin
        apart[-1] = 0.0
        pull = PULL / len(names)
        short = max(0.0, float(values[-1] - values[enough].sum()))
        gradient[enough] -= 2 * _STIFF * short
        gradient[-1] += 2 * _STIFF * short
        return (
            surprise + pull * float(apart @ apart) + _STIFF * short**2,
            gradient + 2 * pull * apart,
        )

    minimize = cast("_Minimize", scipy.optimize.minimize)  # pyright: ignore[reportUnknownMemberType]
    bounds = [(_LEAST, None) if value > 0 else (None, -_LEAST) for value in prior] + [(0.5, None)]
    result = minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=bounds)
    scale = attach / float(result.x[-1])
    found_values = {
        name: round(float(value) * scale, _DIGITS) for name, value in zip(names, result.x[:-1], strict=True)
    }
    return _lifted(found_values, attach)


def _lifted(values: dict[str, float], attach: float) -> dict[str, float]:
    """The last hundredths, which a stiff pull leaves open."""
    short = max(0.0, attach - sum(values[name] for name in MUST_DO))
    return values | {
        name: round(values[name] + short / len(MUST_DO) + 0.005, _DIGITS) for name in MUST_DO if short
    }


class _Minimize(Protocol):
    def __call__(
        self,
        fun: object,
        x0: Numbers,
        *,
        jac: bool,
        method: str,
        bounds: Sequence[tuple[float | None, float | None]],
    ) -> _Result: ...
