"""Titles that go on behind a mark, and what behind a mark is no part of a title."""

import pytest
from fixtures.mail import mail

from mailsync.classify.facts import facts_of
from mailsync.classify.said import read_text
from mailsync.parse.message import parse_message


def role(text: str, subject: str = "Your application") -> str | None:
    message = parse_message(mail(text, subject=subject, sender="no-reply@northwind.example"))
    return next((fact.value for fact in facts_of(read_text(message)) if fact.name == "role"), None)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "Your application for the role of Night Baker \u2013 Growth just landed with us.",
            "Night Baker \u2013 Growth",
        ),
        (
            "Your application for the role of Night Baker, Core Services arrived.",
            "Night Baker, Core Services",
        ),
        (
            "A short update on your application for Night Baker (Weekends, 20 hrs).",
            "Night Baker (Weekends, 20 hrs)",
        ),
        ("Ihre Bewerbung auf die Position Bäckerin, Werk 3 hat uns angesprochen.", "Bäckerin, Werk 3"),
        (
            "Ihre Bewerbung als Bäcker (m/w/d) \u2013 befristet, Elternzeitvertretung ist eingegangen.",
            "Bäcker (m/w/d) \u2013 befristet, Elternzeitvertretung",
        ),
        (
            "Votre candidature pour le poste de Boulangère - secteur public est en cours d'examen.",
            "Boulangère - secteur public",
        ),
        (
            "Votre candidature au poste « Boulangère, grands comptes » a bien été enregistrée.",
            "Boulangère, grands comptes",
        ),
        (
            "Su candidatura para el puesto de Panadero \u2013 turno de noche ha quedado registrada.",
            "Panadero \u2013 turno de noche",
        ),
        ("Su candidatura a la vacante Contable, zona sur será valorada.", "Contable, zona sur"),
    ],
)
def test_a_title_goes_on_behind_a_mark(text: str, title: str):
    assert role(text) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Thank you for applying for the role of Night Baker \u2013 we have got it.", "Night Baker"),
        ("Ihre Bewerbung als Bäckerin, Emma Quill hat sie gelesen.", "Bäckerin"),
        ("Thank you for applying for the role of Night Baker, Northwind.", "Night Baker"),
        ("Your application for the role of Night Baker (Northwind) has arrived.", "Night Baker"),
        ("Ihre Bewerbung als Bäckerin, Ihre Unterlagen sind da.", "Bäckerin"),
        ("Votre candidature pour le poste de Boulangère, reçue hier, est à l'étude.", "Boulangère"),
        ("Su candidatura para el puesto de Panadero, recibida ayer, está en curso.", "Panadero"),
    ],
)
def test_a_title_ends_where_the_sentence_goes_on(text: str, title: str):
    assert role(text) == title
