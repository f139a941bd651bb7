"""Every code a mailbox or an archive can show has words of its own."""

import re
from pathlib import Path

import pytest

from backend.mail.words import told_aside, told_trouble

DOCS = (Path(__file__).parents[3] / "docs" / "gmail.md").read_text()
TROUBLES = DOCS.split("Codes of passing trouble:")[1].split("\n\n")[0]
CODES = [code for code in re.findall(r"`([a-z_]+)`", TROUBLES) if "_" in code]
ASIDE = [
    "message_too_large",
    "message_undecodable",
    "fetch_never_ended",
    "not_an_mbox",
    "member_encrypted",
    "member_unreadable",
    "member_damaged",
    "unparseable",
]


@pytest.mark.parametrize("code", [*CODES, "grant_lost", "no_oauth_client", "program_fault", "proxy_unusable"])
def test_every_trouble_is_told_in_words(code: str):
    assert code not in told_trouble(code).replace(" ", "_")


@pytest.mark.parametrize("code", ASIDE)
def test_everything_set_aside_is_told_in_words(code: str):
    assert told_aside(code).lower().replace(" ", "_") != code


def test_a_code_nobody_foresaw_is_told_as_well_as_can_be():
    assert told_trouble("moon_is_full") == "Something went wrong (moon is full)."
    assert told_aside("moon_is_full") == "Moon is full"
