"""A company's own page leads to its board, and to no other; whatever stands in it, nothing is guessed."""

import time
from datetime import UTC, datetime

import pytest
from emulators.paged_boards import SuccessFactorsSite, successfactors_tile
from emulators.web import Reply, Web

from pipeline.sources.client import Fetcher
from pipeline.sources.find import asked_for, board_behind, boards_on
from pipeline.sources.registry import ADAPTERS, NotABoard, Place, PlatformForbidsReading
from pipeline.sources.types import Answer

NOW = datetime(2026, 11, 30, tzinfo=UTC)
HOST = "careers.northwind.example"
PAGE = f"https://{HOST}/jobs"
GREENHOUSE = Place(platform="greenhouse", board="northwind", url="https://boards.greenhouse.io/northwind")
EMBED = '<script src="https://boards.greenhouse.io/embed/job_board/js?for=northwind&amp;b=x"></script>'


def html(body: str) -> Reply:
    return Reply(f"<html><title>Jobs</title>{body}</html>".encode(), content_type="text/html")


@pytest.mark.parametrize(
    ("page", "platform", "board"),
    [
        (EMBED, "greenhouse", "northwind"),
        ('<iframe src="//boards.greenhouse.io/embed/job_board?for=northwind">', "greenhouse", "northwind"),
        (EMBED + '<a href="https://boards.greenhouse.io/northwind/jobs/4000001">', "greenhouse", "northwind"),
        (EMBED + f'<a href="https://jobs.ashbyhq.com/{"n" * 400}">', "greenhouse", "northwind"),
        (EMBED + '<a href="https://www.linkedin.com/company/northwind">', "greenhouse", "northwind"),
        ('<a href="https://jobs.lever.co/northwind"><a href="https://www.lever.co">', "lever", "northwind"),
        ('<script>{"u":"https:\\/\\/jobs.ashbyhq.com\\/northwind?x=1"}</script>', "ashby", "northwind"),
        ("<a href='https://nw.wd5.myworkdayjobs.com/en-US/Careers'>", "workday", "nw.wd5/Careers"),
    ],
)  # fmt: skip
async def test_what_a_page_embeds_or_links_to_is_its_board(
    web: Web, fetch: Fetcher, page: str, platform: str, board: str
):
    web.sites[HOST] = lambda _: html(page)
    found = await board_behind(asked_for(PAGE, NOW), fetch, NOW)
    assert (found.platform, found.board) == (platform, board)
    # It is added by an address of its own, which leads there again.
    assert asked_for(found.url, NOW) == found


async def test_a_site_under_the_companys_own_host_is_known_by_what_it_loads(web: Web, fetch: Fetcher):
    site = SuccessFactorsSite(tiles=[successfactors_tile(number) for number in range(3)])
    site.pages["/search/"] = html('<img src="https://rmkcdn.successfactors.com/1/logo.png">')
    web.sites[HOST] = site
    place = await board_behind(asked_for(f"{HOST}/search/", NOW), fetch, NOW)
    assert (place.platform, place.board) == ("successfactors", HOST)
    assert len((await ADAPTERS[place.platform].read(place.board, fetch)).listings) == 3


async def test_an_address_that_names_its_board_asks_nobody(web: Web, fetch: Fetcher):
    place = asked_for("https://jobs.ashbyhq.com/northwind", NOW)
    assert await board_behind(place, fetch, NOW) == place
    assert web.asked == []


async def test_a_page_that_moved_to_its_board_is_that_board(web: Web, fetch: Fetcher):
    web.sites[HOST] = lambda _: Reply(status=302, headers={"Location": GREENHOUSE.url})
    web.sites["boards.greenhouse.io"] = lambda _: html("Northwind")
    assert await board_behind(asked_for(PAGE, NOW), fetch, NOW) == GREENHOUSE


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (html("<h1>Join us</h1>"), "its page shows none"),
        (html("//jobs.lever.co/one //jobs.lever.co/two"), "Lever one, Lever two"),
        (html('<a href="https://jobs.smartrecruiters.com/Northwind">Jobs</a>'), "robots rules"),
        (Reply(b"", 404), "status 404"),
        (Reply(b"x" * 100, kept=10), "cut short"),
        (Reply(b"\xff\xfe\x00<" * 50), "shows none"),
    ],
)  # fmt: skip
async def test_a_page_without_one_board_says_why(web: Web, fetch: Fetcher, reply: Reply, said: str):
    web.sites[HOST] = lambda _: reply
    with pytest.raises((NotABoard, PlatformForbidsReading), match=said):
        await board_behind(asked_for(PAGE, NOW), fetch, NOW)


@pytest.mark.parametrize(
    "url",
    ["", "northwind", "ftp://x.example/", "https://", "javascript:alert(1)", "x.example/" + "a" * 1_985],
)
def test_what_is_no_web_address_is_refused_at_once(url: str):
    with pytest.raises(NotABoard):
        asked_for(url, NOW)


@pytest.mark.parametrize("text", ["//a" * 1_000_000, "https://jobs.lever.co/" * 180_000, "<" * 4_000_000])
def test_a_hostile_page_costs_no_more_than_its_length(text: str):
    start = time.process_time()
    boards_on(Answer(url=PAGE, status=200, body=text.encode()))
    assert time.process_time() - start < 5


@pytest.mark.parametrize("url", ["jobs.ashbyhq.com/northwind", " https://jobs.ashbyhq.com/northwind?x=1\n"])
def test_an_address_is_taken_as_people_paste_it(url: str):
    place = asked_for(url, NOW)
    assert (place.platform, place.board) == ("ashby", "northwind")
    assert place.url.startswith("https://jobs.ashbyhq.com/northwind")
    assert asked_for("northwind.example/jobs", NOW).url == "https://northwind.example/jobs"


def test_an_address_of_a_company_that_names_no_board_leads_to_its_page():
    page = asked_for("https://northwind.example/careers?gh_jid=4000001", NOW)
    assert (page.platform, page.board) == ("page", "northwind.example")
