"""A name is seen only where it stands whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.evidence.keys import company_key
from matcher.evidence.words import MOST_NAMES, names_in


def seen(text: str, name: str) -> bool:
    return company_key(name) in {found.key for found in names_in(text, "text")}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Thank you for applying to Acme.", "Acme"),
        ("Your Acme application", "Acme GmbH"),
        ("Your Application At Acme Has Been Received", "Acme"),
        ("ACME - YOUR APPLICATION", "Acme"),
        ("Acme Careers Team", "Acme"),
        ("Acme, Inc. thanks you", "Acme"),
        ("We at Bank of America thank you", "Bank of America"),
        ("Careers at The Home Depot", "Home Depot"),
        ("Booking.com received it", "Booking.com"),
        ("a letter from Coca-Cola to you", "Coca Cola"),
        ("Johnson & Johnson wrote", "Johnson and Johnson"),
        ("Nestlé writes", "Nestle"),
        ("Acme and we wish you well", "Acme"),
        ("Acme 2026 hiring", "Acme"),
        ("Write to n8n today", "n8n"),
    ],
)
def test_a_whole_name_is_seen(text: str, name: str):
    assert seen(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Thank you for applying to Acme Health.", "Acme"),
        ("Thank you for applying to Acme Health.", "Health"),
        ("Bank of Acme writes", "Acme"),
        ("The Acmeville office", "Acme"),
        ("Johnson & Johnson wrote", "Johnson"),
        ("we reached the acme of joy", "Acme"),
        ("General Acme Motors", "Acme"),
        ("", "Acme"),
    ],
)
def test_part_of_a_longer_name_is_not(text: str, name: str):
    assert not seen(text, name)


def test_spans_are_the_words_themselves():
    text = "Dear Ada, thank you for applying to Acme Robotics GmbH."
    spans = {found.key: text[found.span.start : found.span.end] for found in names_in(text, "text")}
    assert spans["acmerobotics"] == "Acme Robotics"


@given(st.text(max_size=3000))
def test_any_text_is_read_within_bounds(text: str):
    found = names_in(text, "text")
    assert len(found) <= MOST_NAMES
    assert all(0 <= name.span.start < name.span.end <= len(text) for name in found)
