"""The first steps: what is there counts as done, each can wait, and they can be put away."""

import re

import httpx2
from fixtures.app import PAGE
from fixtures.people import FixedClock

from extension_api.pairing.exchange import exchange
from schema.db import Database


async def done(client: httpx2.AsyncClient) -> tuple[int, int]:
    page = (await client.get("/first-run", headers=PAGE)).text
    found = re.search(r"(\d) of (\d) done", page)
    assert found
    return int(found[1]), int(found[2])


async def test_a_new_account_has_one_step_done(client: httpx2.AsyncClient):
    assert await done(client) == (1, 4)
    assert "Go on with the first steps" in (await client.get("/", headers=PAGE)).text


async def test_pairing_a_browser_is_a_step(client: httpx2.AsyncClient, database: Database, clock: FixedClock):
    shown = (await client.post("/first-run/extension", headers=PAGE)).text
    code = re.search(r"<code>([A-Z0-9]{4}-[A-Z0-9]{4})</code>", shown)
    assert code
    assert "code-used" not in shown
    await exchange(
        database, code=code[1], name="Laptop", origin="chrome-extension://a", peer="p", now=clock.now()
    )
    page = (await client.get("/first-run/extension", headers=PAGE)).text
    assert "1 browser is paired: Laptop." in page
    assert "code-used" in page, "what the open page is swapped with puts the code away"
    assert "Skip for now" not in page
    assert "code-used" not in (await client.post("/first-run/extension", headers=PAGE)).text
    assert await done(client) == (2, 4)


async def test_the_steps_are_put_away_and_brought_back(client: httpx2.AsyncClient):
    answer = await client.post("/first-run/end", headers=PAGE)
    page = (await client.get(answer.headers["location"], headers=PAGE)).text
    assert "Go on with the first steps" not in page
    assert 'action="/first-run/resume"' in page
    await client.post("/first-run/resume", headers=PAGE)
    assert "Go on with the first steps" in (await client.get("/", headers=PAGE)).text
