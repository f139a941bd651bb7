"""Manatal's pages become listings; the list is whole when it says so itself and as long as it counts."""

import json

import pytest
from emulators.feeds import page_of
from emulators.paged_boards import ManatalSite, manatal_job
from emulators.web import Reply, Web
from fixtures.reading import looked, pulled

from pipeline.sources.adapters import manatal
from pipeline.sources.types import PlaceHint
from schema.identity.urls import posting_url

HOST = "www.careers-page.com"


@pytest.fixture
def site(web: Web) -> ManatalSite:
    site = ManatalSite()
    web.sites[HOST] = site
    return site


def jobs(count: int):
    return [manatal_job(f"RY6X{each:04}") for each in range(count)]


@pytest.mark.parametrize(("count", "size"), [(0, 100), (100, 100), (101, 100), (137, 10), (40, 20)])
async def test_a_list_of_any_length_is_read_whole_whatever_page_size_is_given(
    site, web: Web, web_settings, count, size
):
    site.jobs, site.page_size = jobs(count), size
    reading = await pulled(web_settings, "manatal")
    assert (reading.coverage, len(reading.listings), reading.evidence.vendor_total) == (
        "complete",
        count,
        count,
    )
    assert len(web.pages()) == max(-(-count // size), 1)


async def test_a_listing_is_what_a_pasted_link_names(site, web: Web, web_settings):
    site.jobs = jobs(1)
    (listing,) = (await pulled(web_settings, "manatal")).listings
    pasted = posting_url("https://careers-page.com/northwind/job/RY6X0000/apply?utm_source=x")
    assert pasted is not None
    assert (pasted.vendor_id, pasted.canonical) == (listing.vendor_id, listing.page_url)
    assert listing.places == (PlaceHint(text="Hanoi, Vietnam", city="Hanoi", country="Vietnam"),)
    assert (await looked(web_settings, "manatal", listing)).state == "gone"
    pages = {"/northwind/job/RY6X0000": page_of("Rigger")}
    web.sites[HOST] = lambda asked: Reply(pages[asked.path], content_type="text/html")
    assert (await looked(web_settings, "manatal", listing)).state == "open"


async def test_the_captured_boards_are_read_page_by_page(shared_data, web: Web, web_settings):
    folder = shared_data / "ats" / "manatal"
    pages = {str(n): (folder / f"ever-jobs_ever-jobs__list-castelion-p{n}.json").read_bytes() for n in (1, 2)}
    web.sites[HOST] = lambda asked: (
        Reply(pages[asked.query["page"]]) if asked.query["page"] in pages else Reply(b"", 500)
    )
    cut = await pulled(web_settings, "manatal", "castelion-corporation")
    assert (cut.coverage, len(cut.listings), cut.evidence.vendor_total) == ("partial", 20, 137)
    for name, count in (("calqulate", 10), ("ghostwerks", 6)):
        body = (folder / f"ever-jobs_ever-jobs__list-{name}.json").read_bytes()
        web.sites[HOST] = lambda _, body=body: Reply(body)
        reading = await pulled(web_settings, "manatal", name)
        assert (reading.coverage, len(reading.listings), reading.evidence.odd_fields) == (
            "complete",
            count,
            0,
        )
        told = json.loads(body)["results"]
        assert [each.title for each in reading.listings] == [job["position_name"] for job in told]
        countries = [each.places[0].country if each.places else None for each in reading.listings]
        assert countries == [job["country"] or None for job in told]


async def test_the_first_page_again_is_no_second_page(site, web_settings):
    site.jobs, site.page_size, site.replays = jobs(25), 10, True
    reading = await pulled(web_settings, "manatal")
    assert (reading.coverage, len(reading.listings), reading.evidence.repeated_pages) == ("partial", 10, 1)


async def test_a_list_shorter_than_it_counts_is_not_whole(web: Web, web_settings):
    told = {"count": 7, "next": None, "results": jobs(5)}
    web.sites[HOST] = lambda _: Reply(json.dumps(told).encode())
    assert (await pulled(web_settings, "manatal")).coverage == "partial"


async def test_more_pages_than_are_read_leave_the_list_capped(site, web_settings, monkeypatch):
    monkeypatch.setattr(manatal, "_MAX_PAGES", 3)
    site.jobs, site.page_size = jobs(31), 10
    reading = await pulled(web_settings, "manatal")
    assert (reading.coverage, len(reading.listings), reading.evidence.cap) == ("capped", 30, 3)


async def test_an_unknown_board_and_odd_rows(site, web_settings):
    unknown = await pulled(web_settings, "manatal", "nobody")
    assert (unknown.coverage, unknown.evidence.problem) == ("failed", "board_unknown")
    site.jobs = [
        manatal_job("A"),
        manatal_job(""),
        manatal_job("B", city=7, location_display=None),
        {"id": 5},
    ]
    reading = await pulled(web_settings, "manatal")
    assert [(each.vendor_id, each.locations) for each in reading.listings] == [
        ("northwind/A", ("Hanoi, Vietnam",)),
        ("northwind/B", ("Vietnam",)),
    ]
    assert (reading.coverage, reading.evidence.unreadable_rows) == ("partial", 2)
