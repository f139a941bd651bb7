"""What only the sender's surroundings tell, and what they must not."""

import pytest
from fixtures.mail import mail

from mailsync.classify.facts import facts_of
from mailsync.classify.said import read_text
from mailsync.classify.types import Fact
from mailsync.parse.message import parse_message


def facts(
    text: str, sender: str, subject: str = "Update", headers: dict[str, str] | None = None
) -> list[Fact]:
    return list(
        facts_of(read_text(parse_message(mail(text, subject=subject, sender=sender, headers=headers))))
    )


def employer(found: list[Fact]) -> str | None:
    return next((fact.value for fact in found if fact.name == "employer"), None)


@pytest.mark.parametrize(
    ("sender", "text"),
    [
        ("hr@northwindfoods.example", "Thank you for your application. Northwind Foods is a family firm."),
        ("northwindfoods@myworkday.com", "Have a look at Northwind Foods."),
        ("x@hire.lever.co", "See https://jobs.lever.co/northwindfoods for more of Northwind Foods."),
        ("jobs@northwind-foods.example", "northwind foods thanks you."),
        ("Northwind Foods Workday <no-reply@myworkday.com>", "Hello."),
        ("Northwind Foods <no-reply@hire.lever.co>", "Hello."),
        ("Bo Li <bo@northwindfoods.example>", "Hello.\n\n-- \nBo Li | Baker | Northwind Foods"),
    ],
)
def test_a_token_of_an_address_and_a_name_spelt_like_it_are_the_employer(sender: str, text: str):
    found = employer(facts(text, sender))
    assert found is not None
    assert found.casefold() == "northwind foods"


@pytest.mark.parametrize(
    ("sender", "text"),
    [
        ("hr@northwindfoods.example", "Thank you for your application."),
        ("otter@myworkday.com", "We regret that we cannot go on."),
        ("Bo Li <bo.li@gmail.com>", "Thank you for your application. I use Gmail."),
        ("Jane Doe <no-reply@us.greenhouse-mail.io>", "Thank you for your application.\n\nBest,\nJane Doe"),
        (
            "Anna at Hart & Dunn <anna@hartdunn.example>",
            "Our client, a bank, would like to meet you.\n\nAnna\nHart Dunn",
        ),
    ],
)
def test_a_token_alone_a_person_or_an_agency_is_not_the_employer(sender: str, text: str):
    assert employer(facts(text, sender)) is None


def test_the_client_an_agency_names_is_the_employer():
    text = "I write on behalf of my client Contoso Rail about a post.\n\nAnna Price\nHart Dunn Staffing"
    assert employer(facts(text, "Anna Price <anna@hartdunn.example>")) == "Contoso Rail"


def test_a_name_under_a_signature_mark_is_found_there():
    found = facts(
        "We got your application.\n\n-- \nBo Li\nNorthwind Foods", "Bo Li <bo@northwindfoods.example>"
    )
    span = next(fact.span for fact in found if fact.name == "employer")
    assert span.source == "signature"
    assert span.text == "Northwind Foods"


def test_the_number_beside_a_title_is_its_requisition():
    for text in (
        "You applied to job requisition 30417 - Night Baker at Northwind.",
        "for the Night Baker (30417) position",
    ):
        found = {fact.name: fact.value for fact in facts(text, "x@successfactors.eu")}
        assert found["role"] == "Night Baker"
        assert found["requisition"] == "30417"


def test_a_place_is_told_by_its_label_or_below_the_title_at_a_board():
    labelled = facts("Position: Baker\nLocation: Leeds, England", "x@hire.lever.co")
    board = facts(
        "Your application was sent to Northwind\n\nNight Baker\nNorthwind \u00b7 Leeds, England (Hybrid)",
        "LinkedIn <jobs-noreply@linkedin.com>",
    )
    assert [fact.value for fact in (*labelled, *board) if fact.name == "place"] == [
        "Leeds, England",
        "Leeds, England",
    ]
