"""Personio's feed becomes listings, under both endings and whatever its texts hold; nothing else does."""

import json
from datetime import UTC, datetime

import pytest
from emulators.feeds import MARKETING, PersonioSite, Raw, page_of, personio_feed, personio_position
from emulators.web import MISSING, Reply, Web
from fixtures.reading import looked, pulled

from pipeline.sources.adapters.personio import read_board
from pipeline.sources.types import Answer, Posted
from schema.identity.urls import posting_url

DE, COM = "northwind.jobs.personio.de", "northwind.jobs.personio.com"


def answer(body: bytes) -> Answer:
    return Answer(url=f"https://{DE}/xml", status=200, body=body)


def one(**changed: object):
    (listing,) = read_board(answer(personio_feed(personio_position(77, **changed))), "northwind").listings
    return listing


def test_the_captured_feed_is_read_whole_and_a_position_shown_twice_is_one(shared_data):
    for file in sorted((shared_data / "ats" / "personio").glob("*.xml")):
        reading = read_board(answer(file.read_bytes()), "acme")
        assert (reading.coverage, reading.evidence.rows, reading.evidence.repeated_rows) == ("complete", 2, 1)
        (listing,) = reading.listings
        assert listing.vendor_id == "acme/1834171"
        assert (listing.company, listing.locations) == ("Acme SE & Co. KG", ("Munich", "Berlin"))
        assert listing.employment_type == "full_time"
        assert listing.posted == Posted(meaning="created", at=datetime(2024, 11, 13, 14, 10, 41, tzinfo=UTC))
        assert listing.description is None


def test_a_listing_is_what_a_pasted_link_names():
    listing = one()
    assert (listing.title, listing.company) == ("Pilot 77", "Northwind SE & Co. KG")
    assert listing.locations == ("Hamburg", "Bremen")
    assert listing.description == "<h3>Tasks &amp; more</h3><p>Steer.</p>"
    assert "jobDescriptions" not in json.loads(listing.record)
    pasted = posting_url(f"https://{DE}/job/77?language=de&display=de#apply")
    row = posting_url(listing.page_url or "")
    assert pasted is not None
    assert row is not None
    assert (pasted.key, pasted.canonical) == (f"personio:{listing.vendor_id}", row.canonical)


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"employmentType": "intern"}, "intern"),
        ({"employmentType": "freelance", "schedule": "part-time"}, "contract"),
        ({"schedule": "part-time"}, "part_time"),
        ({"schedule": "full-or-part-time"}, None),
        ({"employmentType": "", "schedule": ""}, None),
    ],
)
def test_the_kind_of_work_is_what_type_and_schedule_say_together(changed, kind):
    assert one(**changed).employment_type == kind


def test_texts_may_hold_what_would_end_a_position_and_every_other_slip():
    inside = Raw(
        "<jobDescription><name>A</name><value><![CDATA[<p>x</position></p>]]></value></jobDescription>"
    )
    slips = personio_feed(
        personio_position(1, jobDescriptions=inside),
        personio_position(2, name=Raw("Salt &nbsp; & \x01 rope")),
    )
    reading = read_board(answer(slips), "northwind")
    assert reading.coverage == "complete"
    first, second = reading.listings
    assert first.description == "<h3>A</h3><p>x</position></p>"
    assert second.title.split() == ["Salt", "&", "rope"]


def test_a_position_without_a_number_is_counted_and_the_others_are_read():
    reading = read_board(
        answer(personio_feed(personio_position(1, id="1/../2"), personio_position(2, createdAt="soon"))), "n"
    )
    assert (reading.coverage, reading.evidence.unreadable_rows) == ("partial", 1)
    assert [each.posted for each in reading.listings] == [None]


@pytest.mark.parametrize(
    "body",
    [
        b'<!DOCTYPE x [<!ENTITY a "b">]><workzag-jobs><position><id>1</id></position></workzag-jobs>',
        b'<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><workzag-jobs/>',
        MARKETING,
        b"<workzag-jobs><position>",
        b"<rss/>",
        b"",
        b'{"jobs": []}',
    ],
)
def test_what_is_no_feed_is_no_board_and_closes_nothing(body):
    reading = read_board(answer(body), "northwind")
    assert (reading.coverage, reading.evidence.problem, reading.listings) == ("failed", "not_a_board", ())


async def test_either_ending_may_know_the_tenant_and_an_unknown_one_is_said(web: Web, web_settings):
    web.sites[DE] = lambda _: Reply(b"", 307, headers={"Location": "https://www.personio.example/"})
    web.sites["www.personio.example"] = lambda _: Reply(MARKETING, content_type="text/html")
    web.sites[COM] = PersonioSite(personio_feed(personio_position(77)))
    reading = await pulled(web_settings, "personio")
    assert (reading.coverage, len(reading.listings)) == ("complete", 1)
    web.sites[COM] = lambda _: MISSING
    reading = await pulled(web_settings, "personio")
    assert (reading.coverage, reading.evidence.problem) == ("failed", "board_unknown")


async def test_a_tenant_whose_feed_is_away_for_repair_is_not_gone(web: Web, web_settings):
    web.sites[DE] = lambda _: Reply(b"<html>Back soon</html>", content_type="text/html")
    web.sites[COM] = lambda _: MISSING
    reading = await pulled(web_settings, "personio")
    assert (reading.coverage, reading.evidence.problem) == ("failed", "not_a_board")


async def test_a_fault_of_the_first_ending_is_not_answered_by_the_second(web: Web, web_settings):
    web.sites[DE] = web.sites[COM] = PersonioSite(personio_feed(personio_position(77)))
    web.fail(DE, Reply(b"", 429, headers={"Retry-After": "60"}))
    reading = await pulled(web_settings, "personio")
    assert (reading.evidence.problem, reading.evidence.retry_after_seconds) == ("throttled", 60)
    assert [asked.host for asked in web.pages()] == [DE]


async def test_a_look_gives_the_text_of_the_page_and_says_gone_only_beside_a_standing_board(
    web: Web, web_settings
):
    site = PersonioSite(personio_feed(personio_position(77)), {"/job/77": page_of("Pilot")})
    web.sites[DE] = web.sites[COM] = site
    listing = one()
    detail = await looked(web_settings, "personio", listing)
    assert detail.state == "open"
    assert detail.listing is not None
    assert (detail.listing.vendor_id, detail.listing.description) == (listing.vendor_id, "<p>Sail.</p>")
    site.pages.clear()
    assert (await looked(web_settings, "personio", listing)).state == "gone"
    web.sites[DE] = lambda _: MISSING
    assert (await looked(web_settings, "personio", listing)).state == "unknown"
    for refusal in (401, 403, 429, 500, 503):
        web.fail(COM, Reply(b"", refusal))
        assert (await looked(web_settings, "personio", listing)).state == "unknown"
