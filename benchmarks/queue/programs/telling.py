"""What every measured program shares: how it is asked, and how it tells what it did.

    PROGRAM MODE URL OPTIONS

Each runs in a process of its own, some with another Python, so this file needs the standard library only.
OPTIONS is a JSON object. A program says `ready`, waits for a line, and tells JSON objects, one a line.
Modes: install, work (until SIGTERM), single, bulk and paced enqueueing, and claims where a program has them.
"""

import asyncio
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, runtime_checkable

BULK_ROWS = 1000
TELL_SECONDS = 0.02

Options = dict[str, Any]

# Libraries may print what they like: it goes where the errors go, and the lines stay ours.
_lines = os.fdopen(os.dup(sys.stdout.fileno()), "w")
os.dup2(sys.stderr.fileno(), sys.stdout.fileno())


class Told:
    """What a worker did so far, told by a thread while it grows."""

    def __init__(self) -> None:
        self.count = 0
        self._delays_ms: list[float] = []
        self._ended = threading.Event()

    def handled(self, sent_ns: int = 0) -> None:
        self.count += 1
        if sent_ns:
            self._delays_ms.append((time.monotonic_ns() - sent_ns) / 1e6)

    def keep_telling(self) -> None:
        last = 0
        while not self._ended.wait(TELL_SECONDS):
            if self.count != last:
                last = self.count
                self._tell()
        self._tell()

    def end(self) -> None:
        self._ended.set()

    def _tell(self) -> None:
        delays, self._delays_ms = self._delays_ms, []
        say(count=self.count, delays_ms=delays)


class Client(Protocol):
    """Enqueues without anything around it; each call is committed when it returns."""

    async def one(self, sent_ns: int) -> None: ...

    async def many(self, count: int) -> None: ...


class Queue(Protocol):
    def install(self, url: str) -> Awaitable[None]: ...

    def work(self, url: str, options: Options, told: Told, stop: asyncio.Event) -> Awaitable[None]: ...

    def client(self, url: str, options: Options) -> AbstractAsyncContextManager[Client]: ...


@runtime_checkable
class TimesClaims(Protocol):
    """`go` is called when everything is ready; the answer is what is told, milliseconds by name."""

    def claims(self, url: str, options: Options, go: Callable[[], None]) -> Awaitable[dict[str, float]]: ...


def say(**told: object) -> None:
    print(json.dumps(told), file=_lines, flush=True)


def wait_for_go() -> None:
    say(ready=True)
    if not sys.stdin.readline():
        sys.exit("nobody is listening any more")


async def perform(queue: Queue, mode: str, url: str, options: Options) -> None:
    if mode == "install":
        await queue.install(url)
    elif mode == "work":
        await _work(queue, url, options)
    elif mode == "claims" and isinstance(queue, TimesClaims):
        say(**await queue.claims(url, options, wait_for_go), ended=True)
    else:
        async with queue.client(url, options) as client:
            await client.one(0)  # connections and statements are made before the clock runs
            wait_for_go()
            await ENQUEUEING[mode](client, options)


async def _work(queue: Queue, url: str, options: Options) -> None:
    told, stop = Told(), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    wait_for_go()
    telling = threading.Thread(target=told.keep_telling, daemon=True)
    telling.start()
    try:
        await queue.work(url, options, told, stop)
    finally:
        told.end()
        telling.join()


async def _single(client: Client, options: Options) -> None:
    began, count = time.monotonic(), 0
    while time.monotonic() - began < options["seconds"]:
        await client.one(0)
        count += 1
    say(count=count, seconds=time.monotonic() - began, ended=True)


async def _bulk(client: Client, options: Options) -> None:
    """A fixed number of rows: some systems grow slower with the table."""
    began, left = time.monotonic(), int(options["count"])
    while left > 0:
        await client.many(min(left, BULK_ROWS))
        left -= BULK_ROWS
    say(count=options["count"], seconds=time.monotonic() - began, ended=True)


async def _paced(client: Client, options: Options) -> None:
    """Each at its own time, up to `at_once` of them on their way; the time it is sent rides along."""
    free = asyncio.Semaphore(options.get("at_once", 1))

    async def send() -> None:
        try:
            await client.one(time.monotonic_ns())
        finally:
            free.release()

    began = time.monotonic()
    async with asyncio.TaskGroup() as sending:
        for number in range(int(options["count"])):
            await asyncio.sleep(began + number / options["rate"] - time.monotonic())
            await free.acquire()
            sending.create_task(send())
    say(count=options["count"], seconds=time.monotonic() - began, ended=True)


ENQUEUEING: dict[str, Callable[[Client, Options], Awaitable[None]]] = {
    "single": _single,
    "bulk": _bulk,
    "paced": _paced,
}


def main(queue: Queue, run: Callable[[Any], object] = asyncio.run) -> None:
    mode, url, options = sys.argv[1:]
    run(perform(queue, mode, url, json.loads(options)))
