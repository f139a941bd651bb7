"""Messages about several applications, and what only looks like that."""

import msgspec
import pytest
from fixtures.letters import candidate, judge, letter

BOTH = (candidate(1), candidate(2, role="Customer Success Manager"))


@pytest.mark.parametrize(
    "body",
    [
        "This answers your applications:\n- Data Engineer\n* Customer Success Manager\nKind regards",
        "We will not go on with Data Engineer and Customer Success Manager.",
        "Data Engineer\nCustomer Success Manager\nThank you for both.",
        "One letter for both (Data Engineer / Customer Success Manager).",
    ],
)
def test_one_refusal_for_two_titles_asks_and_keeps_the_evidence_of_each(body: str):
    found = judge(letter("rejection", employer="Northwind", body=body), *BOTH)
    assert (found.outcome, found.application_id, found.anchor) == ("asks", None, None)
    assert found.pattern.startswith("several:")
    assert {weighed.application_id for weighed in found.candidates} == {1, 2}
    assert all(any(piece.name == "role" for piece in weighed.pieces) for weighed in found.candidates)


def test_a_digest_over_two_employers_is_attached_to_none():
    body = "Data Engineer at Northwind: not selected\nCustomer Success Manager at Contoso: viewed"
    other = candidate(2, company="Contoso", role="Customer Success Manager")
    found = judge(letter("rejection", body=body), candidate(1), other)
    assert (found.application_id, found.pattern.partition(":")[0]) == (None, "several")


@pytest.mark.parametrize(
    ("one", "other", "body"),
    [
        ("Praktikum Bäckerin", "Bäckerin", "Weder als Praktikum Bäcker noch als Bäcker*in geht es weiter."),
        ("Senior Altenpflegefachfrau", "Praktikum Altenpflegefachfrau",
         "Als Senior Altenpflegefachmann sind Sie dabei, als Praktikum Altenpflegefachfrau nicht."),
        ("Stage Monteuse réseau H/F", "Monteur réseau junior",
         "Monteur réseau junior et Stage Monteur réseau : dans les deux cas, c'est non."),
        ("Cuidador sénior", "Cuidador en prácticas", "Ni Cuidadora sénior ni Cuidadora en prácticas."),
        ("Jardinero/Jardinera mayor", "Auxiliar de vivero",
         "En Jardinera mayor no ha podido ser. Auxiliar de vivero sigue abierto."),
    ],
)  # fmt: skip
def test_both_are_named_in_whatever_gender_and_on_whatever_level(one: str, other: str, body: str):
    message = letter("rejection", employer="Northwind", role=one, body=body)
    found = judge(message, candidate(1, role=one), candidate(2, role=other))
    assert (found.application_id, found.pattern.partition(":")[0]) == (None, "several")


def test_a_number_decides_between_titles():
    body = "R-7001 Data Engineer. We also hire a Customer Success Manager."
    message = letter("rejection", employer="Northwind", body=body, requisition="R-7001")
    found = judge(
        message,
        candidate(1, requisition="R-7001"),
        candidate(2, role="Customer Success Manager", requisition="JR88123"),
    )
    assert found.application_id == 1


def test_moved_to_another_number_stays_with_the_old_one_when_only_that_is_recorded():
    body = "Your application R-7001 was moved to requisition R-7002."
    message = letter("status_update", employer="Northwind", body=body, requisition=("R-7001", "R-7002"))
    assert judge(message, candidate(1, requisition="R-7001")).application_id == 1
    both = judge(message, candidate(1, requisition="R-7001"), candidate(2, requisition="R-7002"))
    assert (both.outcome, both.pattern.partition(":")[0]) == ("asks", "several")


def test_the_same_title_twice_is_not_two_matters():
    found = judge(letter("rejection", employer="Northwind", role="Data Engineer"), candidate(1), candidate(2))
    assert found.pattern.startswith("close:")


def test_a_longer_title_does_not_name_the_shorter_one_too():
    body = "About Data Engineer, Payments: we decided otherwise."
    message = letter("rejection", employer="Northwind", role="Data Engineer", body=body)
    found = judge(message, candidate(1), candidate(2, role="Data Engineer, Payments"))
    assert found.application_id == 2


