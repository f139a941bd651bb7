"""What is searched only where a piece of it stands finds what it found everywhere."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.normal import employment, seniority, workplace
from pipeline.normal.cues import Cues


def patterns_of(module: object, *names: str) -> list[re.Pattern[str]]:
    return [vars(module)[name] for name in names]


def all_but(module: object, *names: str) -> list[re.Pattern[str]]:
    found = {name: value for name, value in sorted(vars(module).items()) if isinstance(value, re.Pattern)}
    return [value for name, value in found.items() if name not in names]


# Of each reader, all that can have it say something; what only takes something back is left out.
READERS: list[tuple[Cues, Sequence[re.Pattern[str]]]] = [
    (employment.CUES, all_but(employment, "_NOT_THE_INTERN", "_CONTRACT_WORK")),
    (seniority.CUES, [*all_but(seniority, "_TRAPS", "_CRAFT"), *patterns_of(employment, "_INTERN")]),
    (workplace.CUES, patterns_of(workplace, "_REMOTE", "_HYBRID", "_ONSITE")),
]


@pytest.mark.parametrize(
    ("cues", "pattern"), [(cues, each) for cues, patterns in READERS for each in patterns]
)
def test_whatever_a_reader_finds_has_a_cue(cues: Cues, pattern: re.Pattern[str]):
    @settings(max_examples=70, deadline=None, derandomize=True, database=None)
    @given(st.from_regex(pattern), st.sampled_from(["", " ", "x ", "- ", "("]))
    def holds(found: str, before: str):
        text = before + found
        assert pattern.search(text) is None or cues.are_in(text), text

    holds()


def test_most_titles_have_none():
    plain = "Harbour Boats Engineer, Ropes & Decks (m/f/d) 42"
    assert not any(cues.are_in(plain) for cues, _ in READERS)
    assert employment.CUES.are_in(f"{plain} TEILZEIT")
