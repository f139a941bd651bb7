"""Connections that owe an answer are cut in time, and no others."""

import asyncio
import time
from collections.abc import AsyncGenerator

import psycopg
import pytest
from fixtures.proxy import Proxy, proxied

from schema.cut import AnsweringConnection, Watch, answering, answering_in_thread

SECONDS = 0.3


@pytest.fixture
async def proxy(login_url: str) -> AsyncGenerator[tuple[Proxy, str]]:
    async with proxied(login_url) as opened:
        yield opened


@pytest.fixture
async def connection(proxy: tuple[Proxy, str]) -> AsyncGenerator[AnsweringConnection]:
    async with await AnsweringConnection.connect(proxy[1], autocommit=True) as opened:
        yield opened


@pytest.fixture
async def watch(connection: AnsweringConnection) -> AsyncGenerator[Watch]:
    made = Watch(SECONDS)
    await made.add(connection)
    running = asyncio.create_task(made.run())
    yield made
    running.cancel()


async def test_who_waits_for_a_silent_server_is_told_in_time(
    proxy: tuple[Proxy, str], connection: AnsweringConnection
):
    proxy[0].links[0].swallow()
    began = time.monotonic()
    with pytest.raises(psycopg.OperationalError), answering(connection, SECONDS):
        await connection.execute("SELECT 1")
    assert time.monotonic() - began < 5


async def test_a_watched_connection_that_is_silent_is_cut(
    proxy: tuple[Proxy, str], connection: AnsweringConnection, watch: Watch
):
    proxy[0].links[0].swallow()
    async with asyncio.timeout(5):
        with pytest.raises(psycopg.OperationalError):
            await connection.execute("SELECT 1")


async def test_a_watched_connection_that_owes_nothing_lives(connection: AnsweringConnection, watch: Watch):
    for _ in range(3):
        await connection.execute("SELECT pg_sleep(%s)", (SECONDS / 2,))
    assert not connection.closed


async def test_a_loop_that_was_held_up_hears_first_what_came_meanwhile(
    connection: AnsweringConnection, watch: Watch
):
    with answering(connection, SECONDS):
        asked = asyncio.create_task(connection.execute("SELECT pg_sleep(%s)", (SECONDS / 10,)))
        await asyncio.sleep(0)
        time.sleep(2 * SECONDS)  # noqa: ASYNC251 - what holds the loop up
        await asked
    await connection.execute("SELECT 1")


async def test_a_thread_that_waits_for_a_silent_server_is_told_in_time(proxy: tuple[Proxy, str]):
    def ask() -> None:
        with psycopg.connect(proxy[1], autocommit=True) as connection:
            proxy[0].links[0].swallow()
            with pytest.raises(psycopg.OperationalError), answering_in_thread(connection, SECONDS):
                connection.execute("SELECT 1")

    async with asyncio.timeout(10):
        await asyncio.to_thread(ask)
