"""One title written for one gender, for the other, or for both is one title; another one stays another."""

import pytest
from fixtures.letters import candidate, judge, letter

from matcher.evidence.gendered import one_form
from matcher.evidence.role import is_one_title

ALIKE = [
    ("Ingénieure essais", "Ingénieur(e) essais"),
    ("Técnico de mantenimiento", "Técnico/a de mantenimiento"),
    ("Técnica de mantenimiento", "Técnico de mantenimiento"),
    ("Mozo de almacén", "Mozo/a de almacén"),
    ("Erzieher (m/w/d)", "Erzieher*in"),
    ("Key Account Manager (gn)", "Key Account Manager"),
    ("Sachbearbeiterin Einkauf", "Sachbearbeiter Einkauf (m/w/d)"),
    ("Bilanzbuchhalter (m/w/d)", "Bilanzbuchhalter/in"),
    ("Infirmière de bloc", "Infirmier(e) de bloc"),
    ("Chargée de clientèle (F/H)", "Chargé(e) de clientèle"),
    ("Gestor de clientes / Gestora de clientes", "Gestora de clientes"),
    ("Directeur/Directrice de crèche", "Directrice de crèche"),
    ("Pflegefachfrau (m/w/d)", "Pflegefachmann"),
    ("Kaufmann im Einzelhandel", "Kauffrau im Einzelhandel"),
]
APART = [
    ("Técnico de mantenimiento", "Técnico de laboratorio"),
    ("Engineer (Cloud)", "Engineer (Payments)"),
    ("Praktikant Einkauf", "Sachbearbeiterin Einkauf"),
    ("Developer", "Designer"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_two_genders_are_one_title(one: str, other: str):
    assert is_one_title(one, other)
    assert is_one_title(other, one)


@pytest.mark.parametrize(("one", "other"), APART)
def test_other_words_are_another_title(one: str, other: str):
    assert not is_one_title(one, other)


@pytest.mark.parametrize(
    "word", ["technicienne", "erzieherin", "operatrice", "directora", "employee", "data"]
)
def test_a_word_in_one_form_stays_so(word: str):
    assert one_form(one_form(word)) == one_form(word)


@pytest.mark.parametrize("written", ["Ingénieur(e) essais", "INGENIEUR ESSAIS", "Ingénieure essais (H/F)"])
def test_it_is_seen_in_the_text_however_it_is_written(written: str):
    message = letter("rejection", employer="Northwind", body=f"Pour {written}, la réponse est non.")
    found = judge(message, candidate(role="Ingénieure essais"))
    assert found.pattern == "sure:employer+role+time"


def test_a_title_with_a_stroke_is_seen_and_part_of_it_is_not():
    message = letter("rejection", employer="Northwind", body="Als Frontend-Entwicklerin leider nicht.")
    whole = judge(message, candidate(role="Frontend-Entwickler"), candidate(2, role="Entwickler"))
    assert (whole.outcome, whole.application_id) == ("attached", 1)
