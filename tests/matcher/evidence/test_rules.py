"""What the evidence of one message amounts to: attached only when it suffices, asked when it does not."""

from datetime import date

import msgspec
import pytest
from fixtures.letters import candidate, day, judge, letter
from hypothesis import given
from hypothesis import strategies as st

from matcher.aliases.types import OtherName
from matcher.decisions.types import Verdict
from matcher.evidence.rules import read, verdict
from matcher.evidence.types import Lent
from matcher.evidence.weighing import knowing
from matcher.evidence.weights import current_weights
from schema.ids import ApplicationId

URL = "https://job-boards.greenhouse.io/northwind/jobs/4001"
OTHER_URL = "https://job-boards.greenhouse.io/northwind/jobs/4002"


def lends(number: int, via: str, *, by_person: bool = False) -> Lent:
    return Lent(application_id=ApplicationId(number), via=via, by_person=by_person)  # type: ignore[arg-type]


def says(found: Verdict, rank: int = 0) -> set[tuple[str, str]]:
    return {(piece.name, piece.direction) for piece in found.candidates[rank].pieces}


# Sure matches


def test_employer_and_role_attach():
    found = judge(letter("rejection", employer="Northwind GmbH", role="Data Engineer"), candidate())
    assert (found.outcome, found.application_id) == ("attached", 1)
    assert found.anchor == 1
    assert says(found) == {("employer", "for"), ("role", "for"), ("time", "for")}
    assert found.pattern == "sure:employer+role+time"


def test_the_very_title_decides_where_nobody_recorded_the_employer_and_no_other_is_nearer():
    message = letter("rejection", employer="Northwind", role="Data Engineer")
    lone = candidate(company=None)
    assert judge(message, lone).pattern == "sure:role+time"
    assert judge(message, lone, candidate(2)).application_id == 2
    assert judge(message, lone, candidate(2, company=None)).outcome == "asks"
    assert judge(message, candidate(company=None, applied=None)).outcome == "asks"
    senior = letter("rejection", employer="Northwind", role="Senior Data Engineer")
    assert judge(senior, lone).outcome != "attached"


def test_a_link_to_the_posting_attaches_whatever_the_names():
    message = letter(
        "acknowledgement", employer="Nordwind Holding", role="Ingénieur", posting_url=f"{URL}?utm_source=x"
    )
    found = judge(message, candidate(url=URL), candidate(2, url=OTHER_URL))
    assert (found.outcome, found.application_id) == ("attached", 1)


def test_only_the_requisition_agrees():
    message = letter("rejection", body="Reference JR-20117", requisition="JR-20117")
    found = judge(message, candidate(company="Northwind", requisition="JR20117"))
    assert (found.outcome, found.application_id) == ("attached", 1)


def test_the_board_and_its_number_are_the_posting():
    message = letter("acknowledgement", board="greenhouse/northwind", requisition="4001")
    found = judge(message, candidate(url=URL), candidate(2, url=OTHER_URL))
    assert found.application_id == 1
    assert ("board_posting", "for") in says(found)


def test_the_only_application_at_a_named_employer_attaches_without_a_role():
    found = judge(letter("rejection", employer="Northwind"), candidate())
    assert found.outcome == "attached"


def test_an_answer_to_a_settled_message_attaches():
    message = letter("interview_invite", sender="jane@northwind.example", cites=("<a@x>",))
    found = judge(message, candidate(), candidate(2, role="Designer"), lent=(lends(1, "reply_chain"),))
    assert (found.outcome, found.application_id, found.anchor) == ("attached", 1, None)


def test_the_name_standing_in_the_text_and_the_role_attach():
    body = "Thank you for your interest in Northwind. The Data Engineer position was filled."
    found = judge(letter("position_closed", body=body), candidate())
    assert found.outcome == "attached"


