"""Becoming the owner: once, on this machine or with the printed link, and by nobody else."""

import asyncio

import httpx2
import msgspec
import psycopg
import pytest
from fixtures.app import PAGE, app_of, browsing, running
from fixtures.people import FixedClock
from litestar import Litestar

from backend.accounts.doors import first_visit_token
from schema.db import Database
from schema.settings import Settings

FORM = {
    "name": "Ada Lovelace",
    "email": "Ada@Example.org",
    "password": "a plain long password",
    "time_zone": "Europe/London",
}


def far_away(app: Litestar) -> httpx2.AsyncClient:
    """A client on another machine."""
    transport = httpx2.ASGITransport(app=app, client=("192.0.2.7", 4000))  # pyright: ignore
    return httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8377", headers=PAGE)


def accounts(owner_url: str) -> list[tuple]:
    with psycopg.connect(owner_url) as owner:
        return owner.execute("SELECT email, display_name, time_zone, is_operator FROM accounts").fetchall()


async def test_the_first_visit_leads_to_the_owner_account(visitor: httpx2.AsyncClient, owner_url: str):
    door = await visitor.get("/", headers=PAGE)
    assert door.headers["location"] == "/sign-in"
    assert (await visitor.get("/sign-in", headers=PAGE)).headers["location"] == "/welcome"
    assert (await visitor.get("/welcome", headers=PAGE)).status_code == 200
    answer = await visitor.post("/welcome", data=FORM, headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/first-run")
    assert accounts(owner_url) == [("ada@example.org", "Ada Lovelace", "Europe/London", True)]
    assert (await visitor.get("/first-run", headers=PAGE)).status_code == 200


async def test_there_is_one_owner_ever(visitor: httpx2.AsyncClient, owner_url: str):
    await visitor.post("/welcome", data=FORM, headers=PAGE)
    again = await visitor.post("/welcome", data={**FORM, "email": "eve@example.org"}, headers=PAGE)
    assert again.status_code == 409
    assert (await visitor.get("/welcome", headers=PAGE)).status_code == 409
    assert len(accounts(owner_url)) == 1


async def test_visitors_at_the_same_instant_make_one_owner(app: Litestar, owner_url: str):
    async def come(number: int) -> int:
        async with browsing(app) as client:
            form = {**FORM, "email": f"p{number}@example.org"}
            return (await client.post("/welcome", data=form, headers=PAGE)).status_code

    statuses = await asyncio.gather(*(come(number) for number in range(4)))
    assert sorted(statuses) == [303, 409, 409, 409]
    assert len(accounts(owner_url)) == 1


async def test_somebody_elsewhere_is_told_how_and_gets_nothing(app: Litestar, owner_url: str):
    async with far_away(app) as client:
        assert (await client.get("/welcome")).status_code == 403
        answer = await client.post("/welcome", data=FORM)
        assert answer.status_code == 403
        assert "one-time link" in answer.text
        assert (await client.post("/welcome", data={**FORM, "token": "guessed"})).status_code == 403
    assert not accounts(owner_url)


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
async def test_a_proxy_on_this_machine_is_not_a_visitor_on_this_machine(app: Litestar, header: str):
    async with browsing(app, None, **{header: "192.0.2.7"}) as client:
        assert (await client.post("/welcome", data=FORM, headers=PAGE)).status_code == 403


async def test_behind_a_public_address_only_the_link_counts(
    settings: Settings, clock: FixedClock, owner_url: str
):
    http = msgspec.structs.replace(settings.http, public_url="https://jobs.example.org")
    app = app_of(msgspec.structs.replace(settings, http=http), clock)
    async with running(app), browsing(app) as client:
        assert (await client.post("/welcome", data=FORM, headers=PAGE)).status_code == 403
    assert not accounts(owner_url)


async def test_the_printed_link_works_once_from_anywhere(app: Litestar, database: Database, owner_url: str):
    token = await first_visit_token(database)
    assert token
    async with far_away(app) as client:
        assert (await client.get("/", params={"token": token})).headers[
            "location"
        ] == f"/welcome?token={token}"
        page = await client.get("/welcome", params={"token": token})
        assert f'name="token" value="{token}"' in page.text
        wrong = await client.post("/welcome", data={**FORM, "token": token, "password": "short"})
        assert wrong.status_code == 400
        assert f'name="token" value="{token}"' in wrong.text
        assert (await client.post("/welcome", data={**FORM, "token": token})).status_code == 303
    assert await first_visit_token(database) is None
    with psycopg.connect(owner_url) as owner:
        assert owner.execute("SELECT owner_token_hash FROM installation").fetchall() == [(None,)]


async def test_a_new_link_makes_the_old_one_worthless(app: Litestar, database: Database):
    old, new = await first_visit_token(database), await first_visit_token(database)
    assert old
    assert new
    async with far_away(app) as client:
        assert (await client.get("/welcome", params={"token": old})).status_code == 403
        assert (await client.get("/welcome", params={"token": new})).status_code == 200


async def test_links_cannot_be_guessed_at_speed(app: Litestar):
    async with far_away(app) as client:
        statuses = [
            (await client.get("/welcome", params={"token": f"guess-{number}"})).status_code
            for number in range(25)
        ]
    assert statuses[0] == 403
    assert statuses[-1] == 429


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", "", "Name is missing"),
        ("name", "x" * 201, "at most 200"),
        ("email", "nobody", "name@example.org"),
        ("email", "", "missing"),
        ("password", "short", "at least 10"),
        ("password", "ada lovelace 1", "be your name or address"),
    ],
)
async def test_a_fault_is_named_and_the_rest_kept(
    visitor: httpx2.AsyncClient, owner_url: str, field: str, value: str, says: str
):
    answer = await visitor.post("/welcome", data={**FORM, field: value}, headers=PAGE)
    assert answer.status_code == 400
    assert says in answer.text
    assert f'href="#f-{field}"' in answer.text
    assert FORM["password"] not in answer.text
    assert not accounts(owner_url)


async def test_a_zone_nobody_knows_is_utc(visitor: httpx2.AsyncClient, owner_url: str):
    await visitor.post("/welcome", data={**FORM, "time_zone": "Mars/Olympus"}, headers=PAGE)
    assert accounts(owner_url)[0][2] == "UTC"
