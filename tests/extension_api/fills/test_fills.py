"""From a form to a plan, a report and an application, over HTTP and the real database."""

import asyncio
from typing import Any

import httpx2
import msgspec
import psycopg
import pytest
from fixtures.extension_client import Browser
from fixtures.people import FixedClock

from extension_api.documents.store import add_document
from extension_api.fills.routes import RESOLVES
from extension_api.fills.rules import page_address
from extension_api.pairing.exchange import revoke
from extension_api.profiles.store import save_profile
from extension_api.profiles.types import Profile
from matcher.applications.store import record_application
from matcher.applications.types import NewApplication
from schema.db import Database
from schema.ids import AccountId, DeviceId

URL = "https://boards.greenhouse.io/gitlab/jobs/8090211002"
FIELDS = [
    {"key": "first", "label": "First Name", "kind": "text"},
    {"key": "cv", "label": "Resume/CV", "kind": "file"},
    {"key": "terms", "label": "I agree to the terms", "kind": "checkbox"},
]


def submission(**more: Any) -> dict[str, Any]:
    return {
        "url": URL + "/confirmation",
        "submitted_at": "2026-03-02T09:00:00Z",
        "evidence": {"kind": "confirmation_page", "text": "Thank you for applying"},
    } | more


async def resolved(browser: Browser, url: str = URL, fields: list[dict] | None = None, **more: Any) -> int:
    answer = await browser.ask("POST", "/resolve", {"url": url, "fields": fields or FIELDS} | more)
    assert answer.status_code == 200, answer.text
    return answer.json()["fill_id"]


async def submit(browser: Browser, fill: int, **more: Any) -> httpx2.Response:
    return await browser.ask("POST", f"/fills/{fill}/submitted", submission(**more))


