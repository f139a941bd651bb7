"""What is known of a page: posting, application, profile revision, documents."""

import pytest
from fixtures.extension_client import Browser
from fixtures.people import FixedClock

from extension_api.documents.store import add_document
from extension_api.profiles.store import save_profile
from extension_api.profiles.types import Profile
from matcher.applications.store import dismiss, record_application
from matcher.applications.types import NewApplication
from matcher.merging import merge
from schema.db import Database
from schema.ids import AccountId, ApplicationId

URL = "https://boards.greenhouse.io/gitlab/jobs/8090211002"


async def context(browser: Browser, url: str) -> dict:
    answer = await browser.ask("GET", "/context", params={"url": url})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def applied(database: Database, clock: FixedClock, account: AccountId, url: str) -> ApplicationId:
    async with database.as_account(account) as unit:
        new = NewApplication(origin="manual", company="GitLab", url=url, applied_at=clock.now())
        return await record_application(unit, new, now=clock.now())


@pytest.mark.parametrize(
    "url", ["https://example.org/", "about:blank", "\x00", "x" * 4096, "https://boards.greenhouse.io/gitlab"]
)
async def test_of_an_unknown_page_nothing_is_known(browser: Browser, url: str):
    assert await context(browser, url) == {
        "posting": None,
        "application": None,
        "is_saved": False,
        "form": None,
        "drafts": [],
        "profile_revision": 0,
        "documents": [],
    }


async def test_a_posting_is_known_by_any_spelling_of_its_address(browser: Browser, posting: int):
    for url in (URL, f"{URL}?gh_src=abc#app", "https://job-boards.greenhouse.io/gitlab/jobs/8090211002"):
        assert (await context(browser, url))["posting"] == {
            "id": posting,
            "title": "Backend Engineer",
            "company": "GitLab",
            "closed_at": None,
        }


async def test_an_application_is_known_until_it_is_dismissed(
    browser: Browser, database: Database, clock: FixedClock, account: AccountId
):
    application = await applied(database, clock, account, URL)
    known = (await context(browser, URL))["application"]
    assert (known["id"], known["company"], known["status"]) == (application, "GitLab", None)
    async with database.as_account(account) as unit:
        await dismiss(unit, application, now=clock.now())
    assert (await context(browser, URL))["application"] is None


async def test_a_merged_record_leads_to_the_application_that_stands_for_it(
    browser: Browser, database: Database, clock: FixedClock, account: AccountId
):
    merged = await applied(database, clock, account, URL)
    async with database.as_account(account) as unit:
        new = NewApplication(origin="manual", company="GitLab Inc", role="Backend Engineer")
        stands = await record_application(unit, new, now=clock.now())
        await merge(unit, stands, merged, now=clock.now())
    assert (await context(browser, URL))["application"]["id"] == stands


async def test_anothers_application_is_not_known(
    browser: Browser, database: Database, clock: FixedClock, other_account: AccountId
):
    await applied(database, clock, other_account, URL)
    assert (await context(browser, URL))["application"] is None


async def test_the_persons_own_things_are_told(
    browser: Browser, database: Database, clock: FixedClock, account: AccountId
):
    async with database.as_account(account) as unit:
        now = clock.now()
        await save_profile(unit, revision=0, profile=Profile(first_name="Ada"), origin="form", now=now)
        document = await add_document(unit, kind="resume", file_name="cv.pdf", content=b"%PDF-1", now=now)
    told = await context(browser, URL)
    assert told["profile_revision"] == 1
    assert told["documents"] == [
        {
            "id": document,
            "kind": "resume",
            "file_name": "cv.pdf",
            "media_type": "application/pdf",
            "size_bytes": 6,
            "is_default": True,
        }
    ]


@pytest.mark.parametrize("params", [{}, {"url": ""}, {"url": "x" * 4097}])
async def test_an_address_is_needed_and_has_a_limit(browser: Browser, params: dict):
    refused = await browser.ask("GET", "/context", params=params)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
