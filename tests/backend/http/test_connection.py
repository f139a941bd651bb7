"""The line itself: heads too large or too slow, and that nobody else waits for them."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from urllib.parse import urlsplit

import httpx2
import pytest

from backend.http.connection import Connection

HEAD = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n"
PATIENCE_SECONDS = 10


@contextlib.asynccontextmanager
async def line(server: str) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    parts = urlsplit(server)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    async with asyncio.timeout(PATIENCE_SECONDS):
        yield reader, writer
    writer.close()


@pytest.mark.parametrize("start", [HEAD + b"X: ", b"GET /", HEAD], ids=["one header", "address", "headers"])
async def test_a_head_without_an_end_is_cut_off(server: str, start: bytes):
    more = b"X: y\r\n" * 2000 if start == HEAD else b"a" * 12_000
    async with line(server) as (reader, writer):
        writer.write(start)
        with contextlib.suppress(ConnectionError):
            for _ in range(1000):
                writer.write(more)
                await writer.drain()
        # What was still under way when the line was cut may have swept the answer away.
        with contextlib.suppress(ConnectionError):
            assert b"400" in await reader.readline()


async def test_a_head_that_takes_too_long_is_cut_off_and_others_are_served(
    server: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Connection, "HEAD_SECONDS", 0.3)
    async with line(server) as (reader, writer), line(server) as (silent, _), httpx2.AsyncClient() as other:
        writer.write(HEAD)
        assert (await other.get(f"{server}/livez")).status_code == 200
        assert await reader.read() == b""
        assert await silent.read() == b""


async def test_the_time_for_a_head_begins_anew_with_each_request(server: str):
    async with line(server) as (reader, writer):
        for _ in range(3):
            writer.write(HEAD + b"X: " + b"a" * (Connection.HEAD_MAX_BYTES // 2) + b"\r\n\r\n")
            assert b"200" in await reader.readline()
            rest = await reader.readuntil(b"\r\n\r\n")
            assert b"content-length: 18" in rest
            assert await reader.readexactly(18) == b'{"status":"alive"}'


async def test_a_body_larger_than_a_head_may_be_is_no_head(server: str):
    body = b"a=" + b"b" * (Connection.HEAD_MAX_BYTES * 3)
    async with httpx2.AsyncClient() as client:
        kind = {"content-type": "application/x-www-form-urlencoded"}
        answer = await client.post(f"{server}/sign-in", content=body, headers=kind)
    assert answer.status_code == 400
    assert "E-mail address is missing." in answer.text
