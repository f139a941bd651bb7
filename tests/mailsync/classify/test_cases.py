"""Every case file is a kind; every case in it must be read as that kind, with a span that stands there."""

from pathlib import Path

import msgspec
import pytest
from fixtures.mail import mail

from mailsync.classify.facts import header_text
from mailsync.classify.rules import classify
from mailsync.classify.types import Reading
from mailsync.parse.message import parse_message

FOLDER = Path(__file__).with_name("cases")


class Case(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    subject: str
    text: str


def cases(name: str) -> list[Case]:
    """`== subject` begins a case; in traps the line reads `== kind: what it tries | subject`."""
    found: list[Case] = []
    for block in ("\n" + (FOLDER / f"{name}.txt").read_text(encoding="utf-8")).split("\n== ")[1:]:
        title, _, text = block.partition("\n")
        kind, _, rest = title.partition(": ") if name == "traps" else (name, "", title)
        found.append(
            Case(kind=kind, subject=rest.rpartition(" | ")[2] if name == "traps" else title, text=text)
        )
    return found


EVERY = [case for path in sorted(FOLDER.glob("*.txt")) for case in cases(path.stem)]


def read(case: Case, sender: str = "Northwind <people@northwind.example>") -> Reading:
    return classify(parse_message(mail(case.text, subject=case.subject, sender=sender)))


@pytest.mark.parametrize("case", EVERY, ids=lambda case: f"{case.kind}: {case.text[:50]}")
def test_a_message_is_read_as_what_it_says_on_spans_that_stand_there(case: Case):
    message = parse_message(
        mail(case.text, subject=case.subject, sender="Northwind <people@northwind.example>")
    )
    reading = classify(message)
    said = reading.events[0].kind if reading.events else "open"
    assert said == case.kind, [(event.kind, event.rule, event.span) for event in reading.events]
    whole = {"subject": message.subject, "text": message.body, "header": header_text(message.sender)}
    for span in [*(event.span for event in reading.events), *(fact.span for fact in reading.facts)]:
        assert span is not None
        assert whole[span.source][span.start : span.end] == span.text


GOOD_NEWS = {"acknowledgement", "assessment_invite", "interview_invite", "interview_scheduled", "offer"}
REFUSALS = [case for case in EVERY if case.kind in ("rejection", "position_closed")]
RECEIPT = "Thank you for applying to Northwind. We have received your application for the role."
PRAISE = "We were very impressed with your background and enjoyed the interview."


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case.text[:60])
def test_a_refusal_among_the_words_of_a_receipt_is_never_good_news(case: Case):
    for subject in (
        "Thank you for your application",
        "Application received",
        "Your interview with Northwind",
    ):
        text = f"Dear Ada,\n\n{RECEIPT} {PRAISE}\n\n{case.text}\n\nWe wish you luck with the next steps.\n"
        reading = read(Case(kind="", subject=subject, text=text))
        assert not GOOD_NEWS & {event.kind for event in reading.events}
        assert not reading.events or reading.events[0].kind in ("rejection", "position_closed")


@pytest.mark.parametrize(
    "case", [case for case in EVERY if case.kind == "acknowledgement"], ids=lambda case: case.text[:60]
)
def test_a_receipt_is_never_read_as_a_refusal_or_an_invitation(case: Case):
    kinds = {event.kind for event in read(case, "Northwind Hiring Team <no-reply@ashbyhq.com>").events}
    assert kinds <= {"acknowledgement", "status_update"}
