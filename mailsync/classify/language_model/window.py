"""Several questions under way at a time, their answers in the order they were sent. Knows nothing of mail."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


async def in_order(
    items: AsyncIterator[ItemT], work: Callable[[ItemT], Awaitable[ResultT]], size: int
) -> AsyncGenerator[tuple[ItemT, ResultT], None]:
    """Each item with what `work` made of it. An item is taken only when there is room for it.

    When `items` ends early, what is under way still comes. Close it (`aclosing`) to cancel the rest.
    """
    under_way: deque[tuple[ItemT, asyncio.Task[ResultT]]] = deque()

    async def run(item: ItemT) -> ResultT:
        return await work(item)

    more = True
    try:
        while True:
            while more and len(under_way) < size:
                try:
                    item = await anext(items)
                except StopAsyncIteration:
                    more = False
                else:
                    under_way.append((item, asyncio.create_task(run(item))))
            if not under_way:
                return
            item, task = under_way[0]
            result = await task
            under_way.popleft()
            yield item, result
    finally:
        for _, task in under_way:
            task.cancel()
        await asyncio.gather(*(task for _, task in under_way), return_exceptions=True)
