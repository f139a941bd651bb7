"""The model is small, loads at once, needs nothing but the standard library, and refuses foreign weights."""

import subprocess
import sys
import time

import msgspec
import pytest
from fixtures.mail import mail

from mailsync.classify.model.features import features_of
from mailsync.classify.model.labels import LABELS
from mailsync.classify.model.weights import FILE, Unfit, read, weights
from mailsync.parse.message import parse_message

LETTER = parse_message(mail("We have decided not to proceed. If you are selected, we will call you."))


def test_the_file_is_small_and_read_quickly():
    assert FILE.stat().st_size < 5_000_000
    began = time.process_time()
    read(FILE.read_bytes())
    assert time.process_time() - began < 0.2


def test_nothing_of_the_training_is_loaded_to_read_mail():
    script = (
        "import sys, mailsync.messages.rules; from mailsync.classify.model.weights import weights; weights();"
        "sys.exit(bool({'numpy', 'scipy', 'sklearn', 'mailsync.training'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_probabilities_are_of_all_labels_and_sum_to_one():
    probabilities = weights().probabilities(features_of(LETTER))
    assert set(probabilities) == set(LABELS)
    assert sum(probabilities.values()) == pytest.approx(1.0)


def test_a_sentence_that_supposes_is_seen_apart_from_one_that_asserts():
    asserted = features_of(parse_message(mail("You are selected.", subject="")))
    supposed = features_of(parse_message(mail("If you are selected.", subject="")))
    words = {index for piece in asserted.pieces for index in piece.indices}
    assert not words & {index for piece in supposed.pieces for index in piece.indices}


def test_the_contributions_of_all_features_are_the_whole():
    told, features = weights(), features_of(LETTER)
    half = len(features.indices) // 2
    parts = [features.indices[:half], features.indices[half:]]
    assert sum(told.contribution("rejection", part) for part in parts) == pytest.approx(
        told.contribution("rejection", features.indices)
    )


def test_a_message_without_any_words_has_probabilities_too():
    empty = features_of(parse_message(b"\n"))
    assert empty.pieces == () and sum(weights().probabilities(empty).values()) == pytest.approx(1.0)


def test_weights_for_other_features_are_refused():
    line, _, body = FILE.read_bytes().partition(b"\n")
    head = msgspec.json.decode(line)
    head["features_version"] += 1
    with pytest.raises(Unfit):
        read(msgspec.json.encode(head) + b"\n" + body)