@pytest.mark.parametrize(
    ("body", "attached"),
    [
        ("Northwind received it. About the Operations Manager role: thank you.", True),
        ("Northwind received it. Your Operations Manager Application is in.", True),
        ("Northwind received it. We read about operations manager today.", True),
        ("Northwind received it. The Centre Operations Manager role is closed.", False),
        ("Northwind received it. The Operations Manager Europe role is closed.", False),
    ],
)
def test_a_title_in_the_text_counts_only_whole(body: str, attached: bool):
    found = judge(letter("acknowledgement", body=body), candidate(role="Operations Manager"))
    assert (found.outcome == "attached") is attached


# Several at one employer


def test_the_employers_own_name_is_no_title():
    body = "Your application landed safely with Pilot Schools Trust."
    message = letter("acknowledgement", employer="Pilot Schools Trust", body=body)
    assert judge(message, candidate(1, company="Pilot Schools Trust plc")).application_id == 1


def test_two_roles_and_none_named_is_asked():
    found = judge(letter("rejection", employer="Northwind"), candidate(1), candidate(2, role="Designer"))
    assert (found.outcome, found.application_id, found.anchor) == ("asks", None, None)
    assert found.pattern.startswith("close:")
    assert [weighed.application_id for weighed in found.candidates] == [1, 2]


def test_the_role_decides_between_two():
    message = letter("rejection", employer="Northwind", role="Designer")
    assert judge(message, candidate(1), candidate(2, role="Designer")).application_id == 2


def test_the_longer_title_whose_own_words_occur_wins():
    both = (candidate(1, role="Software Engineer"), candidate(2, role="Software Engineer, Payments"))
    longer = letter("rejection", employer="Northwind", role="Software Engineer - Payments")
    shorter = letter("rejection", employer="Northwind", role="Software Engineer")
    assert judge(longer, *both).application_id == 2
    assert judge(shorter, *both).application_id == 1


def test_a_sibling_at_another_employer_takes_nothing_away():
    message = letter("rejection", employer="Northwind", role="Software Engineer, Payments")
    found = judge(
        message,
        candidate(1, role="Software Engineer"),
        candidate(2, company="Contoso", role="Software Engineer, Payments"),
    )
    assert found.application_id == 1


def test_levels_tell_siblings_apart():
    both = (candidate(1, role="Data Engineer"), candidate(2, role="Senior Data Engineer"))
    senior = letter("rejection", employer="Northwind", role="Senior Data Engineer")
    assert judge(senior, *both).application_id == 2


def test_another_level_alone_is_never_attached():
    message = letter("rejection", employer="Northwind", role="Staff Data Engineer")
    found = judge(message, candidate(role="Senior Data Engineer"))
    assert found.application_id is None


def test_a_level_that_only_the_message_names_is_asked():
    message = letter("rejection", employer="Northwind", role="Staff Data Engineer")
    assert judge(message, candidate()).outcome == "asks"
    seen = letter("rejection", employer="Northwind", body="Senior Data Engineer: we decided otherwise.")
    assert judge(seen, candidate()).outcome == "asks"
    dropped = letter("rejection", employer="Northwind", role="Data Engineer")
    assert judge(dropped, candidate(role="Senior Data Engineer")).outcome == "attached"
    exact = letter("rejection", employer="Northwind", role="Staff Data Engineer", requisition="JR20117")
    assert judge(exact, candidate(requisition="JR20117")).outcome == "attached"


def test_brackets_tell_openings_apart():
    both = (candidate(1, role="Engineer (Data Cloud)"), candidate(2, role="Engineer (Agentforce)"))
    message = letter("rejection", employer="Northwind", role="Engineer (Agentforce)")
    assert judge(message, *both).application_id == 2


def test_an_internship_is_never_the_full_position():
    message = letter("acknowledgement", employer="Northwind", role="Data Engineer Intern")
    found = judge(message, candidate())
    assert found.application_id is None
    assert ("role", "veto") in says(found)


