"""What bookings of scheduling services are called, and whose mailbox is a person's."""

import pytest
from fixtures.mail import mail

from mailsync.classify.rules import classify
from mailsync.parse.message import parse_message


def kinds_in(body: str, subject: str = "Confirmed for Thursday") -> list[str]:
    message = parse_message(mail(body, subject=subject, sender="GoodTime <no-reply@goodtime.io>"))
    return [event.kind for event in classify(message).events]


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("Event: Northwind interview\nWhen: Thursday, 15:00", ["interview_scheduled"]),
        (
            "Termin: Erstgespr\u00e4ch Nordwind \u2013 B\u00e4cker (m/w/d)\nWann: Montag, 10:00",
            ["interview_scheduled"],
        ),
        ("Termin: Erstgespr\u00e4ch Praxis Nord\nWann: Montag, 10:00", []),
        ("Your event was canceled.\n\nEvent: Northwind interview\nWhen: Thursday, 15:00", []),
    ],
)
def test_a_booked_interview_is_one_while_it_stands(body: str, kinds: list[str]):
    assert [kind for kind in kinds_in(body) if kind == "interview_scheduled"] == kinds


def employer_in(body: str, subject: str, sender: str = "Calendly <notifications@calendly.com>") -> str | None:
    found = classify(parse_message(mail(body, subject=subject, sender=sender)))
    return next((fact.value for fact in found.facts if fact.name == "employer"), None)


@pytest.mark.parametrize(
    ("line", "employer"),
    [
        ("Event: Northwind Foods interview - Baker", "Northwind Foods"),
        ("Event Type: Phone Screen at Northwind", "Northwind"),
        ("Topic: first conversation Northwind / Baker", "Northwind"),
        ("What: Interview: Northwind", "Northwind"),
        ("Termin: Erstgespr\u00e4ch Nordwind Bau \u2013 B\u00e4cker (m/w/d)", "Nordwind Bau"),
        ("Evento: entrevista Panader\u00eda Norte - Panadero", "Panader\u00eda Norte"),
        ("Objet : entretien Fournil du Nord - Boulanger", "Fournil du Nord"),
        ("Event: 30 Minute Meeting", None),
        ("Event: Dental check-up", None),
    ],
)
def test_the_event_of_a_booking_names_who_hires(line: str, employer: str | None):
    body = f"Your event has been scheduled.\n\n{line}\nWhen: Thursday, 15:00\nWhere: Google Meet"
    assert employer_in(body, "Confirmed for Thursday") == employer


def test_the_person_the_talk_is_with_gives_way_to_the_employer():
    body = "Your event has been scheduled.\n\nEvent: Northwind interview - Baker\nWhen: Thursday, 15:00"
    assert employer_in(body, "Confirmed: interview with Declan Thornbury on Thursday") == "Northwind"


def test_the_line_is_read_in_no_other_mail():
    body = "A concert.\n\nEvent: interview Northwind - the band\nWhen: Thursday, 15:00"
    assert employer_in(body, "This week", sender="Tickets <news@tickets.example>") != "Northwind"


def test_who_writes_from_a_mailbox_of_their_own_name_is_no_employer():
    body = "Kofi Castell has invited you to a meeting.\n\nWho: Kofi Castell, Ada Quill"
    assert (
        employer_in(
            body,
            "Invitation: Interview Ada Quill <> Kofi Castell",
            sender="Kofi Castell <kofi.castell@northwind.example>",
        )
        is None
    )


def test_a_mailbox_nobody_reads_is_no_employer():
    body = "We have received your application for job number 54667BR."
    assert employer_in(body, "Thank you for your application", "donotreply <noreply@myworkday.com>") is None


def test_a_title_with_its_feminine_ending_is_no_employer():
    body = "Gracias, recibido.\n\nLuc\u00eda"
    sender = "Luc\u00eda Santamar\u00eda <lucia@northwind.example>"
    assert employer_in(body, "Re: Tu candidatura - Cocinero/a", sender) is None


def test_the_job_of_whoever_signs_is_not_what_it_is_about():
    body = (
        "Madame, Monsieur,\n\nApr\u00e8s \u00e9tude, nous poursuivons avec d'autres candidats.\n\n"
        "Cordialement,\n"
        "Camille Baudry\nCharg\u00e9e de recrutement, Fournil & Fils\nFournil & Fils\n"
    )
    message = parse_message(mail(body, subject="Votre candidature", sender="RH <system@successfactors.eu>"))
    assert not [fact.value for fact in classify(message).facts if fact.name == "role"]
