"""Remembered answers: which one a field gets, what is only shown, and how options say the same."""

import msgspec
import pytest
from fixtures.persona import MORGAN, asked

from extension_api.answers.agreement import Agreement, agreement
from extension_api.answers.evaluation import remembered_as
from extension_api.answers.mapping import Mapped, option_for
from extension_api.answers.memory import Memory
from extension_api.answers.ranges import range_holding
from extension_api.answers.remembering import reads_as_a_secret
from extension_api.answers.rules import Known, plan
from extension_api.answers.wording import question_key, wording
from extension_api.protocol import FieldDescription, PlannedField
from extension_api.remembered.types import Remembered
from schema.ids import AnswerId

YES_NO = ["Yes", "No"]


def memory(*rows: tuple[str, str, str]) -> list[Remembered]:
    return [remembered_as(at, *row) for at, row in enumerate(rows, 1)]


def employers(answer: Remembered, name: str, *, number: int) -> Remembered:
    changed = {"company": name, "company_key": name.lower(), "id": AnswerId(number)}
    return msgspec.structs.replace(answer, **changed)


def planned(field: FieldDescription, remembered: list[Remembered], *at: str) -> PlannedField:
    known = Known(memory=Memory(remembered), employers=frozenset(at))
    return plan([field], MORGAN, [], known)[0]


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("How many years of Java experience do you have?", "Years of experience with Java", "same"),
        ("How many years of Java experience do you have?", "Years of experience with JavaScript", "other"),
        ("Experience with SQL", "Experience with NoSQL", "other"),
        ("Experience with C", "Experience with C++", "other"),
        ("Experience with C", "Experience with C#", "other"),
        ("Experience with .NET", "Experience with net", "other"),
        ("Do you have 5+ years of Go?", "Do you have at least 5 years of Go?", "same"),
        ("Do you have at least 5 years of Go?", "Do you have at least 3 years of Go?", "unsure"),
        ("Do you have at least 5 years of Go?", "Do you have less than 5 years of Go?", "unsure"),
        ("Notice period in weeks", "Notice period in months", "unsure"),
        ("Expected rate in EUR", "Expected rate in USD", "unsure"),
        ("Are you willing to relocate?", "Are you open to relocation?", "same"),
        ("Are you willing to relocate?", "Are you not willing to relocate?", "unsure"),
        ("Are you willing to relocate?", "Are you willing to relocate to Berlin?", "close"),
        ("Have you ever used Kafka?", "Do you use Kafka?", "unsure"),
        ("Do you require sponsorship?", "Will you in the future require sponsorship?", "unsure"),
        ("Do you require sponsorship?", "Will you require sponsorship?", "unsure"),
        ("Can you work without sponsorship?", "Can you work with sponsorship?", "unsure"),
        ("Are you located in France?", "Are you located in Spain?", "unsure"),
        ("Do you prefer tea over coffee?", "Do you prefer coffee over tea?", "unsure"),
        ("Can you start immediately?", "Can you start?", "close"),
        ("Year", "How many years of experience do you have?", "unsure"),
        ("Brauchen Sie ein Visum?", "Können Sie ohne Visum arbeiten?", "unsure"),
        ("Êtes-vous prêt à déménager ?", "N'êtes-vous pas prêt à déménager ?", "unsure"),
    ],
)  # fmt: skip
def test_two_askings_agree_only_when_nothing_turns_one_round(one: str, other: str, how: Agreement):
    found = agreement(wording(one), wording(other))
    assert found == how or {found, how} <= {"unsure", "other"}
    assert agreement(wording(other), wording(one)) == found


def test_an_answer_for_the_employer_comes_before_one_for_all():
    (everywhere,) = memory(("Are you willing to relocate?", "yn", "No"))
    here = employers(msgspec.structs.replace(everywhere, given=["Yes"]), "Acme", number=2)
    field = asked("Are you open to relocation?", "radio", options=YES_NO)
    assert (
        planned(field, [everywhere, here], "acme").answer_id,
        planned(field, [everywhere, here]).answer_id,
    ) == (
        2,
        1,
    )
    assert planned(field, [here], "globex").action == "leave"


def test_a_remembered_answer_comes_before_the_profile_and_a_doubt_stops_both():
    field = asked("What is your notice period?")
    assert planned(field, memory(("Notice period", "t", "None"))).value == "None"
    two = memory(("What is the notice period?", "t", "2 weeks"), ("Notice period", "t", "None"))
    assert (planned(field, two).action, planned(field, two).reason) == ("leave", "several_answers_match")


OPTIONS = {"yn": YES_NO, "jn": ["Ja", "Nein"], "on": ["Oui", "Non"], "sn": ["Sí", "No"]}


