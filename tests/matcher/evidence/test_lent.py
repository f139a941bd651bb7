"""What settled messages lend: invitations by their UID, people, domains; and a forward by its original."""

from datetime import UTC, datetime

import msgspec
import pytest
from fixtures.letters import candidate, letter
from fixtures.matching import MatchRunner
from fixtures.samples import Samples

from matcher.decisions.types import Span
from matcher.evidence.forwarded import original_of
from matcher.evidence.rules import read, verdict
from matcher.evidence.types import Named
from matcher.evidence.weights import current_weights
from schema.ids import ApplicationId, MessageId

UID = "040000008200E00074C5B7101A82E008"


def links(samples: Samples) -> dict[MessageId, tuple[str, ApplicationId | None]]:
    rows = samples.rows("SELECT message_id, outcome, application_id FROM matches ORDER BY message_id")
    return {row[0]: (row[1], row[2]) for row in rows}  # type: ignore[misc]


def invite(samples: Samples, uid: str, **more: object) -> MessageId:
    message = samples.message("interview_scheduled", sender="calendar@google.example", **more)  # type: ignore[arg-type]
    (reading,) = samples.rows("SELECT max(id) FROM readings WHERE message_id = %s", message)[0]
    samples.insert(
        "facts",
        reading_id=reading,
        message_id=message,
        name="meeting",
        value=uid,
        comparable=uid,
        span_source="calendar",
        span_start=40,
        span_end=40 + len(uid),
    )
    return message


# Invitations


async def test_an_update_of_a_settled_invitation_attaches(match: MatchRunner, samples: Samples):
    applied = samples.application()
    samples.application(role="Designer")
    first = invite(samples, UID, employer="Northwind", role="Data Engineer", sent=8)
    update = invite(samples, UID, body="Marta has moved the meeting.", sent=9)
    other = invite(samples, "another@example", body="Marta has moved the meeting.", sent=9)
    await match()
    assert links(samples)[first] == links(samples)[update] == ("attached", applied)
    assert links(samples)[other] == ("asks", None)
    (source,) = samples.rows("SELECT span_source FROM evidence WHERE name = 'calendar'")[0]
    assert source == "calendar"


@pytest.mark.parametrize("late", [False, True])
async def test_an_invitation_in_answer_passes_on_what_it_answers_whichever_came_first(
    match: MatchRunner, samples: Samples, late: bool
):
    applied = samples.application()
    samples.application(role="Designer")

    def receipt() -> MessageId:
        return samples.message("acknowledgement", employer="Northwind", role="Data Engineer", rfc_id="<r@x>")

    if not late:
        receipt()
    await match()
    cancelled = invite(samples, UID, body="Cancelled.", sent=20)
    await match()
    answer = invite(samples, UID, body="See you then.", references=["<r@x>"], sent=15)
    await match()
    if late:
        receipt()
    await match()
    assert links(samples)[answer] == links(samples)[cancelled] == ("attached", applied)


# People


async def test_a_person_who_stands_in_a_settled_message_is_evidence(match: MatchRunner, samples: Samples):
    applied = samples.application()
    named = samples.message(
        "interview_invite",
        employer="Northwind",
        role="Data Engineer",
        contact="Ada Price <ada@price.example>",
    )
    later = samples.message(
        "interview_scheduled", sender="ada@price.example", body="About the Data Engineer talk.", sent=12
    )
    await match()
    assert links(samples)[named] == links(samples)[later] == ("attached", applied)


async def test_a_recruiter_who_changed_employers_is_another_contact(match: MatchRunner, samples: Samples):
    samples.application()
    samples.message("interview_invite", employer="Northwind", role="Data Engineer", sender="ada@one.example")
    later = samples.message(
        "interview_invite", sender="ada@two.example", sender_name="Ada", body="Data Engineer, shall we talk?"
    )
    await match()
    assert links(samples)[later] == ("asks", None)


