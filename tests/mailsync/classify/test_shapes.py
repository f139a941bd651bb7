"""Letters that say the same about other people and jobs have one shape; others stay apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailsync.classify.shapes import MOST_CHARACTERS, shape_of


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Your application 4711 of 3/4/2026", "your application [number] of [number]"),
        ("Thank you for writing to Northwind Traders.", "thank you for writing to [name]"),
        ("See https://north.example/a?b=1 or ask hr@north.example", "see [link] or ask [link]"),
        ("  We\n  saw   it ", "we saw it"),
        ("Hello. We saw it. You will hear.", "hello. we saw it. you will hear"),
        ("We and I talked to Ada & Ben and Cleo about it", "we and i talked to [name] about it"),
        ("", ""),
        ("...", ""),
    ],
)
def test_what_varies_is_masked(text: str, shape: str):
    assert shape_of(text) == shape


def test_names_that_were_found_are_masked_in_any_case():
    one = shape_of("Your application as baker at brot & butter", ["baker", "Brot & Butter"])
    other = shape_of("Your application as Head of Cakes at Zucker", ["Head of Cakes", "Zucker"])
    assert one == other == "your application as [name] at [name]"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Your application at Northwind: received", "Your application at Northwind: declined"),
        ("Your Application Was Received", "Your Application Was Unsuccessful"),
        ("Wir haben Ihre Bewerbung erhalten", "Wir haben Ihre Absage erhalten"),
        ("We will go on with you", "We will not go on with you"),
    ],
)
def test_where_capitals_are_no_names_letters_stay_apart(one: str, other: str):
    assert shape_of(one) != shape_of(other)


def test_a_name_inside_a_word_is_no_name():
    assert shape_of("we saw the bakery", ["bake"]) == "we saw the bakery"


@given(st.text(max_size=2000), st.lists(st.text(max_size=20), max_size=3))
def test_any_text_has_a_shape_of_bounded_length(text: str, names: list[str]):
    assert len(shape_of(text, names)) <= MOST_CHARACTERS * 10
