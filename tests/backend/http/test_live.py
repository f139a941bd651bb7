"""Open pages hear of their own account's changes, at once, and never keep the server from stopping."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator

import httpx2
import msgspec
import psycopg
import pytest
from fixtures.cutting import CUT_LISTENERS
from fixtures.people import FixedClock
from fixtures.proxy import proxied
from litestar import Litestar
from msgspec.structs import replace

from backend.accounts import sessions
from backend.http.live import EVERYTHING, Event, Listener, Live, TaskEvent
from backend.http.parts import Parts
from schema.clock import SystemClock
from schema.db import Database
from schema.ids import AccountId
from schema.live import CHANNEL, Hint, TaskProgress, TaskState, announce, encoded
from schema.settings import DatabaseSettings
from schema.teller import TELL
from schema.vocabulary import TaskStatus


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
            announce(unit, "review", 7)
        async with database.as_fleet() as fleet:
            announce(fleet, "tasks")
        assert await mine.next() == Event(topic="review", subject=7)
        assert await theirs.next() == Event(topic="tasks")


async def test_nothing_is_told_of_what_was_rolled_back(live: Live, database: Database, account: AccountId):
    with live.joined(account, is_operator=False) as page:
        with contextlib.suppress(ValueError):
            async with database.as_account(account) as unit:
                announce(unit, "mail")
                raise ValueError
        async with database.as_account(account) as unit:
            announce(unit, "review")
        assert await page.next() == Event(topic="review")


async def test_a_cut_connection_heals_and_pages_look_at_everything(
    live: Live, database: Database, account: AccountId, owner_url: str
):
    with live.joined(account, is_operator=False) as page:
        with psycopg.connect(owner_url, autocommit=True) as owner:
            owner.execute(CUT_LISTENERS)
        assert await page.next() == EVERYTHING
        async with database.as_account(account) as unit:
            announce(unit, "mail")
        assert await page.next() == Event(topic="mail")


async def test_a_deaf_connection_is_noticed_and_pages_look_at_everything(
    database_settings: DatabaseSettings, login_url: str, database: Database, account: AccountId
):
    async with proxied(login_url) as (proxy, url):
        hub = Live(replace(database_settings, url=url), call_seconds=0.1)
        async with hub.listening():
            await connected(hub)
            proxy.links[0].swallow()
            with hub.joined(account, is_operator=False) as page:
                assert await page.next() == EVERYTHING
                async with database.as_account(account) as unit:
                    announce(unit, "mail")
                assert await page.next() == Event(topic="mail")


async def test_a_page_that_falls_behind_looks_at_everything_once(account: AccountId):
    hub = Live(DatabaseSettings())
    with hub.joined(account, is_operator=False) as slow:
        for number in range(1000):
            hub.tell(Hint(account_id=account, topic="mail", subject=number))
        assert await slow.next() == EVERYTHING
        hub.tell(Hint(account_id=account, topic="review"))
        assert await slow.next() == Event(topic="review")


def state(
    task_id: int, account: AccountId | None, done: int = 1, status: TaskStatus = "running"
) -> TaskState:
    return TaskState(
        account_id=account,
        id=task_id,
        kind="mail.import.v1",
        status=status,
        attempts=1,
        progress=TaskProgress(done=done, total=10, note="messages"),
        subjects={"import": 5},
    )


async def test_a_slow_page_hears_the_latest_of_each_task(account: AccountId):
    hub = Live(DatabaseSettings())
    with hub.joined(account, is_operator=False) as slow:
        for done in range(200):
            hub.tell(state(1, account, done))
            hub.tell(state(2, account, done * 2))
        assert [await slow.next() for _ in range(2)] == [
            TaskEvent.of(state(1, account, 199)),
            TaskEvent.of(state(2, account, 398)),
        ]


async def test_a_task_reaches_its_owner_and_operators_and_one_of_the_fleet_only_operators(
    account: AccountId, other_account: AccountId
):
    hub = Live(DatabaseSettings())
    with (
        hub.joined(account, is_operator=True) as operator,
        hub.joined(other_account, is_operator=False) as owner,
        hub.joined(AccountId(other_account + 1), is_operator=False) as stranger,
    ):
        hub.tell(state(1, other_account))
        hub.tell(state(2, None))
        hub.tell(Hint(account_id=other_account, topic="tasks"))
        hub.tell(Hint(account_id=other_account, topic="mail"))
        for listener in (operator, owner, stranger):
            hub.tell(Hint(account_id=listener.account_id, topic="profile"))
        assert await all_told(operator) == [1, 2, "tasks", "profile"]
        assert await all_told(owner) == [1, "tasks", "mail", "profile"]
        assert await all_told(stranger) == ["profile"]


async def all_told(listener: Listener) -> list[int | str]:
    """Up to the hint about the profile, which closes a test."""
    told: list[int | str] = []
    while not told or told[-1] != "profile":
        event = await listener.next()
        assert event
        told.append(event.id if isinstance(event, TaskEvent) else event.topic)
    return told


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


async def next_task(lines: AsyncGenerator[str]) -> str:
    name = ""
    async for line in lines:
        if line.startswith("data: ") and name == "task":
            return line.removeprefix("data: ")
        name = line.removeprefix("event: ")
    raise AssertionError("the stream ended")


async def test_the_state_of_a_task_travels_from_the_database_to_the_browser_without_its_owner(
    server: str, database: Database, account: AccountId, owner_url: str
):
    token = await sessions.start(database, SystemClock(), account, "a test")
    async with (
        httpx2.AsyncClient(base_url=server, cookies={"jobtrail_session": token}, timeout=10) as client,
        client.stream("GET", "/live") as stream,
        await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as announcer,
    ):
        lines = stream.aiter_lines()
        telling = asyncio.create_task(told_until_heard(announcer, [state(12, account, 3)]))
        heard = await next_task(lines)  # pyright: ignore
        telling.cancel()
    assert msgspec.json.decode(heard, type=TaskEvent) == TaskEvent.of(state(12, account, 3))
    assert "account" not in heard


async def told_until_heard(connection: psycopg.AsyncConnection, states: list[TaskState]) -> None:
    """The hub may not listen yet: what was not heard is told again, as every change tells anew."""
    message = {"channels": [CHANNEL] * len(states), "payloads": [encoded(each) for each in states]}
    while True:
        await connection.execute(TELL, message)  # pyright: ignore
        await asyncio.sleep(0.05)


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
            announce(unit, "applications")
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
