"""The trained weights and the arithmetic on them, with nothing but the standard library.

The file is one line of JSON (`Head`), then one byte for each label and bucket, label by label: the weight and
128, which is taken off again with the count of features.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path

import msgspec

from mailsync.classify.model.features import BUCKETS, Features
from mailsync.classify.model.features import VERSION as FEATURES_VERSION
from mailsync.classify.model.labels import LABELS, Label

FILE = Path(__file__).with_name("weights.bin")
ZERO = 128
GRID = 4096


class Unfit(Exception):
    """The file was trained for other features or labels than this release computes."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """`steps` is the size of one step of a label's bytes; `thresholds` the least probability to decide by.

    `letters_digest` is of the features of a few letters, so that a test can see when features changed.
    """

    version: int
    features_version: int
    buckets: int
    labels: tuple[Label, ...]
    biases: tuple[float, ...]
    steps: tuple[float, ...]
    temperature: float
    thresholds: dict[Label, float]
    weights_sha256: str
    letters_digest: str


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    head: Head
    columns: tuple[bytes, ...]

    def probabilities(self, features: Features) -> Mapping[Label, float]:
        """Calibrated; they sum to one."""
        return tempered(self.logits(features), self.head.temperature)

    def logits(self, features: Features) -> list[float]:
        """What speaks for each label, before calibration."""
        scale = scale_of(features)
        rows = zip(self.head.biases, self.head.steps, self._sums(features.indices), strict=True)
        return [bias + step * value * scale for bias, step, value in rows]

    def contribution(self, label: Label, indices: Iterable[int]) -> float:
        """How much more these features speak for the label than for the others together."""
        values = self._sums(tuple(indices))
        weighed = [step * value for step, value in zip(self.head.steps, values, strict=True)]
        return weighed[LABELS.index(label)] - sum(weighed) / len(weighed)

    def _sums(self, indices: tuple[int, ...]) -> list[int]:
        if len(indices) < 2:  # noqa: PLR2004 - a getter of one index gives no tuple
            return [sum(column[index] - ZERO for index in indices) for column in self.columns]
        picked = itemgetter(*indices)
        taken = ZERO * len(indices)
        return [sum(picked(column)) - taken for column in self.columns]


def tempered(logits: Sequence[float], temperature: float) -> Mapping[Label, float]:
    most = max(logits)
    powers = [math.exp((logit - most) / temperature) for logit in logits]
    total = sum(powers)
    return {label: power / total for label, power in zip(LABELS, powers, strict=True)}


def scale_of(features: Features) -> float:
    """One by the root of the number of features, on a grid on which sums are exact."""
    return round(GRID / math.sqrt(max(1, len(features.indices)))) / GRID


@cache
def weights() -> Weights:
    """The weights of this release, read once a process."""
    return read(FILE.read_bytes())


def read(content: bytes) -> Weights:
    line, _, body = content.partition(b"\n")
    head = msgspec.json.decode(line, type=Head)
    if (head.features_version, head.buckets, head.labels) != (FEATURES_VERSION, BUCKETS, LABELS):
        raise Unfit("The weights of the local model do not belong to this release; run `make train`.")
    columns = tuple(body[start : start + BUCKETS] for start in range(0, len(body), BUCKETS))
    return Weights(head=head, columns=columns)
