"""Recruitee's offers become listings, until the day the vendor closes them."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from emulators.feeds import recruitee_offer
from emulators.web import Reply, Web
from fixtures.reading import pulled

from pipeline.sources.adapters.recruitee import read_board
from pipeline.sources.registry import CLOSING, PlatformForbidsReading, place_of, why_forbidden
from pipeline.sources.types import Answer, Pay, PlaceHint, Posted

LAST_DAY = datetime(2027, 2, 10, tzinfo=UTC)


def read(*offers: object):
    body = json.dumps({"offers": list(offers)}).encode()
    return read_board(Answer(url="https://northwind.recruitee.com/api/offers/", status=200, body=body))


def test_the_captured_boards_are_read_whole(shared_data):
    for file in sorted((shared_data / "ats" / "recruitee").glob("*.json")):
        offers = json.loads(file.read_bytes())["offers"]
        reading = read_board(Answer(url="https://a.example/", status=200, body=file.read_bytes()))
        assert (reading.coverage, reading.evidence.odd_fields) == ("complete", 0), file.name
        for listing, offer in zip(reading.listings, offers, strict=True):
            assert (listing.vendor_id, listing.title) == (str(offer["id"]), offer["title"])
            assert listing.locations
            assert listing.posted is not None
            # One of them asks "75.00 a year": thousands, most likely, but it does not say so.
            assert (listing.pay is not None) == (float(offer["salary"]["min"] or 0) > 1_000)
            assert offer["mailbox_email"] not in listing.record.decode()


def test_a_listing_says_what_the_platform_said():
    (listing,) = read(recruitee_offer(5)).listings
    assert (listing.workplace, listing.workplace_signals) == (
        "hybrid",
        ("remote=false", "hybrid=true", "on_site=false"),
    )
    assert listing.pay == Pay(low=60_000, high=75_000, currency="EUR", interval="year", source="field")
    assert listing.posted == Posted(meaning="last_published", at=datetime(2026, 8, 5, 9, 41, 37, tzinfo=UTC))
    assert listing.places == (
        PlaceHint(
            text="Kiel, Schleswig-Holstein, Germany",
            city="Kiel",
            region="Schleswig-Holstein",
            country="Germany",
        ),
    )
    assert listing.employment_type == "full_time"
    (both,) = read(recruitee_offer(5, remote=True, employment_type_code="?", locations=[])).listings
    assert (both.workplace, both.employment_type, both.locations) == (None, None, ("Remote job",))


@pytest.mark.parametrize("status", [401, 403, 404, 302])
async def test_a_platform_that_closes_its_doors_closes_no_posting(web: Web, web_settings, status):
    web.sites["northwind.recruitee.com"] = lambda _: Reply(b"{}", status)
    reading = await pulled(web_settings, "recruitee")
    assert (reading.coverage, reading.listings) == ("failed", ())


def test_the_announced_day_is_kept_and_its_reason_shown():
    url = "https://northwind.recruitee.com/o/cook-5"
    assert CLOSING["recruitee"].since == LAST_DAY
    assert place_of(url, LAST_DAY - timedelta(seconds=1)).board == "northwind"
    with pytest.raises(PlatformForbidsReading) as raised:
        place_of(url, LAST_DAY)
    assert "10 February 2027" in raised.value.detail
    assert why_forbidden("recruitee", LAST_DAY - timedelta(seconds=1)) is None
    assert why_forbidden("breezy", LAST_DAY) is not None
    assert why_forbidden("ashby", LAST_DAY) is None
