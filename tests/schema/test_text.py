"""Text from outside, made storable."""

import pytest

from schema.text import clean


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("", ""),
        ("Pilot", "Pilot"),
        ("Pi\x00lot\x00", "Pilot"),
        ("Zürich 😀", "Zürich 😀"),
        ("Zür\x00ich", "Zürich"),
        ("Pilot\ud83d", "Pilot"),
        ("\x00é\udfff\ud800x", "éx"),
    ],
)
def test_what_no_column_can_hold_falls_away_and_nothing_else(sent: str, kept: str):
    assert clean(sent) == kept
