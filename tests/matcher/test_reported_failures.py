"""Failures people reported of trackers that concern which application a message is about: one test each.

The numbers are those of the list of reports; what concerns only fetching or classifying is tested there.
"""

from datetime import date

import pytest
from fixtures.letters import candidate, judge, letter
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.aliases.store import add_name
from matcher.evidence.types import Lent
from schema.db import Database
from schema.ids import AccountId, ApplicationId


def contact(number: int) -> Lent:
    return Lent(application_id=ApplicationId(number), via="contact", by_person=False)


async def test_09_a_viewed_or_received_notice_is_a_trace_of_its_application(
    match: MatchRunner, samples: Samples
):
    applied = samples.application()
    samples.message("status_update", employer="Northwind", role="Data Engineer", body="It was viewed.")
    await match()
    assert samples.rows("SELECT application_id FROM matches") == [(applied,)]


def test_11_receipts_a_relay_carried_for_others_do_not_pile_up_on_its_own_application():
    ours = candidate(company="Greenhouse", role="Data Engineer")
    for stranger in ("Contoso", "Fabrikam", "Umbrella"):
        message = letter(
            "acknowledgement",
            employer=stranger,
            role="Data Engineer",
            sender="no-reply@us.greenhouse-mail.io",
            sender_name="Greenhouse",
            body=f"{stranger} received it. Sent by Greenhouse.",
        )
        assert judge(message, ours).application_id is None


def test_12_two_roles_at_one_employer_are_two_applications():
    both = (candidate(1), candidate(2, role="Designer"))
    assert judge(letter("rejection", employer="Northwind", role="Designer"), *both).application_id == 2
    assert judge(letter("rejection", employer="Northwind"), *both).application_id is None


@pytest.mark.parametrize("name", ["Northwinds", "Great Northwind", "Northwind Health", "North"])
def test_13_a_name_that_contains_ours_is_another_employer(name: str):
    message = letter("rejection", employer=name, role="Data Engineer", body=f"{name} thanks you.")
    assert judge(message, candidate()).application_id is None


def test_14_a_known_domain_does_not_outweigh_the_role():
    closed, running = candidate(1, ended=7), candidate(2, role="Designer", applied=8)
    message = letter(
        "interview_invite", sender="hr@northwind.example", employer="Northwind", role="Designer", sent=12
    )
    assert judge(message, closed, running, lent=(contact(1),)).application_id == 2


def test_15_one_word_of_a_title_in_a_signature_is_no_role():
    body = "Northwind will be in touch.\n\nKind regards,\nAda Price\nEngineer of People"
    found = judge(letter("rejection", body=body), candidate(), candidate(2, role="Designer"))
    assert found.application_id is None
    assert all(
        piece.name != "role" or piece.direction != "for" for w in found.candidates for piece in w.pieces
    )


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Senior Data Engineer", "Senior Data Analyst"),
        ("Engineer, Payments Platform", "Engineer, Risk Platform"),
        ("Product Manager Growth", "Product Manager Trust"),
    ],
)
def test_16_titles_that_share_most_words_are_not_one(theirs: str, ours: str):
    found = judge(letter("rejection", employer="Northwind", role=theirs), candidate(role=ours))
    assert found.application_id is None


async def test_18_the_same_receipt_sent_three_times_is_three_messages_of_one_application(
    match: MatchRunner, samples: Samples
):
    applied = samples.application()
    for number in range(3):
        samples.message("acknowledgement", employer="Northwind", role="Data Engineer", subject=f"{number}")
    await match()
    assert samples.rows("SELECT application_id FROM matches") == [(applied,)] * 3
    assert samples.rows("SELECT count(*) FROM applications") == [(1,)]


def test_19_own_outgoing_mail_is_never_attached():
    mine = letter("rejection", employer="Northwind", role="Data Engineer", from_owner=True)
    assert judge(mine, candidate()).outcome == "none"


def test_20_only_the_requisition_agrees_among_many_rows_of_one_employer():
    rows = [
        candidate(number, role=f"Welder {number}", requisition=f"JR{20100 + number}")
        for number in range(1, 26)
    ]
    message = letter("rejection", employer="Northwind Holding", body="Ref. JR20117", requisition="JR20117")
    assert judge(message, *rows).application_id == 17
    brand = letter(
        "rejection", employer="Globex", role="Welder 17", body="Ref. JR20117", requisition="JR20117"
    )
    assert judge(brand, *rows).application_id == 17
    neither = letter(
        "rejection", employer="Globex", body="Globex writes. Ref. JR20117", requisition="JR20117"
    )
    assert judge(neither, *rows).outcome == "asks"