@pytest.mark.parametrize(
    ("theirs", "ours", "fits"),
    [
        ("Data Enginer", "Data Engineer", True),
        ("Software Developers", "Software Developer", True),
        ("Analyst Region10", "Analyst Region11", False),
        ("Payments Engineer", "Risk Engineer", False),
        ("Engineer, Disk", "Engineer, Risk", False),
        ("External Communications", "Internal Communications", False),
        ("Centre Manager", "Centre Operations Manager", False),
        ("Centre Operations Manager", "Centre Manager", False),
        ("Analyst", "Risk Analyst", False),
        ("Software Engineer", "Software Engineer, Payments", True),
        ("Software Engineer, Payments", "Software Engineer", True),
        ("Backend Engineer (Python)", "Engineer, Backend", True),
    ],
)
def test_a_misspelt_or_shortened_title_is_the_title_and_a_near_one_is_not(theirs: str, ours: str, fits: bool):
    found = judge(letter("rejection", employer="Northwind", role=theirs), candidate(role=ours))
    assert (found.outcome == "attached") is fits


# Traps


def test_a_different_requisition_is_a_contradiction():
    message = letter("rejection", employer="Northwind", role="Data Engineer", requisition="R-778")
    found = judge(message, candidate(requisition="R-777"))
    assert found.application_id is None
    assert ("requisition", "veto") in says(found)


def test_another_job_number_of_the_same_length_is_asked_although_its_letters_are_left_out():
    body = "Your application for Data Engineer (Job ID 20999) was not successful."
    message = letter("rejection", employer="Northwind", role="Data Engineer", body=body, requisition="20999")
    assert judge(message, candidate(requisition="JR20117")).outcome == "asks"
    same = letter(
        "rejection",
        employer="Northwind",
        role="Data Engineer",
        body=body.replace("20999", "20117"),
        requisition="20117",
    )
    assert judge(same, candidate(requisition="JR20117")).outcome == "attached"


@pytest.mark.parametrize(
    "label", ["Application number", "Bewerbungsnummer", "N° de dossier", "Número de solicitud"]
)
def test_the_number_of_the_application_itself_is_no_other_opening(label: str):
    body = f"Thank you for applying as Data Engineer. {label}: 90210-77"
    message = letter(
        "acknowledgement", employer="Northwind", role="Data Engineer", body=body, requisition="90210-77"
    )
    assert judge(message, candidate(requisition="JR20117")).outcome == "attached"


@pytest.mark.parametrize("number", ["BX-2026-596", "90316BR", "69623"])
def test_another_number_of_an_opening_is_asked_however_it_is_made(number: str):
    body = f"Your application as Data Engineer ({number}) was not successful."
    message = letter("rejection", employer="Northwind", role="Data Engineer", body=body, requisition=number)
    assert judge(message, candidate(requisition="JR20117")).outcome == "asks"


@pytest.mark.parametrize(
    ("foot", "outcome"),
    [
        ("[OF-75484]", "asks"),
        ("Nr.: 61631BR", "asks"),
        ("Application ID OF-75484", "attached"),
        ("Amtsgericht Bremen, HRB 40211, D-28195 Bremen, +49 421 4021177", "attached"),
        ("(JR-20117)", "attached"),
        ("[3601-BT]", "asks"),
        ("2026-3481", "asks"),
        ("2026-03-12", "attached"),
    ],
)
def test_a_number_made_as_those_of_openings_is_looked_at_wherever_it_stands(foot: str, outcome: str):
    message = letter("rejection", employer="Northwind", role="Data Engineer", body=f"Data Engineer\n{foot}")
    assert judge(message, candidate(requisition="JR20117")).outcome == outcome


def test_a_requisition_between_two_in_one_thread():
    message = letter("rejection", requisition="R-7002", thread="t1")
    found = judge(
        message,
        candidate(1, requisition="R-7001"),
        candidate(2, requisition="R-7002"),
        lent=(lends(1, "thread"), lends(2, "thread")),
    )
    assert found.application_id == 2


def test_a_thread_alone_is_no_proof():
    found = judge(letter("rejection"), candidate(), lent=(lends(1, "thread"),))
    assert found.outcome == "asks"


