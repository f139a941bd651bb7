"""How exactly a pace is kept by many workers: `python -m benchmarks.manners [--quick] [--json]`.

Eight processes with connections of their own ask one host on loopback as fast as it lets them; each start is
measured where it arrives. Also what manners cost beside the request itself.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from multiprocessing.synchronize import Barrier
from threading import Thread

import msgspec

from benchmarks.installation import installed
from benchmarks.table import Asked, Measure, main
from pipeline.manners.fetch import polite_fetcher
from pipeline.sources.client import open_fetcher
from schema.db import Database
from schema.settings import DatabaseSettings, SourceSettings

WORKERS = 8
SPACING = 0.5
_SECONDS, _QUICK_SECONDS = 30.0, 10.0
_REQUESTS = 200


class _Host(BaseHTTPRequestHandler):
    """Any site; `starts` are its requests as they arrive."""

    starts: list[float] = []  # noqa: RUF012 - one host a process

    def do_GET(self) -> None:
        self.starts.append(time.monotonic())
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Silent: what counts is in `starts`."""


@contextmanager
def _host() -> Generator[str, None, None]:
    _Host.starts.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Host)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


async def _ask(database: DatabaseSettings, source: SourceSettings, seconds: float, most: int) -> None:
    async with Database.opened(database) as db, polite_fetcher(db, source) as fetch:
        asked, until = 0, time.monotonic() + seconds
        while time.monotonic() < until and asked < most:
            await fetch("http://jobs.example/board")
            asked += 1


def _work(database: DatabaseSettings, source: SourceSettings, seconds: float, together: Barrier) -> None:
    together.wait()
    asyncio.run(_ask(database, source, seconds, 1_000_000))


def shared_pace(database: DatabaseSettings, seconds: float) -> list[Measure]:
    """Eight processes, one host: the closest two starts, and how much of the allowed rate was used."""
    spawned = multiprocessing.get_context("spawn")
    with _host() as gateway:
        source = SourceSettings(gateway=gateway, spacing_seconds=SPACING)
        alone = msgspec.structs.replace(database, pool_size=1)
        together = spawned.Barrier(WORKERS)
        workers = [
            spawned.Process(target=_work, args=(alone, source, seconds, together)) for _ in range(WORKERS)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        starts = list(_Host.starts)
    closest = min(after - before for before, after in pairwise(starts))
    rate = (len(starts) - 1) / (starts[-1] - starts[0])
    name = f"{WORKERS} processes, one host, {SPACING * 1000:.0f} ms apart"
    return [
        Measure(f"{name}: closest two starts", closest * 1000, "ms", SPACING * 1000 - 1, at_least=True),
        Measure(f"{name}: share of the allowed rate", rate * SPACING, "", 0.9, at_least=True),
    ]


def cost(database: DatabaseSettings) -> list[Measure]:
    """What asking with manners adds to a request: three statements and the waiting for none."""
    with _host() as gateway:
        source = SourceSettings(gateway=gateway, spacing_seconds=0.001)
        began = time.perf_counter()
        asyncio.run(_ask(database, source, float("inf"), _REQUESTS))
        polite = time.perf_counter() - began
        began = time.perf_counter()
        asyncio.run(_ask_plainly(source))
        plain = time.perf_counter() - began
    return [Measure("manners of one request", (polite - plain) / _REQUESTS * 1000, "ms")]


async def _ask_plainly(source: SourceSettings) -> None:
    async with open_fetcher(source) as fetch:
        for _ in range(_REQUESTS):
            await fetch("http://jobs.example/board")


def _measured(asked: Asked) -> Sequence[Measure]:
    with installed() as settings:
        pace = shared_pace(settings.database, _QUICK_SECONDS if asked.quick else _SECONDS)
        return [*pace, *cost(settings.database)]


if __name__ == "__main__":
    main(__doc__ or "", _measured)
