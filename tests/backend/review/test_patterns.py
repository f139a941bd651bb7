"""Patterns of evidence in plain words: every doubt the matcher can have, and those no release knows."""

from typing import get_args

import pytest

from backend.review.patterns import path_of_pattern, pattern_of, title
from matcher.evidence.rules import Doubt

DOUBTS = sorted({*get_args(Doubt), "alone"})


def test_every_doubt_of_the_matcher_has_a_heading_of_its_own():
    headings = [title(doubt) for doubt in DOUBTS]
    assert len(set(headings)) == len(DOUBTS)
    assert "Other doubt" not in headings


def test_a_heading_names_the_evidence():
    assert title("weak:employer+role") == "Little evidence: employer's name, role"


def test_an_address_holds_any_pattern():
    assert path_of_pattern("weak:employer+role") == "/review/pattern/weak%3Aemployer%2Brole"
    assert path_of_pattern("a/b?c") == "/review/pattern/a%2Fb%3Fc"


@pytest.mark.parametrize("text", ["", ":", "new:thing", "+", "weak:thing+employer"])
def test_a_pattern_nobody_knows_is_said_calmly(text: str):
    assert title(text)
    assert "thing" not in title(text)
    assert "thing" not in pattern_of(text).names
