"""Where a sentence ends: not behind an ordinal, but behind a number that closes one."""

import pytest

from mailsync.classify.sentences import sentences


@pytest.mark.parametrize(
    "text",
    [
        "Das Gespr\u00e4ch ist am 12. Februar um 10 Uhr.",
        "Wir laden Sie am 3. M\u00e4rz zur 2. Runde ein.",
        "Sie finden uns im 4. Stock des Hauses.",
    ],
)
def test_an_ordinal_ends_no_sentence(text: str):
    assert [sentence.text for sentence in sentences(text, "text")] == [text]


def test_a_number_may_end_a_sentence():
    found = [
        sentence.text for sentence in sentences("Wir haben Platz f\u00fcr 12. Bitte melden Sie sich.", "text")
    ]
    assert found == ["Wir haben Platz f\u00fcr 12.", "Bitte melden Sie sich."]
