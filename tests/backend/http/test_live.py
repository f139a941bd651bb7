"""Open pages hear of their own account's changes, at once, and never keep the server from stopping."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator

import httpx2
import msgspec
import psycopg
import pytest
from fixtures.people import FixedClock
from litestar import Litestar

from backend.accounts import sessions
from backend.http.live import EVERYTHING, Event, Live
from backend.http.parts import Parts
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId
from schema.live import Hint, announce
from schema.settings import DatabaseSettings


@pytest.fixture
async def live(database_settings: DatabaseSettings) -> AsyncGenerator[Live]:
    hub = Live(database_settings)
    async with hub.listening():
        await connected(hub)
        yield hub


async def connected(hub: Live) -> None:
    async with asyncio.timeout(10):
        while not hub.connected:  # noqa: ASYNC110 - a flag of the hub, not ours to turn into an event
            await asyncio.sleep(0.01)


async def test_a_change_reaches_the_pages_of_its_account_only(
    live: Live, database: Database, account: AccountId, other_account: AccountId
):
    with (
        live.joined(account, is_operator=False) as mine,
        live.joined(other_account, is_operator=True) as theirs,
    ):
        async with database.as_account(account) as unit:
            await announce(unit, "review", 7)
        async with database.as_fleet() as fleet:
            await announce(fleet, "tasks")
        assert await mine.next() == Event(topic="review", subject=7)
        assert await theirs.next() == Event(topic="tasks")


async def test_nothing_is_told_of_what_was_rolled_back(live: Live, database: Database, account: AccountId):
    with live.joined(account, is_operator=False) as page:
        with contextlib.suppress(ValueError):
            async with database.as_account(account) as unit:
                await announce(unit, "mail")
                raise ValueError
        async with database.as_account(account) as unit:
            await announce(unit, "review")
        assert await page.next() == Event(topic="review")


async def test_a_cut_connection_heals_and_pages_look_at_everything(
    live: Live, database: Database, account: AccountId, owner_url: str
):
    with live.joined(account, is_operator=False) as page:
        with psycopg.connect(owner_url, autocommit=True) as owner:
            owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        assert await page.next() == EVERYTHING
        async with database.as_account(account) as unit:
            await announce(unit, "mail")
        assert await page.next() == Event(topic="mail")


async def test_a_page_that_falls_behind_looks_at_everything(account: AccountId):
    hub = Live(DatabaseSettings())
    with hub.joined(account, is_operator=False) as slow:
        for number in range(1000):
            hub.tell(Hint(account_id=account, topic="mail", subject=number))
        heard = [await slow.next() for _ in range(2)]
    assert EVERYTHING in heard


async def test_a_payload_that_is_no_hint_is_passed_over(live: Live, account: AccountId, owner_url: str):
    with (
        live.joined(account, is_operator=False) as page,
        psycopg.connect(owner_url, autocommit=True) as owner,
    ):
        owner.execute("SELECT pg_notify('jobtrail_live', 'nonsense')")
        owner.execute(
            "SELECT pg_notify('jobtrail_live', %s)",
            (f'{{"type":"hint","account_id":{account},"topic":"mail"}}',),
        )
        assert await page.next() == Event(topic="mail")


async def test_a_page_that_joins_a_closed_hub_ends_at_once(account: AccountId):
    hub = Live(DatabaseSettings())
    hub.close()
    with hub.joined(account, is_operator=False) as page:
        assert await page.next() is None
    assert hub.count == 0


async def test_a_visitor_hears_nothing(visitor: httpx2.AsyncClient):
    assert (await visitor.get("/live")).status_code == 401


async def next_event(lines: AsyncGenerator[str]) -> Event:
    async for line in lines:
        if line.startswith("data: "):
            return msgspec.json.decode(line.removeprefix("data: "), type=Event)
    raise AssertionError("the stream ended")


async def test_a_browser_hears_of_changes_over_http(server: str, database: Database, account: AccountId):
    token = await sessions.start(database, SystemClock(), account, "a test")
    async with (
        httpx2.AsyncClient(base_url=server, cookies={"jobtrail_session": token}, timeout=10) as client,
        client.stream("GET", "/live") as stream,
    ):
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.aiter_lines()
        assert await next_event(lines) == EVERYTHING  # pyright: ignore
        async with database.as_account(account) as unit:
            await announce(unit, "applications")
        # The hub may connect after the page: then it says so, and the page looks at everything once more.
        event = await next_event(lines)  # pyright: ignore
        assert event.topic in {"applications", "everything"}


async def test_the_server_stops_in_time_with_an_open_stream(settings, database: Database, account: AccountId):
    from fixtures.app import serving

    token = await sessions.start(database, SystemClock(), account, "a test")
    async with contextlib.AsyncExitStack() as stack:
        served = serving(settings)
        address = await served.__aenter__()
        client = await stack.enter_async_context(
            httpx2.AsyncClient(base_url=address, cookies={"jobtrail_session": token}, timeout=10)
        )
        stream = await stack.enter_async_context(client.stream("GET", "/live"))
        assert stream.status_code == 200
        started = time.monotonic()
        await served.__aexit__(None, None, None)
        assert time.monotonic() - started < 1.9  # sooner than the grace after which streams are cut


async def test_a_page_that_leaves_is_forgotten(app: Litestar, account: AccountId, clock: FixedClock):
    parts = app.state["parts"]
    assert isinstance(parts, Parts)
    with parts.live.joined(account, is_operator=False):
        assert parts.live.count == 1
    assert parts.live.count == 0
