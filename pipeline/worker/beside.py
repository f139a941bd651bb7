"""Coroutines that run beside something else, and surely end with it."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Iterable
from contextlib import asynccontextmanager

_HEARD_WITHIN_SECONDS = 0.2


@asynccontextmanager
async def beside(*running: Coroutine[None, None, None]) -> AsyncGenerator[None, None]:
    """Each of these runs in a task of its own for as long as the block does."""
    tasks = [asyncio.create_task(each) for each in running]
    try:
        yield
    finally:
        await end(tasks)


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel until it is heard: before Python 3.12 a cancellation that meets the end of a wait can get lost,
    and waiting for a connection or for a row is such a wait."""
    running = set(tasks)
    is_cancelled = False
    while running:
        for task in running:
            task.cancel()
        try:
            await asyncio.wait(running, timeout=_HEARD_WITHIN_SECONDS)
        except asyncio.CancelledError:
            is_cancelled = True
        running = {task for task in running if not task.done()}
    if is_cancelled:
        raise asyncio.CancelledError
