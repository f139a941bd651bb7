"""Every language says what stands around names, and nothing is read before somebody asks."""

import subprocess
import sys

import msgspec
import pytest

from mailsync.classify.languages.language import AroundNames
from mailsync.classify.languages.load import NAMES, around_names
from matcher.evidence.around_names import either, words_around
from matcher.evidence.words import names_in

BY_NAME: dict[str, AroundNames] = dict(zip(NAMES, around_names(), strict=True))
IMPORTS_ALL = """
import pkgutil
import matcher.evidence
from mailsync.classify.languages.load import around_names, languages
for module in pkgutil.iter_modules(matcher.evidence.__path__, "matcher.evidence."):
    __import__(module.name)
print(around_names.cache_info().misses, languages.cache_info().misses)
from matcher.evidence.words import names_in
from matcher.evidence.kinship import names_to_expect
names_in("Dear Ada, Target has seen it", "text")
names_to_expect("Bank of Northwind")
print(around_names.cache_info().misses, languages.cache_info().misses)
"""


@pytest.mark.parametrize("around", BY_NAME.values(), ids=NAMES)
def test_words_are_written_as_they_are_compared(around: AroundNames):
    told = [msgspec.structs.asdict(around)[name] for name in around.__struct_fields__ if name != "patterns"]
    assert [word for words in told for word in words if word != word.casefold() or not word] == []


@pytest.mark.parametrize(
    ("name", "salute", "joiner", "ordinary"),
    [
        ("english", "dear", "of", "target"),
        ("french", "bonjour", "et", "lumière"),
        ("german", "liebe", "und", "brücke"),
        ("spanish", "estimada", "y", "mañana"),
    ],
)
def test_a_word_stands_with_its_language_and_counts_in_all(
    name: str, salute: str, joiner: str, ordinary: str
):
    own = BY_NAME[name]
    assert salute in own.salutes
    assert joiner in own.joiners
    assert ordinary in own.ordinary
    assert {salute, joiner, ordinary} <= words_around(
        lambda around: around.salutes | around.joiners | around.ordinary
    )


def test_greetings_of_two_languages_are_known_in_one_message():
    assert [found.key for found in names_in("Liebe Ada,\nBonjour Otto,\nglad to meet you.", "text")] == []


def test_a_piece_that_no_language_has_matches_nothing():
    assert either(lambda around: None) == "(?!)"


def test_the_matcher_reads_them_when_first_asked_and_no_more_of_the_languages_than_that():
    told = subprocess.run([sys.executable, "-c", IMPORTS_ALL], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["0", "0", "1", "0"]
