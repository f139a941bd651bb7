"""The stream an open page listens to. It ends after a while, so that the end of a session is noticed."""

import asyncio
from collections.abc import AsyncGenerator

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.response import Stream

from backend.http.live import EVERYTHING, Listener, Live, TaskEvent, Told
from backend.http.visits import Person

STREAM_SECONDS = 600.0
"""Then the stream ends and the browser asks again, with its cookie."""


@get("/live", include_in_schema=False)
async def live(person: NamedDependency[Person]) -> Stream:
    return Stream(
        _events(person.parts.live, person),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _events(hub: Live, person: Person) -> AsyncGenerator[bytes, None]:
    with hub.joined(person.account.id, is_operator=person.account.is_operator) as listener:
        yield b"retry: 2000\n\n" + _written(EVERYTHING)
        async for chunk in _heard(listener):
            yield chunk


async def _heard(listener: Listener) -> AsyncGenerator[bytes, None]:
    now = asyncio.get_running_loop().time
    end = now() + STREAM_SECONDS
    while now() < end:
        try:
            told = await listener.next()
        except TimeoutError:
            yield b": still here\n\n"
            continue
        if told is None:
            return
        yield _written(told)


def _written(told: Told) -> bytes:
    name = b"task" if isinstance(told, TaskEvent) else b"hint"
    return b"event: " + name + b"\ndata: " + msgspec.json.encode(told) + b"\n\n"


ROUTES = (live,)
