"""Mailboxes are drawn from a seed, whole and consistent, and what is measured was never learnt from."""

from collections import Counter

from mailsync.parse.message import parse_message
from matcher.training.generate import generate


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others():
    one, again, other = (
        [message.raw for message in generate(seed, messages=200, split="test").messages] for seed in (1, 1, 2)
    )
    assert one == again != other


def test_messages_stand_in_order_of_sending_and_parse_to_what_was_sent():
    box = generate(3, messages=400, split="fit")
    assert [message.sent_at for message in box.messages] == sorted(
        message.sent_at for message in box.messages
    )
    for message in box.messages:
        parsed = parse_message(message.raw)
        assert parsed.sent_at == message.sent_at
        assert parsed.subject and not parsed.defects


def test_truth_names_applications_that_were_made_before():
    box = generate(4, messages=600, split="test")
    applications = {application.id: application for application in box.applications}
    for message in box.messages:
        for name in message.truth.ids:
            applied = applications[name]
            assert applied.applied_at is None or applied.applied_at <= message.sent_at
            assert applied.applied_on is None or applied.applied_on <= message.sent_at.date()


def test_most_messages_are_decidable():
    box = generate(5, messages=3000, split="test")
    found = Counter(bool(message.truth.decidable and len(message.truth.ids) == 1) for message in box.messages)
    assert 0.55 <= found[True] / len(box.messages) <= 0.72
