"""Whom a letter speaks of when it names a house of a house, a place, a client or a mailbox besides."""

import pytest
from fixtures.mail import mail

from mailsync.classify.facts import facts_of
from mailsync.classify.said import read_text
from mailsync.parse.message import parse_message


def employer(text: str, sender: str = "hr@post.example", subject: str = "Update") -> str | None:
    message = parse_message(mail(text, subject=subject, sender=sender))
    return next((fact.value for fact in facts_of(read_text(message)) if fact.name == "employer"), None)


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for applying at Northwind (part of Initech Group)!",
        "Kind regards,\nYour Northwind (part of Initech Group) Hiring Team",
        "vielen Dank für Ihre Bewerbung bei Northwind, ein Unternehmen der Initech-Gruppe.",
        "Nous avons bien reçu votre candidature chez Northwind, filiale du groupe Initech.",
        "Gracias por su candidatura en Northwind, empresa del Grupo Initech.",
        "Thank you for applying at Northwind (formerly Initech).",
    ],
)
def test_the_house_that_is_part_of_another_is_the_employer(text: str):
    assert employer(text) == "Northwind"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ihre Stelle bei Northwind Technik zum 25.07.2025 liegt bei.", "Northwind Technik"),
        ("Votre entretien chez Northwind Conseil du 19 juin 2025 est confirmé.", "Northwind Conseil"),
        (
            "Votre candidature auprès du Conseil départemental de Northwind est reçue.",
            "Conseil départemental de Northwind",
        ),
        (
            "Gracias por su candidatura en Hospital universitario de Northwind.",
            "Hospital universitario de Northwind",
        ),
    ],
)
def test_a_name_ends_before_a_day_and_not_at_a_small_word(text: str, name: str):
    assert employer(text) == name


def test_a_place_behind_a_comma_in_a_signature_is_no_part_of_a_name():
    text = "Thank you for applying.\n\nKind regards,\nBo Li, Recruiter\nNorthwind, Leeds"
    assert employer(text, sender="Bo Li <bo.li@northwind.example>") == "Northwind"


@pytest.mark.parametrize(
    "text",
    [
        "I have presented your profile to our client Northwind for the Baker position.",
        "We confirm that you agreed to be represented by us towards Northwind for the Baker position.",
        "Good news from Northwind! They'd like to meet you for the Baker job.",
        "ich habe Ihr Profil unserem Kunden Northwind für die Stelle „Bäcker“ vorgestellt.",
        "wir bestätigen, dass wir Sie gegenüber Northwind für die Stelle „Bäcker“ vertreten.",
        "Notre client Northwind s'est prononcé sur votre candidature pour le poste de Boulanger.",
        "He enviado tu CV a nuestro cliente Northwind para Panadero.",
    ],
)
def test_the_client_of_an_agency_is_the_employer(text: str):
    sender = "Ada Quill (Globex Talents) <ada.quill@globex-talents.example>"
    assert employer(f"{text}\n\nAda Quill\nGlobex Talents", sender=sender) == "Northwind"


def test_a_firm_may_write_from_a_mailbox_called_like_itself_where_nobody_has_a_domain():
    sender = "Northwind Bakery <northwind.bakery@btconnect.com>"
    assert employer("Hi.", sender, subject="RE: Your application at Northwind Bakery") == "Northwind Bakery"


def test_a_line_to_follow_is_no_employer():
    assert employer("Bonjour,\n\nSuivez-nous sur LinkedIn et découvrez la vie de nos équipes.") is None
