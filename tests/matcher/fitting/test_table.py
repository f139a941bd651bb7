"""The table of weights is rewritten number by number and keeps what people wrote into it."""

from pathlib import Path

from msgspec.structs import replace

from matcher.evidence import weights as module
from matcher.fitting.table import read, rewritten

TEXT = Path(module.__file__).with_name("weights.toml").read_text()


def test_the_same_numbers_change_nothing():
    assert rewritten(TEXT, read(TEXT)) == TEXT


def test_other_numbers_make_a_new_version_and_keep_every_comment():
    old = read(TEXT)
    new = replace(old, strength=replace(old.strength, thread=2.75, role_other=-3.25))
    told = rewritten(TEXT, new)
    assert read(told) == replace(new, version=old.version + 1)
    comments = [line.partition("#")[2] for line in TEXT.splitlines()]
    assert [line.partition("#")[2] for line in told.splitlines()] == comments
    assert rewritten(told, new) == told
