"""How an employer's names meet: spelled, shortened, in other letters, told by the message, and not at all."""

import msgspec
import pytest
from fixtures.letters import candidate, judge, letter

from matcher.decisions.types import Span
from matcher.evidence.also_named import pairs_in
from matcher.evidence.go_between import without_go_betweens
from matcher.evidence.kinship import Kinship, kinship, names_to_expect, names_to_try
from matcher.evidence.types import Named
from matcher.evidence.words import names_in


def sees(text: str, name: str) -> bool:
    return name in {found.key for found in names_in(text, "text")}


# Akin without anybody's word


@pytest.mark.parametrize(
    ("theirs", "ours", "kind"),
    [
        ("Mueller Bau", "Müller Bau GmbH", "spelling"),
        ("Gueell Sastre", "Güell Sastre", "spelling"),
        ("Globex UK", "Globex Ltd", "country"),
        ("Globex España", "Globex", "country"),
        ("Globex UK", "Globex France", None),
        ("Groupe Globex", "Globex SAS", "group"),
        ("Globex", "Globex Holding GmbH", "group"),
        ("Globex Group", "Globex Gruppe", None),
        ("Яндекс", "Yandex", "alphabet"),
        ("トヨタ", "Toyota", "alphabet"),
        ("Ωμέγα", "Omega", "alphabet"),
        ("IBM", "International Business Machines", "initials"),
        ("Bank of Northwind", "BON", "initials"),
        ("Northwind Foods", "Nortwhind Foods", "mistyped"),
        ("Northwind Foods", "Northwnd Foods", "mistyped"),
        ("Northwind Foods", "Northwend Foods", None),
        ("Northwind", "Northwinds", None),
        ("Globex", "Gloebx", "mistyped"),
        ("Acme", "Amce", None),
        ("Acme", "Acme Health Ltd", "part"),
        ("Deutsche Telekom", "Telekom", "part"),
        ("Acme Health", "Acme Robotics", None),
        ("Acme", "Acme GmbH", None),
        ("Contoso", "Northwind", None),
    ],
)
def test_names_are_akin_in_named_ways_and_found_by_them(theirs: str, ours: str, kind: Kinship | None):
    assert kinship(theirs, ours) == kind
    if kind:
        assert names_to_try(theirs) & names_to_expect(ours)
        assert names_to_try(ours) & names_to_expect(theirs)


def test_the_house_of_a_country_is_the_employer_where_the_title_agrees_and_is_asked_where_none_is_named():
    own = candidate(1, company="Globex Ltd")
    assert judge(letter("rejection", employer="Globex UK", role="Data Engineer"), own).application_id == 1
    unnamed = judge(letter("rejection", employer="Globex UK"), own)
    assert (unnamed.outcome, unnamed.pattern.partition(":")[0]) == ("asks", "weak")
    both = (own, candidate(2, company="Globex UK"))
    assert judge(letter("rejection", employer="Globex UK", role="Data Engineer"), *both).application_id == 2


def test_initials_decide_beside_the_very_title_or_from_the_domain_that_spells_the_name_out():
    own = candidate(1, company="Harbour Bridge Vans")
    relayed = letter("rejection", employer="HBV", role="Data Engineer")
    assert judge(relayed, own).application_id == 1
    assert judge(letter("rejection", employer="HBV"), own).pattern.startswith("weak:")
    told_by_a_model = msgspec.structs.replace(
        relayed, named=tuple(msgspec.structs.replace(fact, sure=False) for fact in relayed.named)
    )
    assert judge(told_by_a_model, own).outcome == "asks"
    two = letter("rejection", employer="HB", role="Data Engineer")
    assert judge(two, candidate(1, company="Harbour Bridge")).outcome == "asks"
    sent = msgspec.structs.replace(relayed, sender_address="jobs@harbour-bridge-vans.example")
    assert judge(sent, own).application_id == 1


@pytest.mark.parametrize(
    ("named", "recorded", "role"),
    [
        ("IBM", "International Business Machines", "Data Engineering"),
        ("Яндекс", "Yandex", "Data Engineering"),
        ("Acme", "Acme Health", "Data Engineer"),
    ],
)
def test_a_name_that_is_only_akin_asks_with_its_candidate(named: str, recorded: str, role: str):
    found = judge(
        letter("rejection", employer=named, role="Data Engineer"), candidate(company=recorded, role=role)
    )
    assert (found.outcome, found.application_id) == ("asks", None)
    assert [weighed.application_id for weighed in found.candidates] == [1]


