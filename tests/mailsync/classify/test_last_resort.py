"""What counts only where a message says nothing else: refusals a board tells of without a sentence for it."""

import pytest
from fixtures.mail import mail

from mailsync.classify.rules import classify
from mailsync.parse.message import parse_message

BOARD = "LinkedIn <jobs-noreply@linkedin.com>"
ENGLISH = "Your application to Tide Analyst - North Sea at Larkspur & Vale"
FRENCH = "Votre candidature au poste d'ingénieure qualité chez Larkspur"
SHOWN = "Your update from Larkspur\n\nTide Analyst\nLarkspur · Leeds (Hybrid)\nApplied on 3 March\n"
MONTRE = "Des nouvelles de Larkspur\n\nIngénieure qualité\nLarkspur · Lyon\nCandidature envoyée le 3 mars\n"


def kinds(text: str, subject: str, sender: str = BOARD) -> list[str]:
    return [
        event.kind for event in classify(parse_message(mail(text, subject=subject, sender=sender))).events
    ]


@pytest.mark.parametrize(("subject", "text"), [(ENGLISH, SHOWN), (FRENCH, MONTRE)], ids=["english", "french"])
def test_a_board_tells_of_a_refusal_by_the_subject_alone(subject: str, text: str):
    reading = classify(parse_message(mail(text, subject=subject, sender=BOARD)))
    assert [(event.kind, event.span.text) for event in reading.events] == [("rejection", subject)]


@pytest.mark.parametrize("sender", ["Larkspur <jobs@larkspur.example>", "Larkspur <no-reply@ashbyhq.com>"])
def test_the_same_subject_says_nothing_when_another_sends_it(sender: str):
    assert "rejection" not in kinds(SHOWN, ENGLISH, sender=sender)


@pytest.mark.parametrize(
    ("subject", "text", "kind"),
    [
        (ENGLISH, f"Your application was sent to Larkspur\n\n{SHOWN}", "acknowledgement"),
        (ENGLISH, f"We received your application and will review it soon.\n\n{SHOWN}", "acknowledgement"),
        (ENGLISH, f"Your application was viewed by Larkspur\n\n{SHOWN}", "status_update"),
        (ENGLISH, "Larkspur would like to invite you to an interview next week.", "interview_invite"),
        ("Ada, your application was sent to Larkspur", SHOWN, "acknowledgement"),
        ("Your application was viewed by Larkspur", SHOWN, "status_update"),
        (FRENCH, f"Votre candidature a été envoyée à Larkspur.\n\n{MONTRE}", "acknowledgement"),
    ],
)
def test_what_the_message_says_comes_before_the_subject(subject: str, text: str, kind: str):
    assert kinds(text, subject) == [kind]


def test_a_message_that_speaks_of_sending_is_no_refusal_even_if_nothing_else_is_understood():
    assert kinds("On its way: was sent to Larkspur this morning.", ENGLISH) == []


def test_thanks_for_patience_are_no_news_beside_bad_news():
    assert kinds("Thank you for your patience with your application.", "Hello") == ["status_update"]
    assert kinds("Thank you for your patience. Unfortunately your application saw no luck.", "Hello") == []
