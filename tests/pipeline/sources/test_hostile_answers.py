"""Answers made to hold, fill or fool the asker: raw bytes from a loopback server, over TLS too."""

import asyncio
import gzip
import os
import socket
import ssl
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from fixtures.internet import PUBLIC, Internet

from pipeline.sources import client
from pipeline.sources.client import open_fetcher
from pipeline.sources.types import Answer, FetchFailed, Validators
from schema.settings import SourceSettings

Play = Callable[[asyncio.StreamWriter], Awaitable[None]]
SETTINGS = SourceSettings(allow_private_addresses=True, timeout_seconds=5, response_limit_mb=1)
HASTY = SourceSettings(allow_private_addresses=True, timeout_seconds=0.3, response_limit_mb=1)
OK = b"HTTP/1.1 200 OK\r\n"
PACKED = gzip.compress(b"{}" * 50)


def says(*pieces: bytes) -> Play:
    async def play(writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()

    return play


def drips(first: bytes, drop: bytes) -> Play:
    async def play(writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0.005)

    return play


@asynccontextmanager
async def serving(play: Play, tls: ssl.SSLContext | None = None) -> AsyncGenerator[int, None]:
    served: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await reader.readuntil(b"\r\n\r\n")
            await play(writer)
        writer.close()
        with suppress(ConnectionError, ssl.SSLError):
            await writer.wait_closed()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(asyncio.ensure_future(serve(reader, writer)))

    server = await asyncio.start_server(begin, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1]
        for task in served:
            task.cancel()
        await asyncio.gather(*served)


async def fetched(play: Play, settings: SourceSettings = SETTINGS, known: Validators | None = None) -> Answer:
    async with serving(play) as port, open_fetcher(settings) as fetch:
        return await fetch(f"http://127.0.0.1:{port}/", known=known)


async def problem(play: Play, settings: SourceSettings = SETTINGS, known: Validators | None = None) -> str:
    with pytest.raises(FetchFailed) as raised:
        await fetched(play, settings, known)
    return raised.value.problem


ENDLESS = {
    "nothing": drips(b"", b""),
    "headers, byte by byte": drips(OK + b"X: ", b"y"),
    "headers, line by line": drips(OK, b"X: y\r\n"),
    "provisional answers": drips(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "a body, byte by byte": drips(OK + b"Content-Length: 1000000\r\n\r\n", b"y"),
    "chunks of one byte": drips(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\ny\r\n"),
    "an endless chunk header": drips(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
    "packed nothing": drips(OK + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"")),
}


@pytest.mark.parametrize("play", ENDLESS.values(), ids=ENDLESS.keys())
async def test_who_keeps_the_asker_waiting_is_left_in_time(play: Play):
    assert await problem(play, HASTY) in {"timeout", "cut_short"}


async def test_headers_without_end_are_not_read_to_the_end():
    assert await problem(says(OK, b"X: " + b"y" * 300_000)) == "cut_short"
    assert await problem(says(OK, b"X: y\r\n" * 60_000)) == "cut_short"


BROKEN = {
    "fewer bytes than announced": OK + b"Content-Length: 10\r\n\r\n{}",
    "a chunk cut": OK + b"Transfer-Encoding: chunked\r\n\r\nff\r\n{}",
    "no last chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "two lengths": OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a packed body cut, its transfer whole": OK
    + b"Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n" + PACKED[:20],
    "a packed body cut with its connection": OK + b"Content-Encoding: gzip\r\n\r\n" + PACKED[:20],
    "no HTTP": b"SSH-2.0-OpenSSH_9\r\n\r\n",
    "nothing": b"",
    "unchanged, and nobody asked": b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
}  # fmt: skip


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
async def test_an_answer_that_is_not_whole_is_none(answer: bytes):
    assert await problem(says(answer)) == "cut_short"


async def test_a_bomb_is_too_large():
    bomb = gzip.compress(b"\0" * 3_000_000)
    head = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    assert await problem(says(head, bomb)) == "too_large"
    twice = gzip.compress(bomb)
    head = OK + b"Content-Encoding: gzip, gzip\r\nContent-Length: %d\r\n\r\n" % len(twice)
    assert await problem(says(head, twice)) == "cut_short"


async def test_only_a_body_whose_end_was_announced_has_validators():
    head = OK + b'ETag: W/"a"\r\nLast-Modified: Mon, 30 Nov 2026 04:00:00 GMT\r\n'
    told = Validators(etag='W/"a"', last_modified="Mon, 30 Nov 2026 04:00:00 GMT")
    for rest, expected in (
        (b"Content-Length: 2\r\n\r\n{}", told),
        (b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", told),
        (b"\r\n{}", None),
    ):
        answer = await fetched(says(head + rest))
        assert (answer.body, answer.validators) == (b"{}", expected)
    packed = b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(PACKED)
    assert (await fetched(says(head + packed + PACKED))).body == b"{}" * 50
    missing = head.replace(b"200 OK", b"404 Not Found") + b"Content-Length: 2\r\n\r\n{}"
    assert (await fetched(says(missing))).validators is None


async def test_an_answer_that_nothing_changed_has_no_body_and_what_is_behind_a_redirect_no_validators():
    known = Validators(etag='"a"')
    unchanged = await fetched(
        says(b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 9\r\n\r\n'), known=known
    )
    assert (unchanged.status, unchanged.body, unchanged.validators) == (304, b"", known)
    answers = [
        b'HTTP/1.1 302 Found\r\nLocation: /\r\nETag: "a"\r\nContent-Length: 0\r\n\r\n',
        OK + b'ETag: "b"\r\nContent-Length: 2\r\n\r\n{}',
    ]

    async def play(writer: asyncio.StreamWriter) -> None:
        writer.write(answers.pop(0))

    assert (await fetched(play, known=known)).validators is None


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of jobs.example, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "jobs.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("jobs.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "jobs.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


async def test_over_tls_the_name_is_asked_for_and_proven_whatever_address_is_dialled(
    internet: Internet, certified: Path, monkeypatch: pytest.MonkeyPatch
):
    internet.names |= {"jobs.example": [[PUBLIC]], "other.example": [[PUBLIC]]}
    asked_for: list[str | None] = []
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certified)
    tls.sni_callback = lambda _line, name, _tls: asked_for.append(name)
    trusting = ssl.create_default_context(cafile=str(certified))
    monkeypatch.setattr(client, "_tls", lambda: trusting)
    play = says(OK + b"Content-Length: 2\r\n\r\n{}")
    async with serving(play, tls) as internet.port, open_fetcher(SourceSettings(timeout_seconds=5)) as fetch:
        assert (await fetch("https://jobs.example./")).body == b"{}"
        for url in ("https://other.example/", f"https://{PUBLIC}/"):
            with pytest.raises(FetchFailed) as raised:
                await fetch(url)
            assert raised.value.problem == "unreachable"
    assert asked_for == ["jobs.example", "other.example", None]
    assert internet.dialled == [(PUBLIC, 443)] * 3


async def test_name_servers_that_do_not_answer_are_left_in_time_and_hold_up_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
):
    answered = threading.Event()

    def silent(*_: object) -> list[object]:
        answered.wait(20)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", silent)

    async def ask(number: int) -> str:
        async with open_fetcher(HASTY) as fetch:
            with pytest.raises(FetchFailed) as raised:
                await fetch(f"https://board-{number}.example/")
        return raised.value.problem

    many = (os.cpu_count() or 1) + 8
    asking = asyncio.gather(*map(ask, range(many)))
    try:
        await asyncio.sleep(0)
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "done"), 5) == "done"
        assert set(await asking) == {"timeout"}
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "done"), 5) == "done"
    finally:
        answered.set()
