"""What runs beside a worker ends with it, also when a cancellation gets lost on the way."""

import asyncio

import pytest

from pipeline.worker.beside import beside


async def test_what_runs_beside_ends_with_the_block():
    ended: list[str] = []

    async def run(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    async with beside(run("a"), run("b")):
        await asyncio.sleep(0)
    assert sorted(ended) == ["a", "b"]


async def test_a_cancellation_that_gets_lost_is_sent_again():
    swallowed: list[int] = []

    async def deaf() -> None:
        while len(swallowed) < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed.append(1)
        await asyncio.Event().wait()

    async with asyncio.timeout(10):
        async with beside(deaf()):
            await asyncio.sleep(0)
    assert len(swallowed) == 2


async def test_whoever_is_cancelled_while_ending_the_others_still_ends_them():
    ended = asyncio.Event()
    is_ending = asyncio.Event()

    async def slow() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            is_ending.set()
            await asyncio.sleep(0.01)
        finally:
            ended.set()

    async def outer() -> None:
        async with beside(slow()):
            await asyncio.sleep(0)

    running = asyncio.create_task(outer())
    await is_ending.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert ended.is_set()
