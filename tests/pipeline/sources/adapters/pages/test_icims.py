"""iCIMS pages become listings; the end of a list is believed only when nothing leads further."""

import pytest
from emulators.feeds import page_of
from emulators.paged_boards import HTML, IcimsSite, icims_card
from emulators.web import Reply, Web
from fixtures.reading import looked, pulled

from pipeline.sources.adapters.pages import icims
from schema.identity.urls import posting_url

BOARD, HOST = "careers-nw", "careers-nw.icims.com"


@pytest.fixture
def site(web: Web) -> IcimsSite:
    site = IcimsSite()
    web.sites[HOST] = site
    return site


def cards(count: int) -> list[str]:
    return [icims_card(each) for each in range(1000, 1000 + count)]


@pytest.mark.parametrize("count", [0, 1, 20, 21, 40, 65])
@pytest.mark.parametrize("after_last", ["last", "empty"])
@pytest.mark.parametrize("links_on", [True, False])
async def test_a_list_of_any_length_is_read_whole(site, web_settings, count, after_last, links_on):
    site.cards, site.after_last, site.links_on = cards(count), after_last, links_on
    reading = await pulled(web_settings, "icims", BOARD)
    assert (reading.coverage, len(reading.listings), reading.evidence.rows) == ("complete", count, count)


async def test_a_listing_is_what_a_pasted_link_names(site, web_settings):
    site.cards = cards(1)
    (listing,) = (await pulled(web_settings, "icims", BOARD)).listings
    pasted = posting_url(f"https://{HOST}/jobs/1000/bosun/job?mode=job&iis=Mail&in_iframe=1")
    assert pasted is not None
    assert (pasted.vendor_id, pasted.canonical) == (listing.vendor_id, listing.page_url)
    assert (listing.title, listing.locations) == ("Bosun, First & Last", ("US-NJ-Edison",))
    assert (listing.requisition_id, listing.description) == ("2026-1000", None)


async def test_the_captured_pages_give_their_cards_and_refuse_one_of_a_foreign_host(
    shared_data, web: Web, web_settings
):
    seen: dict[str, list[tuple[str, str, tuple[str, ...], str | None]]] = {}
    for file in sorted((shared_data / "ats" / "icims").glob("*.html")):
        web.sites[HOST] = lambda _, file=file: Reply(file.read_bytes(), content_type=HTML)
        reading = await pulled(web_settings, "icims", BOARD)
        seen[file.stem.partition("__")[2]] = [
            (each.vendor_id, each.title, each.locations, each.requisition_id) for each in reading.listings
        ]
        # One of them links a second page that brings nothing new, and holds a card of another host.
        assert reading.coverage == ("partial" if reading.evidence.unreadable_rows else "complete")
    assert seen["icims"][0] == ("careers-wipfli/8214", "Payroll Tax Specialist", ("US",), "2026-8214")
    assert [each[0] for each in seen["icims-search-page"]] == [
        "careers-acmefreight/1234",
        "careers-acmefreight/5678",
    ]
    assert seen["icims-search-page"][0][1:] == (
        "Director, Revenue Operations & Strategy",
        ("US-NJ-Edison",),
        "2026-1234",
    )


async def test_the_first_page_again_proves_no_end(site, web_settings):
    site.cards, site.after_last = cards(45), "first"
    assert (await pulled(web_settings, "icims", BOARD)).coverage == "partial"


async def test_a_site_that_always_shows_one_page_while_it_links_more_is_not_whole(
    site, web: Web, web_settings
):
    site.cards = cards(45)
    page = site.__call__
    web.sites[HOST] = lambda asked: page(
        type(asked)(asked.method, asked.host, asked.path, asked.query | {"pr": "0"}, asked.headers)
    )
    reading = await pulled(web_settings, "icims", BOARD)
    assert (reading.coverage, len(reading.listings), reading.evidence.repeated_pages) == ("partial", 20, 1)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply(b"", 500), "platform_error"),
        (Reply(b"", 403), "access_refused"),
        (Reply(b"<html>Just a moment...</html>", content_type=HTML), "not_a_board"),
    ],
)
async def test_a_fault_is_no_end_of_the_list(site, web: Web, web_settings, reply, problem):
    site.cards = cards(45)
    web.sites[HOST] = lambda asked: reply if asked.query.get("pr") == "1" else site(asked)
    reading = await pulled(web_settings, "icims", BOARD)
    assert (reading.coverage, reading.evidence.problem, len(reading.listings)) == ("partial", problem, 20)
    web.fail(HOST, reply)
    reading = await pulled(web_settings, "icims", BOARD)
    assert (reading.coverage, reading.evidence.problem) == ("failed", problem)


async def test_more_pages_than_are_read_leave_the_list_capped(site, web_settings, monkeypatch):
    monkeypatch.setattr(icims, "_MAX_PAGES", 2)
    site.cards = cards(45)
    reading = await pulled(web_settings, "icims", BOARD)
    assert (reading.coverage, reading.evidence.cap) == ("capped", 2)


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (Reply(page_of("Bosun"), content_type=HTML), "open"),
        (Reply(b"<p>This position has been filled.</p>", content_type=HTML), "filled"),
        (Reply(b"<p>The job you are trying to view is no longer available.</p>", content_type=HTML), "gone"),
        (Reply(b"<p>Welcome</p><script>'position has been filled'</script>", content_type=HTML), "unknown"),
        (
            Reply(page_of("Bosun", extra="<p>The last position has been filled</p>"), content_type=HTML),
            "open",
        ),
        (Reply(b"", 404), "gone"),
        (Reply(b"", 410), "gone"),
        (Reply(b"", 403), "unknown"),
        (Reply(b"", 502), "unknown"),
    ],
)
async def test_a_look_says_what_the_page_says(site, web_settings, reply, state):
    site.cards = cards(1)
    (listing,) = (await pulled(web_settings, "icims", BOARD)).listings
    site.pages["/jobs/1000/job"] = reply
    assert (await looked(web_settings, "icims", listing, BOARD)).state == state
