"""Letters are drawn from a seed, and no wording that is measured was learnt from."""

import re
from collections import defaultdict

import pytest

from mailsync.classify.model.labels import LABELS
from mailsync.training.letters import letters, recipes
from mailsync.training.phrases import LANGUAGES, Split, chosen, support, wording
from mailsync.training.slots import Filling

SPLITS: tuple[Split, ...] = ("fit", "calibrate", "test")
TOLD = [label for label in LABELS if label != "unclear"]


def test_the_same_seed_gives_the_same_letters_and_another_gives_others():
    one, again, other = (
        [letter.message.body for letter in letters("test", 1, seed=seed)] for seed in (1, 1, 2)
    )
    assert one == again != other


def test_every_label_has_a_recipe_and_nothing_else_has():
    assert sorted(recipe.label for recipe in recipes()) == sorted(LABELS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("label", TOLD)
def test_every_kind_has_wordings_to_learn_to_calibrate_and_to_test(language: str, label: str):
    assert all(wording(language, label).of(split) for split in SPLITS)


def test_no_statement_stands_in_two_splits():
    found: dict[tuple[str, str], set[Split]] = defaultdict(set)
    for language in LANGUAGES:
        for label in TOLD:
            for family in wording(language, label).families:
                for statement in family.statements:
                    found[label, statement].add(family.split)
    assert not {statement for statement, splits in found.items() if len(splits) > 1}


def test_refusals_and_receipts_have_hundreds_of_wordings():
    for label in ("rejection", "acknowledgement"):
        families = [family for language in LANGUAGES for family in wording(language, label).families]
        said = {statement for family in families for statement in family.statements}
        told = sum(1 + statement.count("|") for statement in said)
        assert len(said) >= 200 and told >= 600


def test_no_slot_and_no_alternative_is_left_in_a_letter():
    for letter in letters("fit", 1):
        text = letter.message.subject + letter.message.body
        assert not re.search(r"\{[a-z]\}|\w\|\w", text)


def test_all_statements_can_be_filled():
    import random

    chance = random.Random(3)
    for language in LANGUAGES:
        filling = Filling(language, chance)
        for label in TOLD:
            for family in wording(language, label).families:
                for statement in family.statements:
                    assert filling.filled(chosen(statement, chance)).strip()
        assert support(language, "greeting", "fit") == support(language, "greeting", "test")


def test_letters_come_in_many_shapes():
    found = list(letters("fit", 3))
    assert any(not letter.message.body for letter in found)
    assert any(not letter.message.subject for letter in found)
    assert any(not letter.message.sender.address for letter in found)
    assert any(letter.message.is_forward for letter in found)
    assert any(letter.message.bulk.list_unsubscribe for letter in found)
