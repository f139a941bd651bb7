import json
from pathlib import Path

import pytest
from fixtures.mail import mail

from mailsync.classify.rules import classify
from mailsync.classify.senders import is_relay_brand, known_sender, tenant
from mailsync.classify.types import Fact
from mailsync.parse.message import parse_message
from mailsync.parse.types import Address


def facts(text: str, subject: str = "Your application", sender: str = "no-reply@x.example") -> list[Fact]:
    return list(classify(parse_message(mail(text, subject=subject, sender=sender))).facts)


def named(found: list[Fact], name: str) -> list[str]:
    return [fact.value for fact in found if fact.name == name]


@pytest.mark.parametrize(
    ("subject", "text", "sender"),
    [
        ("Thank you for applying to Northwind", "Hello.", "no-reply@us.greenhouse-mail.io"),
        ("Your application", "Thanks for your interest in Northwind.", "x@hire.lever.co"),
        (
            "Your application",
            "Thank you for applying for the Baker role at Northwind.",
            "no-reply@ashbyhq.com",
        ),
        ("Northwind | Application received", "We got it at Northwind.", "no-reply@ashbyhq.com"),
        ("Update", "Hello Ada.", "Northwind Talent Acquisition Team <no-reply@ashbyhq.com>"),
        ("Update", "Hello Ada.", "Northwind via SmartRecruiters <notification@smartrecruiters.com>"),
        ("Update", "Hello Ada.", "Bo Li from Northwind <bo@smartrecruiters.com>"),
        ("Update", "Hello Ada.\n\nBest,\nThe Northwind Recruiting Team", "no-reply@us.greenhouse-mail.io"),
        ("Your application to Night Baker at Northwind", "Sent.", "LinkedIn <jobs-noreply@linkedin.com>"),
        ("Your Northwind application", "Hello.", "no-reply@ashbyhq.com"),
        ("Interview with Northwind", "Hello.", "bo@northwind.example"),
    ],
)
def test_the_employer_is_named(subject: str, text: str, sender: str):
    assert named(facts(text, subject, sender), "employer") == ["Northwind"]


@pytest.mark.parametrize(
    ("subject", "text", "sender"),
    [
        ("Your application", "Thank you for applying.", "Workable <noreply@candidates.workablemail.com>"),
        ("Your application", "Thank you for applying.", "LinkedIn <jobs-noreply@linkedin.com>"),
        ("Test invitation", "Please take the test.", "HackerRank Team <noreply@hackerrankforwork.com>"),
        ("Your application to Greenhouse", "x", "no-reply@us.greenhouse-mail.io"),
    ],
)
def test_a_relay_is_never_the_employer(subject: str, text: str, sender: str):
    assert named(facts(text, subject, sender), "employer") == []


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Thank you for applying for the Data Analyst role at Northwind.", "Data Analyst"),
        (
            "your interest in our Infrastructure Engineer, Lab Manager role.",
            "Infrastructure Engineer, Lab Manager",
        ),
        ("for the Program Manager,\nOperations role with us", "Program Manager, Operations"),
        ("We received your application for Senior Night Baker.", "Senior Night Baker"),
        (
            "You applied for the position of Head of People Operations at Northwind.",
            "Head of People Operations",
        ),
        ("Job title: C++ Developer (m/f/d)\nPlace: Leeds", "C++ Developer (m/f/d)"),
        ("the Engineer II, R&D position", "Engineer II, R&D"),
        ("Thank you for applying for the Sr. Data Analyst role at Northwind.", "Sr. Data Analyst"),
        ("We received your application for R-20931 Risk Analyst.", "Risk Analyst"),
        ("We received your application for Risk Analyst (Job ID 20931).", "Risk Analyst"),
        (
            "We received your application for Risk Analyst - Leeds (R-1234) at Northwind.",
            "Risk Analyst - Leeds",
        ),
    ],
)
def test_the_role_is_named(text: str, role: str):
    assert named(facts(text), "role") == [role]


@pytest.mark.parametrize(
    "text", ["You are a fit for this role.", "We have many open positions.", "Thank You For Your Interest."]
)
def test_words_that_only_surround_roles_name_none(text: str):
    assert named(facts(text), "role") == []


def test_links_name_the_posting_and_the_board():
    url = "https://boards.greenhouse.io/northwind/jobs/4242?utm_source=x"
    found = facts(f"See {url} for the Baker role.")
    assert named(found, "board") == ["greenhouse/northwind"]
    assert "4242" in named(found, "posting_url")[0]
    span = next(fact.span for fact in found if fact.name == "posting_url")
    assert span.text == url


def test_requisitions_platform_and_tenant_are_named_with_their_spans():
    found = facts("The position (Job ID: R-12345) is open.", sender="northwind@myworkday.com")
    assert named(found, "requisition") == ["R-12345"]
    assert named(found, "platform") == ["workday"]
    assert named(found, "tenant") == ["northwind"]
    spans = {fact.name: fact.span for fact in found}
    assert spans["tenant"].text == "northwind"
    assert spans["platform"].text == "myworkday.com"


