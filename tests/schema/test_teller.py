"""What a unit has to tell is told after its commit, once, and never when it is rolled back."""

import asyncio

import psycopg
import pytest

from schema.db import Database
from schema.errors import Unavailable
from schema.ids import AccountId
from schema.queue import WAKE_CHANNEL, enqueue
from schema.settings import DatabaseSettings
from schema.tasks import MatchAccount
from schema.teller import Message, Teller


@pytest.fixture
async def ear(owner_url: str):
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as connection:
        await connection.execute(f"LISTEN {WAKE_CHANNEL}")
        await connection.execute("LISTEN test_told")
        yield connection


async def heard(ear: psycopg.AsyncConnection, count: int) -> list[Message]:
    return [(n.channel, n.payload) async for n in ear.notifies(timeout=10, stop_after=count)]


async def test_workers_are_woken_when_the_asking_unit_is_committed(
    database: Database, account: AccountId, ear: psycopg.AsyncConnection
):
    async with database.as_account(account) as unit:
        await enqueue(unit, MatchAccount())
        assert await heard_now(ear) == []
    assert await heard(ear, 1) == [(WAKE_CHANNEL, "")]


async def heard_now(ear: psycopg.AsyncConnection) -> list[Message]:
    await ear.execute("SELECT 1")
    return [(n.channel, n.payload) async for n in ear.notifies(timeout=0)]


async def test_a_unit_that_is_rolled_back_tells_nothing(database: Database, ear: psycopg.AsyncConnection):
    with pytest.raises(RuntimeError):
        async with database.as_fleet() as unit:
            unit.tell("test_told", "lost")
            raise RuntimeError
    async with database.as_fleet() as unit:
        unit.tell("test_told", "kept")
    assert await heard(ear, 1) == [("test_told", "kept")]


async def test_a_command_that_ends_at_once_is_heard(
    database_settings: DatabaseSettings, empty_database: None, ear: psycopg.AsyncConnection
):
    async with Database.opened(database_settings) as brief, brief.as_fleet() as unit:
        unit.tell("test_told", "last words")
    assert await heard(ear, 1) == [("test_told", "last words")]


async def test_many_equal_messages_are_sent_once_each_pause():
    sent: list[list[Message]] = []
    first = asyncio.Event()

    async def send(messages: list[Message]) -> None:
        sent.append(messages)
        first.set()

    teller = Teller(send)
    teller.tell([("a", "1")])
    await first.wait()
    for number in range(1000):
        teller.tell([("a", "1"), ("b", str(number % 2))])
    await teller.close()
    assert sent == [[("a", "1")], [("a", "1"), ("b", "0"), ("b", "1")]]


async def test_a_server_that_is_away_costs_the_message_and_nothing_else():
    tries: list[int] = []

    async def send(messages: list[Message]) -> None:
        tries.append(len(messages))
        if len(tries) == 1:
            raise Unavailable

    teller = Teller(send)
    teller.tell([("a", "1")])
    await teller.close()
    teller.tell([("a", "2")])
    await teller.close()
    assert tries == [1, 1]
