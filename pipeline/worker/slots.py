"""The tasks one worker has in hand: so many run at the same time, the others wait for a free slot."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass

from pipeline.worker.claims.types import Claimed, Fence


@dataclass(eq=False)
class Held:
    """A claimed task in this worker's hands. `is_lost`: somebody else's by now. `is_ending`: its handler has
    returned, and its end is being written."""

    task: Claimed
    fence: Fence
    is_lost: bool = False
    is_ending: bool = False


class Slots:
    """`work` runs one task to its end and never raises but when it is cancelled."""

    def __init__(
        self, size: int, work: Callable[[Held], Coroutine[None, None, None]], on_free: Callable[[], object]
    ) -> None:
        self.size = size
        self._work = work
        self._on_free = on_free
        self._running: dict[Held, asyncio.Task[None]] = {}
        self._waiting: deque[Held] = deque()

    @property
    def in_hand(self) -> int:
        return len(self._running) + len(self._waiting)

    @property
    def running(self) -> dict[Held, asyncio.Task[None]]:
        return dict(self._running)

    def held(self) -> list[Held]:
        return [*self._running, *self._waiting]

    def add(self, tasks: Iterable[Held]) -> None:
        self._waiting.extend(tasks)
        self._fill()

    def take_back_waiting(self) -> list[Held]:
        """What has not been started, now in nobody's hands."""
        waiting = list(self._waiting)
        self._waiting.clear()
        return waiting

    def lose(self, fence: Fence) -> bool:
        """Stop working on it; True when it was in hand."""
        for held in self._waiting:
            if held.fence == fence:
                self._waiting.remove(held)
                return True
        for held, running in self._running.items():
            if held.fence == fence:
                held.is_lost = True
                if not held.is_ending:
                    running.cancel()
                return True
        return False

    def _fill(self) -> None:
        while self._waiting and len(self._running) < self.size:
            held = self._waiting.popleft()
            running = asyncio.create_task(self._work(held), name=f"task {held.task.id}")
            self._running[held] = running
            running.add_done_callback(lambda _, held=held: self._ended(held))

    def _ended(self, held: Held) -> None:
        del self._running[held]
        self._fill()
        self._on_free()