@pytest.mark.parametrize(
    ("label", "kind", "yes"),
    [
        ("Do you require sponsorship to work in the United Kingdom?", "yn", False),
        ("Benötigen Sie ein Visum, um im Vereinigten Königreich zu arbeiten?", "jn", False),
        ("Benötigen Sie in Großbritannien ein Sponsoring Ihres Visums?", "jn", False),
        ("Haben Sie eine Arbeitserlaubnis für Deutschland?", "jn", True),
        ("Sind Sie berechtigt, in Deutschland zu arbeiten?", "jn", True),
        ("Dürfen Sie in den USA ohne Visum arbeiten?", "jn", False),
        ("Êtes-vous autorisé(e) à travailler en Allemagne ?", "on", True),
        ("Avez-vous le droit de travailler au Royaume-Uni ?", "on", True),
        ("Avez-vous besoin d'un parrainage pour travailler au Royaume-Uni ?", "on", False),
        (
            "Aurez-vous besoin, maintenant ou à l'avenir, d'un visa pour travailler aux États-Unis ?",
            "on",
            True,
        ),
        ("Pouvez-vous travailler aux États-Unis sans parrainage ?", "on", False),
        ("¿Está autorizado para trabajar legalmente en Alemania?", "sn", True),
        ("¿Tiene permiso de trabajo en Estados Unidos?", "sn", False),
        ("¿Necesita ahora o en el futuro patrocinio para trabajar en Reino Unido?", "sn", False),
        ("¿Puede trabajar en Reino Unido sin patrocinio de visado?", "sn", True),
        ("¿No necesita visado para trabajar en Reino Unido?", "sn", None),
    ],
)
def test_an_answer_that_contradicts_the_stated_work_rights_is_left(label: str, kind: str, yes: bool | None):
    """`yes` is what the profile says; None where a question is turned round and nobody here reads it."""
    field = asked(label, "radio", options=OPTIONS[kind])
    for option, is_yes in zip(OPTIONS[kind], (True, False), strict=True):
        line = planned(field, memory((label, kind, option)))
        if yes is None or yes == is_yes:
            assert line.option == option
        else:
            assert (line.action, line.reason) == ("leave", "several_answers_match")


@pytest.mark.parametrize(
    ("label", "kind", "given"),
    [
        ("Will you now or in the future require sponsorship?", "yn", "No"),
        ("Have you ever worked for our company?", "yn", "No"),
        ("Can you commute to this location?", "yn", "Yes"),
        ("When could you start?", "t", "1 March 2026"),
        ("Haben Sie schon einmal in unserem Unternehmen gearbeitet?", "jn", "Nein"),
        ("Können Sie täglich zu diesem Standort kommen?", "jn", "Ja"),
        ("Wann könnten Sie anfangen?", "t", "1. März 2026"),
        ("Benötigen Sie ein Visum?", "jn", "Nein"),
        ("Avez-vous déjà travaillé dans notre entreprise ?", "on", "Non"),
        ("Connaissez-vous quelqu'un chez nous ?", "on", "Non"),
        ("Pouvez-vous venir chaque jour dans ces bureaux, dans cette ville ?", "on", "Oui"),
        ("Quand pourriez-vous commencer ?", "t", "1er mars 2026"),
        ("Aurez-vous besoin d'un visa ?", "on", "Non"),
        ("¿Ha trabajado antes en nuestra empresa?", "sn", "No"),
        ("¿Puede desplazarse cada día a esta oficina?", "sn", "Sí"),
        ("¿Cuándo podría empezar?", "t", "1 de marzo de 2026"),
        ("¿Necesita patrocinio de visado?", "sn", "No"),
    ],
)
def test_what_may_not_hold_here_is_only_shown(label: str, kind: str, given: str):
    remembered = memory((label, kind, given))
    field = asked(label, "radio" if kind in OPTIONS else "text", options=OPTIONS.get(kind, []))
    line = planned(field, remembered)
    assert (line.action, line.option or line.value) == ("suggest", given)
    assert line.confidence < 0.7


def test_a_guard_holds_whatever_is_remembered():
    for label in (
        *("Date of birth", "I agree to the terms", "Gender", "Emergency contact name"),
        *("Wie alt sind Sie?", "Ich habe die Hinweise gelesen", "Familienstand", "Name der Mutter"),
        *("Numéro de passeport", "J'accepte les conditions générales", "Votre genre", "Nom du conjoint"),
        *("Número de pasaporte", "He leído la política de privacidad", "Estado civil", "Nombre del padre"),
        *("Kreditkartennummer", "Numéro de carte bancaire", "Número de tarjeta", "Firma electrónica"),
    ):
        assert planned(asked(label), memory((label, "t", "x"))).action == "leave"


