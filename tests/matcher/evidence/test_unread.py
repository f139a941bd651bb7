"""A message of unknown kind that names the employer alone: attached when nothing speaks of anything else."""

import msgspec
import pytest
from fixtures.letters import candidate, judge, letter

from matcher.decisions.types import Verdict
from matcher.evidence.types import Lent
from schema.ids import ApplicationId
from schema.vocabulary import EventKind

SUBJECT = "Your application to Northwind"
BODY = "Hi Ada,\n\nthank you for your application and your CV. The team reads every application with care.\n"


def judged(body: str = BODY, *, subject: str = SUBJECT, siblings: int = 0) -> Verdict:
    message = letter(employer="Northwind", subject=subject, body=body, sender="jobs@northwind.example")
    others = [candidate(2 + number, role=f"Baker {number}") for number in range(siblings)]
    return judge(message, candidate(), *others)


def test_what_is_about_an_application_as_a_whole_is_attached():
    found = judged()
    assert (found.outcome, found.pattern) == ("attached", "sure:employer+time")


@pytest.mark.parametrize(
    ("body", "subject"),
    [
        (f"{BODY}We read what you sent for Aquanaut twice.", SUBJECT),
        (f"{BODY}For (m/w/d) only.", SUBJECT),
        (BODY, "Platform Engineer is no longer open"),
        (f"{BODY}Please choose a new password for your account.", SUBJECT),
        (f"{BODY}A new device opened your profile.", SUBJECT),
        (f"{BODY}Enter 481 552 within ten minutes.", SUBJECT),
        (f"{BODY}Geben Sie innerhalb von zehn Minuten bitte 481552 ein.", SUBJECT),
        ("Our summer sale has started: forty percent off all shoes and bags.", "Northwind sale"),
    ],
    ids=[
        "another title",
        "marked as a title",
        "title in the subject",
        "password",
        "device",
        "code",
        "code in German",
        "unrelated",
    ],
)
def test_anything_else_it_may_be_about_is_asked(body: str, subject: str):
    found = judged(body, subject=subject)
    assert found.outcome != "attached"


def test_what_stands_below_the_closing_and_this_openings_own_title_are_no_other_ones():
    below = f"{BODY}\nReciba un cordial saludo,\nÁrea de Selección de Northwind en Girona\n"
    assert judged(below).outcome == "attached"
    named = letter(employer="Northwind", subject=SUBJECT, body=f"{BODY}We talked about Aquanaut twice.")
    assert judge(named, candidate(role="Deep Sea Aquanaut Guide")).outcome == "attached"


@pytest.mark.parametrize("kind", ["status_update", None])
def test_mail_about_a_client_or_a_title_unknown_is_asked_whatever_it_says(kind: EventKind | None):
    kinds = (kind,) if kind is not None else ()
    hidden = letter(*kinds, employer="Northwind", subject=SUBJECT, body=f"{BODY}My client likes you.")
    assert judge(hidden, candidate()).outcome != "attached"
    other = letter(*kinds, employer="Northwind", subject="News: Elektronikerin Werk Süd", body=BODY)
    assert judge(other, candidate()).outcome != "attached"


@pytest.mark.parametrize("kind", ["status_update", None])
def test_a_title_is_no_other_one_where_nobody_recorded_any(kind: EventKind | None):
    kinds = (kind,) if kind is not None else ()
    named = letter(*kinds, employer="Northwind", subject="Your application: Elektroniker Werk Süd", body=BODY)
    assert judge(named, candidate(role=None)).outcome == "attached"
    assert judge(named, candidate(role=None), candidate(2, role="Baker")).outcome != "attached"


def test_a_name_that_stands_where_no_title_does_is_none():
    named = f"{BODY}It was read by Derek Beckett, who is in Umbria with Word and Figma on {{}}.\n"
    assert judged(named.format("Kinto")).outcome == "attached"
    for title in ("as Aquanaut", "for an Aquanaut", "Role: Aquanaut", "\u201cAquanaut\u201d"):
        assert judged(f"{BODY}We looked at it {title} twice.").outcome != "attached", title


def test_a_title_that_begins_as_yours_does_is_another_one_by_its_end():
    named = letter(
        employer="Northwind", subject=SUBJECT, body=f"{BODY}We looked at it as Night Aquanaut twice."
    )
    assert judge(named, candidate(role="Night Baker")).outcome != "attached"
    assert judge(named, candidate(role="Night Aquanaut")).outcome == "attached"


def test_a_refusal_may_speak_of_the_talent_pool_and_a_device_is_no_refusal():
    refused = (
        "Dear Ada,\n\nafter careful consideration we have decided to move forward with other applicants whose"
        " experience is closer to what we need. We will keep your profile in our talent community.\n"
    )
    assert judged(refused, subject="Your application").outcome == "attached"


def test_two_openings_of_that_employer_are_asked():
    assert judged(siblings=1).outcome == "asks"


def test_a_list_of_openings_is_no_answer_though_it_names_yours():
    body = "For you:\nData Engineer - Northwind\nBaker, Contoso\nPlumber, Fabrikam\n"
    found = judge(letter(employer="Northwind", role="Data Engineer", body=body), candidate())
    assert found.pattern.startswith("unread:")


def test_a_profile_that_somebody_opened_is_no_news():
    message = letter(
        "status_update", employer="Northwind", body="A new device opened your profile. Was it you?"
    )
    assert judge(message, candidate()).pattern == "unread:employer+time"


def test_who_is_known_to_write_of_it_and_names_the_title_is_believed():
    message = letter(
        body="The Data Engineer talk moves to three.", role="Data Engineer", sender="jo@x.example"
    )
    found = judge(
        message, candidate(), lent=(Lent(application_id=ApplicationId(1), via="contact", by_person=False),)
    )
    assert found.pattern == "sure:contact+role+time"


def test_what_speaks_of_no_hiring_is_asked_though_the_employer_writes():
    """Its customers are written to in the same words."""
    message = letter(
        employer="Northwind", body="We expect you on Monday at nine.", sender="jobs@northwind.example"
    )
    wordless = msgspec.structs.replace(message, is_wordless=True)
    assert judge(wordless, candidate()).outcome == "asks"


@pytest.mark.parametrize(
    "said",
    [
        "for School Caretaker with Northwind",
        "as School Caretaker at Northwind",
        "als Hausmeister bei Northwind",
    ],
)
def test_another_title_right_before_the_employer_is_asked_about(said: str):
    message = letter("rejection", employer="Northwind", body=f"Your file {said} was closed.")
    assert judge(message, candidate()).outcome == "asks"


def test_what_a_board_offers_is_attached_to_nothing():
    body = "Data Engineer\nNorthwind, Leeds\nQuality Inspector\nGlobex, York"
    offer = letter(employer="Northwind", role="Data Engineer", body=body, sender="jobs@glassdoor.com")
    assert judge(offer, candidate()).outcome != "attached"
    for told in (f"{body}\nYour application was viewed.", "Sent off: Data Engineer\nNorthwind, Leeds"):
        assert judge(msgspec.structs.replace(offer, body=told), candidate()).application_id == 1