@pytest.mark.parametrize(
    ("address", "name", "token"),
    [
        ("northwind+autoreply@talent.icims.com", "icims", "northwind"),
        ("no-reply@eu.greenhouse-mail.io", "greenhouse", None),
        ("bo.li@northwind.teamtailor-mail.com", "teamtailor", "northwind"),
        ("noreply@northwind.breezy.hr", "breezy", "northwind"),
        ("system@successfactors.eu", "successfactors", None),
        ("a@workflow.mail.em2.cloud.oracle.com", "oracle", "a"),
    ],
)
def test_relays_are_known_by_any_parent_of_their_domain(address: str, name: str, token: str | None):
    sender = known_sender(Address(address=address))
    assert sender is not None
    assert sender.name == name
    assert tenant(Address(address=address), sender) == token


@pytest.mark.parametrize(
    "address", ["a@notgreenhouse.io", "a@greenhouse.io.evil.example", "a@example.org", "", "@"]
)
def test_other_domains_are_nobody_known(address: str):
    assert known_sender(Address(address=address)) is None


def test_brands_are_known_in_any_case():
    assert is_relay_brand(" SmartRecruiters ")
    assert not is_relay_brand("Northwind")


def test_the_real_messages_name_their_employer_and_role(shared_data: Path):
    folder = shared_data / "mail" / "findajob-eml" / "rejection_emails"
    counts = {"employer": 0, "role": 0}
    paths = sorted(folder.rglob("*.eml"))
    for path in paths:
        message = parse_message(path.read_bytes())
        for fact in classify(message).facts:
            if fact.name in counts:
                counts[fact.name] += 1
                text = {"subject": message.subject, "text": message.body}.get(fact.span.source)
                assert text is None or text[fact.span.start : fact.span.end] == fact.span.text
                assert not is_relay_brand(fact.value)
    print(json.dumps(counts))
    assert counts == {"employer": len(paths), "role": len(paths)}


def test_the_employer_applied_to_outweighs_one_that_was_left():
    text = "Thanks for applying to Northwind. We would like to meet you. I used to work at Contoso."
    assert named(facts(text, "Next steps", "Ed Lin <ed@mail.example>"), "employer") == ["Northwind"]


def test_a_board_names_the_title_above_the_employer():
    text = "Your application was sent to Northwind\n\n"
    text += "Night Baker\nNorthwind \u00b7 Leeds (Remote)\nApplied today"
    board = "LinkedIn <jobs-noreply@linkedin.com>"
    assert named(facts(text, "Your application was sent to Northwind", board), "role") == ["Night Baker"]
    assert named(facts("Night Baker\nContoso - Leeds", sender="Bo <bo@northwind.example>"), "role") == []
    subject = "Indeed Application: Head of Growth"
    assert named(facts("x", subject, "Indeed Apply <indeedapply@indeed.com>"), "role") == ["Head of Growth"]


def test_a_short_form_in_the_text_is_the_name_the_sender_bears():
    text = "Your application for the Baker position at Contoso has not been successful. Contoso thanks you."
    sender = "Contoso Logistics Careers <contoso@myworkday.com>"
    assert named(facts(text, "Update", sender), "employer") == ["Contoso Logistics"]


@pytest.mark.parametrize(
    ("subject", "text", "role"),
    [
        ("About Data Analyst", "Your application is with the team for this position.", "Data Analyst"),
        ("Your application", "I sent you for the role of Data Analyst to Northwind.", "Data Analyst"),
        ("Ihre Bewerbung", "Betreff: Buchhalter (m/w/d)\n\nIhre Bewerbung ist da.", "Buchhalter (m/w/d)"),
        ("Ausschreibung für Buchhalter (m/w/d)", "Ihre Bewerbung ist eingegangen.", "Buchhalter (m/w/d)"),
        ("Ihre Bewerbung", "Gewünschte Tätigkeit: Buchhalter (m/w/d)\n\nDanke.", "Buchhalter (m/w/d)"),
        (
            "Votre candidature",
            "Nous avons lu votre candidature au poste de Chef de projet et avons retenu un autre profil.",
            "Chef de projet",
        ),
        ("À propos de Chef de projet", "Bonjour, votre candidature est à l'étude.", "Chef de projet"),
        ("Tu candidatura", "Sobre el puesto de Contable y hemos leído tu currículum.", "Contable"),
    ],
)  # fmt: skip
def test_a_role_ends_where_its_sentence_goes_on(subject: str, text: str, role: str):
    assert named(facts(text, subject), "role") == [role]


def test_a_role_behind_the_senders_own_name_stands_alone():
    found = facts("Ihre Bewerbung ist da.", "Northwind: Buchhalter (m/w/d)", "ada@northwind-gmbh.example")
    assert named(found, "role") == ["Buchhalter (m/w/d)"]


@pytest.mark.parametrize(
    ("text", "sender", "employer"),
    [
        ("Hemos recibido tu candidatura.", "Banco Norte Empleo <empleo@banconorte.example>", "Banco Norte"),
        ("Hemos recibido tu candidatura.", "Banco Norte Personas <rrhh@banconorte.example>", "Banco Norte"),
    ],
)
def test_team_words_are_no_part_of_an_employers_name(text: str, sender: str, employer: str):
    assert named(facts(text, "Tu candidatura", sender), "employer") == [employer]


def test_what_an_employer_says_of_itself_is_no_part_of_its_name():
    text = "Thank you for applying to Northwind.\n\nNorthwind is an equal opportunity employer.\n"
    assert named(facts(text), "employer") == ["Northwind"]
