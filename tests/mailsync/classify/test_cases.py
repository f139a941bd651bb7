"""Every case file is a kind; every case in it must be read as that kind, with a span that stands there.

English stands in `cases`, every other language in its folder of `languages`, where `around.toml` holds the
letter of that language in which refusals are hidden.
"""

import tomllib
from pathlib import Path

import msgspec
import pytest
from fixtures.mail import mail

from mailsync.classify.facts import header_text
from mailsync.classify.rules import classify
from mailsync.classify.types import Reading
from mailsync.parse.message import parse_message

HERE = Path(__file__).parent
FOLDERS = (HERE / "cases", *sorted(path for path in (HERE / "languages").glob("*") if path.is_dir()))


class Case(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    subject: str
    text: str
    language: str = "cases"


class Around(msgspec.Struct, frozen=True, kw_only=True):
    """Subjects, and a letter with `{refusal}` in it, both as of good news."""

    subjects: tuple[str, ...]
    letter: str


ENGLISH = Around(
    subjects=("Thank you for your application", "Application received", "Your interview with Northwind"),
    letter=(
        "Dear Ada,\n\nThank you for applying to Northwind. We have received your application for the role. "
        "We were very impressed with your background and enjoyed the interview.\n\n"
        "{refusal}\n\nWe wish you luck with the next steps.\n"
    ),
)


def cases(path: Path) -> list[Case]:
    """`== subject` begins a case; in traps the line reads `== kind: what it tries | subject`."""
    found: list[Case] = []
    traps = path.stem == "traps"
    for block in ("\n" + path.read_text(encoding="utf-8")).split("\n== ")[1:]:
        title, _, text = block.partition("\n")
        kind, _, rest = title.partition(": ") if traps else (path.stem, "", title)
        subject = rest.rpartition(" | ")[2] if traps else title
        found.append(Case(kind=kind, subject=subject, text=text, language=path.parent.name))
    return found


def around(language: str) -> Around:
    told = HERE / "languages" / language / "around.toml"
    return (
        msgspec.convert(tomllib.loads(told.read_text(encoding="utf-8")), Around) if told.exists() else ENGLISH
    )


EVERY = [case for folder in FOLDERS for path in sorted(folder.glob("*.txt")) for case in cases(path)]
GOOD_NEWS = {"acknowledgement", "assessment_invite", "interview_invite", "interview_scheduled", "offer"}
REFUSALS = [case for case in EVERY if case.kind in ("rejection", "position_closed")]


def read(case: Case, sender: str = "Northwind <people@northwind.example>") -> Reading:
    return classify(parse_message(mail(case.text, subject=case.subject, sender=sender)))


@pytest.mark.parametrize("case", EVERY, ids=lambda case: f"{case.language} {case.kind}: {case.text[:50]}")
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


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case.text[:60])
def test_a_refusal_among_the_words_of_a_receipt_is_never_good_news(case: Case):
    hidden = around(case.language)
    for subject in hidden.subjects:
        text = hidden.letter.replace("{refusal}", case.text)
        reading = read(Case(kind="", subject=subject, text=text))
        assert not GOOD_NEWS & {event.kind for event in reading.events}
        assert not reading.events or reading.events[0].kind in ("rejection", "position_closed")


@pytest.mark.parametrize(
    "case", [case for case in EVERY if case.kind == "acknowledgement"], ids=lambda case: case.text[:60]
)
def test_a_receipt_is_never_read_as_a_refusal_or_an_invitation(case: Case):
    kinds = {event.kind for event in read(case, "Northwind Hiring Team <no-reply@ashbyhq.com>").events}
    assert kinds <= {"acknowledgement", "status_update"}
