"""A listing as columns; whatever it holds, it is read in bounded time and nothing raises."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.normal.amounts import amounts_in
from pipeline.normal.dates import date_in
from pipeline.normal.employment import employment_type
from pipeline.normal.pay import pay_of
from pipeline.normal.place_readings import readings
from pipeline.normal.rules import normal
from pipeline.normal.seniority import seniority_hint
from pipeline.normal.titles import titled
from pipeline.normal.types import Place
from pipeline.normal.workplace import text_demands
from pipeline.sources.adapters.ashby import read_board
from pipeline.sources.descriptions import described
from pipeline.sources.types import Answer, Listing, Pay, PlaceHint

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PIECES = st.sampled_from([
    "Remote", "Paris", "TX", "CA", "Georgia", "US", ", ", " - ", " or ", "/", "(", ")", "[", "|", "•", "$",
    "€", "120", "1,000", "48.000", "k", "K", "-", "\u2013", "to", "per hour", "Salary: ", "bonus", "Senior",
    "Lead", "3 days", "in the office", "\n", "\x00", "\ud800", "İ", "東京", "9" * 30, "1/9/2026", " ",
    "LPA", "+", "Intern",
])  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map("".join))
LISTINGS = st.builds(
    Listing,
    vendor_id=st.just("1"),
    record=st.just(b"{}"),
    fingerprint=st.just("f"),
    title=TEXTS,
    locations=st.lists(TEXTS, max_size=4).map(tuple),
    places=st.lists(
        st.builds(
            PlaceHint,
            text=TEXTS,
            city=st.none() | TEXTS,
            region=st.none() | TEXTS,
            country=st.none() | TEXTS,
        ),
        max_size=3,
    ).map(tuple),
    workplace=st.sampled_from([None, "remote", "hybrid", "onsite"]),
    workplace_signals=st.lists(TEXTS, max_size=3).map(tuple),
)


def test_a_listing_becomes_columns():
    listing = Listing(
        vendor_id="1",
        record=b"{}",
        fingerprint="f",
        title=" Senior Cook (Sea) ",
        locations=("Oslo", "Remote"),
        workplace_signals=("isRemote=true",),
        workplace="remote",
    )
    found = normal(listing, "Salary: 700,000 - 900,000 kr per year", NOW)
    assert found.title == "Senior Cook (Sea)"
    assert found.places == (Place(text="Oslo", city="Oslo", country="NO"),)
    assert found.countries == ("NO",)
    assert (found.workplace, found.workplace_conflict, found.seniority) == ("remote", False, "senior")
    assert found.pay == Pay(low=700_000, high=900_000, currency="NOK", interval="year", source="text")
    assert found.pay_text == "Salary: 700,000 - 900,000 kr per year"
    assert normal(listing, None, NOW).pay is None


@given(LISTINGS, st.none() | TEXTS)
def test_no_listing_raises_and_what_is_read_fits_its_columns(listing: Listing, text: str | None):
    found = normal(listing, text, NOW)
    assert all(len(country) == 2 and country.isupper() for country in found.countries)
    assert set(found.countries) == {each.country for each in found.places if each.country}
    assert len(found.pay_text or "") <= 500
    assert found.pay is None or found.pay.low is not None or found.pay.high is not None
    written = "".join([found.title, found.pay_text or "", *(each.text for each in found.places)])
    assert "\x00" not in written
    assert written.isprintable() or not any("\ud800" <= letter <= "\udfff" for letter in written)


@given(TEXTS)
@example("0" * 400)
@example("1,111" * 100)
def test_no_text_raises(text: str):
    readings(text)
    list(amounts_in(text))
    date_in(text)
    seniority_hint(text)
    employment_type(None, text)
    text_demands(text)
    assert titled(titled(text)) == titled(text) or "&" in text


@given(st.integers(15_000, 400_000), st.integers(0, 100_000), st.sampled_from(["$", "£", "€"]))
def test_a_range_that_is_written_is_the_range_that_is_read(low: int, more: int, sign: str):
    high = min(low + more, low * 5)
    pay, _ = pay_of(None, f"The salary range is {sign}{low:,} - {sign}{high:,}.", ())
    assert pay is not None
    assert (pay.low, pay.high) == (low, high)


@pytest.mark.parametrize(
    "piece",
    [
        "1,111", "$1 - ", "$120,000 - $150,000 ", "3 days in the ", "Paris, ", "a, ", "(", "remote ",
        "Salary: ", "in the office ", "salary $1 ", "&amp;", "- ", "CA, ", "/", "9", " ", "contract (",
        "staff senior lead ", "per hour $", "x",
    ],
)  # fmt: skip
def test_time_grows_with_the_text_and_no_faster(piece: str):
    def seconds(size: int) -> float:
        text = ("65k $1,000 " + piece * (size // len(piece) + 1))[:size]
        listing = Listing(
            vendor_id="1",
            record=b"{}",
            fingerprint="f",
            title=text,
            locations=(text,),
            places=(PlaceHint(text=text),),
        )
        start = time.process_time()
        normal(listing, text, NOW)
        return time.process_time() - start

    seconds(100)
    assert seconds(60_000) < 1.0


def test_every_captured_posting_is_read(shared_data):
    for file in sorted((shared_data / "ats" / "ashby").glob("*.json")):
        reading = read_board(Answer(url=file.name, status=200, body=file.read_bytes()))
        for listing in reading.listings:
            description = described(listing.description or "")
            found = normal(listing, description and description.text, NOW)
            assert found.title
            told = [each for each in listing.places if each.country not in {None, "European Union"}]
            assert found.countries or not told, listing.places
