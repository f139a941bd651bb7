"""Questions labelled by hand, answered by a plan that remembers: none wrong, none the opposite."""

from pathlib import Path

import pytest
from fixtures.persona import MORGAN, RESUME

from extension_api.answers.evaluation import ASK, Case, answers_in, cases_in, is_opposite, said, scored
from extension_api.answers.memory import Memory
from extension_api.answers.rules import Known, plan
from extension_api.protocol import FieldDescription, PlannedField

HERE = Path(__file__).parent
CASES = cases_in((HERE / "questions.toml").read_text())
MOST_SHOWN_WRONG = 5
LEAST_FILLED = 180


@pytest.fixture(scope="module")
def known() -> Known:
    return Known(memory=Memory(answers_in((HERE / "memory.toml").read_text())))


def planned(field: FieldDescription, known: Known) -> PlannedField:
    return plan([field], MORGAN, [RESUME], known)[0]


def test_there_are_enough_different_questions_of_every_intent():
    assert len({(case.field.label, tuple(case.field.options)) for case in CASES}) >= 490
    assert len({case.field.label for case in CASES}) >= 450
    assert {case.polarity for case in CASES} == {"+", "-", "?"}


def test_no_question_is_filled_wrong_and_many_are_filled(known: Known):
    scores, bad = scored(CASES, lambda field: planned(field, known))
    assert [(case.field.label, said(line), line.rule) for case, line in bad if line.action == "fill"] == []
    assert sum(one.right for one in scores) >= LEAST_FILLED
    assert sum(one.opposite + one.opposite_suggested for one in scores) == 0
    assert len(bad) <= MOST_SHOWN_WRONG


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.polarity == "-"], ids=lambda c: c.field.label
)
def test_a_question_turned_round_never_gets_the_answer_to_the_straight_one(case: Case, known: Known):
    line = planned(case.field, known)
    assert line.action == "leave" or (said(line) == case.right and case.right != ASK)


def test_every_line_says_its_rule_and_reason(known: Known):
    for case in CASES:
        line = planned(case.field, known)
        assert (line.reason is None) == (line.action != "leave")
        assert line.rule
        assert line.say.endswith(".")
        assert 0 <= line.confidence <= 1
        assert (line.answer_id is not None) == (line.source == "answer")


def test_the_opposite_of_yes_is_no_in_every_language_known():
    assert is_opposite("Yes, I do", "No")
    assert is_opposite("Nein", "ja")
    assert not is_opposite("Yes", "Sí")
    assert not is_opposite("5", "No")