def test_a_link_to_another_posting_contradicts():
    message = letter("acknowledgement", employer="Northwind", posting_url=OTHER_URL)
    found = judge(message, candidate(url=URL))
    assert found.application_id is None


def test_many_linked_postings_are_a_list():
    listed = tuple(f"https://job-boards.greenhouse.io/northwind/jobs/{n}" for n in range(4001, 4006))
    found = judge(letter("acknowledgement", posting_url=listed), candidate(url=URL))
    assert found.application_id is None


@pytest.mark.parametrize("named", ["Northwind Health", "Contoso"])
def test_another_employer_is_not_ours(named: str):
    message = letter("rejection", employer=named, role="Data Engineer", body=f"{named} thanks you.")
    assert judge(message, candidate()).application_id is None


def test_the_relay_that_carried_the_mail_is_not_the_employer():
    message = letter(
        "acknowledgement",
        sender="no-reply@us.greenhouse-mail.io",
        sender_name="Greenhouse",
        body="Thank you for applying. Sent by Greenhouse.",
    )
    found = judge(message, candidate(company="Greenhouse"))
    assert found.application_id is None
    assert found.candidates == ()


@pytest.mark.parametrize(
    "signed",
    ["Northwind", "Recruiting | Northwind", "Northwind - Leeds - Legal notice", "Ada Quill, Northwind"],
)
def test_who_signs_is_the_employer_though_a_platform_shows_its_own_name(signed: str):
    body = f"Hi,\n\nwe chose somebody else.\n\nKind regards\nAda Quill\n{signed}\n"
    sender = {"sender": "no-reply@us.greenhouse-mail.io", "sender_name": "Greenhouse"}
    assert judge(letter("rejection", body=body, **sender), candidate()).application_id == 1
    inside = body.replace(f"\n{signed}", "").replace("we chose", f"we chose {signed} as")
    assert judge(letter("rejection", body=inside, **sender), candidate()).application_id is None


def test_a_name_the_person_entered_counts_like_the_recorded_one():
    entered = OtherName(used_key="acme", key="northwind", used="Acme", origin="person", since=day(0))
    said = letter("rejection", sender_name="Acme Talent Team", body="Acme says no.")
    found = verdict(
        knowing(read(said), (entered,), frozenset()), (candidate(),), (), frozenset(), current_weights()
    )
    assert found.application_id == 1
    learned = msgspec.structs.replace(entered, origin="confirmed")
    asked = verdict(
        knowing(read(said), (learned,), frozenset()), (candidate(),), (), frozenset(), current_weights()
    )
    assert asked.outcome == "asks"


def test_a_shorter_name_from_the_domain_that_spells_the_whole_is_the_employer():
    own = candidate(company="Northwind Pharma")
    named = letter(
        "rejection", employer="Northwind", role="Data Engineer", sender="hr@northwindpharma.example"
    )
    assert judge(named, own).application_id == 1
    relayed = letter("rejection", employer="Northwind", role="Data Engineer")
    assert judge(relayed, own).application_id is None


def test_the_employer_applied_to_counts_whoever_writes():
    body = "within your application at Northwind we ask you to the test of our group."
    message = letter("assessment_invite", employer="Contoso Group", body=body)
    assert judge(message, candidate()).application_id == 1
    elsewhere = letter(
        "assessment_invite", employer="Contoso Group", body="Northwind and we ask you to a test."
    )
    assert judge(elsewhere, candidate()).application_id is None


def test_an_agency_that_speaks_of_the_employer_throughout_counts_beside_the_very_title():
    said = {
        "subject": "Northwind - your application",
        "body": "Northwind chose somebody else as Data Engineer.",
    }
    found = judge(letter("rejection", employer="Blue Staff", role="Data Engineer", **said), candidate())
    assert (found.outcome, found.application_id) == ("attached", 1)
    assert (
        judge(letter("rejection", employer="Blue Staff", **said), candidate(role="Baker")).outcome == "asks"
    )


