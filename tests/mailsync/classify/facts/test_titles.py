"""What stands around a title and is no part of it, and titles that a plain word tells beside an employer."""

import pytest
from fixtures.mail import mail

from mailsync.classify.facts import facts_of
from mailsync.classify.said import read_text
from mailsync.parse.message import parse_message

FIRM = "Northwind Bakery <jobs@northwindbakery.example>"


def role(text: str, subject: str = "Update", sender: str = FIRM) -> str | None:
    message = parse_message(mail(text, subject=subject, sender=sender))
    return next((fact.value for fact in facts_of(read_text(message)) if fact.name == "role"), None)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Wir führen noch Gespräche für Bäcker (m/w/d) und melden uns.", "Bäcker (m/w/d)"),
        ("Für Bäcker (m/w/d) sind viele Bewerbungen eingegangen.", "Bäcker (m/w/d)"),
        ("Auf unsere Stellenausschreibung Bäcker (m/w/d) haben wir Antworten.", "Bäcker (m/w/d)"),
        (
            "Anforderungen für Elektroniker für Gebäudetechnik (m/w/d) liegen bei.",
            "Elektroniker für Gebäudetechnik (m/w/d)",
        ),
        ("Votre candidature pour le poste de Boulanger arrivera demain.", "Boulanger"),
        ("Le processus pour le poste de Boulanger étant terminé, merci.", "Boulanger"),
        ("Su candidatura para el puesto de Jefe de obra permanece activa.", "Jefe de obra"),
        ("Gracias por inscribirte en nuestra oferta de Policía local.", "Policía local"),
    ],
)
def test_words_around_a_title_are_no_part_of_it(text: str, title: str):
    assert role(text) == title


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("Aktueller Stand: Bäcker (m/w/d)", "Bäcker (m/w/d)"),
        ("Globex Technik \u2013 Vorstellungsgespräch Bäcker (m/w/d)", "Bäcker (m/w/d)"),
        ("Einladung: Vorstellungsgespräch Bäcker (m/w/d) / Northwind Bakery", "Bäcker (m/w/d)"),
    ],
)
def test_words_before_a_title_in_a_subject_are_no_part_of_it(subject: str, title: str):
    assert role("Guten Tag, anbei die Einladung von Northwind Bakery.", subject) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "Northwind Bakery would like to meet you regarding Night Porter. Does Monday suit?",
            "Night Porter",
        ),
        ("Ton profil plaît à Northwind Bakery pour Apprenti boulanger. Es-tu libre ?", "Apprenti boulanger"),
        (
            "Northwind Bakery no tiene plaza para Recepcionista de noche, disculpe.",
            "Recepcionista de noche",
        ),
    ],
)
def test_a_plain_word_tells_a_title_where_the_employer_is_named(text: str, title: str):
    assert role(text) == title


@pytest.mark.parametrize(
    "text",
    [
        "Hola, el viernes ceno con Directora Julia y Marta. Un abrazo",
        "Please contact us regarding Customer Support or about Security Updates.",
    ],
)
def test_a_plain_word_tells_nothing_where_no_employer_is_named(text: str):
    assert role(text, sender="Bo Li <bo.li@post.example>") is None


@pytest.mark.parametrize(
    "closing",
    [
        "Mit freundlichem Gruß\nAda Quill\nSachbearbeiterin\nNorthwind Bakery",
        "Gracias y un saludo,\nAda Quill\nTécnica de selección\nNorthwind Bakery",
        "¡Hasta la vista!\nAda Quill\nTécnica de selección\nNorthwind Bakery",
    ],
)
def test_the_title_of_whoever_signs_is_not_applied_to(closing: str):
    assert role(f"Northwind Bakery.\n\n{closing}") is None