async def test_a_person_who_writes_for_two_applications_speaks_for_neither(
    match: MatchRunner, samples: Samples
):
    first = samples.application()
    second = samples.application("Contoso", "Analyst")
    for company, role in (("Northwind", "Data Engineer"), ("Contoso", "Analyst")):
        samples.message("interview_invite", employer=company, role=role, sender="ada@agency.example")
    silent = samples.message("interview_scheduled", sender="ada@agency.example", body="See you then.")
    told = samples.message(
        "interview_scheduled", sender="ada@agency.example", body="The Data Engineer talk.", sent=12
    )
    await match()
    assert links(samples)[silent] == links(samples)[told] == ("asks", None)
    shown = samples.rows("SELECT DISTINCT application_id FROM evidence WHERE name = 'contact'")
    assert {row[0] for row in shown} == {first, second}


# Domains


async def test_a_domain_counts_once_a_settled_message_came_from_it(match: MatchRunner, samples: Samples):
    applied = samples.application(company="Acme")
    asked = samples.message(
        "rejection", sender="jo@acme.example", body="The Data Engineer position was filled.", sent=20
    )
    await match()
    assert links(samples)[asked] == ("asks", None)
    samples.message("acknowledgement", employer="Acme", role="Data Engineer", sender="hr@mail.acme.example")
    await match()
    assert links(samples)[asked] == ("attached", applied)


async def test_another_domain_of_that_name_stays_unknown(match: MatchRunner, samples: Samples):
    samples.application(company="Acme")
    samples.message("acknowledgement", employer="Acme", role="Data Engineer", sender="hr@acme.example")
    other = samples.message(
        "rejection", sender="jo@acme.io", body="The Data Engineer position was filled.", sent=20
    )
    await match()
    assert links(samples)[other] == ("asks", None)


# Forwards

FORWARD = """Look, they said no! I liked Contoso more anyway.

---------- Forwarded message ---------
From: Northwind Careers <jobs@northwind.example>
Date: Thu, 5 Mar 2026 at 10:00
Subject: Your application
To: <me@post.example>

We decided not to go on with your application for Data Engineer at Northwind."""


def test_a_forward_is_read_as_its_first_sender_wrote_it():
    typed = Named(name="employer", value="Contoso", span=Span(source="text", start=28, end=35), sure=True)
    mine = letter(subject="Fwd: Your application", body=FORWARD, sender="me@post.example", from_owner=True)

    found = original_of(msgspec.structs.replace(mine, named=(typed,)))
    assert (found.sender_address, found.sender_name) == ("jobs@northwind.example", "Northwind Careers")
    assert found.subject == "Fwd: Your application"
    assert found.sent_at == datetime(2026, 3, 5, 23, 59, 59, 999999, tzinfo=UTC)
    assert "Contoso" not in found.body
    assert found.named == ()
    assert found.body.index("We decided") == FORWARD.index("We decided")
    place = found.sender_span("northwind")
    assert FORWARD[place.start : place.end].casefold() == "northwind"


def test_what_the_owner_typed_is_no_evidence():
    body = "I so wanted Contoso, the Data Engineer job.\n\n" + FORWARD.partition("\n\n")[2]
    found = original_of(letter(subject="Northwind!!", body=body, from_owner=True))
    assert found.subject == ""
    both = (candidate(1), candidate(2, company="Contoso"))
    judged = verdict(read(found), both, (), set(), current_weights())
    assert judged.application_id == 1
    without = original_of(letter(body="I so wanted Northwind, the Data Engineer job.", from_owner=True))
    assert without.sender_address == ""


async def test_the_owners_own_words_stay_unmatched_and_a_forward_is_matched(
    match: MatchRunner, samples: Samples
):
    applied = samples.application()
    spoofed = samples.message(from_owner=True, body="Northwind, Data Engineer", employer="Northwind")
    forward = samples.message(from_owner=True, subject="Fwd: Your application", body=FORWARD, sent=20)
    samples.rows("UPDATE messages SET parsed = '{\"is_forward\": true}' WHERE id = %s", forward)
    await match()
    assert links(samples) == {spoofed: ("none", None), forward: ("attached", applied)}


async def test_a_forward_of_what_came_before_applying_is_not_attached(match: MatchRunner, samples: Samples):
    samples.application(applied=15)
    forward = samples.message(from_owner=True, subject="Fwd: Your application", body=FORWARD, sent=20)
    samples.rows("UPDATE messages SET parsed = '{\"is_forward\": true}' WHERE id = %s", forward)
    await match()
    assert links(samples)[forward] == ("none", None)
