"""Questions overlap, answers keep their order, and nothing is left running."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from mailsync.classify.language_model.window import in_order


async def numbers(count: int) -> AsyncGenerator[int, None]:
    for number in range(count):
        yield number


class Work:
    """Each item waits for its gate."""

    def __init__(self, count: int) -> None:
        self.gates = [asyncio.Event() for _ in range(count)]
        self.begun: list[int] = []
        self.cancelled: list[int] = []

    async def __call__(self, number: int) -> int:
        self.begun.append(number)
        try:
            await self.gates[number].wait()
        except asyncio.CancelledError:
            self.cancelled.append(number)
            raise
        return number * 10


async def test_answers_come_in_the_order_of_the_questions_however_they_end():
    work = Work(5)
    found: list[tuple[int, int]] = []

    async def collect() -> None:
        async with aclosing(in_order(numbers(5), work, 3)) as answers:
            found.extend([pair async for pair in answers])

    running = asyncio.create_task(collect())
    for number in (2, 1):
        work.gates[number].set()
        await asyncio.sleep(0)
    assert work.begun == [0, 1, 2]
    for gate in work.gates:
        gate.set()
    await running
    assert found == [(0, 0), (1, 10), (2, 20), (3, 30), (4, 40)]


async def test_no_more_than_the_window_is_under_way():
    work = Work(10)
    async with aclosing(in_order(numbers(10), work, 4)) as answers:
        for number in range(10):
            work.gates[number].set()
            await anext(answers)
            assert len(work.begun) <= number + 4


async def test_leaving_early_cancels_what_is_under_way():
    work = Work(3)
    work.gates[0].set()
    async with aclosing(in_order(numbers(3), work, 3)) as answers:
        assert await anext(answers) == (0, 0)
    assert work.cancelled == [1, 2]


async def test_a_fault_of_the_work_ends_it_and_leaves_nothing_running():
    work = Work(3)

    async def breaks(number: int) -> int:
        if number == 0:
            raise RuntimeError("broken")
        return await work(number)

    with pytest.raises(RuntimeError, match="broken"):
        async with aclosing(in_order(numbers(3), breaks, 3)) as answers:
            await anext(answers)
    assert len(asyncio.all_tasks()) == 1