def rows(owner_url: str, sql: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(owner_url) as owner:
        return owner.execute(sql).fetchall()  # pyright: ignore


@pytest.fixture
async def person(database: Database, clock: FixedClock, account: AccountId) -> int:
    """Ada has a profile and a résumé; the résumé's id."""
    async with database.as_account(account) as unit:
        now = clock.now()
        await save_profile(unit, revision=0, profile=Profile(first_name="Ada"), origin="form", now=now)
        return await add_document(unit, kind="resume", file_name="cv.pdf", content=b"%PDF-1", now=now)


async def test_a_plan_answers_every_field_and_is_kept(browser: Browser, person: int, owner_url: str):
    answer = await browser.ask("POST", "/resolve", {"url": URL, "page_title": "Apply", "fields": FIELDS})
    told = answer.json()
    assert told["platform"] == "greenhouse"
    assert [(line["key"], line["action"]) for line in told["fields"]] == [
        ("first", "fill"),
        ("cv", "fill"),
        ("terms", "leave"),
    ]
    assert (told["fields"][0]["value"], told["fields"][1]["document_id"]) == ("Ada", person)
    assert told["fields"][2]["reason"] == "consent"
    ((device, vendor_id, revision, plan),) = rows(
        owner_url, "SELECT device_id, vendor_id, profile_revision, plan::text FROM fills"
    )
    assert (device, vendor_id, revision) == (browser.device_id, "8090211002", 1)
    assert msgspec.json.decode(plan) == told["fields"]


async def test_a_report_is_kept_and_a_later_one_replaces_it(browser: Browser, owner_url: str):
    fill = await resolved(browser)
    for outcome in ("failed", "filled"):
        body = {"fields": [{"key": "first", "outcome": outcome, "detail": "not_accepted"}]}
        assert (await browser.ask("POST", f"/fills/{fill}", body)).status_code == 204
    assert rows(owner_url, "SELECT report->0->>'outcome' FROM fills") == [("filled",)]


async def test_a_submission_becomes_an_application_with_its_work(browser: Browser, owner_url: str):
    fill = await resolved(browser, page_title="Job Application for Backend Engineer at GitLab")
    answer = await submit(browser, fill)
    assert answer.status_code == 200
    application = answer.json()["application_id"]
    recorded = "SELECT id, origin, company, role, platform, board, vendor_id, canonical_url FROM applications"
    assert rows(owner_url, recorded) == [
        (
            *(application, "extension", "GitLab", "Backend Engineer"),
            *("greenhouse", "gitlab", "8090211002", page_address(URL).canonical),
        )
    ]
    assert ("match.account.v1",) in rows(owner_url, "SELECT DISTINCT kind FROM tasks")
    assert rows(owner_url, "SELECT application_id, submission->'evidence'->>'kind' FROM fills") == [
        (application, "confirmation_page")
    ]


async def test_telling_it_again_answers_the_same_and_changes_nothing(
    browser: Browser, clock: FixedClock, owner_url: str
):
    fill = await resolved(browser)
    first = (await submit(browser, fill)).json()
    clock.move(days=60)
    assert (await submit(browser, fill, company="Another name")).json() == first
    assert rows(owner_url, "SELECT count(*) FROM applications") == [(1,)]


async def test_told_twice_at_once_it_is_one_application(browser: Browser, owner_url: str):
    fill = await resolved(browser)
    answers = await asyncio.gather(*(submit(browser, fill) for _ in range(4)))
    assert len({answer.text for answer in answers}) == 1
    assert rows(owner_url, "SELECT count(*) FROM applications") == [(1,)]


async def test_two_fills_of_one_posting_are_one_application(browser: Browser, owner_url: str):
    first = await submit(browser, await resolved(browser))
    second = await submit(browser, await resolved(browser, url=URL + "?gh_src=abc"))
    assert first.json() == second.json()


async def test_a_posting_of_the_catalog_gives_its_names_and_its_tracked_application(
    browser: Browser, posting: int, database: Database, clock: FixedClock, account: AccountId, owner_url: str
):
    async with database.as_account(account) as unit:
        new = NewApplication(origin="tracker", url=URL)
        tracked = await record_application(unit, new, now=clock.now())
    answer = await submit(browser, await resolved(browser))
    assert answer.json() == {"application_id": tracked}
    assert rows(owner_url, "SELECT company, role, posting_id FROM applications") == [
        ("GitLab", "Backend Engineer", posting)
    ]
    assert rows(owner_url, "SELECT posting_id FROM fills") == [(posting,)]


async def test_an_unknown_company_stays_unknown(browser: Browser, owner_url: str):
    page = "https://careers.example.org/jobs/7"
    await submit(browser, await resolved(browser, url=page), url=f"{page}/thanks")
    assert rows(owner_url, "SELECT company, role, platform FROM applications") == [(None, None, None)]


async def test_an_open_page_hears_of_the_application(browser: Browser, account: AccountId, owner_url: str):
    fill = await resolved(browser)
    with psycopg.connect(owner_url, autocommit=True) as listener:
        listener.execute("LISTEN jobtrail_live")
        await submit(browser, fill)
        heard = await asyncio.to_thread(lambda: list(listener.notifies(timeout=10, stop_after=1)))
    hints = [msgspec.json.decode(note.payload) for note in heard]
    assert (hints[0]["account_id"], hints[0]["topic"]) == (account, "applications")


@pytest.mark.parametrize("path", ["", "/submitted"])
async def test_anothers_fill_answers_as_a_missing_one(
    browser: Browser, other_browser: Browser, path: str, owner_url: str
):
    fill = await resolved(browser)
    body = submission() if path else {"fields": []}
    foreign = await other_browser.ask("POST", f"/fills/{fill}{path}", body)
    missing = await other_browser.ask("POST", f"/fills/{fill + 1000}{path}", body)
    assert (foreign.status_code, foreign.content) == (404, missing.content)
    assert rows(owner_url, "SELECT reported_at, submitted_at FROM fills") == [(None, None)]


async def test_a_device_revoked_between_plan_and_report_is_refused(
    browser: Browser, database: Database, clock: FixedClock, account: AccountId, owner_url: str
):
    fill = await resolved(browser)
    async with database.as_account(account) as unit:
        await revoke(unit, DeviceId(browser.device_id), clock.now())
    for path, body in ((f"/fills/{fill}", {"fields": []}), (f"/fills/{fill}/submitted", submission())):
        refused = await browser.ask("POST", path, body)
        assert (refused.status_code, refused.json()["code"]) == (401, "device_revoked")
    assert rows(owner_url, "SELECT count(*) FROM applications") == [(0,)]


async def test_a_hundred_plans_a_minute_and_no_more(browser: Browser, owner_url: str):
    assert (RESOLVES.burst, RESOLVES.burst * RESOLVES.seconds_each) == (100, 60)
    body = {"url": URL, "fields": []}

    async def after(seconds: float) -> httpx2.Response:
        """A plan when the device's bucket is empty again in so many seconds, by the database's clock."""
        with psycopg.connect(owner_url, autocommit=True) as owner:
            owner.execute(
                "UPDATE throttles SET full_at = clock_timestamp() + make_interval(secs => %s)"
                " WHERE bucket LIKE 'extension.resolve%%'",
                (seconds,),
            )
        return await browser.ask("POST", "/resolve", body)

    assert (await after(0)).status_code == 200
    assert (await after(30)).status_code == 200
    refused = await after(90)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_resolves")
    assert 10 <= int(refused.headers["retry-after"]) <= 31
    assert rows(owner_url, "SELECT count(*) FROM fills") == [(2,)]
    assert (await after(0)).status_code == 200


async def test_nul_characters_do_no_harm_anywhere(browser: Browser, owner_url: str):
    nul = "a\x00b"
    field = {
        "key": nul,
        "label": f"Coun\x00try{nul[1]}",
        "kind": "select",
        "type": nul,
        "name": nul,
        "autocomplete": nul,
        "group": nul,
        "section": nul,
        "options": [nul, "Yes\x00"],
    }
    body = {"url": f"{URL}?x={nul}", "page_title": nul, "fields": [field]}
    answer = await browser.ask("POST", "/resolve", body)
    assert answer.status_code == 200
    assert answer.json()["fields"][0]["key"] == nul
    fill = answer.json()["fill_id"]
    report = {"fields": [{"key": nul, "outcome": "failed", "detail": nul}]}
    assert (await browser.ask("POST", f"/fills/{fill}", report)).status_code == 204
    told = await submit(
        browser,
        fill,
        url=f"{URL}#{nul}",
        company=nul,
        title=nul,
        requisition_id=nul,
        evidence={"kind": "person_said", "text": nul},
    )
    assert told.status_code == 200
    assert rows(owner_url, "SELECT company, role FROM applications") == [("ab", "ab")]


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        ({"fields": [FIELDS[0]] * 301}, 400, "fields"),
        ({"fields": [FIELDS[0] | {"label": "x" * 2001}]}, 400, "label"),
        ({"fields": [FIELDS[0] | {"value": "typed"}]}, 400, "value"),
        ({"url": "about:blank"}, 400, "url"),
        ({"url": "x" * 4097}, 400, "url"),
        ({"page_title": "x" * 2_000_000}, 413, "too_large"),
    ],
)
async def test_what_breaks_a_limit_is_refused_by_name(browser: Browser, change: dict, status: int, said: str):
    refused = await browser.ask("POST", "/resolve", {"url": URL, "fields": FIELDS} | change)
    assert refused.status_code == status
    assert said in refused.text


@pytest.mark.parametrize("when", ["2026-03-02T09:00:00", "yesterday", "", [], None, "9999-99-99T00:00:00Z"])
async def test_a_time_without_a_zone_or_sense_is_refused(browser: Browser, when: object):
    refused = await submit(browser, await resolved(browser), submitted_at=when)
    assert (refused.status_code, "submitted_at" in refused.text) == (400, True)


async def test_a_browser_whose_clock_is_far_off_is_recorded_within_reason(
    browser: Browser, clock: FixedClock, owner_url: str
):
    fill = await resolved(browser)
    clock.move(minutes=5)
    await submit(browser, fill, submitted_at="2099-01-01T00:00:00Z")
    assert rows(owner_url, "SELECT applied_at = submitted_at FROM applications, fills") == [(True,)]
    assert rows(owner_url, "SELECT applied_at::text FROM applications") == [("2026-03-02 09:05:00+00",)]


async def test_only_a_paired_device_asks(stranger: Browser):
    for path, body in (("/resolve", {"url": URL, "fields": []}), ("/fills/1", {"fields": []})):
        assert (await stranger.ask("POST", path, body)).status_code == 401