def test_brackets_belong_to_the_title():
    both = (candidate(1), candidate(2, role="Data Engineer (Berlin)"))
    plain = letter("rejection", employer="Northwind", body="Your application: Data Engineer")
    assert judge(plain, *both).application_id == 1
    whole = letter("rejection", employer="Northwind", body="Your application: Data Engineer (Berlin)")
    assert judge(whole, *both).application_id == 2


def test_another_title_that_no_phrase_marks_contradicts():
    body = "After reviewing your background against the requirements of\nTruck Driver, we decided otherwise."
    found = judge(letter("rejection", employer="Northwind", body=body), candidate())
    assert found.application_id is None
    subject = letter("rejection", employer="Northwind", subject="Northwind - Truck Driver")
    assert judge(subject, candidate()).application_id is None


def test_places_tell_openings_of_one_title_apart():
    leeds, york = (
        msgspec.structs.replace(candidate(number), places=[place])
        for number, place in ((1, "Leeds, England"), (2, "York (Hybrid)"))
    )
    message = letter(
        "rejection", employer="Northwind", role="Data Engineer", body="Data Engineer in our York office"
    )
    assert judge(message, leeds, york).application_id == 2
    neither = letter("rejection", employer="Northwind", role="Data Engineer")
    assert judge(neither, leeds, york).application_id is None
    assert judge(message, candidate(1), candidate(2)).application_id is None


def test_a_place_behind_the_title_does_not_hide_that_it_is_named_too():
    found = judge(
        letter(
            "rejection",
            employer="Northwind",
            role="Data Engineer",
            body="Thank you for applying for Data Engineer and Lab Technician.",
        ),
        candidate(1),
        candidate(2, role="Lab Technician - Cork"),
    )
    assert (found.application_id, found.pattern.partition(":")[0]) == (None, "several")


def test_one_title_with_two_tails_is_not_two_matters():
    message = letter("rejection", employer="Northwind", role="Engineer", body="About Engineer.")
    both = (candidate(1, role="Engineer - Payments"), candidate(2, role="Engineer - Platform"))
    assert judge(message, *both).pattern.startswith("close:")


def test_a_tail_that_the_message_names_leaves_the_other_alone():
    body = "We reviewed your application for Engineer - Platform."
    message = letter("rejection", employer="Northwind", role="Engineer - Platform", body=body)
    both = (candidate(1, role="Engineer - Payments"), candidate(2, role="Engineer - Platform"))
    assert judge(message, *both).application_id == 2


def test_an_application_moved_to_another_opening_is_about_both():
    body = "Previous requisition: #36008, Payroll Analyst. New requisition: JR1321729, Data Engineer."
    message = letter("status_update", employer="Northwind", body=body, requisition="JR1321729")
    both = (candidate(1, requisition="JR1321729"), candidate(2, role="Payroll Analyst"))
    assert judge(message, *both).pattern.startswith("several:")


@pytest.mark.parametrize(
    ("one", "other", "body"),
    [
        (
            "Primary Teacher",
            "Lecturer in Nursing",
            "We fill neither Primary Teacher nor Lecturer in Nursing.",
        ),
        ("Auditor júnior", "gestor administrativo", "Para Auditor júnior / Gestor administrativo: no."),
        ("Analyst II, Fraud", "Lead Electrician", "Analyst II, Fraud: in\nLead Electrician: viewed"),
        ("Küchenhilfe Mensa", "Erzieher:in", "zu den Ausschreibungen Küchenhilfe Mensa und Erzieher:in"),
    ],
)
def test_titles_beside_one_another_are_both_seen(one: str, other: str, body: str):
    own = (candidate(1, role=one), candidate(2, role=other))
    assert judge(letter("rejection", employer="Northwind", body=body), *own).pattern.startswith("several:")


def test_a_title_broken_over_two_lines_is_one():
    body = "wir freuen uns über jede Zuschrift auf unsere ausführliche Anzeige Praktikum\nPhysiotherapeut:in."
    own = (candidate(1, role="Praktikum Physiotherapeut:in"), candidate(2, role="Physiotherapeut:in"))
    assert judge(letter("acknowledgement", employer="Northwind", body=body), *own).application_id == 1
