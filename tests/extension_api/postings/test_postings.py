"""Saving from the page: a known posting is saved, an unknown page is kept for the person alone."""

import psycopg
import pytest
from fixtures.extension_client import Browser
from fixtures.people import FixedClock

from extension_api.postings.routes import SAVES
from pipeline.catalog.search.store import postings_page
from pipeline.catalog.types import Wanted
from pipeline.kept.store import own_posting
from schema.db import Database
from schema.ids import AccountId, OwnPostingId

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


async def test_an_unknown_page_is_kept_for_its_finder_alone(
    browser: Browser, database: Database, account: AccountId, other_account: AccountId, owner_url: str
):
    saved = await save(browser, PAGE, title=" Head  Gardener\x00 ", company="Green Ltd")
    again = await save(browser, PAGE.partition("?")[0], title="Another name")
    assert saved == {"posting_id": None, "title": "Head Gardener", "was_saved_before": False}
    assert again == saved | {"was_saved_before": True}
    async with database.as_account(account) as unit:
        [shown] = (await postings_page(unit, Wanted(shelf="saved"))).items
        own = await own_posting(unit, OwnPostingId(shown.id))
    assert (shown.is_own, shown.title, shown.company, shown.board) == (
        True,
        "Head Gardener",
        "Green Ltd",
        "gardens.example.org",
    )
    assert (own.url, own.facts_from, own.look) == (
        "https://gardens.example.org/jobs/head-gardener",
        "browser",
        "never",
    )
    async with database.as_account(other_account) as unit:
        assert (await postings_page(unit, Wanted(shelf="saved"))).items == []
    with psycopg.connect(owner_url) as owner:
        assert owner.execute("SELECT count(*) FROM postings").fetchone() == (0,)
    context = await browser.ask("GET", "/context", params={"url": PAGE})
    assert (context.json()["is_saved"], context.json()["posting"]) == (True, None)


async def test_a_platforms_page_that_no_board_shows_is_read_for_the_person(browser: Browser, owner_url: str):
    await save(browser, URL)
    with psycopg.connect(owner_url) as owner:
        kept = owner.execute("SELECT title, look FROM own_postings").fetchall()
        asked = owner.execute("SELECT kind FROM tasks").fetchall()
    assert kept == [("job-boards.greenhouse.io", "waits")]
    assert ("own.read.v1",) in asked


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
