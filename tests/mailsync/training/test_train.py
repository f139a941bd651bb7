"""Training repeats itself bit for bit, and the file in the tree is the one its head describes."""

import hashlib
import random

import numpy as np

from mailsync.classify.model.decide import VERSION
from mailsync.classify.model.features import VERSION as FEATURES_VERSION
from mailsync.classify.model.labels import LABELS
from mailsync.classify.model.weights import FILE, read
from mailsync.training.calibration import REFUSAL_READ_AS_GOOD_NEWS, cost
from mailsync.training.examples import examples
from mailsync.training.fit import exponential, fit
from mailsync.training.train import Amount, letters_digest, trained

TINY = Amount(per_weight=1, rounds=4, with_public_mail=False)


def test_training_twice_gives_the_same_bytes():
    assert trained(TINY) == trained(TINY)


def test_the_order_of_additions_changes_nothing():
    found = examples("fit", 1, with_public_mail=False)
    shuffled = random.Random(4).sample(found, len(found))
    one, other = fit(found, rounds=6), fit(shuffled, rounds=6)
    assert (one.body, one.biases, one.steps) == (other.body, other.biases, other.steps)
    assert len(set(one.body)) > 10


def test_the_exponential_is_the_exponential():
    values = np.linspace(-40, 0, 1001)
    assert np.allclose(exponential(values), np.exp(values), rtol=1e-7, atol=0)


def test_the_file_is_what_its_head_says():
    content = FILE.read_bytes()
    told = read(content)
    body = content.partition(b"\n")[2]
    assert told.head.version == VERSION and told.head.features_version == FEATURES_VERSION
    assert told.head.weights_sha256 == hashlib.sha256(body).hexdigest()
    assert {len(column) for column in told.columns} == {told.head.buckets}
    assert len(told.columns) == len(LABELS) == len(told.head.biases) == len(told.head.steps)


def test_the_file_was_trained_on_what_the_model_sees_today():
    """When this fails, letters or features changed: `make train`, and raise the versions."""
    assert read(FILE.read_bytes()).head.letters_digest == letters_digest()


def test_a_refusal_read_as_good_news_costs_most():
    worst = max(cost(truth, said) for truth in LABELS for said in LABELS)
    assert (
        worst == REFUSAL_READ_AS_GOOD_NEWS == cost("rejection", "offer") == cost("position_closed", "offer")
    )
    assert cost("rejection", "rejection") == 0 < cost("rejection", "position_closed")
