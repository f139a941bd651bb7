"""What the page of a posting of one's own tells, as its person would write it down."""

import pytest

from pipeline.kept.rules import facts_on
from pipeline.sources.types import Listing, Pay


@pytest.mark.parametrize(
    ("place", "text", "field", "pay"),
    [
        ("Oslo, Norway", "<p>Salary: 50,000 - 60,000 EUR per year.</p>", None, "EUR 50 000 to 60 000 a year"),
        ("Toronto, Canada", "<p>The salary is $90,000 a year.</p>", None, "90 000 a year"),
        ("Oslo", "<p>We raised $90,000,000.</p>", None, None),
        ("Oslo", "<p>Salary: 50,000 EUR per year.</p>", (40_000, 45_000), "EUR 40 000 to 45 000 a year"),
    ],
)
def test_pay_is_told_where_only_the_text_states_it(
    place: str, text: str, field: tuple[float, float] | None, pay: str | None
):
    told = field and Pay(low=field[0], high=field[1], currency="EUR", interval="year", source="field")
    listing = Listing(
        vendor_id="1",
        record=b"{}",
        fingerprint="",
        title="Deckhand",
        locations=(place,),
        description=text,
        pay=told,
    )
    facts = facts_on(listing)
    assert (facts.pay_words and facts.pay_words.replace("\u202f", " ")) == pay
    assert (facts.title, facts.place) == ("Deckhand", place)
