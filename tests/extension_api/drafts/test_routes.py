"""Drafts as the extension asks for them: opened, edited, accepted, written, and never overwritten."""

from collections.abc import AsyncGenerator

import httpx2
import pytest
from fixtures.drafting import QUESTION, URL
from fixtures.extension_client import Browser, extension_app, new_code
from fixtures.people import FixedClock
from fixtures.worker import Tasks

from extension_api.drafts import rules
from extension_api.drafts.acting import WRITINGS
from extension_api.drafts.store import let_model_write, versions
from pipeline.usage.store import set_switch
from schema.db import Database
from schema.ids import AccountId, DraftId
from schema.settings import ModelSettings

MODEL = ModelSettings(key="k", name="small-one")


@pytest.fixture
async def browser(database: Database, clock: FixedClock, writer: AccountId) -> AsyncGenerator[Browser]:
    """A browser of somebody who lets a model write, on an installation that has one."""
    transport = httpx2.ASGITransport(app=extension_app(database, clock, MODEL))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as opened:
        paired = Browser(opened)
        assert (await paired.pair_with(await new_code(database, clock, writer))).status_code == 200
        yield paired


async def ask(browser: Browser, question: str = QUESTION, **more: object) -> dict:
    answer = await browser.ask("POST", "/drafts", {"url": URL, "question": question, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def put(browser: Browser, draft: dict, text: str, **more: object) -> httpx2.Response:
    body = {"generation": draft["generation"], "text": text, **more}
    return await browser.ask("PUT", f"/drafts/{draft['id']}", body)


async def edited(browser: Browser, draft: dict, text: str, **more: object) -> dict:
    answer = await put(browser, draft, text, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_question_gets_one_draft_however_it_is_spelled(
    browser: Browser, described_posting: int, tasks: Tasks
):
    first = await ask(browser, max_chars=100, page_title="Some page")
    assert (first["company"], first["role"], first["state"]) == ("Engines Inc", "Engineer", "writing")
    assert first["can_write"] is True
    again = await ask(browser, "  why do you want to work here ", max_chars=90)
    assert (again["id"], again["question"], again["max_chars"]) == (first["id"], QUESTION, 90)
    assert await tasks.fetch("SELECT payload FROM tasks WHERE kind = 'draft.write.v1'") == [
        (b'{"ask": 1, "draft_id": %d}' % first["id"],)
    ]
    for path, read in (("/drafts", "drafts"), ("/context", "drafts")):
        told = (await browser.ask("GET", path, params={"url": f"{URL}?utm_source=x"})).json()
        assert [(one["id"], one["can_write"]) for one in told[read]] == [(first["id"], True)]
    assert (await browser.ask("GET", f"/drafts/{first['id']}")).json() == again


async def test_an_empty_page_where_nothing_is_to_be_written(browser: Browser, tasks: Tasks):
    draft = await ask(browser, write=False)
    assert (draft["state"], draft["generation"], draft["text"]) == ("empty", 0, "")
    assert await tasks.fetch("SELECT 1 FROM tasks WHERE kind = 'draft.write.v1'") == []
    assert (await ask(browser))["state"] == "writing"


async def test_without_leave_or_with_the_switch_off_there_is_a_plain_page(
    browser: Browser, database: Database, writer: AccountId, clock: FixedClock
):
    async with database.as_fleet() as unit:
        await set_switch(unit, allowed=False, actor="ada", reason="stop", now=clock.now())
    draft = await ask(browser)
    assert (draft["state"], draft["can_write"]) == ("empty", False)
    refused = await browser.ask("POST", f"/drafts/{draft['id']}/write", {"generation": 0})
    assert (refused.status_code, refused.json()["code"]) == (409, "draft_cannot_be_written")
    async with database.as_fleet() as unit:
        await set_switch(unit, allowed=True, actor="ada", reason="go on", now=clock.now())
    async with database.as_account(writer) as unit:
        await let_model_write(unit, allowed=False, now=clock.now())
    assert (await ask(browser))["can_write"] is False


async def test_an_edit_is_in_force_and_the_same_edit_again_changes_nothing(browser: Browser):
    draft = await ask(browser, write=False)
    mine = await edited(browser, draft, " Mine.\r\n ")
    assert (mine["text"], mine["author"], mine["state"]) == ("Mine.", "person", "ready")
    assert (mine["generation"], mine["is_accepted"]) == (1, False)
    assert (await edited(browser, draft, "Mine."))["generation"] == 1
    accepted = await edited(browser, mine, "Mine.", is_accepted=True)
    assert (accepted["generation"], accepted["is_accepted"]) == (1, True)
    emptied = await edited(browser, accepted, "", is_accepted=True)
    assert (emptied["state"], emptied["is_accepted"]) == ("empty", False)


async def test_an_edit_of_a_changed_draft_is_refused_and_both_texts_are_kept(
    browser: Browser, database: Database, writer: AccountId
):
    draft = await ask(browser, write=False)
    await edited(browser, draft, "From the page.")
    for _ in range(2):
        refused = await put(browser, draft, "From the panel.")
        assert (refused.status_code, refused.json()["code"]) == (409, "draft_changed")
    now = (await browser.ask("GET", f"/drafts/{draft['id']}")).json()
    assert (now["text"], now["generation"]) == ("From the page.", 1)
    async with database.as_account(writer) as unit:
        kept = [each.text for each in await versions(unit, DraftId(draft["id"]))]
    assert kept == ["From the panel.", "From the page."]


async def test_one_more_version_is_asked_for_once_at_a_time(browser: Browser, tasks: Tasks):
    draft = await edited(browser, await ask(browser, write=False), "Mine.")
    path = f"/drafts/{draft['id']}/write"
    for _ in range(2):
        asked = await browser.ask("POST", path, {"generation": 1, "replace": True})
        assert (asked.status_code, asked.json()["state"], asked.json()["text"]) == (200, "writing", "Mine.")
    assert await tasks.fetch("SELECT count(*) FROM tasks WHERE kind = 'draft.write.v1'") == [(1,)]
    stale = await browser.ask("POST", path, {"generation": 0})
    assert (stale.status_code, stale.json()["code"]) == (409, "draft_changed")


async def test_there_are_limits(browser: Browser, monkeypatch: pytest.MonkeyPatch):
    draft = await ask(browser, write=False)
    monkeypatch.setattr("extension_api.drafts.acting.MOST_DRAFTS", 1)
    refused = await browser.ask("POST", "/drafts", {"url": URL, "question": "Another?"})
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_drafts")
    assert (await ask(browser, write=False))["id"] == draft["id"]
    monkeypatch.setattr("extension_api.drafts.acting.MOST_VERSIONS", 1)
    refused = await put(browser, await edited(browser, draft, "One."), "Two.")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_versions")
    for body in ({"text": "x" * 50_001}, {"generation": -1}, {"more": 1}):
        whole = {"generation": 0, "text": "x", **body}
        refused = await browser.ask("PUT", f"/drafts/{draft['id']}", whole)
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert rules.MOST_DRAFTS == 500


async def test_asking_without_end_is_refused(browser: Browser):
    draft = await ask(browser, write=False)
    path = f"/drafts/{draft['id']}/write"
    codes = [
        (await browser.ask("POST", path, {"generation": 0})).status_code for _ in range(WRITINGS.burst + 1)
    ]
    assert codes.count(429) == 1


@pytest.mark.parametrize(
    ("method", "rest", "body"),
    [
        ("GET", "", None),
        ("PUT", "", {"generation": 0, "text": "x"}),
        ("POST", "/write", {"generation": 0}),
    ],
)
async def test_anothers_draft_answers_as_a_missing_one(
    browser: Browser, other_browser: Browser, method: str, rest: str, body: dict | None
):
    draft = await ask(browser, write=False)
    theirs = await other_browser.ask(method, f"/drafts/{draft['id']}{rest}", body)
    missing = await other_browser.ask(method, f"/drafts/999999{rest}", body)
    assert theirs.status_code == missing.status_code == 404
    assert theirs.json() == missing.json()


async def test_an_address_that_is_none_has_no_drafts(browser: Browser):
    assert (await browser.ask("GET", "/drafts", params={"url": "about:blank"})).json() == {"drafts": []}
    refused = await browser.ask("POST", "/drafts", {"url": "about:blank", "question": "Why?"})
    assert (refused.status_code, refused.json()["code"]) == (400, "no_web_address")
