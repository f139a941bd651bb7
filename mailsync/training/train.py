"""Trains the local model and writes its file: `python -m mailsync.training`."""

import hashlib
from pathlib import Path

import msgspec

from mailsync.classify.model.decide import VERSION
from mailsync.classify.model.features import BUCKETS
from mailsync.classify.model.features import VERSION as FEATURES_VERSION
from mailsync.classify.model.labels import LABELS
from mailsync.classify.model.weights import Head, Weights, read
from mailsync.training.calibration import calibrated
from mailsync.training.examples import Example, examples
from mailsync.training.fit import Fitted, fit

DIGEST_LETTERS = 1
KEPT_BACK = 6
"""One letter to calibrate by and one to test by for so many that are learnt."""


class Amount(msgspec.Struct, frozen=True, kw_only=True):
    """How much to train on. The small one is for tests: it shows that training repeats itself."""

    per_weight: int
    rounds: int
    with_public_mail: bool


WHOLE = Amount(per_weight=300, rounds=120, with_public_mail=True)


def trained(amount: Amount) -> bytes:
    """The content of the model file."""
    found = examples("fit", amount.per_weight, with_public_mail=amount.with_public_mail)
    fitted = fit(found, rounds=amount.rounds)
    told = read(_written(_head(fitted), fitted.body))
    kept_back = examples(
        "calibrate", max(1, amount.per_weight // KEPT_BACK), with_public_mail=amount.with_public_mail
    )
    return _written(calibrated(told, kept_back), fitted.body)


def letters_digest() -> str:
    """Of the features of a few letters: it changes when what the model sees changes."""
    found: list[Example] = examples("fit", DIGEST_LETTERS, with_public_mail=False)
    told = msgspec.json.encode([(each.label, each.features.indices) for each in found])
    return hashlib.sha256(told).hexdigest()


def write(path: Path, content: bytes) -> Weights:
    path.write_bytes(content)
    return read(content)


def _head(fitted: Fitted) -> Head:
    return Head(
        version=VERSION,
        features_version=FEATURES_VERSION,
        buckets=BUCKETS,
        labels=LABELS,
        biases=tuple(fitted.biases),
        steps=tuple(fitted.steps),
        temperature=1.0,
        thresholds={},
        weights_sha256=hashlib.sha256(fitted.body).hexdigest(),
        letters_digest=letters_digest(),
    )


def _written(head: Head, body: bytes) -> bytes:
    return msgspec.json.encode(head) + b"\n" + body
