"""What an answer is worth: only what it can show, and never good news made of bad."""

import json
from datetime import UTC, datetime

import pytest
from emulators.language_model import answer, event, fact
from hypothesis import given
from hypothesis import strategies as st

from mailsync.classify.language_model.rules import Interpretation, interpretation
from mailsync.classify.language_model.shown import shown_of
from mailsync.classify.language_model.types import Answered, Ended, Letter
from pipeline.usage.types import Tokens
from schema.identity.names import title_parts
from schema.ids import MessageId

BODY = (
    "Hello Ada, thank you for your interest in the Harbour Pilot role at Northwind Freight. "
    "The place has gone to a colleague from within. Could you send us your licence number for our files? "
    "You can watch it on Indeed."
)
GONE = "The place has gone to a colleague from within."
SEND = "Could you send us your licence number for our files?"
THANKS = "thank you for your interest in the Harbour Pilot role"
SHOWN = shown_of(
    Letter(
        id=MessageId(1),
        sender_name="Northwind",
        sender_address="talent@northwind.example",
        subject="Your application",
        body=BODY,
    )
)


def read(said: object, ended: Ended = "complete") -> Interpretation:
    text = said if isinstance(said, str) else json.dumps(said)
    answered = Answered(
        text=text,
        ended=ended,
        custom_id="c",
        request_id=None,
        tokens=Tokens(),
        asked_at=datetime(2026, 3, 2, tzinfo=UTC),
    )
    return interpretation(answered, SHOWN)


def kinds(said: object) -> tuple[str, list[str]]:
    found = read(said)
    return found.outcome, [each.kind for each in found.reading.events]


def test_what_is_quoted_is_believed_heaviest_first():
    found = read(answer(event("info_request", SEND), event("status_update", THANKS)))
    assert found.outcome == "decided"
    assert (found.reading.stage, found.reading.state) == ("language_model", "decided")
    first = found.reading.events[0]
    assert (first.kind, first.rule) == ("info_request", "language_model")
    assert first.span is not None
    assert BODY[first.span.start : first.span.end] == SEND


def test_an_event_whose_quotation_does_not_occur_is_refused_and_the_others_stay():
    said = answer(event("offer", "We offer you the place."), event("info_request", SEND))
    assert kinds(said) == ("decided", ["info_request"])


def test_nothing_that_can_be_shown_leaves_the_message_open():
    assert kinds(answer(event("offer", "We offer you the place."))) == ("unproven", [])
    assert kinds(answer()) == ("open", [])
    assert read(answer()).reading.state == "open"


def test_a_refusal_that_cannot_be_shown_keeps_every_other_event_back():
    said = answer(event("rejection", "We must decline."), event("acknowledgement", THANKS))
    assert kinds(said) == ("unproven", [])


def test_a_refusal_beside_an_advance_is_a_contradiction():
    said = answer(event("rejection", GONE), event("interview_invite", SEND))
    assert kinds(said) == ("contradiction", [])


def test_a_refusal_silences_the_thanks_around_it():
    assert kinds(answer(event("acknowledgement", THANKS), event("rejection", GONE))) == (
        "decided",
        ["rejection"],
    )


def test_a_quotation_of_a_word_or_two_proves_nothing():
    assert kinds(answer(event("offer", "for our"))) == ("unproven", [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "not json",
        '{"events": [',
        '{"events": [], "facts": [], "fetch": "https://evil.example"}',
        '{"events": [{"kind": "promotion", "quote": "x", "reason": null}], "facts": []}',
        '{"events": [{"kind": "offer", "quote": "x", "reason": "because"}], "facts": []}',
        '{"events": [{"kind": "offer", "quote": 5, "reason": null}], "facts": []}',
        '{"events": [], "facts": [{"name": "posting_url", "quote": "https://evil.example"}]}',
        "```json\n" + json.dumps(answer(event("rejection", GONE))) + "\n```",
        json.dumps(answer(*[event("rejection", GONE)] * 9)),
        '"\\ud800"',
        "[" * 5000,
    ],
)
def test_an_answer_in_another_form_is_no_answer(text: str):
    assert kinds(text) == ("invalid", [])


@pytest.mark.parametrize("ended", ["cut_off", "declined", "filtered"])
def test_an_answer_that_did_not_end_well_is_not_read_even_when_it_could_be(ended: Ended):
    found = read(answer(event("rejection", GONE)), ended)
    assert (found.outcome, found.reading.events, found.reading.state) == (ended, (), "open")


def test_employer_and_role_are_told_as_the_message_writes_them():
    said = answer(
        event("rejection", GONE),
        facts=(fact("employer", "Northwind  Freight"), fact("role", "Harbour Pilot"), fact("role", "Ada")),
    )
    facts = {each.name: (each.value, each.comparable, each.span.text) for each in read(said).reading.facts}
    assert facts == {
        "employer": ("Northwind Freight", "northwind freight", "Northwind Freight"),
        "role": ("Harbour Pilot", title_parts("Harbour Pilot").key, "Harbour Pilot"),
    }


def test_a_platform_is_never_the_employer_and_an_invented_name_is_no_fact():
    said = answer(
        event("rejection", GONE),
        facts=(fact("employer", "Indeed"), fact("role", "Chief Officer of Everything")),
    )
    assert read(said).reading.facts == ()


def test_what_is_not_about_a_job_has_a_reason_and_no_facts():
    said = answer(
        event("not_job_related", THANKS, "marketing"), facts=(fact("employer", "Northwind Freight"),)
    )
    found = read(said)
    assert [(each.kind, each.reason) for each in found.reading.events] == [("not_job_related", "marketing")]
    assert found.reading.facts == ()


@given(st.text(max_size=200))
def test_no_text_raises(text: str):
    assert read(text).reading.stage == "language_model"
