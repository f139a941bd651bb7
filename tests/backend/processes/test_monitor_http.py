"""The monitors' little HTTP server against everything that can come in over a socket."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from backend.processes import monitor_http
from backend.processes.monitor_http import LINE_BYTES, MOST_CONNECTIONS, Answer, Conversations

Ask = Callable[[bytes], Awaitable[bytes]]


async def well() -> Answer:
    return Answer(status=HTTPStatus.OK, body=b"well\n")


async def broken() -> Answer:
    raise ValueError("canary")


class Place:
    """A server on loopback with one good page and one that faults."""

    def __init__(self) -> None:
        self.conversations = Conversations({"/well": well, "/broken": broken})
        self.port = 0

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, request: bytes, *, ends: bool = False) -> bytes:
        reader, writer = await self.connect()
        try:
            writer.write(request)
            if ends:
                writer.write_eof()
            return await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.transport.abort()


async def serving() -> AsyncGenerator[Place]:
    made = Place()
    server = await asyncio.start_server(made.conversations.meet, "127.0.0.1", 0, limit=LINE_BYTES)
    made.port = server.sockets[0].getsockname()[1]
    yield made
    server.close()
    made.conversations.end()


@pytest.fixture
async def place() -> AsyncGenerator[Place]:
    async for made in serving():
        yield made


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
@pytest.mark.parametrize("ending", [b"\r\n", b"\n"])
async def test_a_page_is_answered_whole_and_the_connection_closed(
    place: Place, version: bytes, ending: bytes
):
    answer = await place.ask(b"GET /well?x=1 HTTP/" + version + ending + b"Host: x" + ending + ending)
    head, body = answer.split(b"\r\n\r\n")
    assert (status(answer), body) == (200, b"well\n")
    assert b"Content-Length: 5" in head
    assert b"Connection: close" in head


async def test_head_has_the_same_head_and_no_body(place: Place):
    whole = await place.ask(b"GET /well HTTP/1.1\r\n\r\n")
    assert await place.ask(b"HEAD /well HTTP/1.1\r\n\r\n") == whole.removesuffix(b"well\n")


@pytest.mark.parametrize(
    ("request_bytes", "expected"),
    [
        (b"GET /elsewhere HTTP/1.1\r\n\r\n", 404),
        (b"GET / HTTP/1.1\r\n\r\n", 404),
        (b"GET /well/../broken HTTP/1.1\r\n\r\n", 404),
        (b"POST /elsewhere HTTP/1.1\r\n\r\n", 404),
        (b"POST /well HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 405),
        (b"GET well HTTP/1.1\r\n\r\n", 400),
        (b"GET http://127.0.0.1/well HTTP/1.1\r\n\r\n", 400),
        (b"GET /well\r\n\r\n", 400),
        (b"GET /well HTTP/2.0\r\n\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        (b"\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", 400),
        (b"GET /\x00 HTTP/1.1\r\n\r\n", 400),
        (b"GET /" + b"a" * 2 * LINE_BYTES + b" HTTP/1.1\r\n\r\n", 400),
        (b"GET /well HTTP/1.1\r\nX: " + b"a" * 2 * LINE_BYTES + b"\r\n\r\n", 400),
        (b"GET /well HTTP/1.1\r\n" + b"X: y\r\n" * 1000 + b"\r\n", 400),
    ],
)
async def test_what_is_not_asked_well_is_refused_plainly(place: Place, request_bytes: bytes, expected: int):
    answer = await place.ask(request_bytes)
    assert status(answer) == expected
    assert answer.endswith(HTTPStatus(expected).phrase.encode() + b"\n")


async def test_a_refused_method_is_told_which_ones_are_taken(place: Place):
    assert b"\r\nAllow: GET, HEAD\r\n" in await place.ask(b"DELETE /well HTTP/1.1\r\n\r\n")


async def test_a_fault_is_answered_without_its_words_and_logged(place: Place):
    with capture_logs() as logs:
        answer = await place.ask(b"GET /broken HTTP/1.1\r\n\r\n")
    assert status(answer) == 500
    assert b"canary" not in answer
    assert [line["log_level"] for line in logs] == ["error"]
    assert "canary" not in str(logs)


async def test_a_client_that_never_finishes_is_cut_off(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(monitor_http, "PATIENCE_SECONDS", 0.1)
    assert await place.ask(b"GET /well HTT") == b""
    assert await place.ask(b"GET /well HTTP/1.1\r\nHost: x\r\n") == b""


async def test_a_client_that_drips_is_cut_off_all_the_same(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(monitor_http, "PATIENCE_SECONDS", 0.2)
    reader, writer = await place.connect()
    gone = asyncio.create_task(reader.read())
    async with asyncio.timeout(10):
        while not gone.done():
            writer.write(b"G")
            await asyncio.wait([gone], timeout=0.02)
    assert isinstance(gone.exception(), ConnectionError | None)
    assert gone.exception() or gone.result() == b""
    writer.transport.abort()


async def test_a_client_that_left_is_no_fault(place: Place):
    with capture_logs() as logs:
        assert status(await place.ask(b"GET /well", ends=True)) == 400
        reader, writer = await place.connect()
        writer.write(b"GET /well HTTP/1.1\r\n\r\n")
        writer.transport.abort()
        assert status(await place.ask(b"GET /well HTTP/1.1\r\n\r\n")) == 200
        del reader
    assert not logs


async def test_a_crowd_of_silent_clients_keeps_nobody_out(place: Place):
    crowd = [await place.connect() for _ in range(3 * MOST_CONNECTIONS)]
    assert status(await place.ask(b"GET /well HTTP/1.1\r\n\r\n")) == 200
    assert await asyncio.wait_for(crowd[0][0].read(), 5) == b""
    assert len(place.conversations._open) <= MOST_CONNECTIONS
    for _, writer in crowd:
        writer.transport.abort()


async def test_the_end_cuts_everybody_off(place: Place):
    reader, writer = await place.connect()
    writer.write(b"GET /well")
    assert status(await place.ask(b"GET /well HTTP/1.1\r\n\r\n")) == 200
    place.conversations.end()
    assert await asyncio.wait_for(reader.read(), 5) == b""
    writer.transport.abort()


@given(st.binary(max_size=200))
def test_any_bytes_get_an_answer_or_an_end(noise: bytes):
    async def once() -> None:
        async for place in serving():
            with capture_logs() as logs:
                answer = await place.ask(noise, ends=True)
            assert not answer or status(answer) in {200, 400, 404, 405}
            assert not logs

    asyncio.run(once())
