"""Settings: what can be changed there, by whom, and what each change ends."""

import re

import httpx2
import psycopg
import pytest
from fixtures.app import PAGE, browsing
from fixtures.html import see, submit
from fixtures.people import FixedClock
from litestar import Litestar

from backend.accounts import passwords, sessions
from extension_api.pairing.exchange import exchange
from schema.db import Database
from schema.ids import AccountId

OLD, NEW = "the old long password", "the new long password"
HASHED = passwords._HASHER.hash(OLD)


@pytest.fixture
def with_password(account: AccountId, owner_url: str) -> AccountId:
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE accounts SET password_hash = %s WHERE id = %s", (HASHED, account))
    return account


async def follow(client: httpx2.AsyncClient, answer: httpx2.Response) -> str:
    """The page a form leads to."""
    assert answer.status_code == 303, answer.text
    page = await client.get(answer.headers["location"], headers=PAGE)
    assert page.status_code == 200
    return page.text


async def test_the_account_is_changed_and_changed_back(client: httpx2.AsyncClient):
    form = {"name": "Ada King", "time_zone": "Europe/London", "language": "en"}
    page = await follow(client, await client.post("/settings/account", data=form))
    assert "Account saved." in page
    assert (await client.get("/api/me")).json()["display_name"] == "Ada King"
    undo = re.search(r'<form method="post" action="(/settings/account)">(.+?)</form>', page, re.DOTALL)
    assert undo
    before = dict(re.findall(r'name="(\w+)" value="([^"]*)"', undo[2]))
    await client.post(undo[1], data=before)
    assert (await client.get("/api/me")).json()["display_name"] == "Ada"


async def test_a_word_about_what_was_done_is_said_once(client: httpx2.AsyncClient):
    form = {"name": "Ada King", "time_zone": "UTC", "language": "en"}
    answer = await client.post("/settings/account", data=form)
    refreshed = await client.get("/settings", headers={**PAGE, "x-live": "1"})
    assert "Account saved." not in refreshed.text
    assert "Account saved." in await follow(client, answer)
    assert "Account saved." not in (await client.get("/settings", headers=PAGE)).text


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", " "), ("name", "x" * 201), ("time_zone", "Mars/Olympus"), ("language", "xx")],
)
async def test_a_fault_is_shown_and_nothing_typed_is_lost(client: httpx2.AsyncClient, field: str, value: str):
    form = {"name": "Typed Name", "time_zone": "Europe/Paris", "language": "en", field: value}
    answer = await client.post("/settings/account", data=form, headers=PAGE)
    assert answer.status_code == 400
    assert f'href="#f-{field}"' in answer.text
    assert "Typed Name" in answer.text or field == "name"
    assert (await client.get("/api/me")).json()["display_name"] == "Ada"


async def test_a_new_password_signs_every_other_browser_out(
    app: Litestar,
    client: httpx2.AsyncClient,
    database: Database,
    clock: FixedClock,
    with_password: AccountId,
):
    other = await sessions.start(database, clock, with_password, "another browser")
    page = await follow(client, await client.post("/settings/password", data={"old": OLD, "new": NEW}))
    assert "Password changed" in page
    async with browsing(app, other) as stolen:
        assert (await stolen.get("/api/me")).status_code == 401
        form = {"email": "ada@example.org", "password": OLD}
        assert (await stolen.post("/sign-in", data=form)).status_code == 400
        assert (await stolen.post("/sign-in", data={**form, "password": NEW})).status_code == 303


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("wrong wrong wrong", NEW, "not your present password"),
        (OLD, "short", "at least 10"),
        (OLD, "ada@example.org!!", "be your name or address"),
        ("", NEW, "missing"),
    ],
)
async def test_a_password_is_changed_by_its_owner_to_a_decent_one(
    client: httpx2.AsyncClient, with_password: AccountId, old: str, new: str, says: str
):
    answer = await client.post("/settings/password", data={"old": old, "new": new}, headers=PAGE)
    assert answer.status_code == 400
    assert says in answer.text
    assert f'value="{new}"' not in answer.text


async def test_guessing_the_present_password_is_slowed(client: httpx2.AsyncClient, with_password: AccountId):
    form = {"old": "guess guess guess", "new": NEW}
    answers = [await client.post("/settings/password", data=form, headers=PAGE) for _ in range(11)]
    assert "too many attempts" in answers[-1].text


async def test_another_browser_is_signed_out_from_here(
    app: Litestar,
    client: httpx2.AsyncClient,
    database: Database,
    clock: FixedClock,
    account: AccountId,
    owner_url: str,
):
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    token = await sessions.start(database, clock, account, agent)
    page = (await client.get("/settings", headers=PAGE)).text
    assert "Firefox on Linux" in page
    (number,) = re.findall(r"/settings/sessions/(\d+)/end", page)
    await follow(client, await client.post(f"/settings/sessions/{number}/end"))
    async with browsing(app, token) as gone:
        assert (await gone.get("/api/me")).status_code == 401


async def test_a_browser_is_paired_by_the_code_shown_and_revoked(
    client: httpx2.AsyncClient, database: Database, clock: FixedClock
):
    shown = (await client.post("/settings/devices/code", headers=PAGE)).text
    code = re.search(r"<code>([A-Z0-9]{4}-[A-Z0-9]{4})</code>", shown)
    assert code
    assert "http://127.0.0.1:8377" in shown
    assert code[1] not in (await client.get("/settings", headers=PAGE)).text
    made = await exchange(
        database, code=code[1], name="Work laptop", origin="chrome-extension://a", peer="p", now=clock.now()
    )
    page = (await client.get("/settings", headers=PAGE)).text
    assert "Work laptop" in page
    await follow(client, await client.post(f"/settings/devices/{made.device_id}/revoke"))
    answer = await client.get("/api/extension/device", headers={"authorization": f"Bearer {made.token}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "device_revoked")


async def test_a_device_token_opens_no_page_and_no_account(
    visitor: httpx2.AsyncClient, client: httpx2.AsyncClient, database: Database, clock: FixedClock
):
    shown = (await client.post("/settings/devices/code", headers=PAGE)).text
    code = re.search(r"<code>([A-Z0-9]{4}-[A-Z0-9]{4})</code>", shown)
    assert code
    made = await exchange(
        database, code=code[1], name="x", origin="chrome-extension://a", peer="p", now=clock.now()
    )
    bearer = {"authorization": f"Bearer {made.token}"}
    assert (await visitor.get("/api/me", headers=bearer)).status_code == 401
    assert (await visitor.get("/", headers={**PAGE, **bearer})).status_code == 303
    assert (await client.get("/api/extension/device")).status_code == 401, "a cookie is no device token"


async def test_what_is_shown_once_is_led_to_and_has_the_focus(client: httpx2.AsyncClient):
    for place, action in (
        ("/settings", "/settings/devices/code#code"),
        ("/settings", "/settings/invitations#link"),
        ("/settings/calendar", "/settings/calendar/new#secret"),
        ("/first-run/extension", "/first-run/extension#code"),
    ):
        told = await submit(client, await see(client, place), action)
        assert told.status == 200
        part = told.one(f"#{action.partition('#')[2]}[data-arrive]")
        assert part.attributes["tabindex"] == "-1"
        assert told.one("main").attributes["data-at"] in {place, ""}, "live.js reads it again there"
    refused = await submit(
        client, await see(client, "/settings"), "/settings/password#faults", old="x", new="y"
    )
    assert refused.status == 400
    assert refused.has("#faults")
