"""What every answer carries, whoever gave it, and what the log may know about it."""

import re

import httpx2
import pytest
import structlog
from fixtures.app import PAGE, browsing
from litestar import Litestar

CANARY = "canary-9e1d-secret"
EVERYWHERE = [
    "/",
    "/sign-in",
    "/nothing",
    "/api/me",
    "/api/nothing",
    "/livez",
    "/static/app.css",
    "/static/none",
]
EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"


@pytest.mark.parametrize("path", EVERYWHERE)
async def test_every_answer_is_locked_down(visitor: httpx2.AsyncClient, path: str):
    headers = (await visitor.get(path, headers=PAGE)).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert re.fullmatch("[0-9a-f]{16}", headers["x-request-id"])
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


async def test_private_answers_are_not_stored_and_styles_are(client: httpx2.AsyncClient):
    page = await client.get("/", headers=PAGE)
    assert page.headers["cache-control"] == "no-store"
    assert (await client.get("/api/me")).headers["cache-control"] == "no-store"
    (sheet,) = re.findall(r'href="(/static/app\.css[^"]+)"', page.text)
    styles = await client.get(sheet)
    assert "immutable" in styles.headers["cache-control"]
    assert styles.headers["content-type"] == "text/css; charset=utf-8"
    again = await client.get("/static/app.css", headers={"if-none-match": styles.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/", "/static/a%00b"])
async def test_only_the_static_files_are_served(visitor: httpx2.AsyncClient, path: str):
    assert (await visitor.get(path)).status_code == 404


@pytest.mark.parametrize("path", ["/", "/settings", "/livez", "/static/app.css", "/nothing"])
async def test_head_answers_like_get_without_a_body(client: httpx2.AsyncClient, path: str):
    got, head = await client.get(path, headers=PAGE), await client.head(path, headers=PAGE)
    assert head.status_code == got.status_code
    assert head.headers["content-type"] == got.headers["content-type"]
    assert head.content == b""


async def test_options_says_which_methods_there_are(visitor: httpx2.AsyncClient):
    answer = await visitor.options("/api/me")
    assert answer.status_code == 204
    assert {"GET", "PATCH", "OPTIONS"} <= set(re.split(r",\s*", answer.headers["allow"]))


async def test_a_foreign_name_reaches_nothing(app: Litestar, session_token: str):
    async with browsing(app, session_token) as client:
        for path in EVERYWHERE:
            answer = await client.get(path, headers={"host": "evil.example"})
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign_host")
        page = await client.get("/", headers={"host": "evil.example", **PAGE})
        assert page.status_code == 403
        assert "JOBTRAIL_HTTP_PUBLIC_URL" in page.text


async def test_another_sites_form_changes_nothing(client: httpx2.AsyncClient):
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        answer = await client.post("/sign-out", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site_request")
    assert (await client.get("/api/me")).status_code == 200


async def test_the_log_has_one_line_with_the_template_and_nothing_private(
    client: httpx2.AsyncClient, session_token: str
):
    with structlog.testing.capture_logs() as events:
        await client.delete("/api/sessions/77", headers={"authorization": f"Bearer {CANARY}"})
        await client.get(f"/api/{CANARY}?token={CANARY}")
        await client.get("/sign-in", params={"next": f"/{CANARY}"}, headers={"user-agent": CANARY, **PAGE})
        await client.patch("/api/me", json={"display_name": CANARY})
        await client.request(CANARY, "/")
    requests = [event for event in events if event["event"] == "request"]
    told = [(event["method"], event["route"], event["status"]) for event in requests]
    assert told == [
        ("DELETE", "/api/sessions/{session_id}", 404),
        ("GET", "no route", 404),
        ("GET", "/sign-in", 303),
        ("PATCH", "/api/me", 200),
        ("other", "no route", 405),
    ]
    assert all(event["ms"] >= 0 for event in requests)
    assert CANARY not in repr(events)
    assert session_token not in repr(events)


async def test_a_body_that_hides_its_size_is_cut_off(client: httpx2.AsyncClient):
    async def endless():
        for _ in range(1000):
            yield b"x" * 10_000

    headers = {"content-type": "application/json"}
    answer = await client.patch("/api/me", content=endless(), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_line_breaks_in_a_target_do_not_make_headers(visitor: httpx2.AsyncClient):
    answer = await visitor.get("/sign-in", params={"next": "/\r\nset-cookie: a=b"}, headers=PAGE)
    assert "set-cookie" not in answer.headers
    form = {"email": "a@b.org", "password": "0123456789", "next": "/x\r\nset-cookie: a=b"}
    assert "set-cookie" not in (await visitor.post("/sign-in", data=form)).headers


async def test_an_extension_can_read_its_answers_and_no_page_can(visitor: httpx2.AsyncClient):
    for path, origin, readable in [
        ("/api/extension/device", EXTENSION, True),
        ("/api/extension/device", "https://evil.example", False),
        ("/api/extension/device", "null", False),
        ("/api/me", EXTENSION, False),
    ]:
        answer = await visitor.get(path, headers={"origin": origin})
        assert answer.headers.get("access-control-allow-origin") == (origin if readable else None)
        assert "access-control-allow-credentials" not in answer.headers


async def test_a_preflight_is_answered_to_extensions_only(visitor: httpx2.AsyncClient):
    asks = {"access-control-request-method": "PUT", "access-control-request-headers": "authorization"}
    answer = await visitor.options("/api/extension/profile", headers={"origin": EXTENSION, **asks})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (204, EXTENSION)
    assert "authorization" in answer.headers["access-control-allow-headers"]
    assert answer.headers["vary"] == "Origin"
    other = await visitor.options(
        "/api/extension/profile", headers={"origin": "https://evil.example", **asks}
    )
    assert "access-control-allow-origin" not in other.headers


async def test_the_numbers_are_for_this_machine_and_name_no_path(app: Litestar, client: httpx2.AsyncClient):
    await client.get(f"/{CANARY}")
    answer = await client.get("/metrics")
    assert 'jobtrail_http_requests_total{method="GET",route="no route",status="404"} 1.0' in answer.text
    assert CANARY not in answer.text
    far = httpx2.ASGITransport(app=app, client=("192.0.2.7", 4000))  # pyright: ignore
    async with httpx2.AsyncClient(transport=far, base_url="http://127.0.0.1:8377") as stranger:
        assert (await stranger.get("/metrics")).status_code == 403


async def test_no_websocket_is_opened(app: Litestar):
    sent: list[dict] = []

    async def receive() -> dict:
        return {"type": "websocket.connect"}

    async def send(message) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": "/live", "headers": [], "query_string": b"", "subprotocols": []}
    await app(scope, receive, send)  # pyright: ignore
    assert sent[0]["type"] == "websocket.close"


async def test_two_hosts_are_none(app: Litestar):
    async with browsing(app) as client:
        for second in ("127.0.0.1:8377", "evil.example"):
            answer = await client.get("/livez", headers=[("host", "127.0.0.1:8377"), ("host", second)])
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign_host")
