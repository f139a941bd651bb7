"""JazzHR's daily feed becomes listings known by the code of their address."""

import json

import pytest
from emulators.feeds import jazzhr_feed, jazzhr_job, page_of
from emulators.web import MISSING, Reply, Web
from fixtures.reading import looked, pulled

from pipeline.sources.adapters.jazzhr import read_board
from pipeline.sources.types import Answer, PlaceHint
from schema.identity.urls import posting_url


def read(*jobs: str):
    return read_board(Answer(url="https://app.jazz.co/", status=200, body=jazzhr_feed(*jobs)))


def test_a_listing_is_what_a_pasted_link_names():
    (listing,) = read(jazzhr_job("AbCd123456", original_open_date="2026-01-06")).listings
    pasted = posting_url("https://northwind.applytojob.com/apply/AbCd123456/Deckhand?source=mail")
    assert pasted is not None
    assert (pasted.vendor_id, pasted.canonical) == (listing.vendor_id, listing.page_url)
    assert (listing.title, listing.company, listing.employment_type) == (
        "Deckhand AbCd123456",
        "Northwind",
        "full_time",
    )
    assert listing.places == (
        PlaceHint(text="Austin, TX, United States", city="Austin", region="TX", country="United States"),
    )
    assert listing.description == "<p>Ropes & knots.</p>"
    record = json.loads(listing.record)
    assert not {"description", "hiring_lead"} & record.keys()
    assert record["department"] == "Crew"


def test_a_filled_job_of_the_feed_is_not_listed_and_one_without_a_code_is_counted():
    reading = read(
        jazzhr_job("AbCd123456", status="Filled"),
        jazzhr_job("EfGh123456"),
        jazzhr_job("IjKl123456", url=""),
        jazzhr_job("MnOp123456", url="https://elsewhere.example/apply/MnOp123456"),
    )
    assert {each.vendor_id: each.is_listed for each in reading.listings} == {
        "AbCd123456": False,
        "EfGh123456": True,
    }
    assert (reading.coverage, reading.evidence.unreadable_rows) == ("partial", 2)


async def test_a_feed_is_asked_under_the_name_of_the_board_at_one_host(web: Web, web_settings):
    web.sites["app.jazz.co"] = lambda asked: (
        Reply(jazzhr_feed(jazzhr_job("AbCd123456")), headers={"ETag": '"1"'})
        if asked.path == "/feeds/export/jobs/northwind"
        else MISSING
    )
    reading = await pulled(web_settings, "jazzhr")
    assert (reading.coverage, len(reading.listings)) == ("complete", 1)
    assert reading.validators is not None
    unknown = await pulled(web_settings, "jazzhr", "nobody")
    assert (unknown.coverage, unknown.evidence.problem) == ("failed", "board_unknown")
    (listing,) = reading.listings
    web.sites["northwind.applytojob.com"] = lambda _: Reply(page_of("Deckhand"), content_type="text/html")
    assert (await looked(web_settings, "jazzhr", listing)).state == "open"
    web.sites["northwind.applytojob.com"] = lambda _: Reply(b"gone", 410)
    assert (await looked(web_settings, "jazzhr", listing)).state == "gone"


@pytest.mark.parametrize("body", [b"<jobs", b"<html/>", b"", b"[]", b"<!DOCTYPE jobs><jobs/>"])
def test_what_is_no_feed_is_no_board(body):
    reading = read_board(Answer(url="https://app.jazz.co/", status=200, body=body))
    assert (reading.coverage, reading.evidence.problem) == ("failed", "not_a_board")