@pytest.mark.parametrize("post", ["Técnica de selección", "Directora de personas", "Head of People"])
def test_what_somebody_signs_as_is_no_opening(post: str):
    body = f"Northwind says no.\n\nUn saludo\nMarta Beltrán\n{post}\nNorthwind\n"
    found = judge(letter("rejection", employer="Northwind", body=body), candidate(role="Mason"))
    assert found.application_id == 1


def test_the_board_of_the_posting_is_what_the_employer_is_called():
    applied = candidate(
        company="Silver Birch Energy", url="https://boards.greenhouse.io/emberschools/jobs/401623"
    )
    named = {"employer": "Ember Schools", "role": "Data Engineer"}
    assert judge(letter("rejection", **named), applied).application_id == 1
    assert (
        judge(letter("rejection", **named), candidate(company="Silver Birch Energy")).application_id is None
    )


def test_a_public_mail_domain_names_no_employer():
    message = letter("interview_invite", sender="jane@gmail.com")
    assert judge(message, candidate(company="Gmail")).application_id is None


@pytest.mark.parametrize("named", [{}, {"role": "Baker"}], ids=["no title", "another title"])
def test_a_domain_that_only_looks_like_the_employer_attaches_nothing(named: dict[str, str]):
    """`jo@acme.io` may be another Acme than the one applied to."""
    found = judge(letter("rejection", sender="jo@north-wind.io", **named), candidate())
    assert found.application_id is None


@pytest.mark.parametrize(
    ("company", "sender", "outcome"),
    [
        ("Northwind", "jo@north-wind.io", "attached"),
        ("Acme", "jo@acme.io", "asks"),
        ("Northwind Health", "jo@north-wind.io", "attached"),
        ("Bank of Northwind", "jo@north-wind.io", "asks"),
        ("Nördwind", "jo@noerdwind.io", "attached"),
        ("Beacon Health", "jo@beacon.io", "asks"),
    ],
    ids=[
        "the whole name",
        "a short one",
        "its beginning",
        "its end",
        "umlauts written out",
        "an ordinary word",
    ],
)
def test_a_domain_that_spells_the_name_is_the_employers_beside_the_very_title(
    company: str, sender: str, outcome: str
):
    message = letter("rejection", sender=sender, role="Data Engineer")
    assert judge(message, candidate(company=company)).outcome == outcome


def test_a_domain_the_posting_stood_on_is_the_employers_own():
    message = letter("rejection", sender="jobs@careers.north-wind.co.uk", role="Data Engineer")
    found = judge(message, candidate(url="https://www.north-wind.co.uk/jobs/17"))
    assert (found.outcome, found.application_id) == ("attached", 1)
    elsewhere = judge(message, candidate(url="https://www.north-wind.com/jobs/17"))
    assert elsewhere.outcome == "asks"


def test_the_role_alone_attaches_nothing():
    assert judge(letter("rejection", role="Data Engineer"), candidate()).application_id is None


# Time


def test_nothing_sent_before_applying_is_about_it():
    message = letter("rejection", sent=4, employer="Northwind", role="Data Engineer")
    found = judge(message, candidate(applied=5))
    assert found.application_id is None
    assert ("time", "veto") in says(found)


@pytest.mark.parametrize(("applied", "attached"), [(date(2026, 3, 11), True), (date(2026, 3, 12), False)])
def test_a_plain_date_has_a_day_of_grace(applied: date, attached: bool):
    message = letter("acknowledgement", sent=10.5, employer="Northwind", role="Data Engineer")
    assert (judge(message, candidate(applied=applied)).outcome == "attached") is attached


def test_a_message_without_time_gets_no_evidence_from_time():
    message = letter("rejection", sent=None, employer="Northwind", role="Data Engineer")
    found = judge(message, candidate())
    assert found.outcome == "attached"
    assert "time" not in {name for name, _ in says(found)}


