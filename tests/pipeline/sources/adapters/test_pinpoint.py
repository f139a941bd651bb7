"""Pinpoint's postings become listings; what the employer does not show is not read."""

import json

import pytest
from emulators.feeds import page_of, pinpoint_posting, pinpoint_site
from emulators.web import Reply, Web
from fixtures.reading import looked, pulled

from pipeline.sources.adapters.pinpoint import read_board
from pipeline.sources.types import Answer, Pay, PlaceHint
from schema.identity.urls import posting_url

HOST = "northwind.pinpointhq.com"


def read(*postings: object):
    body = json.dumps({"data": list(postings)}).encode()
    return read_board(Answer(url=f"https://{HOST}/postings.json", status=200, body=body), "northwind")


def test_the_captured_board_is_read_whole(shared_data):
    for file in sorted((shared_data / "ats" / "pinpoint").glob("*.json")):
        reading = read_board(Answer(url="https://a.example/", status=200, body=file.read_bytes()), "acme")
        assert (reading.coverage, reading.evidence.odd_fields) == ("complete", 0)
        first, second = reading.listings
        assert (first.vendor_id, second.vendor_id) == ("acme/post-001", "acme/post-002")
        assert (first.workplace, first.requisition_id, first.locations) == (
            "remote",
            "REQ-001",
            ("United States",),
        )
        assert first.pay == Pay(low=135_000, high=198_000, currency="USD", interval="year", source="field")
        assert second.pay == Pay(low=70, high=90, currency="USD", interval="hour", source="field")
        assert second.page_url == "https://acme.pinpointhq.com/postings/post-002"


def test_a_listing_is_what_a_pasted_link_names_and_carries_its_sections():
    (listing,) = read(pinpoint_posting(7)).listings
    pasted = posting_url(f"https://{HOST}/postings/0a1b-7/applications/new?utm_source=x")
    row = posting_url(listing.page_url or "")
    assert pasted is not None
    assert row is not None
    assert (pasted.vendor_id, pasted.canonical) == (listing.vendor_id, row.canonical)
    assert listing.places == (PlaceHint(text="Boston, MA"),)
    assert listing.description == (
        "<p>Count.</p><h3>What you will do</h3><ul><li>Money</li></ul><h3>What you bring</h3><p>Care</p>"
    )
    assert listing.workplace_signals == ("workplace_type=hybrid",)
    assert not {"description", "benefits"} & json.loads(listing.record).keys()


@pytest.mark.parametrize("visible", [False, None, "true", 0])
def test_pay_the_employer_does_not_show_is_unknown(visible):
    (listing,) = read(pinpoint_posting(7, compensation_visible=visible)).listings
    assert listing.pay is None


@pytest.mark.parametrize(
    ("changed", "pay"),
    [
        ({"compensation_minimum": None, "compensation_maximum": None}, None),
        ({"compensation_minimum": 0, "compensation_maximum": 0}, None),
        ({"compensation_minimum": 90_000, "compensation_maximum": 70_000}, None),
        ({"compensation_minimum": "48.000", "compensation_maximum": None}, None),
        ({"compensation_minimum": 1.0, "compensation_maximum": 250_000}, None),
        (
            {
                "compensation_minimum": "70,000",
                "compensation_maximum": None,
                "compensation_currency": "dollars",
            },
            Pay(low=70_000, high=None, currency=None, interval="year", source="field"),
        ),
        (
            {"compensation_frequency": "per fortnight"},
            Pay(low=70_000, high=90_000, currency="USD", interval=None, source="field"),
        ),
    ],
)
def test_an_amount_that_can_mean_two_things_means_nothing(changed, pay):
    (listing,) = read(pinpoint_posting(7, **changed)).listings
    assert listing.pay == pay


async def test_an_unchanged_board_is_complete_without_being_read_again(web: Web, web_settings):
    web.sites[HOST] = pinpoint_site(
        [pinpoint_posting(1), pinpoint_posting(2)], {"/en/postings/0a1b-1": page_of("Purser")}
    )
    first = await pulled(web_settings, "pinpoint")
    assert (first.coverage, len(first.listings)) == ("complete", 2)
    again = await pulled(web_settings, "pinpoint", known=first.validators)
    assert (again.coverage, again.evidence.is_unchanged, again.listings) == ("complete", True, ())
    assert (await looked(web_settings, "pinpoint", first.listings[0])).state == "open"
    assert (await looked(web_settings, "pinpoint", first.listings[1])).state == "gone"


async def test_an_unknown_tenant_and_a_page_in_place_of_a_board_are_no_empty_boards(web: Web, web_settings):
    web.sites[HOST] = lambda _: Reply(b'{"error":"not found"}', 404)
    assert (await pulled(web_settings, "pinpoint")).evidence.problem == "board_unknown"
    web.sites[HOST] = lambda _: Reply(b"<html>Sign in</html>", content_type="text/html")
    reading = await pulled(web_settings, "pinpoint")
    assert (reading.coverage, reading.evidence.problem) == ("failed", "not_a_board")
