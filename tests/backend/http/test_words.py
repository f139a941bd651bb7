"""No word of the vocabulary reaches a page without its phrase."""

from typing import get_args

import pytest

from backend.http import words
from schema import vocabulary

SETS = {
    "stage": vocabulary.Stage,
    "kind": vocabulary.EventKind,
    "outcome": vocabulary.MatchOutcome,
    "choice": vocabulary.Choice,
    "evidence": vocabulary.EvidenceName,
    "direction": vocabulary.Direction,
    "origin": vocabulary.ApplicationOrigin,
    "ask": vocabulary.AskKind,
    "reader": vocabulary.ReadingStage,
    "continued": vocabulary.ContinuedBy,
    "fact": vocabulary.FactName,
    "task": vocabulary.TaskStatus,
}


@pytest.mark.parametrize("name", SETS)
def test_every_word_has_a_phrase_without_exclamation(name: str):
    for value in get_args(SETS[name]):
        text = words.word(value, name).text
        assert text
        assert "!" not in text
        assert "_" not in text


def test_an_end_is_never_an_alarm():
    assert {words.STAGES[stage].tone for stage in ("rejected", "withdrawn", "closed")} == {"quiet"}
    assert words.KINDS["rejection"].tone == "quiet"
