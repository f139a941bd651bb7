"""Signing in: right, wrong, too often, and what a session is worth afterwards."""

import asyncio
import re

import httpx2
import psycopg
import pytest
from fixtures.app import PAGE, browsing
from fixtures.people import FixedClock
from litestar import Litestar

from backend.accounts import doors, passwords
from backend.accounts.rules import SESSION_LIFE, token_hash
from schema.db import Database
from schema.ids import AccountId
from schema.throttle import TooManyAttempts

PASSWORD = "a plain long password"
HASHED = passwords._HASHER.hash(PASSWORD)


@pytest.fixture
def ada(account: AccountId, owner_url: str) -> AccountId:
    """The account, with a password."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE accounts SET password_hash = %s WHERE id = %s", (HASHED, account))
        owner.execute("UPDATE installation SET owner_account_id = %s", (account,))
    return account


async def sign_in(client: httpx2.AsyncClient, *, password: str = PASSWORD, **fields: str) -> httpx2.Response:
    form = {"email": "ada@example.org", "password": password, **fields}
    return await client.post("/sign-in", data=form, headers=PAGE)


def sessions_of(owner_url: str) -> list[tuple]:
    with psycopg.connect(owner_url) as owner:
        return owner.execute(
            "SELECT token_hash, last_seen_at, expires_at FROM sessions ORDER BY id"
        ).fetchall()


async def test_the_right_password_opens_a_session(
    visitor: httpx2.AsyncClient, ada: AccountId, owner_url: str
):
    answer = await sign_in(visitor, next="/settings")
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings")
    assert (await visitor.get("/api/me")).json()["email"] == "ada@example.org"
    ((stored, *_),) = sessions_of(owner_url)
    token = visitor.cookies["jobtrail_session"]
    assert stored == token_hash(token) != token


async def test_the_cookie_is_for_this_server_only(visitor: httpx2.AsyncClient, ada: AccountId):
    cookie = (await sign_in(visitor)).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert "domain=" not in cookie


async def test_over_https_the_cookie_travels_only_there(settings, ada: AccountId, clock: FixedClock):
    import msgspec
    from fixtures.app import app_of, running

    http = msgspec.structs.replace(settings.http, public_url="https://jobs.example.org")
    app = app_of(msgspec.structs.replace(settings, http=http), clock)
    async with running(app), browsing(app) as client:
        headers = {"host": "jobs.example.org", "origin": "https://jobs.example.org", **PAGE}
        form = {"email": "ada@example.org", "password": PASSWORD}
        answer = await client.post("/sign-in", data=form, headers=headers)
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-jobtrail_session=")
        assert "secure" in cookie.lower()


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("ada@example.org", "wrong wrong wrong"),
        ("nobody@example.org", PASSWORD),
        ("ada@example.org", "x" * 1000),
    ],
)
async def test_every_wrong_answer_reads_the_same(
    visitor: httpx2.AsyncClient, ada: AccountId, email: str, password: str
):
    answer = await sign_in(visitor, email=email, password=password)
    assert answer.status_code == 400
    assert "do not belong together" in answer.text
    assert "set-cookie" not in answer.headers
    assert password not in answer.text


async def test_an_unknown_address_costs_the_same_work(
    database: Database, ada: AccountId, monkeypatch: pytest.MonkeyPatch
):
    verified: list[str] = []
    real = passwords._verified

    def counting(stored: str, password: str) -> bool:
        verified.append(stored)
        return real(stored, password)

    monkeypatch.setattr(passwords, "_verified", counting)
    for email in ("ada@example.org", "nobody@example.org"):
        with pytest.raises(doors.WrongCredentials):
            await doors.sign_in(database, email=email, password="wrong wrong wrong", peer="test")
    assert len(verified) == 2
    parameters = [re.match(r"\$argon2id\$v=\d+\$[^$]+", stored) for stored in verified]
    assert parameters[0]
    assert parameters[1]
    assert parameters[0][0] == parameters[1][0]


async def test_guessing_one_address_is_slowed(
    visitor: httpx2.AsyncClient, database: Database, ada: AccountId
):
    for _ in range(10):
        with pytest.raises(doors.WrongCredentials):
            await doors.sign_in(database, email="ada@example.org", password="guess guess", peer="elsewhere")
    answer = await sign_in(visitor)
    assert answer.status_code == 429
    assert "too many attempts" in answer.text
    assert (await sign_in(visitor, email="ben@example.org")).status_code == 400


async def test_guessing_many_addresses_is_slowed(database: Database, ada: AccountId, monkeypatch):
    async def no(*_: object) -> bool:
        return False

    monkeypatch.setattr(passwords, "fits", no)
    refused = 0
    for number in range(35):
        try:
            await doors.sign_in(database, email=f"p{number}@example.org", password="guess", peer="192.0.2.1")
        except doors.WrongCredentials:
            continue
        except TooManyAttempts:
            refused += 1
    assert refused >= 4


async def test_a_right_answer_forgets_the_wrong_ones(visitor: httpx2.AsyncClient, ada: AccountId):
    for _ in range(3):
        for _ in range(4):
            await sign_in(visitor, password="wrong wrong wrong")
        assert (await sign_in(visitor)).status_code == 303


async def test_a_planted_session_is_not_taken_over(app: Litestar, ada: AccountId, owner_url: str):
    planted = "attacker-chosen-session-value"
    async with browsing(app, planted) as client:
        answer = await sign_in(client)
        assert planted not in answer.headers["set-cookie"]
    async with browsing(app, planted) as attacker:
        assert (await attacker.get("/api/me")).status_code == 401


async def test_signing_in_again_ends_the_session_the_browser_had(
    visitor: httpx2.AsyncClient, ada: AccountId, owner_url: str
):
    await sign_in(visitor)
    first = sessions_of(owner_url)
    await sign_in(visitor)
    second = sessions_of(owner_url)
    assert len(second) == 1
    assert second[0][0] != first[0][0]


async def test_signing_out_ends_the_row_not_only_the_cookie(
    app: Litestar, client: httpx2.AsyncClient, session_token: str, owner_url: str
):
    answer = await client.post("/sign-out")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert not sessions_of(owner_url)
    async with browsing(app, session_token) as thief:
        assert (await thief.get("/api/me")).status_code == 401


async def test_signing_out_everywhere_ends_every_session(
    app: Litestar, visitor: httpx2.AsyncClient, client: httpx2.AsyncClient, ada: AccountId, owner_url: str
):
    await sign_in(visitor)
    assert len(sessions_of(owner_url)) == 2
    await client.post("/sign-out/everywhere")
    assert not sessions_of(owner_url)
    assert (await visitor.get("/api/me")).status_code == 401


async def test_a_session_ends_after_a_month_of_silence(client: httpx2.AsyncClient, clock: FixedClock):
    assert (await client.get("/api/me")).status_code == 200
    clock.move(days=29)
    assert (await client.get("/api/me")).status_code == 200
    clock.move(days=29)
    assert (await client.get("/api/me")).status_code == 200
    clock.move(days=SESSION_LIFE.days, seconds=1)
    assert (await client.get("/api/me")).status_code == 401


async def test_a_session_is_written_at_most_once_a_minute(
    client: httpx2.AsyncClient, clock: FixedClock, owner_url: str
):
    await client.get("/api/me")
    before = sessions_of(owner_url)
    clock.move(seconds=59)
    await client.get("/api/me")
    assert sessions_of(owner_url) == before
    clock.move(seconds=1)
    await client.get("/api/me")
    assert sessions_of(owner_url) != before


async def test_a_disabled_account_is_out_at_once(
    client: httpx2.AsyncClient, account: AccountId, owner_url: str
):
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("UPDATE accounts SET disabled_at = now() WHERE id = %s", (account,))
    assert (await client.get("/api/me")).status_code == 401


@pytest.mark.parametrize("token", ["", "x", "\x00", "x" * 5000, "ü", "a; b", "../.."])
async def test_any_cookie_is_survived(app: Litestar, token: str):
    async with browsing(app) as client:
        raw = f"jobtrail_session={token}".encode()
        answer = await client.get("/api/me", headers=[(b"cookie", raw)])
        assert answer.status_code == 401


async def test_a_page_comes_back_after_signing_in(visitor: httpx2.AsyncClient, ada: AccountId):
    answer = await visitor.get("/settings?x=1&y=2", headers=PAGE)
    assert answer.headers["location"] == "/sign-in?next=%2Fsettings%3Fx%3D1%26y%3D2"
    page = await visitor.get(answer.headers["location"], headers=PAGE)
    assert 'name="next" value="/settings?x=1&amp;y=2"' in page.text
    assert (await sign_in(visitor, next="https://evil.example")).headers["location"] == "/"


async def test_a_link_on_another_site_opens_the_page_all_the_same(
    visitor: httpx2.AsyncClient, ada: AccountId
):
    """The strict cookie stays behind on such a click; our own page asks again and then has it."""
    answer = await visitor.get("/settings", headers={**PAGE, "sec-fetch-site": "cross-site"})
    assert answer.status_code == 200
    assert 'http-equiv="refresh" content="0;url=/settings"' in answer.text


async def test_passwords_are_hashed_off_the_loop(ada: AccountId):
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    await passwords.fits("some wrong password", None)
    ticking.cancel()
    assert ticks > 50


async def test_a_form_sent_after_the_session_ended_says_so_and_leads_back_to_its_page(
    visitor: httpx2.AsyncClient, ada: AccountId
):
    came = {"referer": "http://127.0.0.1:8377/review/1?back=%2Fmail"}
    answer = await visitor.post("/review/1", data={"answer": "confirm:2"}, headers=PAGE | came)
    assert answer.headers["location"] == "/sign-in?next=%2Freview%2F1%3Fback%3D%252Fmail&ended=unsaved"
    page = await visitor.get(answer.headers["location"], headers=PAGE)
    assert "what you sent was not saved" in page.text
    assert 'name="next" value="/review/1?back=%2Fmail"' in page.text
    for elsewhere in ("https://evil.example/review/1", "http://[", "", "http://127.0.0.1:8377@evil.example/"):
        headers = PAGE | {"referer": elsewhere}
        answer = await visitor.post("/review/1", data={"answer": "confirm:2"}, headers=headers)
        assert answer.headers["location"] == "/sign-in?ended=unsaved"


async def test_a_refused_sign_in_is_not_told_as_something_unsaved(
    visitor: httpx2.AsyncClient, ada: AccountId
):
    assert "<h2>Not signed in</h2>" in (await sign_in(visitor, password="wrong wrong wrong")).text


async def test_who_forgot_the_password_is_told_what_to_do(visitor: httpx2.AsyncClient, ada: AccountId):
    assert "jobtrail account password you@example.org" in (await visitor.get("/sign-in", headers=PAGE)).text
