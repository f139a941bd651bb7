"""Whatever goes wrong is a problem for a program and a calm page for a person, and says nothing inside."""

from collections.abc import AsyncGenerator

import httpx2
import msgspec
import psycopg
import pytest
import structlog
from fixtures.app import PAGE, app_of, browsing, running
from fixtures.people import FixedClock
from litestar import Litestar, get

from backend.app import create_app
from backend.http.problems import STATUS, Problem
from schema.errors import Kind, every_refusal
from schema.settings import Settings

CANARY = "canary-dear-candidate-5d1e"


@get("/api/broken", include_in_schema=False)
async def broken() -> None:
    raise ValueError(CANARY)


@get("/api/broken-sql", include_in_schema=False)
async def broken_sql() -> None:
    raise psycopg.errors.CheckViolation(CANARY)


@get("/broken-page", include_in_schema=False)
async def broken_page() -> None:
    raise ValueError(CANARY)


@pytest.fixture
async def broken_app(settings: Settings, clock: FixedClock) -> AsyncGenerator[Litestar]:
    """An app of its own, with routes that fail."""
    made = create_app(settings, clock=clock)
    for handler in (broken, broken_sql, broken_page):
        made.register(handler)
    async with running(made):
        yield made


def problem(answer: httpx2.Response) -> Problem:
    assert answer.headers["content-type"] == "application/problem+json"
    found = msgspec.json.decode(answer.content, type=Problem)
    assert found.status == answer.status_code
    assert found.request_id == answer.headers["x-request-id"]
    return found


def test_every_kind_of_refusal_has_its_own_status():
    kinds = set(Kind.__args__)  # pyright: ignore
    assert set(STATUS) == kinds
    assert len(set(STATUS.values())) == len(kinds)


def test_every_refusal_has_a_code_and_a_sentence():
    for refusal in every_refusal():
        assert refusal.code.replace("_", "").isalnum(), refusal
        assert refusal.title().endswith("."), refusal


@pytest.mark.parametrize("path", ["/api/nothing-here", "/api", "/api/sessions/", "/nothing", "/api/openapi"])
async def test_an_unknown_path_is_a_problem(visitor: httpx2.AsyncClient, path: str):
    answer = await visitor.get(path)
    assert answer.status_code == 404 or path == "/api/sessions/"
    assert problem(answer).code in {"not_found", "sign_in_needed"}


async def test_an_unknown_page_is_a_page(visitor: httpx2.AsyncClient):
    answer = await visitor.get("/nothing-here", headers=PAGE)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["x-request-id"] in answer.text


async def test_the_api_answers_problems_to_browsers_too(visitor: httpx2.AsyncClient):
    assert problem(await visitor.get("/api/me", headers=PAGE)).code == "sign_in_needed"


async def test_a_wrong_method_names_the_right_ones(visitor: httpx2.AsyncClient):
    answer = await visitor.delete("/livez")
    assert problem(answer).code == "method_not_allowed"
    assert "GET" in answer.headers["allow"]


async def test_a_body_that_does_not_fit_names_its_field(client: httpx2.AsyncClient):
    answer = await client.patch("/api/me", json={"display_name": 7})
    assert answer.status_code == 400
    assert (problem(answer).code, problem(answer).field) == ("invalid", "display_name")


async def test_an_unknown_field_is_named(client: httpx2.AsyncClient):
    answer = await client.patch("/api/me", json={"is_operator": True})
    assert answer.status_code == 400
    assert "is_operator" in problem(answer).detail


