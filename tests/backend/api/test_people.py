"""The account and its sessions as JSON: one's own, and nothing else."""

import httpx2
import pytest
from fixtures.app import browsing
from fixtures.people import FixedClock
from litestar import Litestar

from backend.accounts import sessions
from schema.db import Database
from schema.ids import AccountId


async def test_the_account_is_told_without_its_secrets(client: httpx2.AsyncClient):
    told = (await client.get("/api/me")).json()
    assert told["email"] == "ada@example.org"
    assert set(told) == {"email", "display_name", "is_operator", "time_zone", "language", "created_at"}


async def test_what_is_absent_stays(client: httpx2.AsyncClient):
    await client.patch("/api/me", json={"time_zone": "Europe/Paris"})
    answer = await client.patch("/api/me", json={"display_name": " Ada King "})
    assert (answer.json()["display_name"], answer.json()["time_zone"]) == ("Ada King", "Europe/Paris")
    assert (await client.patch("/api/me", json={})).json() == answer.json()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"display_name": "  "}, "display_name"),
        ({"display_name": "\u0000"}, "display_name"),
        ({"time_zone": "Nowhere"}, "time_zone"),
        ({"language": "xx"}, "language"),
    ],
)
async def test_a_rule_refuses_by_its_field(client: httpx2.AsyncClient, change: dict, field: str):
    answer = await client.patch("/api/me", json=change)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


async def test_sessions_are_listed_and_ended(
    app: Litestar, client: httpx2.AsyncClient, database: Database, clock: FixedClock, account: AccountId
):
    clock.move(minutes=5)
    other = await sessions.start(database, clock, account, "another browser")
    listed = (await client.get("/api/sessions")).json()
    assert sorted((session["agent"], session["is_this_one"]) for session in listed) == [
        ("a test", True),
        ("another browser", False),
    ]
    assert "token" not in repr(listed)
    (number,) = [session["id"] for session in listed if not session["is_this_one"]]
    assert (await client.delete(f"/api/sessions/{number}")).status_code == 204
    assert (await client.delete(f"/api/sessions/{number}")).status_code == 404
    async with browsing(app, other) as ended:
        assert (await ended.get("/api/me")).status_code == 401
