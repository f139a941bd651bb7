"""Teamtailor's two feeds become listings, page after page; a list that cannot be followed is not whole."""

import json
from datetime import UTC, datetime

import pytest
from emulators.feeds import page_of
from emulators.paged_boards import TeamtailorSite, teamtailor_item
from emulators.web import Reply, Web
from fixtures.reading import looked, pulled

from pipeline.sources.types import Pay, PlaceHint, Posted
from schema.identity.urls import posting_url

HOST = "northwind.teamtailor.com"
SALARY = {"currency": "SEK", "value": {"unitText": "MONTH", "minValue": "30000", "maxValue": "42000"}}


@pytest.fixture
def site(web: Web) -> TeamtailorSite:
    site = TeamtailorSite()
    web.sites[HOST] = site
    return site


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 250])
async def test_a_list_of_any_length_is_read_whole(site, web: Web, web_settings, count):
    site.items = [teamtailor_item(each) for each in range(1, count + 1)]
    reading = await pulled(web_settings, "teamtailor")
    assert (reading.coverage, reading.evidence.rows) == ("complete", count)
    assert [each.vendor_id for each in reading.listings] == [f"northwind/{n}" for n in range(1, count + 1)]
    assert {each.workplace for each in reading.listings} <= {"remote"}
    assert len(web.pages()) <= 2 * (count // 100 + 1)


async def test_a_listing_joins_both_feeds_and_is_what_a_pasted_link_names(site, web_settings):
    site.items = [teamtailor_item(12345, baseSalary=SALARY)]
    (listing,) = (await pulled(web_settings, "teamtailor")).listings
    assert listing.pay == Pay(low=30_000, high=42_000, currency="SEK", interval="month", source="field")
    assert listing.places == (PlaceHint(text="United States - Remote", city="Calgary", country="Canada"),)
    assert listing.workplace_signals == ("remoteStatus=fully",)
    assert (listing.employment_type, listing.company, listing.requisition_id) == (
        "full_time",
        "Northwind AB",
        None,
    )
    assert listing.posted == Posted(
        meaning="first_published", at=datetime(2026, 9, 18, 1, 16, 27, tzinfo=UTC)
    )
    assert listing.description == "<p>Coal.</p>"
    pasted = posting_url(f"https://{HOST}/en-GB/jobs/12345-stoker/applications/new?promotion=1")
    row = posting_url(listing.page_url or "")
    assert pasted is not None
    assert row is not None
    assert (pasted.vendor_id, pasted.canonical) == (listing.vendor_id, row.canonical)
    site.remote = "hybrid"
    (changed,) = (await pulled(web_settings, "teamtailor")).listings
    assert (changed.workplace, changed.fingerprint != listing.fingerprint) == ("hybrid", True)


async def test_the_captured_feed_is_read_whole_without_an_rss(shared_data, web: Web, web_settings):
    (file,) = (shared_data / "ats" / "teamtailor").glob("*.json")
    web.sites["career.teamtailor.com"] = lambda asked: (
        Reply(file.read_bytes()) if asked.path == "/jobs.json" else Reply(b"", 404)
    )
    reading = await pulled(web_settings, "teamtailor", "career")
    assert (reading.coverage, reading.evidence.odd_fields) == ("complete", 0)
    first, second = reading.listings
    assert (first.vendor_id, second.vendor_id) == ("career/7167985", "career/7069633")
    assert first.places == (
        PlaceHint(text="Madrid, Europe, ES", city="Madrid", region="Europe", country="ES"),
    )
    assert [place.country for place in second.places] == ["SE", "DK"]


async def test_an_employers_own_host_may_answer_and_its_links_are_followed(site, web: Web, web_settings):
    site.host = "careers.northwind.example"
    site.items = [teamtailor_item(each, host=site.host) for each in range(1, 150)]
    web.sites[site.host] = site
    web.sites[HOST] = lambda asked: Reply(
        b"",
        301,
        headers={"Location": f"https://{site.host}{asked.path}?offset={asked.query.get('offset', '0')}"},
    )
    reading = await pulled(web_settings, "teamtailor")
    assert (reading.coverage, len(reading.listings)) == ("complete", 149)
    assert {each.workplace for each in reading.listings} == {"remote"}


async def test_a_next_page_at_another_host_is_not_followed_and_the_list_is_not_whole(
    site, web: Web, web_settings
):
    site.items, site.next_host = [teamtailor_item(each) for each in range(101)], "elsewhere.example"
    reading = await pulled(web_settings, "teamtailor")
    assert (reading.coverage, len(reading.listings)) == ("partial", 100)
    assert {asked.host for asked in web.pages()} == {HOST}


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply(b"", 500), "platform_error"),
        (Reply(b"", 429), "throttled"),
        (Reply(b"<html>Sorry</html>", content_type="text/html"), "not_a_board"),
        (Reply(json.dumps({"items": []}).encode(), kept=3), "cut_short"),
    ],
)
async def test_a_fault_in_the_middle_is_no_end_of_the_list(site, web: Web, web_settings, reply, problem):
    site.items = [teamtailor_item(each) for each in range(250)]
    well = iter([False, False, False, False, True])

    def later(asked):
        return reply if asked.path == "/jobs.json" and next(well, False) else site(asked)

    web.sites[HOST] = later
    reading = await pulled(web_settings, "teamtailor")
    assert (reading.coverage, reading.evidence.problem) == ("complete", None)
    well = iter([False, True])
    reading = await pulled(web_settings, "teamtailor")
    assert (reading.coverage, reading.evidence.problem, len(reading.listings)) == ("partial", problem, 100)