def test_a_refusal_before_the_second_application_belongs_to_the_first():
    message = letter("rejection", sent=20, employer="Northwind", role="Data Engineer")
    found = judge(message, candidate(1, applied=5), candidate(2, applied=30))
    assert found.application_id == 1


def test_after_the_first_ended_an_answer_belongs_to_the_second():
    message = letter("rejection", sent=40, employer="Northwind", role="Data Engineer")
    found = judge(message, candidate(1, applied=5, ended=20), candidate(2, applied=30))
    assert (found.application_id, found.anchor) == (2, None)


def test_two_running_applications_for_one_role_are_asked():
    message = letter("rejection", sent=40, employer="Northwind", role="Data Engineer")
    assert judge(message, candidate(1, applied=5), candidate(2, applied=30)).outcome == "asks"


# What no machine attaches


def test_outreach_is_never_attached():
    message = letter("recruiter_outreach", employer="Northwind", role="Data Engineer", posting_url=URL)
    found = judge(message, candidate(url=URL))
    assert (found.outcome, found.application_id, found.anchor) == ("asks", None, None)
    new = letter("recruiter_outreach", employer="Northwind", role="Designer")
    assert judge(new, candidate()).outcome == "none"


@pytest.mark.parametrize("apart", ["time", "contact", "tenant"])
def test_nothing_but_the_opening_itself_tells_two_of_one_employer_apart(apart: str):
    message = letter("rejection", employer="Northwind", tenant="northwind", sent=200)
    lent = (lends(1, "contact"),) if apart == "contact" else ()
    old = candidate(2, role="Designer", applied=5 if apart == "time" else 190)
    found = judge(message, candidate(1, applied=190), old, lent=lent)
    assert (found.outcome, found.pattern.partition(":")[0]) == ("asks", "close")


def test_outreach_in_a_settled_conversation_is_asked():
    message = letter("recruiter_outreach", cites=("<a@x>",))
    assert judge(message, candidate(), lent=(lends(1, "reply_chain"),)).outcome == "asks"


def test_the_persons_own_hand_is_never_attached():
    message = letter("rejection", from_owner=True, employer="Northwind", posting_url=URL)
    found = judge(message, candidate(url=URL))
    assert (found.outcome, found.pattern, found.candidates) == ("none", "own_hand", ())


def test_what_is_not_about_a_job_is_about_no_application():
    found = judge(letter("not_job_related", employer="Northwind", posting_url=URL), candidate(url=URL))
    assert (found.outcome, found.pattern) == ("none", "not_job_related")


def test_what_only_a_model_read_may_propose_but_not_attach():
    message = letter("rejection", employer="Northwind", role="Data Engineer", sure=False)
    found = judge(message, candidate())
    assert (found.outcome, found.pattern.partition(":")[0]) == ("asks", "weak")


def test_an_unread_message_attaches_only_when_it_says_which_opening():
    assert judge(letter(employer="Northwind", sender="jobs@northwind.example"), candidate()).outcome == "asks"
    both = judge(letter(employer="Northwind", role="Data Engineer"), candidate())
    assert both.outcome == "attached"
    exact = judge(letter(posting_url=URL), candidate(url=URL))
    assert exact.outcome == "attached"


def test_a_message_that_says_how_things_stand_is_read():
    found = judge(letter("status_update", employer="Northwind", role="Data Engineer"), candidate())
    assert found.outcome == "attached"


def test_a_kind_that_needs_an_application_is_asked_without_candidates():
    assert judge(letter("interview_invite")).outcome == "asks"
    assert judge(letter("status_update")).outcome == "none"


def test_a_refused_candidate_is_never_proposed_again():
    message = letter("rejection", employer="Northwind", role="Data Engineer")
    found = judge(message, candidate(1), candidate(2, role="Designer"), refused=frozenset({1}))
    assert found.application_id is None
    assert [weighed.application_id for weighed in found.candidates] == [2]


# Properties

