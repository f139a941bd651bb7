"""A download that is sent while it is made, with room for a few parts between the maker and the browser.

The maker runs as a task of its own, so that what it opened is closed in the task that opened it, also when
the browser goes away in the middle.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

Make = Callable[[Callable[[bytes], Awaitable[None]]], Awaitable[None]]
_PARTS = 8
_LEAST_BYTES = 64 * 1024


async def streamed(make: Make) -> AsyncGenerator[bytes, None]:
    """What `make` sends, in parts of some size. An error of `make` ends the download short."""
    queue: asyncio.Queue[bytes | None] = asyncio.Queue(_PARTS)

    async def run() -> None:
        waiting = bytearray()

        async def send(part: bytes) -> None:
            waiting.extend(part)
            if len(waiting) >= _LEAST_BYTES:
                await queue.put(bytes(waiting))
                waiting.clear()

        try:
            await make(send)
            if waiting:
                await queue.put(bytes(waiting))
        finally:
            await queue.put(None)

    making = asyncio.create_task(run(), name="making of a download")
    try:
        while (part := await queue.get()) is not None:
            yield part
        await making
    finally:
        making.cancel()
        await asyncio.gather(making, return_exceptions=True)


async def begun(parts: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The same once its first part is there: what goes wrong at once is still answered as a refusal."""
    first = await anext(parts, b"")

    async def rest() -> AsyncGenerator[bytes, None]:
        try:
            yield first
            async for part in parts:
                yield part
        finally:
            await parts.aclose()

    return rest()
