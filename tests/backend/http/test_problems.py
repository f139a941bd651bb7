"""Whatever goes wrong is a problem for a program and a calm page for a person."""

import httpx2
from fixtures.app import PAGE


async def test_an_unknown_path_is_a_problem(visitor: httpx2.AsyncClient):
    answer = await visitor.get("/api/nothing-here")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"
    assert answer.json()["request_id"] == answer.headers["x-request-id"]


async def test_an_unknown_page_is_a_page(visitor: httpx2.AsyncClient):
    answer = await visitor.get("/nothing-here", headers=PAGE)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "<h1>" in answer.text


async def test_a_signed_in_person_sees_today(client: httpx2.AsyncClient):
    answer = await client.get("/", headers=PAGE)
    assert answer.status_code == 200, answer.text
    assert "Today" in answer.text


async def test_a_visitor_is_sent_to_the_door(visitor: httpx2.AsyncClient):
    answer = await visitor.get("/", headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
