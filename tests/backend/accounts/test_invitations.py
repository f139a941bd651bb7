"""Invitations: made by the operator, good for one person and seven days."""

import asyncio
import re

import httpx2
import psycopg
import pytest
from fixtures.app import PAGE, browsing
from fixtures.people import FixedClock
from litestar import Litestar

FORM = {"name": "Grace Hopper", "email": "grace@example.org", "password": "a plain long password"}


async def link(client: httpx2.AsyncClient) -> str:
    """The path of a fresh invitation."""
    answer = await client.post("/settings/invitations", data={"note": "for Grace"}, headers=PAGE)
    assert answer.status_code == 200
    found = re.search(r"http://127\.0\.0\.1:8377(/invitation/[\w-]{40,})", answer.text)
    assert found
    return found[1]


def emails(owner_url: str) -> list[tuple]:
    with psycopg.connect(owner_url) as owner:
        return owner.execute("SELECT email, is_operator FROM accounts ORDER BY id").fetchall()


async def test_an_invitation_makes_an_account_of_its_own(
    client: httpx2.AsyncClient, visitor: httpx2.AsyncClient, owner_url: str
):
    path = await link(client)
    assert (await visitor.get(path, headers=PAGE)).status_code == 200
    answer = await visitor.post(path, data=FORM, headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/first-run")
    assert emails(owner_url)[-1] == ("grace@example.org", False)
    assert (await visitor.get("/api/me")).json()["display_name"] == "Grace Hopper"


async def test_it_is_good_once(client: httpx2.AsyncClient, visitor: httpx2.AsyncClient, owner_url: str):
    path = await link(client)
    await visitor.post(path, data=FORM, headers=PAGE)
    again = await visitor.post(path, data={**FORM, "email": "eve@example.org"}, headers=PAGE)
    assert again.status_code == 410
    assert (await visitor.get(path, headers=PAGE)).status_code == 410
    assert len(emails(owner_url)) == 2


async def test_two_at_the_same_instant_make_one_account(
    app: Litestar, client: httpx2.AsyncClient, owner_url: str
):
    path = await link(client)

    async def come(number: int) -> int:
        async with browsing(app) as guest:
            form = {**FORM, "email": f"p{number}@example.org"}
            return (await guest.post(path, data=form, headers=PAGE)).status_code

    assert sorted(await asyncio.gather(*(come(number) for number in range(3)))) == [303, 410, 410]
    assert len(emails(owner_url)) == 2


async def test_a_taken_address_does_not_use_it_up(
    client: httpx2.AsyncClient, visitor: httpx2.AsyncClient, owner_url: str
):
    path = await link(client)
    answer = await visitor.post(path, data={**FORM, "email": "ada@example.org"}, headers=PAGE)
    assert answer.status_code == 400
    assert "account with this e-mail address already" in answer.text
    assert (await visitor.post(path, data=FORM, headers=PAGE)).status_code == 303


async def test_it_ends_after_seven_days(
    client: httpx2.AsyncClient, visitor: httpx2.AsyncClient, clock: FixedClock
):
    path = await link(client)
    clock.move(days=7, seconds=1)
    assert (await visitor.get(path, headers=PAGE)).status_code == 410


async def test_it_can_be_withdrawn(client: httpx2.AsyncClient, visitor: httpx2.AsyncClient, owner_url: str):
    path = await link(client)
    with psycopg.connect(owner_url) as owner:
        ((number,),) = owner.execute("SELECT id FROM invitations").fetchall()
    answer = await client.post(f"/settings/invitations/{number}/revoke", headers=PAGE)
    assert answer.status_code == 303
    assert (await visitor.get(path, headers=PAGE)).status_code == 410
    assert (await client.post(f"/settings/invitations/{number}/revoke")).status_code == 404


@pytest.mark.parametrize("code", ["x", "x" * 5000, "%00", "%ff", "a%2fb"])
async def test_an_unknown_one_reads_like_a_used_one(visitor: httpx2.AsyncClient, code: str):
    assert (await visitor.get(f"/invitation/{code}", headers=PAGE)).status_code in {404, 410}


async def test_only_the_operator_invites(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, owner_url: str
):
    answer = await other_client.post("/settings/invitations", data={}, headers=PAGE)
    assert answer.status_code == 403
    assert "Invite somebody" not in (await other_client.get("/settings", headers=PAGE)).text
    await link(client)
    with psycopg.connect(owner_url) as owner:
        ((number,),) = owner.execute("SELECT id FROM invitations").fetchall()
    assert (await other_client.post(f"/settings/invitations/{number}/revoke")).status_code == 403