def test_umlauts_written_out_need_the_role_beside_them():
    message = letter("rejection", employer="Mueller Bau", role="Data Engineer")
    assert judge(message, candidate(company="Müller Bau")).application_id == 1
    assert (
        judge(letter("rejection", employer="Mueller Bau"), candidate(company="Müller Bau")).outcome == "asks"
    )


# Told by the message


@pytest.mark.parametrize(
    "text",
    [
        "Globex (formerly Initech) writes",
        "Globex, part of the Initech Group, writes",
        "Globex is a trading name of Initech LLC.",
        "at Globex, an Initech company.",
        "Globex, eine Tochter der Initech GmbH, schreibt",
        "Globex, une filiale du groupe Initech, vous",
        "Globex, empresa de Grupo Initech, ha",
    ],
)
def test_two_names_of_one_house_are_read_from_the_text(text: str):
    assert ("globex", "initech") in {(pair.first, pair.second) for pair in pairs_in(text, "text")}


@pytest.mark.parametrize("text", ["Globex on behalf of Initech", "You will be part of Team Blue", ""])
def test_a_client_or_a_team_is_no_house(text: str):
    assert pairs_in(text, "text") == []


def test_either_name_of_a_house_finds_the_application():
    body = "Globex (formerly Initech) has decided about Data Engineer."
    message = letter("rejection", employer="Globex", role="Data Engineer", body=body)
    for company in ("Globex", "Initech"):
        assert judge(message, candidate(company=company)).application_id == 1
    ours = judge(message, candidate(company="Globex"), candidate(2, company="Initech"))
    assert ours.application_id != 2


def test_a_group_that_writes_for_its_subsidiary_is_understood():
    body = "On behalf of our subsidiary Globex: the Data Engineer position was filled."
    message = letter(
        "position_closed",
        employer="Initech Group",
        role="Data Engineer",
        body=body,
        sender_name="Initech Group",
    )
    assert judge(message, candidate(company="Globex")).application_id == 1


# Ordinary words


@pytest.mark.parametrize(
    ("text", "name", "is_seen"),
    [
        ("Thank you for applying at Target.", "target", True),
        ("Target your next step with us.", "target", False),
        ("We meet on Monday, 9 March.", "monday", False),
        ("Your interview at Monday is booked.", "monday", True),
        ("Dear Otto,\nthank you", "otto", False),
        ("Notion of time, notion of space", "notion", False),
        ("an apple a day", "apple", False),
        ("Your interest in Apple means a lot.", "apple", True),
    ],
)
def test_an_employer_called_like_a_word_is_seen_only_as_a_name(text: str, name: str, is_seen: bool):
    assert sees(text, name) is is_seen


# Agencies and desks


def test_an_agency_writes_and_the_client_is_the_employer():
    message = letter(
        "rejection",
        employer="Galtilix",
        role="Data Engineer",
        sender="ada@galtilixpersonal.example",
        body="Im Auftrag von Northwind besetzen wir die Stelle Data Engineer.",
    )
    assert judge(message, candidate()).application_id == 1


def test_an_agency_that_hides_its_client_attaches_to_nobody():
    message = letter(
        "rejection",
        employer="Galtilix Search",
        role="Data Engineer",
        sender="ada@galtilixsearch.example",
        body="Unfortunately my client has decided otherwise about the Data Engineer.",
    )
    assert judge(message, candidate()).application_id is None


@pytest.mark.parametrize(
    "desk",
    ["Talent Acquisition", "People Operations", "Recursos Humanos", "RR", "Full Time", "Teilzeit", "CDI"],
)
def test_a_desk_is_no_employer(desk: str):
    message = without_go_betweens(letter("rejection", employer=desk, requisition="JR20117"))
    assert message.all_named("employer") == []
    assert judge(message, candidate(requisition="JR20117")).application_id == 1


@pytest.mark.parametrize(
    ("read_as", "meant"),
    [
        ("Dorvestad is an equal opportunity employer", "Dorvestad"),
        ("Juttetide and", "Juttetide"),
        ("Bank of America", "Bank of America"),
        ("Johnson and Johnson", "Johnson and Johnson"),
    ],
)
def test_what_a_sentence_says_behind_a_name_is_not_the_name(read_as: str, meant: str):
    (fact,) = without_go_betweens(letter(employer=read_as, body=read_as)).all_named("employer")
    assert fact.value == meant


