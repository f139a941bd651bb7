from datetime import UTC, datetime

import pytest
from fixtures.mail import mail

from mailsync.classify.facts import facts_of
from mailsync.classify.said import read_text
from mailsync.parse.message import parse_message

#: A Tuesday.
SENT = datetime(2026, 2, 3, 10, 30, tzinfo=UTC)


def told(
    text: str, name: str, subject: str = "Your application", sent: datetime | None = SENT
) -> list[tuple[str, str]]:
    message = parse_message(mail(text, subject=subject, date=sent))
    return [(fact.value, fact.comparable) for fact in facts_of(read_text(message)) if fact.name == name]


@pytest.mark.parametrize(
    ("text", "value", "comparable"),
    [
        ("Please complete the test by February 10, 2026.", "February 10, 2026", "2026-02-10"),
        (
            "Please reply no later than Friday 6 February at 5pm.",
            "Friday 6 February at 5pm",
            "2026-02-06T17:00",
        ),
        (
            "Please send it by 5:00 pm EST on February 6, 2026.",
            "5:00 pm EST on February 6, 2026",
            "2026-02-06T22:00Z",
        ),
        ("The link expires on 2026-02-09 23:59 UTC.", "2026-02-09 23:59 UTC", "2026-02-09T23:59Z"),
        ("Please send your solution back by Friday.", "Friday", "2026-02-06"),
        ("Could you reply by tomorrow?", "tomorrow", "2026-02-04"),
        ("Please complete it within 48 hours.", "within 48 hours", "2026-02-05T10:30Z"),
        ("You have 7 days to finish the assessment.", "You have 7 days", "2026-02-10"),
        ("Deadline: 12 February 2026", "12 February 2026", "2026-02-12"),
        ("Merci de compléter le questionnaire avant le 10 février 2026.", "10 février 2026", "2026-02-10"),
        (
            "Bitte reichen Sie die Unterlagen für Ihre Bewerbung bis zum 20. Februar 2026 nach.",
            "20. Februar 2026",
            "2026-02-20",
        ),
        (
            "Por favor, completa la prueba de tu candidatura antes del 9 de febrero de 2026.",
            "9 de febrero de 2026",
            "2026-02-09",
        ),
    ],
)
def test_a_deadline_is_as_precise_as_it_was_written(text: str, value: str, comparable: str):
    assert told(text, "deadline") == [(value, comparable)]


@pytest.mark.parametrize(
    "text",
    [
        "We will get back to you by Friday, 6 February.",
        "You should hear from us by February 20, 2026.",
        "You applied before 1 February 2026.",
        "The interview takes place on 12 February 2026 at 10:00.",
        "Thank you for your application of 2 February 2026.",
        "Please reply within 5 business days.",
        "Please reply by 03/04/2026.",
    ],
)
def test_promises_talks_and_what_cannot_be_settled_are_no_deadlines(text: str):
    assert told(text, "deadline") == []


def test_a_day_without_a_year_needs_the_day_of_sending():
    text = "Please reply by Friday, February 6."
    assert told(text, "deadline") == [("Friday, February 6", "2026-02-06")]
    assert told(text, "deadline", sent=None) == []


@pytest.mark.parametrize(
    ("text", "comparable"),
    [
        ("Your interview is confirmed for Thursday, 12 February 2026 at 2pm.", "2026-02-12T14:00"),
        ("Your interview is scheduled for February 12, 2026, 2:00 PM - 3:00 PM EST.", "2026-02-12T19:00Z"),
        ("Our call is set for 12 February 2026, 14:00 (Europe/Paris).", "2026-02-12T13:00Z"),
        ("The interview will take place at 9:15 on 12 February 2026.", "2026-02-12T09:15"),
        ("Your interview is confirmed for February 12, 2026 at 3 pm Pacific time.", "2026-02-12T23:00Z"),
        ("We look forward to your interview on 12 February 2026.", "2026-02-12"),
        ("Your interview is confirmed.\n\nDate: 12 February 2026\nTime: 10:00", "2026-02-12T10:00"),
        ("Votre entretien aura lieu le jeudi 12 février 2026 à 14h30.", "2026-02-12T14:30"),
        (
            "Das Gespräch findet am 17. Februar 2026 um 10:00 Uhr statt, wir freuen uns auf Sie.",
            "2026-02-17T10:00",
        ),
        (
            "La entrevista será el miércoles 11 de febrero de 2026 a las 16:00 en nuestra oficina.",
            "2026-02-11T16:00",
        ),
    ],
)
def test_an_appointment_is_when_it_happens(text: str, comparable: str):
    assert [found for _, found in told(text, "appointment")] == [comparable]


@pytest.mark.parametrize(
    "text",
    [
        "Could you do an interview on Thursday, 12 February 2026 at 2pm?",
        "Please let us know if 12 February 2026 at 10:00 works for an interview.",
        "We can offer interviews on 12 February 2026 or 13 February 2026.",
        "Please confirm your interview by 11 February 2026.",
        "Thank you for the interview. Our office opened on 12 January 2026 and we look forward.",
    ],
)
def test_times_that_are_only_offered_are_no_appointments(text: str):
    assert told(text, "appointment") == []
