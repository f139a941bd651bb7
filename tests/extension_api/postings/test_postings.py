"""Saving from the page: a known posting is kept, an unknown page becomes a posting the person kept."""

import psycopg
import pytest
from fixtures.extension_client import Browser
from fixtures.people import FixedClock

from extension_api.postings.routes import SAVES
from extension_api.postings.rules import found_posting
from pipeline.catalog.search.store import postings_page
from pipeline.catalog.store import posting_by_id
from pipeline.catalog.types import Wanted
from schema.db import Database
from schema.identity.urls import posting_url
from schema.ids import AccountId, PostingId

URL = "https://boards.greenhouse.io/gitlab/jobs/8090211002"
PAGE = "https://gardens.example.org/jobs/head-gardener?utm_source=mail"


async def save(browser: Browser, url: str, **facts: str) -> dict:
    answer = await browser.ask("POST", "/postings", {"url": url, **facts})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_posting_the_catalog_knows_is_saved_as_that_posting(browser: Browser, posting: int):
    first = await save(browser, f"{URL}?gh_src=abc", title="Something else")
    assert first == {"posting_id": posting, "title": "Backend Engineer", "was_saved_before": False}
    assert (await save(browser, URL))["was_saved_before"] is True
    context = await browser.ask("GET", "/context", params={"url": URL})
    assert context.json()["is_saved"] is True


async def test_an_unknown_page_becomes_a_posting_that_its_finder_saved(
    browser: Browser, database: Database, account: AccountId, other_account: AccountId
):
    saved = await save(browser, PAGE, title=" Head  Gardener\x00 ", company="Green Ltd")
    again = await save(browser, PAGE.partition("?")[0], title="Another name")
    assert again == saved | {"was_saved_before": True}
    async with database.as_account(account) as unit:
        found = await posting_by_id(unit, PostingId(saved["posting_id"]))
        shelf = await postings_page(unit, Wanted(shelf="saved"))
    assert (found.platform, found.title, found.company) == ("web", "Head Gardener", "Green Ltd")
    assert found.vendor_id == found.canonical_url == "https://gardens.example.org/jobs/head-gardener"
    assert [one.id for one in shelf.items] == [found.id]
    async with database.as_account(other_account) as unit:
        assert (await postings_page(unit, Wanted(shelf="saved"))).items == []


async def test_a_platforms_posting_is_recorded_under_the_platforms_own_id(browser: Browser, owner_url: str):
    await save(browser, URL)
    with psycopg.connect(owner_url) as owner:
        rows = owner.execute("SELECT platform, vendor_id, board, title FROM postings").fetchall()
    assert rows == [("greenhouse", "8090211002", "gitlab", "boards.greenhouse.io")]


async def test_a_list_of_openings_is_no_posting(browser: Browser):
    refused = await browser.ask("POST", "/postings", {"url": "https://boards.greenhouse.io/gitlab"})
    assert (refused.status_code, refused.json()["code"]) == (400, "not_a_posting")


@pytest.mark.parametrize("url", ["about:blank", "javascript:alert(1)", "file:///etc/passwd"])
async def test_what_is_no_page_of_the_web_is_refused(browser: Browser, url: str):
    refused = await browser.ask("POST", "/postings", {"url": url})
    assert (refused.status_code, refused.json()["code"]) == (400, "no_web_address")


async def test_a_device_cannot_flood_the_catalog(browser: Browser, posting: int, clock: FixedClock):
    answers = [await browser.ask("POST", "/postings", {"url": URL}) for _ in range(SAVES.burst + 1)]
    assert [one.status_code for one in answers].count(429) == 1


def test_an_address_too_long_for_an_id_is_known_by_its_digest():
    address = posting_url(f"https://example.org/{'a' * 400}")
    assert address
    found = found_posting(address, title=None, company=None)
    assert found.vendor_id.startswith("sha256:")
    assert found.title == "example.org"
