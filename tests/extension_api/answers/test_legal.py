"""Legal questions: answered only when question, country and statement are all certain."""

import pytest
from fixtures.persona import MORGAN, asked

from extension_api.answers.legal import legal_question, touches_law
from extension_api.answers.rules import plan
from extension_api.protocol import FieldKind

YES_NO = ["Yes", "No"]


def answered(label: str, options: list[str] | None = None, kind: FieldKind = "radio") -> str | None:
    (line,) = plan([asked(label, kind, options=YES_NO if options is None else options)], MORGAN, [])
    return line.option or line.value or line.reason


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("Are you legally authorized to work in the United Kingdom?", "Yes"),
        ("Do you have the right to work in the UK?", "Yes"),
        ("Are you authorised to work in the US?", "No"),
        ("are you authorized to work in us?", "No"),
        ("Are you authorized to work in the U.S. for any employer?", "No"),
        ("Will you now or in the future require sponsorship for employment in the United Kingdom?", "No"),
        ("Will you now, or in the future, need visa sponsorship to work in the U.S. (e.g. H-1B)?", "Yes"),
        ("Are you authorized to work in the UK without sponsorship?", "Yes"),
        (
            "Are you authorized to work in the United States without visa sponsorship now and in the future?",
            "No",
        ),
        ("Are you eligible to work in the UK on an ongoing, indefinite basis?", "Yes"),
    ],
)
def test_a_certain_question_gets_the_stated_answer(label: str, answer: str):
    assert answered(label) == answer


@pytest.mark.parametrize(
    "label",
    [
        # No country, or not one that is named.
        "Are you able to work without sponsorship?",
        "Are you legally authorized to work in this country?",
        "Will you now or in the future require sponsorship?",
        "Are you authorized to work in the country in which the position is located?",
        "Are you authorised to work in the EU?",
        # Two countries, or one inside another name.
        "Are you authorized to work in the UK or the US?",
        "Are you authorized to work in New Mexico?",
        # Polarity that could be either.
        "Are you not authorized to work in the UK?",
        "Are you authorized to work in the UK and don't require sponsorship?",
        "Are you authorized to work in the UK, and will you never need sponsorship?",
        "Is it true that you do not require sponsorship in the UK?",
        "Unless you require sponsorship in the UK, answer no",
        "Do you have right to work in the UK? Unfortunately, we cannot offer sponsorship.",
        "If you are outside of the UK, do you require sponsorship in the UK?",
        "Do you have the right to work in the UK, or will you need sponsorship?",
        "Can you work in the UK without sponsorship or a visa?",
        "Were you authorized to work in the UK in 2019?",
        # Other law than this.
        "Are you a UK citizen?",
        "Which visa do you hold in the UK?",
        "Do you have a UK work permit?",
        # The profile does not settle it.
        "Are you authorized to work in Canada?",
        "Do you require sponsorship to work in Germany?",
        "Are you authorised to work in Germany for any employer?",
    ],
)
def test_whatever_is_not_certain_is_left(label: str):
    assert answered(label) == "legal_question"


@pytest.mark.parametrize(
    "options",
    [
        ["Yes, but I will need sponsorship", "Yes, I am a citizen", "No"],
        ["I am authorised", "I am not authorised"],
        ["Yes"],
        ["No", "No, never"],
        ["Ja vielleicht", "Nein"],
    ],
)
def test_options_that_are_not_one_yes_and_one_no_are_left(options: list[str]):
    assert answered("Are you legally authorized to work in the UK?", options) == "legal_question"


def test_a_yes_with_its_sentence_is_a_yes():
    options = ["Yes, I am authorised to work", "No, I am not"]
    assert answered("Are you legally authorized to work in the UK?", options) == options[0]


@pytest.mark.parametrize("kind", ["text", "textarea", "checkbox"])
def test_only_a_choice_is_answered(kind: FieldKind):
    assert answered("Are you legally authorized to work in the UK?", [], kind) == "legal_question"


def test_without_sponsorship_is_never_read_as_needing_it():
    with_it = legal_question("Are you authorized to work in the UK without sponsorship?")
    need = legal_question("Do you require sponsorship to work in the UK?")
    assert with_it
    assert need
    assert (with_it.asked, need.asked) == ("authorised_without_limit", "needs_sponsorship")


def test_a_statement_that_is_missing_settles_nothing():
    silent = plan(
        [asked("Are you legally authorized to work in the UK?", "radio", options=YES_NO)],
        type(MORGAN)(),
        [],
    )
    assert silent[0].reason == "legal_question"


def test_a_question_of_another_kind_does_not_touch_law():
    assert not touches_law("Are you willing to work on weekends in the UK?")
