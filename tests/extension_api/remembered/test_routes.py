"""Remembered answers over HTTP: kept, found, corrected, taken away, filled, and counted."""

from typing import Any

import httpx2
import pytest
from fixtures.extension_client import Browser
from fixtures.people import FixedClock

from extension_api.remembered import store
from schema.db import Database
from schema.ids import AccountId, AnswerId

URL = "https://boards.greenhouse.io/gitlab/jobs/8090211002"
ELSEWHERE = "https://boards.greenhouse.io/globex/jobs/17"
RELOCATE = {"key": "r", "label": "Are you willing to relocate?", "kind": "radio", "options": ["Yes", "No"]}
JAVA = {"key": "j", "label": "How many years of Java experience do you have?", "kind": "text"}


async def remember(
    browser: Browser, field: dict[str, Any], *given: str, url: str = URL, **more: Any
) -> httpx2.Response:
    body = {"url": url, "field": field, "given": list(given)} | more
    return await browser.ask("POST", "/answers", body)


async def line(browser: Browser, field: dict[str, Any], url: str = URL) -> dict[str, Any]:
    answer = await browser.ask("POST", "/resolve", {"url": url, "fields": [field]})
    assert answer.status_code == 200, answer.text
    return answer.json()["fields"][0] | {"fill_id": answer.json()["fill_id"]}


async def test_an_answer_is_kept_listed_and_filled_the_next_time(browser: Browser):
    kept = (await remember(browser, RELOCATE, "Yes")).json()
    assert (kept["revision"], kept["given"], kept["company"], kept["uses"]) == (1, ["Yes"], None, 0)
    assert (await browser.ask("GET", "/answers")).json() == {"answers": [kept], "next": None}
    told = await line(browser, RELOCATE | {"label": "Are you open to relocation? *"}, ELSEWHERE)
    assert (told["action"], told["option"], told["answer_id"]) == ("fill", "Yes", kept["id"])
    assert (told["source"], told["rule"], told["may_be_remembered"]) == (
        "answer",
        "remembered_same_words",
        True,
    )


async def test_the_same_question_again_changes_the_answer_and_repeating_it_changes_nothing(browser: Browser):
    await remember(browser, RELOCATE, "Yes")
    changed = (await remember(browser, RELOCATE | {"options": ["No", "Yes"]}, "No")).json()
    again = (await remember(browser, RELOCATE, "No")).json()
    assert (changed["revision"], again) == (2, changed)
    assert len((await browser.ask("GET", "/answers")).json()["answers"]) == 1


async def test_an_answer_for_one_employer_holds_there_and_comes_before_that_for_all(browser: Browser):
    await remember(browser, RELOCATE, "No")
    kept = (await remember(browser, RELOCATE, "Yes", scope="employer")).json()
    assert kept["company"] == "gitlab"
    assert (await line(browser, RELOCATE))["option"] == "Yes"
    assert (await line(browser, RELOCATE, ELSEWHERE))["option"] == "No"


async def test_an_employer_nobody_knows_is_refused(browser: Browser):
    refused = await remember(browser, RELOCATE, "Yes", url="https://jobs.example.org/7", scope="employer")
    assert (refused.status_code, refused.json()["code"]) == (400, "employer_unknown")
    titled = {"url": "https://jobs.example.org/7", "page_title": "Baker @ Initech", "scope": "employer"}
    assert (await remember(browser, RELOCATE, "Yes", **titled)).json()["company"] == "Initech"