async def test_a_rule_that_refuses_names_its_field(client: httpx2.AsyncClient):
    answer = await client.patch("/api/me", json={"time_zone": "Mars/Olympus"})
    assert (answer.status_code, problem(answer).field) == (400, "time_zone")


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b'{"a": 1}]', b"null", b"[]", b'"text"', b"1e999"])
async def test_a_body_that_is_no_json_object_is_refused(client: httpx2.AsyncClient, body: bytes):
    answer = await client.patch("/api/me", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert problem(answer).code in {"invalid", "malformed"}


@pytest.mark.parametrize(
    "kind", ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded", ""]
)
async def test_json_under_another_name_is_refused(client: httpx2.AsyncClient, kind: str):
    answer = await client.patch("/api/me", content=b'{"display_name": "X"}', headers={"content-type": kind})
    assert (answer.status_code, problem(answer).code) == (415, "unsupported_media_type")


async def test_a_name_of_a_megabyte_is_refused_by_its_field(client: httpx2.AsyncClient):
    answer = await client.patch("/api/me", json={"display_name": "x" * 1_000_000})
    assert (answer.status_code, problem(answer).field) == (400, "display_name")


async def test_a_body_beyond_every_measure_is_too_large(client: httpx2.AsyncClient):
    answer = await client.patch("/api/me", json={"display_name": "x" * 3_000_000})
    assert (answer.status_code, problem(answer).code) == (413, "too_large")


async def test_the_last_of_two_equal_keys_counts(client: httpx2.AsyncClient):
    body = b'{"display_name": "First", "display_name": "Last"}'
    answer = await client.patch("/api/me", content=body, headers={"content-type": "application/json"})
    assert answer.json()["display_name"] == "Last"


@pytest.mark.parametrize("name", ["a\x00b", "\x00", "\ud800x"])
async def test_what_no_column_can_hold_never_breaks_the_api(client: httpx2.AsyncClient, name: str):
    body = msgspec.json.encode({"display_name": "X"}).replace(
        b'"X"', ('"' + "".join(f"\\u{ord(c):04x}" for c in name) + '"').encode()
    )
    answer = await client.patch("/api/me", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in {200, 400}


@pytest.mark.parametrize("handler", [broken, broken_sql])
async def test_an_unexpected_fault_is_logged_once_and_told_without_its_message(
    broken_app: Litestar, capsys: pytest.CaptureFixture[str], handler
):
    with structlog.testing.capture_logs() as events:
        async with browsing(broken_app) as visitor:
            answer = await visitor.get(next(iter(handler.paths)))
    assert (answer.status_code, problem(answer).code) == (500, "internal_error")
    faults = [event for event in events if event["event"] == "unexpected fault"]
    assert len(faults) == 1
    assert "test_problems.py" in faults[0]["fault"]
    assert CANARY not in answer.text + repr(events) + "".join(capsys.readouterr())


async def test_an_unexpected_fault_on_a_page_says_what_to_do(broken_app: Litestar):
    async with browsing(broken_app) as visitor:
        answer = await visitor.get("/broken-page", headers=PAGE)
    assert answer.status_code == 500
    assert "Try again" in answer.text
    assert CANARY not in answer.text


async def test_a_database_that_is_away_is_said_so_in_time(settings: Settings, clock: FixedClock):
    away = msgspec.structs.replace(
        settings.database, url="postgresql://jobtrail@127.0.0.1:1/none", pool_timeout_seconds=0.2
    )
    app = app_of(msgspec.structs.replace(settings, database=away), clock)
    async with running(app), browsing(app, "some-token") as client:
        answer = await client.get("/api/me")
        assert (answer.status_code, problem(answer).code) == (503, "database_unavailable")
        ready = await client.get("/readyz")
        assert (ready.status_code, ready.json()["code"]) == (503, "not_ready")
        assert (await client.get("/livez")).status_code == 200
        page = await client.get("/", headers=PAGE)
        assert page.status_code == 503
        assert "load this page again" in page.text


async def test_a_page_refused_on_post_says_that_nothing_was_changed(client: httpx2.AsyncClient):
    answer = await client.post("/settings/devices/77/revoke", headers=PAGE)
    assert answer.status_code == 404
    assert "Nothing was changed" in answer.text
