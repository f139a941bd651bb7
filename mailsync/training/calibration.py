"""Chooses temperature and thresholds on the families kept for it, by what a wrong decision costs."""

import math
from collections.abc import Sequence

import msgspec

from mailsync.classify.model.brakes import asserts_bad_news
from mailsync.classify.model.decide import is_doubtful
from mailsync.classify.model.labels import LABELS, NEGATIVE, NOISE, POSITIVE, Label
from mailsync.classify.model.weights import Head, Weights, tempered
from mailsync.training.examples import Example

OPEN = 0.05
"""What it costs to leave a message open, against 1 for a plain wrong decision."""
REFUSAL_READ_AS_GOOD_NEWS = 20.0
GOOD_NEWS_READ_AS_REFUSAL = 10.0
LETTER_READ_AS_NOISE = 4.0
NOISE_READ_AS_LETTER = 2.0
ONE_NOISE_READ_AS_ANOTHER = 0.2

_TEMPERATURES = tuple(round(0.3 + 0.05 * number, 2) for number in range(55))
_TINY = 1e-9
_LEAST, _MOST = 70, 99
_LEAST_FOR_GOOD_NEWS, _LEAST_FOR_NOISE = 80, 90
"""Real mail is stranger than letters of ours; and of what is called noise the body is not kept."""


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    truth: Label
    said: Label | None
    sure: float


def calibrated(told: Weights, found: Sequence[Example]) -> Head:
    """The head with its temperature and thresholds chosen."""
    logits = [told.logits(example.features) for example in found]
    warm = min(_TEMPERATURES, key=lambda each: _surprise(logits, each, found))
    head = msgspec.structs.replace(told.head, temperature=warm)
    warmed = Weights(head=head, columns=told.columns)
    answers = [_answer(warmed, example) for example in found]
    thresholds = {label: _threshold(label, answers) for label in LABELS if label != "unclear"}
    return msgspec.structs.replace(head, thresholds=thresholds)


def _answer(told: Weights, example: Example) -> _Answer:
    """What would be said of it at some threshold: the brakes hold whatever threshold is chosen."""
    probabilities = told.probabilities(example.features)
    best = max(probabilities, key=lambda each: probabilities[each])
    is_held = best in POSITIVE and (is_doubtful(probabilities) or asserts_bad_news(example.features))
    return _Answer(truth=example.label, said=None if is_held else best, sure=probabilities[best])


def _surprise(logits: Sequence[Sequence[float]], temperature: float, found: Sequence[Example]) -> float:
    return -sum(
        math.log(max(_TINY, tempered(each, temperature)[example.label]))
        for each, example in zip(logits, found, strict=True)
    )


def cost(truth: Label, said: Label) -> float:
    """Of reading a message that is `truth` as `said`."""
    if truth == said:
        return 0.0
    if truth in NEGATIVE and said in POSITIVE:
        return REFUSAL_READ_AS_GOOD_NEWS
    if truth in POSITIVE and said in NEGATIVE:
        return GOOD_NEWS_READ_AS_REFUSAL
    if truth in NOISE:
        return ONE_NOISE_READ_AS_ANOTHER if said in NOISE else NOISE_READ_AS_LETTER
    return LETTER_READ_AS_NOISE if said in NOISE else 1.0


def _threshold(label: Label, answers: Sequence[_Answer]) -> float:
    """Where decisions cost least; of equals the strictest."""
    said: list[tuple[float, Label]] = [
        (answer.sure, answer.truth) for answer in answers if answer.said == label
    ]
    least = _LEAST_FOR_NOISE if label in NOISE else _LEAST_FOR_GOOD_NEWS if label in POSITIVE else _LEAST
    return min(
        (each / 100 for each in range(_MOST, least - 1, -1)),
        key=lambda threshold: sum(cost(truth, label) - OPEN for sure, truth in said if sure >= threshold),
    )
