"""The profile over HTTP: revisions, refusals that name the field, and a size limit."""

from typing import Any

import httpx2
import pytest
from fixtures.extension_client import Browser


async def put(browser: Browser, revision: int, profile: dict[str, Any]) -> httpx2.Response:
    return await browser.ask("PUT", "/profile", {"revision": revision, "profile": profile})


async def test_a_profile_is_saved_and_read_back(browser: Browser):
    assert (await browser.ask("GET", "/profile")).json()["revision"] == 0
    saved = await put(browser, 0, {"first_name": " Ada ", "skills": ["Sums"]})
    assert (saved.status_code, saved.json()["revision"]) == (200, 1)
    read = (await browser.ask("GET", "/profile")).json()
    assert read == saved.json()
    assert read["profile"]["first_name"] == "Ada"


async def test_a_stale_edit_is_a_conflict_that_says_the_fresh_revision(browser: Browser):
    await put(browser, 0, {"first_name": "Ada"})
    refused = await put(browser, 0, {"first_name": "Eve"})
    assert (refused.status_code, refused.json()["code"]) == (409, "stale_profile")
    assert "now 1" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("profile", "field", "said"),
    [
        ({"nickname": "A"}, "profile", "nickname"),
        ({"links": {"myspace": "x"}}, "profile.links", "myspace"),
        ({"first_name": "x" * 1_000_000}, "profile.first_name", "200"),
        ({"work": [{"title": 3}]}, "profile.work", "str"),
        ({"email": "nonsense"}, "email", "e-mail address"),
    ],
)
async def test_a_fault_is_named_with_its_place(browser: Browser, profile: dict, field: str, said: str):
    refused = await put(browser, 0, profile)
    assert refused.status_code == 400
    body = refused.json()
    assert field in f"{body.get('field')} {body['detail']}"
    assert said in body["detail"]


async def test_a_body_beyond_the_limit_is_too_large(browser: Browser):
    refused = await put(browser, 0, {"summary": "x" * 2_000_000})
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"null", b"[]", b'{"revision":1e400}', b"\xff", b"[" * 100_000]
)
async def test_a_body_that_is_no_request_is_a_bad_request(browser: Browser, content: bytes):
    answer = await browser.client.put("/api/extension/profile", content=content, headers=browser.headers)
    assert answer.status_code == 400


async def test_nul_characters_are_dropped_everywhere(browser: Browser):
    saved = await put(browser, 0, {"first_name": "A\x00da", "work": [{"title": "\x00", "summary": "a\x00b"}]})
    assert saved.json()["profile"]["first_name"] == "Ada"
    assert saved.json()["profile"]["work"][0]["summary"] == "ab"


async def test_each_account_has_its_own_profile(browser: Browser, other_browser: Browser):
    await put(browser, 0, {"first_name": "Ada"})
    assert (await other_browser.ask("GET", "/profile")).json()["revision"] == 0
