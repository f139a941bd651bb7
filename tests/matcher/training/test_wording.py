"""What is measured was never learnt from: texts, names and titles of the two splits are disjoint."""

import random
import tomllib
from pathlib import Path

import pytest

import matcher.training
from matcher.training.types import LANGUAGES, SPLITS, Language
from matcher.training.wording import Kind, chosen, filled, slots_of, wording

FREQUENT = ("receipt", "refusal", "interview", "scheduled", "assessment", "info_request", "offer", "status")
NAMES = Path(matcher.training.__file__).with_name("names")
CLOSED = {"levels", "interns", "places", "legal"}


def texts(kind: Kind) -> set[str]:
    return set(kind.bodies) | set(kind.extras)


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_splits_say_the_same_kinds(language: Language):
    fit, test = (wording(language, split) for split in SPLITS)
    assert fit.kind.keys() == test.kind.keys() == wording("en", "fit").kind.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_stands_in_both_splits(language: Language):
    fit, test = (wording(language, split) for split in SPLITS)
    said = [{text for kind in each.kind.values() for text in texts(kind)} for each in (fit, test)]
    assert not said[0] & said[1]
    for name, kind in fit.kind.items():
        shared = set(kind.subjects) & set(test.kind[name].subjects)
        assert name in {"forward_note", "digest_line"} or not shared, name
    for lines in (
        "greetings",
        "closings",
        "teams",
        "footers",
        "role_lines",
        "company_lines",
        "requisition_lines",
    ):
        assert not set(getattr(fit.frame, lines)) & set(getattr(test.frame, lines)), lines


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_frequent_kinds_have_at_least_six_wordings_and_none_fewer_than_three(language: Language, split):
    kinds = wording(language, split).kind
    assert all(len(kinds[name].bodies) >= 6 for name in FREQUENT)
    assert all(len(kind.bodies) >= 3 for kind in kinds.values())


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_hiring_desks_write_can_be_said_without_employer_and_title(language: Language, split):
    kinds = wording(language, split).kind
    slots = frozenset(("first", "last", "day", "time", "amount"))
    for name in (
        "receipt",
        "refusal",
        "interview",
        "scheduled",
        "assessment",
        "info_request",
        "status",
        "closed",
    ):
        assert sum(slots_of(body) <= slots for body in kinds[name].bodies) >= 2, name
        assert any(slots_of(subject) <= slots for subject in kinds[name].subjects), name


def test_names_and_titles_of_the_splits_are_disjoint():
    fit, test = (tomllib.loads((NAMES / f"{split}.toml").read_text(encoding="utf-8")) for split in SPLITS)
    for name, listed in fit.items():
        tables = ((listed, test[name]),) if isinstance(listed, str) else ()
        tables += tuple(
            (listed[each], test[name][each])
            for each in (listed if isinstance(listed, dict) else ())
            if each not in CLOSED
        )
        for one, other in tables:
            shared = set(map(str.strip, one.split("|"))) & set(map(str.strip, other.split("|")))
            assert not shared - {""}, name


def test_a_text_is_chosen_only_when_its_slots_are_known():
    chance = random.Random(1)
    assert chosen(("{role}", "plain"), frozenset(), chance) == "plain"
    assert chosen(("{role}",), frozenset(), chance) is None
    assert filled("[a|a] {role}", {"role": "Baker"}, chance) == "a Baker"