def test_21_a_refusal_before_applying_again_is_of_the_first_application():
    twice = (candidate(1, applied=1), candidate(2, applied=11))
    refusal = letter("rejection", employer="Northwind", role="Data Engineer", sent=9)
    assert judge(refusal, *twice).application_id == 1
    ended = (candidate(1, applied=1, ended=9), candidate(2, applied=11))
    later = letter("rejection", employer="Northwind", role="Data Engineer", sent=20)
    assert judge(later, *ended).application_id == 2


async def test_21_a_brand_finds_its_employer_once_the_person_says_so(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, clock: FixedClock
):
    applied = samples.application()
    message = samples.message("rejection", employer="Globex", role="Data Engineer")
    async with database.as_account(account) as unit:
        await add_name(unit, "Globex", "Northwind", now=clock.now())
    await match()
    assert samples.rows("SELECT message_id, application_id FROM matches") == [(message, applied)]


def test_22_the_receipt_of_a_board_and_that_of_the_platform_are_of_one_application():
    for sender in ("jobs-noreply@linkedin.com", "no-reply@us.greenhouse-mail.io"):
        message = letter("acknowledgement", employer="Northwind", role="Data Engineer", sender=sender)
        assert judge(message, candidate()).application_id == 1


def test_23_an_appointment_with_a_friend_is_of_no_application():
    message = letter(
        "interview_scheduled",
        subject="Coffee on Monday",
        sender="sam@gmail.com",
        body="See you at the Corner.",
    )
    assert judge(message, candidate(), candidate(2, company="Monday")).application_id is None


def test_23_unrelated_employers_are_not_drawn_to_one_role():
    for stranger in ("Contoso", "Fabrikam", "Umbrella"):
        message = letter("interview_invite", employer=stranger, role="Data Engineer")
        assert judge(message, candidate()).application_id is None


@pytest.mark.parametrize(
    ("theirs", "ours"), [("Acme Health", "Acme Robotics"), ("Contosa", "Contoso"), ("Acme Bank", "Acme")]
)
def test_24_near_names_do_not_collide(theirs: str, ours: str):
    message = letter("rejection", employer=theirs, role="Data Engineer")
    assert judge(message, candidate(company=ours)).application_id is None


async def test_26_a_recruiter_is_not_taken_for_the_employer(match: MatchRunner, samples: Samples):
    applied = samples.application()
    samples.message(
        "rejection",
        employer="Galtilix Search",
        role="Data Engineer",
        sender="ada@galtilixsearch.example",
        sender_name="Ada Price | Galtilix Search",
        body="Our client Northwind decided otherwise about the Data Engineer position.",
    )
    await match()
    assert samples.rows("SELECT application_id FROM matches") == [(applied,)]
    assert samples.rows("SELECT company FROM applications") == [("Northwind",)]


def test_27_an_at_sign_in_the_name_shown_breaks_nothing():
    message = letter(
        "rejection", sender="jobs@northwind.example", sender_name="jobs@northwind", role="Data Engineer"
    )
    found = judge(message, candidate(url="https://www.northwind.example/jobs/1"))
    assert found.application_id == 1


def test_27_a_plain_date_is_not_shifted_out_of_its_day():
    applied = candidate(applied=date(2026, 3, 10))
    message = letter("acknowledgement", employer="Northwind", role="Data Engineer", sent=9.7)
    assert message.sent_at == day(9.7)
    assert judge(message, applied).application_id == 1


async def test_28_a_wrong_employer_is_put_right_by_the_name_it_goes_by(
    match: MatchRunner, samples: Samples, database: Database, account: AccountId, clock: FixedClock
):
    """Recorded under the board's spelling of the name; the person says what the employer calls itself."""
    applied = samples.application("NW Group Recruiting Portal")
    message = samples.message("interview_invite", employer="Northwind", role="Data Engineer")
    await match()
    assert samples.rows("SELECT outcome FROM matches") == [("asks",)]
    async with database.as_account(account) as unit:
        await add_name(unit, "Northwind", "NW Group Recruiting Portal", now=clock.now())
    await match()
    assert samples.rows("SELECT message_id, application_id FROM matches") == [(message, applied)]