def test_an_entry_of_a_repeated_section_takes_no_remembered_answer():
    field = asked("Favourite colour", section="Work experience 1")
    assert planned(field, memory(("Favourite colour", "t", "blue"))).action == "leave"


WILLING = wording("Are you willing to relocate?")


@pytest.mark.parametrize(
    ("given", "options", "found"),
    [
        ("Yes", ["yes", "no", "Please select"], "yes"),
        ("No", ["Yes", "No, I am not willing to relocate"], "No, I am not willing to relocate"),
        ("Yes", ["Yes, with a package", "No"], "? Yes, with a package"),
        ("No", ["No", "No, but maybe later", "Yes"], "No"),
        ("Yes", ["Yes, now", "Yes, later", "No"], "several_options_match"),
        ("C++", ["C", "C++", "C#"], "C++"),
        ("UK", ["France", "United Kingdom"], "United Kingdom"),
        ("California", ["CA", "NY"], "CA"),
        ("MSc", ["Bachelor's Degree", "Master's Degree"], "Master's Degree"),
        ("I prefer not to say", ["Yes", "No", "Decline to answer"], "Decline to answer"),
        ("Native", ["A1", "B2", "C2 / mother tongue"], "C2 / mother tongue"),
        ("H-1B", ["H1B visa", "Green card"], "H1B visa"),
        ("5", ["0-2 years", "3-5 years", "6+ years"], "3-5 years"),
        ("5", ["1-5", "5-10"], "several_options_match"),
        ("12 months", ["12 years", "1 year"], "no_option_matches"),
        ("LinkedIn", ["LinkedIn job post", "Newspaper"], "no_option_matches"),
        ("United States", ["United States Minor Outlying Islands"], "no_option_matches"),
        ("Referral programme", ["Referral programmes", "Other"], "Referral programmes"),
        ("Not a citizen", ["Citizen", "Other"], "no_option_matches"),
    ],
)  # fmt: skip
def test_an_option_says_the_same_by_value_or_is_not_chosen(given: str, options: list[str], found: str):
    result = option_for(given, options, WILLING)
    text = result if not isinstance(result, Mapped) else result.option
    marked = f"? {text}" if isinstance(result, Mapped) and result.certainty == "suggest" else text
    assert marked == found


def test_under_the_law_an_option_that_adds_something_is_not_even_shown():
    legal = wording("Do you require sponsorship?")
    assert option_for("No", ["Yes", "No, but I will later"], legal) == "no_option_matches"


def test_every_ticked_option_has_to_be_offered():
    remembered = memory(("Which tools do you use?", "c:Git|Make|Vim", "Git|Vim"))
    field = asked("Which tools do you use?", "checkboxes", options=["Vim", "Git", "Emacs"])
    assert planned(field, remembered).options == ["Git", "Vim"]
    assert (
        planned(asked("Which tools do you use?", "checkboxes", options=["Git"]), remembered).action == "leave"
    )


def test_a_typed_answer_fits_its_field():
    remembered = memory(("Hourly rate in EUR", "t", "about 60"))
    assert planned(asked("Hourly rate in EUR", type="number"), remembered).reason == "no_option_matches"
    assert planned(asked("Hourly rate in EUR", max_length=3), remembered).reason == "too_long"


def test_years_remembered_answer_whether_they_are_enough():
    remembered = memory(("How many years of Rust experience do you have?", "n", "4"))
    for least, option in (("3", "Yes"), ("4", "Yes"), ("5", "No")):
        field = asked(f"Do you have at least {least} years of experience with Rust?", "radio", options=YES_NO)
        assert planned(field, remembered).option == option
    for label in (
        "Do you have more than 4 years of Rust experience, not counting school?",
        "Do you have at least 3 years of Rust experience in banking?",
        "Do you have less than 5 years of Rust experience?",
        "Do you have at least 3 months of Rust experience?",
    ):
        assert planned(asked(label, "radio", options=YES_NO), remembered).action == "leave"


def test_ranges_hold_their_ends_and_keep_their_units():
    assert range_holding(["<1", "1 to 3", "more than 3"], "3") == ["1 to 3"]
    assert range_holding(["Less than 2 years", "2+ years"], "2") == ["2+ years"]
    assert range_holding(["2+ years"], "24 months") == []


def test_the_key_of_a_question_keeps_what_tells_it_apart():
    assert question_key("1. Are you authorised? *") == question_key("Are you AUTHORIZED")
    assert len({question_key(f"Experience with {name}") for name in ("C", "C++", "C#", ".NET", "Net")}) == 5
    assert question_key("¿?! …") == ""


def test_numbers_of_cards_and_papers_are_known():
    assert reads_as_a_secret("4111 1111 1111 1111")
    assert reads_as_a_secret("123-45-6789")
    assert not reads_as_a_secret("+44 7700 900123")
    assert not reads_as_a_secret("85000")
