"""Workday's page of a posting tells what its lists leave out, and says when a posting is gone."""

import json
from datetime import date

import pytest
from emulators.web import Reply, Web
from emulators.workday import WorkdaySite, answered, job, refusal

from pipeline.sources.adapters.workday import Workday
from pipeline.sources.client import open_fetcher
from pipeline.sources.types import Detail, Posted, PostingPlace
from schema.identity.urls import posting_url

THROTTLED = Reply(b"", 429, headers={"Retry-After": "120"})
BROKEN = refusal(500, "HTTP_500")


@pytest.fixture
def site(web: Web) -> WorkdaySite:
    site = WorkdaySite()
    web.sites[site.host] = site
    return site


@pytest.fixture
def look(web_settings, site: WorkdaySite):
    async def looking(row: dict[str, object], **changed: str) -> Detail:
        url = f"https://{site.host}/{site.name}{row['externalPath']}"
        found = posting_url(url)
        assert found is not None and found.vendor_id is not None
        place = PostingPlace(
            board=site.board, vendor_id=found.vendor_id, page_url=found.canonical, apply_url=url
        )
        async with open_fetcher(web_settings) as fetch:
            return await Workday().look(replace_in(place, changed), fetch)

    return looking


def replace_in(place: PostingPlace, changed: dict[str, str]) -> PostingPlace:
    return PostingPlace(
        board=place.board,
        vendor_id=changed.get("vendor_id", place.vendor_id),
        page_url=place.page_url,
        apply_url=changed.get("apply_url", place.apply_url) or None,
    )


async def test_a_page_tells_text_places_employer_and_the_day_it_was_put_out(site, look):
    row = job(1)
    site.pages[str(row["externalPath"])] = site.info(
        row, additionalLocations=["Bergen, Norway", " "], remoteType="Hybrid"
    )
    detail = await look(row)
    listing = detail.listing
    assert detail.state == "open" and listing is not None
    assert listing.description == "<p>Pilot 1 flies.</p>"
    assert listing.locations == ("Oslo, Norway", "Bergen, Norway")
    assert [(each.text, each.country) for each in listing.places] == [
        ("Oslo, Norway", "NO"),
        ("Bergen, Norway", None),
    ]
    assert listing.posted == Posted(meaning="last_published", on=date(2026, 2, 20))
    assert (listing.company, listing.employment_type) == ("Northwind AS", "full_time")
    assert (listing.workplace, listing.requisition_id) == ("hybrid", "JR100001")
    assert listing.vendor_id == "nw/JR100001"


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (refusal(404, "S22"), "gone"),
        (Reply(b"", 410), "gone"),
        (Reply(b"", 401), "unknown"),
        (Reply(b"", 403), "unknown"),
        (THROTTLED, "unknown"),
        (BROKEN, "unknown"),
        (refusal(422, "HTTP_422"), "unknown"),
        (Reply(b"{}", 200, kept=1), "unknown"),
        (Reply(b"<html>Sign in</html>", 200, "text/html"), "unknown"),
        (answered({"jobPostingInfo": {}}), "unknown"),
        (answered({"jobPostingInfo": None}), "unknown"),
        (Reply(b"", 303, headers={"Location": "https://community.workday.example/out"}), "unknown"),
    ],
)
async def test_only_a_page_that_says_so_is_gone(web: Web, site, look, answer, state):
    row = job(1)
    site.pages[str(row["externalPath"])] = answer
    assert (await look(row)).state == state


async def test_a_page_that_is_not_posted_any_more_is_gone_and_one_of_another_posting_unknown(site, look):
    row = job(1)
    path = str(row["externalPath"])
    site.pages[path] = site.info(row, posted=False)
    assert (await look(row)).state == "gone"
    site.pages[path] = site.info(job(2))
    assert (await look(row)).state == "unknown"


async def test_no_posting_is_gone_with_its_whole_site(web: Web, site, look):
    row = job(1)
    web.sites[site.host] = lambda _: refusal(404, "S22")
    assert (await look(row)).state == "unknown"


async def test_a_posting_whose_own_path_is_not_known_is_not_called_gone(web: Web, site, look):
    assert (await look(job(1), apply_url="")).state == "unknown"
    assert (await look(job(1), apply_url="https://elsewhere.example/job/1")).state == "unknown"
    assert web.pages() == []


async def test_a_page_without_text_says_so_and_one_that_leaves_it_out_does_not(site, look):
    row = job(1)
    site.pages[str(row["externalPath"])] = site.info(row, jobDescription="")
    empty = await look(row)
    site.pages[str(row["externalPath"])] = site.info(row, jobDescription=7, startDate="0001-01-01")
    odd = await look(row)
    assert empty.listing is not None and odd.listing is not None
    assert (empty.listing.description, odd.listing.description) == ("", None)
    assert (odd.listing.posted, odd.evidence.odd_fields) == (None, 1)


async def test_a_captured_page_is_read(web: Web, site, look, shared_data):
    (file,) = (shared_data / "ats" / "workday").glob("*detail.json")
    info = json.loads(file.read_bytes())["jobPostingInfo"]
    site.tenant, site.name = "workday", "Workday"
    web.sites[site.host] = site
    path = info["externalUrl"].partition("/Workday")[2]
    site.pages[path] = Reply(file.read_bytes())
    detail = await look({"externalPath": path})
    assert detail.listing is not None
    assert detail.listing.requisition_id == info["jobReqId"]
    assert (detail.listing.workplace, detail.evidence.odd_fields) == ("onsite", 0)
    assert detail.listing.places[0].country == "US"