async def test_a_fault_of_the_rss_fails_the_pull_so_that_no_workplace_is_lost(site, web: Web, web_settings):
    site.items = [teamtailor_item(1)]
    web.fail(HOST, Reply(b"", 503))
    reading = await pulled(web_settings, "teamtailor")
    assert (reading.coverage, reading.evidence.problem) == ("failed", "platform_error")


async def test_odd_items_cost_themselves_only(site, web_settings):
    site.has_rss = False
    site.items = [
        teamtailor_item(1),
        {"id": 7, "url": None},
        {**teamtailor_item(2), "_jobposting": ["no", {"deep": [[[1]]]}], "date_published": 5},
        {**teamtailor_item(3), "url": "https://northwind.teamtailor.com/pages/7"},
        {"title": "without an id"},
    ]
    reading = await pulled(web_settings, "teamtailor")
    assert [each.vendor_id for each in reading.listings] == ["northwind/1", "northwind/2", "northwind/3"]
    assert (reading.coverage, reading.evidence.unreadable_rows, reading.evidence.odd_fields) == (
        "partial",
        2,
        1,
    )


async def test_a_look_reads_the_page(site, web: Web, web_settings):
    site.items = [teamtailor_item(1)]
    (listing,) = (await pulled(web_settings, "teamtailor")).listings
    assert (await looked(web_settings, "teamtailor", listing)).state == "gone"
    web.sites[HOST] = lambda _: Reply(page_of("Stoker"), content_type="text/html")
    detail = await looked(web_settings, "teamtailor", listing)
    assert (detail.state, detail.listing and detail.listing.vendor_id) == ("open", "northwind/1")


async def test_a_regional_board_is_asked_in_its_region(web: Web, web_settings):
    site = TeamtailorSite(
        [teamtailor_item(1, host="northwind.na.teamtailor.com")], host="northwind.na.teamtailor.com"
    )
    web.sites[site.host] = site
    (listing,) = (await pulled(web_settings, "teamtailor", "northwind.na")).listings
    found = posting_url(listing.page_url or "")
    assert found is not None
    assert (found.vendor_id, listing.vendor_id) == ("northwind.na/1", "northwind.na/1")
