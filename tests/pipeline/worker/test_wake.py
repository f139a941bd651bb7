"""The listener hears of work, and notices when it has gone deaf, however that came about."""

import asyncio
from collections.abc import AsyncGenerator

import psycopg
import pytest
from fixtures.cutting import CUT_LISTENERS
from fixtures.proxy import proxied
from fixtures.worker import Tasks, until

from pipeline.worker import wake
from pipeline.worker.wake import Wakeups
from schema import listening
from schema.queue import WAKE_CHANNEL

CALL_SECONDS = 0.1


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake, "_AGAIN_SECONDS", 0.05)


class Ear:
    """Counts how often it was told to look: once whenever the listener begins to listen, then for work."""

    def __init__(self, url: str) -> None:
        self.looks = 0
        self.wakeups = Wakeups(url, self._look, call_seconds=CALL_SECONDS)
        self.listening = asyncio.create_task(self.wakeups.listen())

    def _look(self) -> None:
        self.looks += 1

    async def has_looked(self, times: int) -> None:
        async def often_enough():
            return (self.looks >= times and self.wakeups.is_listening) or None

        await until(often_enough, 10, f"it looked {times} times, not {self.looks}")

    async def stop(self) -> None:
        self.listening.cancel()
        await asyncio.gather(self.listening, return_exceptions=True)


@pytest.fixture
async def ear(login_url: str) -> AsyncGenerator[Ear]:
    ear = Ear(login_url)
    await ear.has_looked(1)
    yield ear
    await ear.stop()


async def notify(tasks: Tasks) -> None:
    await tasks.fetch(f"NOTIFY {WAKE_CHANNEL}")


async def test_work_is_heard(ear: Ear, tasks: Tasks):
    assert await ear.wakeups.wait(0), "it looks at once when it begins to listen"
    await notify(tasks)
    assert await ear.wakeups.wait(5)
    assert not await ear.wakeups.wait(0), "one call wakes once"


async def test_its_own_calls_are_no_work(ear: Ear, owner_url: str):
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as other:
        await other.execute(f"LISTEN {WAKE_CHANNEL}; SELECT pg_sleep({CALL_SECONDS * 4})")
    assert (ear.looks, ear.wakeups.is_listening) == (1, True)


async def test_it_can_be_woken_from_inside(ear: Ear):
    await ear.wakeups.wait(0)
    waiting = asyncio.create_task(ear.wakeups.wait(5))
    await asyncio.sleep(0)
    ear.wakeups.wake()
    assert await waiting
    assert ear.looks == 1, "nobody asked for work"


async def test_a_terminated_connection_is_opened_anew_and_hears_again(ear: Ear, tasks: Tasks):
    await tasks.fetch(CUT_LISTENERS)
    await ear.has_looked(2)
    await notify(tasks)
    await ear.has_looked(3)


async def test_a_half_open_connection_is_noticed_and_opened_anew(login_url: str, tasks: Tasks):
    async with proxied(login_url) as (proxy, url):
        ear = Ear(url)
        await ear.has_looked(1)
        proxy.named("jobtrail_listener")[0].swallow()
        await ear.has_looked(2)
        await notify(tasks)
        await ear.has_looked(3)
        await ear.stop()


async def test_a_connection_that_lost_its_subscription_is_noticed_and_opened_anew(
    ear: Ear, monkeypatch: pytest.MonkeyPatch
):
    """As behind a pooler that hands each statement to another session: calls arrive elsewhere."""
    monkeypatch.setattr(listening, "_CALL", "SELECT pg_notify('elsewhere_' || %s, %s)")
    await ear.has_looked(2)


async def test_a_server_that_is_away_is_tried_until_it_is_there(login_url: str, tasks: Tasks):
    async with proxied(login_url) as (proxy, url):
        proxy.swallowed.add("jobtrail_listener")
        ear = Ear(url)
        await proxy.until_opened("jobtrail_listener", 2)
        assert (ear.looks, ear.wakeups.is_listening) == (0, False)
        assert not await ear.wakeups.wait(0)
        proxy.swallowed.clear()
        await ear.has_looked(1)
        await ear.stop()
