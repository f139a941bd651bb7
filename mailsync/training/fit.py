"""Fits the weights: multinomial logistic regression with a ridge, by full steps of Adam.

Every sum is over numbers on a grid and small enough to be exact in a double, and the exponential is our own,
so that the order of additions and the processor's own libraries change nothing: the same letters give the
same bytes on every machine.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, cast

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from mailsync.classify.model.features import BUCKETS
from mailsync.classify.model.labels import LABELS
from mailsync.classify.model.weights import ZERO, scale_of
from mailsync.training.examples import Example

Numbers = NDArray[np.float64]

_RIDGE = 0.02
_RATE = 0.25
_FIRST, _SECOND, _TINY = 0.9, 0.99, 1e-8
_GRID = 2.0**16
_FINE = 2.0**20
_SEEN_IN = 3
_MOST_LOGIT = 40.0
_LOG2E, _LN2 = 1.4426950408889634, 0.6931471805599453
_TERMS = (1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 0.5, 1.0, 1.0)
_HIGHEST = 127


class _Matrix(Protocol):
    def __matmul__(self, other: Numbers) -> Numbers: ...


class Fitted:
    """Weights as signed bytes, label by label, with the size of a step and the bias of each."""

    def __init__(self, columns: NDArray[np.int8], steps: list[float], biases: list[float]) -> None:
        self.body = (columns.astype(np.int16) + ZERO).astype(np.uint8).tobytes()
        self.steps = steps
        self.biases = biases


def fit(found: Sequence[Example], *, rounds: int) -> Fitted:
    used, rows, columns = _incidence(found)
    shape = (len(found), len(used))
    ones = np.ones(len(rows))
    forth = cast("_Matrix", scipy.sparse.csr_matrix((ones, (rows, columns)), shape=shape))
    back = cast("_Matrix", scipy.sparse.csr_matrix((ones, (columns, rows)), shape=shape[::-1]))
    scales = np.array([[scale_of(example.features)] for example in found])
    truth = np.array([[float(label == example.label) for label in LABELS] for example in found])
    weights, biases = _descended(forth, back, scales, truth, len(used), rounds)
    return _as_bytes(weights, biases, used)


def _incidence(found: Sequence[Example]) -> tuple[list[int], list[int], list[int]]:
    """Buckets that several examples have, and the row and column of each place that is set."""
    seen = Counter(index for example in found for index in example.features.indices)
    used = sorted(index for index, count in seen.items() if count >= _SEEN_IN)
    place = {index: column for column, index in enumerate(used)}
    rows: list[int] = []
    columns: list[int] = []
    for row, example in enumerate(found):
        kept = [place[index] for index in example.features.indices if index in place]
        rows += [row] * len(kept)
        columns += kept
    return used, rows, columns


def _descended(
    forth: _Matrix, back: _Matrix, scales: Numbers, truth: Numbers, width: int, rounds: int
) -> tuple[Numbers, Numbers]:
    weights, biases = _Moving((width, len(LABELS))), _Moving((1, len(LABELS)))
    count = len(truth)
    for number in range(1, rounds + 1):
        logits = (forth @ weights.values) * scales + biases.values
        wrong = _on(softmax(logits) - truth, _FINE)
        rate = _RATE * (1 - (number - 1) / rounds)
        pull = _RIDGE * weights.values
        weights.step((back @ (wrong * scales) + pull) / count, number, rate)
        biases.step(_column_sums(wrong) / count, number, rate)
    return weights.values, biases.values


class _Moving:
    """Values that follow their gradient by Adam, on the grid after each step."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.values: Numbers = np.zeros(shape)
        self._mean: Numbers = np.zeros(shape)
        self._square: Numbers = np.zeros(shape)

    def step(self, gradient: Numbers, number: int, rate: float) -> None:
        self._mean = _FIRST * self._mean + (1 - _FIRST) * gradient
        self._square = _SECOND * self._square + (1 - _SECOND) * (gradient * gradient)
        mean = self._mean / (1 - _power(_FIRST, number))
        square = self._square / (1 - _power(_SECOND, number))
        self.values = _on(self.values - rate * mean / (np.sqrt(square) + _TINY), _GRID)


def _power(base: float, times: int) -> float:
    """By multiplication alone: `pow` may differ in the last bit from machine to machine."""
    result = 1.0
    for _ in range(times):
        result *= base
    return result


def _on(values: Numbers, grid: float) -> Numbers:
    return np.rint(values * grid) / grid


def _column_sums(values: Numbers) -> Numbers:
    """Of values on a grid, so in any order the same."""
    return values.sum(axis=0, keepdims=True)


def softmax(logits: Numbers) -> Numbers:
    powers = exponential(np.maximum(logits - logits.max(axis=1, keepdims=True), -_MOST_LOGIT))
    total = powers[:, :1].copy()
    for column in range(1, powers.shape[1]):
        total += powers[:, column : column + 1]
    return powers / total


def exponential(values: Numbers) -> Numbers:
    """By additions and multiplications only, which are the same everywhere."""
    whole = np.rint(values * _LOG2E)
    rest = values - whole * _LN2
    result = np.full_like(values, 1 / 40320)
    for term in _TERMS:
        result = result * rest + term
    return np.ldexp(result, whole.astype(np.int32))


def _as_bytes(weights: Numbers, biases: Numbers, used: list[int]) -> Fitted:
    steps = [float(each) / _HIGHEST or 1.0 for each in np.abs(weights).max(axis=0)]
    columns = np.zeros((len(LABELS), BUCKETS), dtype=np.int8)
    for place, step in enumerate(steps):
        columns[place, used] = np.rint(weights[:, place] / step).astype(np.int8)
    return Fitted(columns, steps, [float(each) for each in biases[0]])
