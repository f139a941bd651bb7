"""Tiles of a career site become listings; its list is whole at its natural end or its own count."""

from datetime import UTC, date, datetime

import pytest
from emulators.feeds import MARKETING
from emulators.paged_boards import HTML, SuccessFactorsSite, successfactors_page, successfactors_tile
from emulators.web import Reply, Web
from fixtures.reading import looked, pulled

from pipeline.sources.adapters.pages import successfactors
from pipeline.sources.registry import place_of
from pipeline.sources.types import PlaceHint, Posted
from schema.identity.urls import posting_url

HOST = "jobs.northwind.example"


@pytest.fixture
def site(web: Web) -> SuccessFactorsSite:
    site = SuccessFactorsSite()
    web.sites[HOST] = site
    return site


def tiles(count: int) -> list[str]:
    return [successfactors_tile(each) for each in range(1000, 1000 + count)]


@pytest.mark.parametrize(("count", "size"), [(1, 25), (25, 25), (26, 25), (57, 10), (100, 40)])
@pytest.mark.parametrize("tells_total", [True, False])
async def test_a_list_of_any_length_is_read_whole_at_any_page_size(
    site, web_settings, count, size, tells_total
):
    site.tiles, site.page_size, site.tells_total = tiles(count), size, tells_total
    reading = await pulled(web_settings, "successfactors", HOST)
    assert (reading.coverage, len(reading.listings)) == ("complete", count)
    assert reading.evidence.vendor_total == (count if tells_total else None)


async def test_a_listing_says_what_its_tile_says(site, web_settings):
    site.tiles = tiles(1)
    (listing,) = (await pulled(web_settings, "successfactors", HOST)).listings
    assert (listing.title, listing.vendor_id) == ("Helmsman & Mate 1000", f"{HOST}/1000")
    assert listing.locations == ("Noida, NCR, India",)
    assert listing.posted == Posted(meaning="last_published", on=date(2026, 6, 29))
    pasted = posting_url(f"https://{HOST}/job/Noida-Helmsman-NCR/1000/?utm_source=mail")
    row = posting_url(listing.page_url or "")
    assert pasted is not None
    assert row is not None
    assert pasted.canonical == row.canonical


async def test_sites_of_one_host_are_boards_of_their_own_with_one_numbering(web: Web, web_settings):
    host = "jobsearch.createyourowncareer.com"
    path = "/Northwind/job/Oslo-Helmsman/1069456701/"
    web.sites[host] = SuccessFactorsSite([successfactors_tile(1069456701, path=path)], site="/Northwind")
    place = place_of(f"https://{host}/Northwind/search/?locale=de_DE")
    (listing,) = (await pulled(web_settings, place.platform, place.board)).listings
    found = posting_url(f"https://{host}{path}")
    assert found is not None
    assert (found.vendor_id, found.board) == (listing.vendor_id, place.board)


async def test_the_first_rows_again_prove_no_end(site, web_settings):
    site.tiles, site.replays, site.tells_total = tiles(60), True, False
    reading = await pulled(web_settings, "successfactors", HOST)
    assert (reading.coverage, len(reading.listings), reading.evidence.repeated_pages) == ("partial", 25, 1)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply(b"", 503), "platform_error"),
        (Reply(b"", 429), "throttled"),
        (Reply(b"<html>We will be back soon</html>", content_type=HTML), "not_a_board"),
    ],
)
async def test_a_fault_is_no_end_of_the_list(site, web: Web, web_settings, reply, problem):
    site.tiles, site.tells_total = tiles(60), False
    web.sites[HOST] = lambda asked: reply if asked.query.get("startrow") == "25" else site(asked)
    reading = await pulled(web_settings, "successfactors", HOST)
    assert (reading.coverage, reading.evidence.problem, len(reading.listings)) == ("partial", problem, 25)


async def test_a_page_that_is_no_career_site_is_no_empty_board(web: Web, web_settings):
    web.sites[HOST] = lambda _: Reply(MARKETING, content_type=HTML)
    reading = await pulled(web_settings, "successfactors", HOST)
    assert (reading.coverage, reading.evidence.problem) == ("failed", "not_a_board")
    web.sites[HOST] = lambda _: Reply(b'<div id="noresults">No open jobs</div>', content_type=HTML)
    reading = await pulled(web_settings, "successfactors", HOST)
    assert (reading.coverage, reading.listings) == ("complete", ())


async def test_more_pages_than_are_read_leave_the_list_capped(site, web_settings, monkeypatch):
    monkeypatch.setattr(successfactors, "_MAX_PAGES", 2)
    site.tiles, site.page_size = tiles(31), 10
    reading = await pulled(web_settings, "successfactors", HOST)
    assert (reading.coverage, reading.evidence.cap) == ("capped", 2)


async def test_a_tile_without_a_number_is_counted_and_a_look_reads_microdata(site, web_settings):
    site.tiles = [*tiles(1), '<li class="job-tile"><a class="jobTitle-link" href="/job/x/1/">?</a></li>']
    site.tells_total = False
    reading = await pulled(web_settings, "successfactors", HOST)
    assert (reading.coverage, reading.evidence.unreadable_rows) == ("partial", 1)
    (listing,) = reading.listings
    site.pages["/job/Noida-Helmsman-NCR/1000/"] = Reply(
        successfactors_page("Helmsman"), content_type="text/html"
    )
    detail = await looked(web_settings, "successfactors", listing, HOST)
    assert (detail.state, detail.listing is not None) == ("open", True)
    assert detail.listing is not None
    assert (detail.listing.title, detail.listing.company) == ("Helmsman", "Northwind")
    assert detail.listing.places == (PlaceHint(text="Zürich, CH", city="Zürich", country="CH"),)
    assert detail.listing.posted == Posted(meaning="last_published", at=datetime(2026, 8, 5, 2, tzinfo=UTC))
    assert "Hold the wheel" in (detail.listing.description or "")
    ended = b"<strong>Sorry, this job posting has ended.</strong>"
    site.pages["/job/Noida-Helmsman-NCR/1000/"] = Reply(ended, content_type=HTML)
    assert (await looked(web_settings, "successfactors", listing, HOST)).state == "gone"
