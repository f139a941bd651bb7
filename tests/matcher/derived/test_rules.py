"""Which mail proves an application, and how many may be derived from it."""

import msgspec
import pytest
from fixtures.letters import day, letter
from hypothesis import given
from hypothesis import strategies as st

from matcher.derived.rules import (
    MOST_PER_EMPLOYER,
    Existing,
    Proof,
    Unanswered,
    may_answer,
    proof_of,
    to_derive,
)
from schema.ids import MessageId
from schema.vocabulary import EventKind


def proof(role: str, number: int = 1, sent: float | None = 5, company: str = "contoso") -> Proof:
    return Proof(
        message_id=MessageId(number),
        sent_at=None if sent is None else day(sent),
        company=company.title(),
        company_key=company,
        role=role,
    )


@pytest.mark.parametrize("kind", ["acknowledgement", "rejection", "position_closed", "withdrawal_confirmed"])
def test_what_says_that_there_was_an_application_proves_one(kind: EventKind):
    found = proof_of(letter(kind, employer="Contoso Ltd", role="Analyst"))
    assert found and (found.company, found.company_key, found.role) == ("Contoso Ltd", "contoso", "Analyst")


@pytest.mark.parametrize(
    "kind", ["recruiter_outreach", "interview_invite", "offer", "status_update", "not_job_related"]
)
def test_what_may_come_unasked_proves_nothing(kind: EventKind):
    assert proof_of(letter(kind, employer="Contoso", role="Analyst")) is None


def test_one_employer_and_one_role_must_be_named_for_sure():
    assert proof_of(letter("rejection", employer="Contoso")) is None
    assert proof_of(letter("rejection", role="Analyst")) is None
    assert proof_of(letter("rejection", employer="Contoso", role=("Analyst", "Cook"))) is None
    assert proof_of(letter("rejection", employer="Contoso", role="Analyst", sure=False)) is None
    assert proof_of(letter("rejection", employer="Contoso", role="Analyst", from_owner=True)) is None


def test_two_spellings_of_one_title_are_one_application():
    found = to_derive(
        [proof("Analyst (m/f/d)", 1, 5), proof("Senior Analyst", 2, 9), proof("Analyst", 3, 4)], []
    )
    assert [one.message_id for one in found] == [3]
    assert len(to_derive([proof("Analyst", 1), proof("Cook", 2)], [])) == 2
    assert len(to_derive([proof("Analyst", 1), proof("Analyst", 2, company="fabrikam")], [])) == 2


def test_an_existing_application_is_not_derived_again():
    known = Existing(company_key="contoso", role="Analyst", is_derived=False)
    assert to_derive([proof("Analyst")], [known]) == []
    assert len(to_derive([proof("Cook")], [known])) == 1


def test_a_title_contained_in_the_persons_own_is_asked_and_not_derived():
    near = proof("Centre Manager")
    known = Existing(company_key="contoso", role="Centre Operations Manager", is_derived=False)
    assert to_derive([near], [known]) == []
    assert to_derive([near], [Existing(company_key="contoso", role=known.role, is_derived=True)]) == [near]


def test_there_is_a_cap_per_employer():
    many = [
        Existing(company_key="contoso", role=f"Role{n}", is_derived=True) for n in range(MOST_PER_EMPLOYER)
    ]
    assert to_derive([proof("Cook")], many) == []
    assert len(to_derive([proof("Cook", company="fabrikam")], many)) == 1


@given(
    st.lists(
        st.builds(
            proof,
            st.sampled_from(["Analyst", "Analyst II", "Cook", "Analyst, Risk", "Intern Analyst"]),
            st.integers(1, 50),
            st.one_of(st.none(), st.integers(1, 5)),
        ),
        max_size=8,
        unique_by=lambda found: found.message_id,
    ),
    st.randoms(),
)
def test_the_order_of_proofs_does_not_matter(proofs, random):
    straight = to_derive(proofs, [])
    random.shuffle(proofs)
    assert to_derive(proofs, []) == straight


def test_the_number_of_the_opening_goes_with_the_application():
    found = proof_of(letter("rejection", employer="Contoso", role="Analyst", requisition="R-1234"))
    assert found and found.requisition == "R-1234"
    several = proof_of(letter("rejection", employer="Contoso", role="Analyst", requisition=("R-1234", "R-9")))
    assert several and several.requisition is None


def test_one_opening_under_two_spellings_of_its_employer_is_one_application():
    one = msgspec.structs.replace(proof("Analyst", 1, 5), requisition="R-1234")
    other = msgspec.structs.replace(proof("Analyst", 2, 6, company="contosoworks"), requisition="R1234")
    assert to_derive([other, one], []) == [one]


def test_an_answer_may_come_under_another_name_and_without_the_place():
    waiting = Unanswered(role="Analyst - Leeds", applied_at=day(4), applied_on=None)
    assert may_answer(proof("Analyst"), [waiting])
    assert not may_answer(proof("Analyst Designer"), [waiting])
    assert not may_answer(proof("Analyst", sent=1), [waiting])


def test_a_title_read_too_far_is_asked_where_the_person_wrote_a_place_behind_it():
    known = Existing(company_key="contoso", role="Analyst - Leeds", is_derived=False)
    assert to_derive([proof("Analyst consta")], [known]) == []
    assert len(to_derive([proof("Cook")], [known])) == 1


def test_part_of_a_group_is_derived_under_its_own_name():
    body = "Thank you for applying to Globex, part of the Initech Group, as Data Engineer."
    message = letter("acknowledgement", employer="Initech Group", role="Data Engineer", body=body)
    found = proof_of(message)
    assert found is not None
    assert (found.company, found.company_key) == ("Globex", "globex")