@pytest.mark.parametrize(
    ("subject", "said", "by"),
    [
        ("Rescheduled: Ada Holm / Maren Tolk", "Rescheduled", "Ada Holm <ada@northwind.example>"),
        ("Cancelado : nuestra cita", "Cancelado", "Ada Holm <ada@northwind.example>"),
        ("Ada Holm and Maren Tolk", "Ada Holm", "Ada Holm <ada.holm59@mail.example>"),
    ],
)
def test_a_calendar_and_who_meets_are_no_employer(subject: str, said: str, by: str):
    message = letter("interview_scheduled", subject=subject, meeting="one@calendar.example", contact=by)
    span = Span(source="subject", start=0, end=len(said))
    fact = Named(name="employer", value=said, span=span, sure=True)
    message = msgspec.structs.replace(message, named=(*message.named, fact))
    assert without_go_betweens(message).all_named("employer") == []


def test_a_number_is_no_employer():
    message = letter("acknowledgement", subject="Reference 2025-88164", requisition="2025-88164")
    (number,) = message.named
    number = msgspec.structs.replace(number, span=Span(source="subject", start=10, end=20))
    read_as = Named(
        name="employer", value="Reference 2025", span=Span(source="subject", start=0, end=14), sure=True
    )
    message = without_go_betweens(msgspec.structs.replace(message, named=(read_as, number)))
    assert judge(message, candidate(requisition="2025-88164")).application_id == 1


def test_an_employer_in_the_subject_of_an_invitation_stays_one():
    message = letter("interview_scheduled", subject="Northwind interview", meeting="one@calendar.example")
    span = Span(source="subject", start=0, end=9)
    fact = Named(name="employer", value="Northwind", span=span, sure=True)
    message = msgspec.structs.replace(message, named=(*message.named, fact))
    assert without_go_betweens(message).all_named("employer") == [fact]


def test_a_name_that_the_domain_spells_as_well_is_as_good_as_named():
    body = "Northwind has received your application."
    assert judge(letter("acknowledgement", body=body), candidate()).application_id is None
    own = letter("acknowledgement", body=body, sender="jobs@northwind.example")
    assert judge(own, candidate()).application_id == 1


@pytest.mark.parametrize("label", ["Client", "Recruteur ", "Se trata de", "Zatrudnia"])
def test_a_name_alone_behind_a_label_is_the_employer_whatever_the_label_says(label: str):
    own = candidate(1, company="Northwind", role="Data Engineer")
    body = f"Hello Ada,\n{label}: Northwind\nThis is about Data Engineer."
    told = judge(letter("rejection", body=body, employer="Globex Staffing"), own)
    assert told.application_id == 1


def test_a_name_within_a_sentence_behind_a_colon_is_only_spoken_of():
    own = candidate(1, company="Northwind", role="Data Engineer")
    body = "Hello Ada,\nNews: Northwind has moved.\nThis is about Data Engineer."
    assert judge(letter("rejection", body=body, employer="Globex Staffing"), own).application_id is None


def test_two_spellings_of_one_employer_leave_open_which_of_its_applications_is_meant():
    own = (
        candidate(1, company="Wäschle Bau", role="Baker, Nights"),
        candidate(2, company="Waeschle Bau", role="Baker, Days"),
    )
    message = letter("status_update", employer="Wäschle Bau", role="Baker")
    assert (found := judge(message, *own)).outcome == "asks", found
    assert found.pattern.startswith("close:")


def test_who_writes_for_a_group_is_found_by_either_name():
    body = "Thank you for applying to Globex, part of the Initech Group, as Data Engineer."
    message = letter("acknowledgement", employer="Initech Group", role="Data Engineer", body=body)
    for company in ("Globex", "Initech Holding"):
        assert judge(message, candidate(company=company)).application_id == 1


def test_a_slip_in_the_name_recorded_counts_beside_the_very_title():
    own = candidate(company="Nortwhind Foods")
    titled = letter("rejection", employer="Northwind Foods", role="Data Engineer")
    assert judge(titled, own).application_id == 1
    assert judge(letter("rejection", employer="Northwind Foods"), own).outcome == "asks"
    both = (own, candidate(2, company="Northwind Foods"))
    assert judge(titled, *both).outcome == "asks"


@pytest.mark.parametrize(
    "read",
    ["Northwind via", "Northwind - Human Resources", "Northwind zur Besetzung Baker", "Northwind, Leeds"],
)
def test_words_read_behind_a_name_do_not_make_another_of_it(read: str):
    message = letter("rejection", employer=read, role="Data Engineer", body=f"{read} writes.")
    assert judge(message, candidate(company="Northwind")).application_id == 1
    assert judge(message, candidate(company="Northwind Health")).outcome == "asks"