_roles = st.sampled_from(["Data Engineer", "Senior Data Engineer", "Designer", "Data Engineer Intern", None])
_companies = st.sampled_from(["Northwind", "Northwind Health", "Contoso", None])
_candidates = st.lists(
    st.builds(
        candidate,
        st.integers(1, 8),
        _companies,
        _roles,
        applied=st.sampled_from([1, 5, 12, None]),
        url=st.sampled_from([URL, OTHER_URL, None]),
        requisition=st.sampled_from(["R-7001", "R-7002", None]),
        ended=st.sampled_from([8, None]),
    ),
    max_size=6,
    unique_by=lambda found: found.application_id,
)
_letters = st.builds(
    letter,
    st.sampled_from(["rejection", "acknowledgement", "status_update", "recruiter_outreach"]),
    employer=st.sampled_from([("Northwind",), ("Contoso",), ()]),
    role=st.sampled_from([("Data Engineer",), ("Senior Data Engineer",), ()]),
    requisition=st.sampled_from([("R-7001",), ()]),
    posting_url=st.sampled_from([(URL,), ()]),
    body=st.sampled_from(["", "Northwind thanks you.", "About the Designer position at Contoso."]),
)
_lent = st.lists(
    st.builds(lends, st.integers(1, 8), st.sampled_from(["reply_chain", "thread", "contact"])), max_size=4
)


@given(_letters, _candidates, _lent, st.randoms())
def test_the_order_of_candidates_and_lenders_does_not_matter(message, candidates, lent, random):
    straight = judge(message, *candidates, lent=tuple(lent))
    random.shuffle(candidates)
    random.shuffle(lent)
    assert judge(message, *candidates, *candidates, lent=(*lent, *lent)) == straight


@given(_letters, _candidates, _lent)
def test_nothing_attaches_against_a_veto_or_without_margin(message, candidates, lent):
    found = judge(message, *candidates, lent=tuple(lent))
    limits = current_weights().decision
    if found.outcome == "attached":
        best = found.candidates[0]
        assert best.application_id == found.application_id
        assert not best.vetoed
        assert best.score >= limits.attach
        assert found.margin is not None and found.margin >= limits.margin
        assert all(piece.strength > limits.contradiction for piece in best.pieces)
    else:
        assert found.application_id is None


@given(_letters, _candidates, _lent)
def test_every_piece_is_a_sentence_and_every_sum_adds_up(message, candidates, lent):
    for weighed in judge(message, *candidates, lent=tuple(lent)).candidates:
        assert round(sum(piece.strength for piece in weighed.pieces), 3) == weighed.score
        for piece in weighed.pieces:
            assert piece.says[0].isupper() and piece.says.endswith(".")
            assert (piece.direction == "for") == (piece.strength > 0)
            assert piece.direction != "veto" or piece.strength == 0


@given(_letters, _candidates)
def test_an_application_elsewhere_changes_no_link(message, candidates):
    elsewhere = candidate(99, company="Fabrikam", role="Cook", applied=1)
    assert judge(message, *candidates, elsewhere).application_id == judge(message, *candidates).application_id


def test_a_receipt_is_for_what_was_applied_to_just_before():
    first, again = candidate(1, applied=1), candidate(2, applied=60)
    message = letter("acknowledgement", employer="Northwind", role="Data Engineer", sent=60.5)
    assert judge(message, first, again).application_id == 2
    assert (
        judge(
            letter("rejection", employer="Northwind", role="Data Engineer", sent=60.5), first, again
        ).outcome
        == "asks"
    )


def test_the_domain_that_spells_the_name_outweighs_what_was_read_as_one():
    message = letter(
        "rejection",
        employer="Ada Quill",
        sender="jo@northwind.example",
        body="Northwind chose somebody else.",
    )
    assert judge(message, candidate()).application_id == 1


def test_the_whole_name_in_the_text_outweighs_a_part_read_as_the_employer():
    message = letter("rejection", employer="Plouvren", role="Baker", body="Mairie de Plouvren writes to you.")
    assert judge(message, candidate(company="Mairie de Plouvren", role="Baker")).application_id == 1