async def test_a_stale_edit_is_a_conflict_and_a_fresh_one_another_revision(browser: Browser):
    kept = (await remember(browser, RELOCATE, "Yes")).json()
    edit = {"revision": 1, "given": ["No"]}
    path = f"/answers/{kept['id']}"
    assert (await browser.ask("PUT", path, edit)).json()["revision"] == 2
    refused = await browser.ask("PUT", path, edit | {"given": ["Maybe"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "stale_answer")
    refused = await browser.ask("DELETE", f"{path}?revision=1")
    assert (refused.status_code, refused.json()["code"]) == (409, "stale_answer")


async def test_an_edit_cannot_make_two_answers_to_one_question(browser: Browser):
    await remember(browser, RELOCATE, "No")
    kept = (await remember(browser, RELOCATE, "Yes", scope="employer")).json()
    edit = {"revision": 1, "given": ["Yes"], "scope": "everywhere"}
    refused = await browser.ask("PUT", f"/answers/{kept['id']}", edit)
    assert (refused.status_code, refused.json()["code"]) == (409, "answer_exists")


async def test_what_is_taken_away_is_filled_no_more_and_can_come_back(
    browser: Browser, database: Database, account: AccountId, clock: FixedClock
):
    kept = (await remember(browser, RELOCATE, "Yes")).json()
    assert (await browser.ask("DELETE", f"/answers/{kept['id']}?revision=1")).status_code == 204
    assert (await line(browser, RELOCATE))["action"] == "leave"
    async with database.as_account(account) as unit:
        await store.bring_back_answer(unit, AnswerId(kept["id"]), now=clock.now())
    assert (await line(browser, RELOCATE))["option"] == "Yes"


async def test_an_edit_can_be_taken_back(
    browser: Browser, database: Database, account: AccountId, clock: FixedClock
):
    kept = (await remember(browser, RELOCATE, "Yes")).json()
    await browser.ask("PUT", f"/answers/{kept['id']}", {"revision": 1, "given": ["No"]})
    async with database.as_account(account) as unit:
        back = await store.revert_answer(
            unit, AnswerId(kept["id"]), revision=2, to_revision=1, now=clock.now()
        )
    assert (back.revision, back.given) == (3, ["Yes"])


@pytest.mark.parametrize(
    ("field", "given", "said"),
    [
        ({"label": "Password", "kind": "text", "type": "password"}, "hunter2", "Passwords"),
        ({"label": "Social Security Number", "kind": "text"}, "1", "official"),
        ({"label": "IBAN", "kind": "text"}, "DE00", "card"),
        ({"label": "Date of birth", "kind": "text"}, "2000", "birth"),
        ({"label": "Gender", "kind": "select", "options": ["Male", "Female"]}, "Male", "profile"),
        ({"label": "I agree to the terms", "kind": "radio", "options": ["Yes", "No"]}, "Yes", "anew"),
        ({"label": "Emergency contact name", "kind": "text"}, "Eve", "somebody else"),
        ({"label": "If yes, please explain", "kind": "text"}, "so", "form around it"),
        ({"label": "Résumé", "kind": "file"}, "cv.pdf", "form around it"),
        ({"label": "Code name", "kind": "text"}, "4111 1111 1111 1111", "number of a card"),
        ({"label": "Code name", "kind": "text"}, " \x00 ", "empty"),
    ],
)
async def test_what_may_never_be_remembered_is_refused(
    browser: Browser, field: dict[str, Any], given: str, said: str
):
    refused = await remember(browser, {"key": "k"} | field, given)
    assert (refused.status_code, refused.json()["code"]) == (400, "answer_not_kept")
    assert said in refused.json()["detail"]


async def test_an_essay_is_kept_when_the_person_asks_for_it_but_never_offered(browser: Browser):
    essay = {"key": "e", "label": "Why do you like databases?", "kind": "textarea"}
    assert (await line(browser, essay))["may_be_remembered"] is False
    await remember(browser, essay, "Because of their constraints.")
    assert (await line(browser, essay))["value"] == "Because of their constraints."


async def test_only_what_a_report_says_was_filled_counts_as_a_use_and_once(browser: Browser):
    await remember(browser, RELOCATE, "Yes")
    await remember(browser, JAVA, "5")
    body = {"url": URL, "fields": [RELOCATE, JAVA]}
    fill = (await browser.ask("POST", "/resolve", body)).json()["fill_id"]
    for outcome in ("failed", "filled", "filled"):
        fields = [{"key": "r", "outcome": outcome}, {"key": "j", "outcome": "kept"}]
        assert (await browser.ask("POST", f"/fills/{fill}", {"fields": fields})).status_code == 204
    answers = (await browser.ask("GET", "/answers")).json()["answers"]
    assert {one["question"]: one["uses"] for one in answers} == {RELOCATE["label"]: 1, JAVA["label"]: 0}


async def test_the_list_goes_on_where_it_ended_and_finds_words(
    browser: Browser, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(store, "PAGE", 3)
    for at in range(5):
        clock.move(seconds=at % 2)
        await remember(browser, JAVA | {"label": f"Years of experience with tool{at}"}, f"{at}")
    first = (await browser.ask("GET", "/answers")).json()
    second = (await browser.ask("GET", f"/answers?after={first['next']}")).json()
    assert [one["given"][0] for one in first["answers"] + second["answers"]] == ["4", "3", "2", "1", "0"]
    assert (len(first["answers"]), second["next"]) == (3, None)
    found = (await browser.ask("GET", "/answers?find=TOOL3%20experience")).json()["answers"]
    assert [one["given"] for one in found] == [["3"]]
    refused = await browser.ask("GET", "/answers?after=nonsense")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")


async def test_beyond_five_thousand_answers_none_is_added(browser: Browser, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store, "MAX_ANSWERS", 1)
    await remember(browser, RELOCATE, "Yes")
    refused = await remember(browser, JAVA, "5")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_answers")
    assert (await remember(browser, RELOCATE, "No")).status_code == 200


@pytest.mark.parametrize(("method", "path"), [("PUT", "/answers/{}"), ("DELETE", "/answers/{}?revision=1")])
async def test_anothers_answer_answers_as_a_missing_one(
    browser: Browser, other_browser: Browser, method: str, path: str
):
    kept = (await remember(browser, RELOCATE, "Yes")).json()
    body = {"revision": 1, "given": ["No"]} if method == "PUT" else None
    foreign = await other_browser.ask(method, path.format(kept["id"]), body)
    missing = await other_browser.ask(method, path.format(kept["id"] + 999), body)
    assert (foreign.status_code, foreign.content) == (404, missing.content)
    assert (await other_browser.ask("GET", "/answers")).json()["answers"] == []
    assert (await line(other_browser, RELOCATE))["action"] == "leave"


async def test_hostile_text_is_kept_clean_or_refused(browser: Browser):
    kept = await remember(browser, RELOCATE | {"label": "Are\x00 you willing to relocate?"}, "Y\x00es")
    assert (kept.status_code, kept.json()["given"]) == (200, ["Yes"])
    assert (await browser.ask("GET", "/answers?find=%00")).status_code == 200
    assert (await browser.ask("PUT", f"/answers/{2**70}", {"revision": 1, "given": ["x"]})).status_code in {
        400,
        404,
    }


async def test_a_form_of_three_hundred_hostile_fields_is_answered(browser: Browser):
    await remember(browser, RELOCATE, "Yes")
    letters = ["a" * 2000, "a " * 1000, "(" * 2000, "no " * 600, "1," * 1000, "\x00" * 2000, "é́" * 900]
    fields = [
        {"key": str(at), "label": letters[at % len(letters)], "kind": "radio", "options": ["Yes", "No"]}
        for at in range(300)
    ]
    answer = await browser.ask("POST", "/resolve", {"url": URL, "fields": fields})
    assert answer.status_code == 200
    assert {one["action"] for one in answer.json()["fields"]} == {"leave"}
