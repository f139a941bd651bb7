"""So many tasks run at the same time, the others wait in order; what is lost stops, what ends makes room."""

import asyncio
from uuid import UUID

import pytest

from pipeline.worker.claims.types import Claimed, Fence
from pipeline.worker.slots import Held, Slots

WORKER = UUID(int=1)


def held(number: int) -> Held:
    task = Claimed(
        id=number, account_id=None, kind="test.echo.v1", payload=b"{}", priority=100, lane=0, host=None,
        parent_id=None, attempts=1, max_attempts=3, claim_seq=1,
    )  # fmt: skip
    return Held(task, Fence(number, WORKER, 1))


class Work:
    """Each task runs until it is let go; one that is cancelled takes its time when it is `stubborn`."""

    def __init__(self) -> None:
        self.began: list[int] = []
        self.cancelled: list[int] = []
        self.freed = 0
        self.go_on: dict[int, asyncio.Event] = {}
        self.stubborn: set[int] = set()

    async def run(self, held: Held) -> None:
        self.began.append(held.task.id)
        event = self.go_on.setdefault(held.task.id, asyncio.Event())
        try:
            await event.wait()
        except asyncio.CancelledError:
            self.cancelled.append(held.task.id)
            if held.task.id in self.stubborn:
                await event.wait()
            raise

    def free(self) -> None:
        self.freed += 1

    async def end(self, number: int) -> None:
        self.go_on.setdefault(number, asyncio.Event()).set()
        await settled()


async def settled() -> None:
    """Every callback that is due has run."""
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
async def work():
    work = Work()
    yield work
    for event in work.go_on.values():
        event.set()
    await settled()


@pytest.fixture
def slots(work: Work) -> Slots:
    return Slots(2, work.run, work.free)


async def test_so_many_run_and_the_others_wait_in_order(slots: Slots, work: Work):
    slots.add([held(number) for number in range(5)])
    await settled()
    assert (work.began, slots.in_hand) == ([0, 1], 5)
    await work.end(1)
    await work.end(0)
    assert (work.began, slots.in_hand, work.freed) == ([0, 1, 2, 3], 3, 2)


async def test_what_waits_can_be_taken_back(slots: Slots, work: Work):
    tasks = [held(number) for number in range(4)]
    slots.add(tasks)
    assert slots.take_back_waiting() == tasks[2:]
    assert slots.held() == tasks[:2]
    await work.end(0)
    assert work.began == [0, 1]


async def test_a_lost_task_that_waits_is_never_started(slots: Slots, work: Work):
    tasks = [held(number) for number in range(4)]
    slots.add(tasks)
    assert slots.lose(tasks[2].fence)
    await work.end(0)
    assert work.began == [0, 1, 3]


async def test_a_lost_task_is_cancelled_and_keeps_its_slot_until_it_returns(slots: Slots, work: Work):
    work.stubborn = {0}
    tasks = [held(number) for number in range(3)]
    slots.add(tasks)
    await settled()
    assert slots.lose(tasks[0].fence)
    await settled()
    assert (work.cancelled, tasks[0].is_lost, work.began) == ([0], True, [0, 1])
    await work.end(0)
    assert work.began == [0, 1, 2]


async def test_a_task_whose_end_is_being_written_is_told_but_not_interrupted(slots: Slots, work: Work):
    task = held(0)
    slots.add([task])
    await settled()
    task.is_ending = True
    assert slots.lose(task.fence)
    await settled()
    assert (task.is_lost, work.cancelled) == (True, [])


async def test_losing_an_older_claim_of_a_task_leaves_the_newer_one_alone(slots: Slots, work: Work):
    task = held(0)
    slots.add([task])
    await settled()
    assert not slots.lose(Fence(0, WORKER, 0))
    assert not slots.lose(Fence(7, WORKER, 1))
    await settled()
    assert (task.is_lost, work.cancelled) == (False, [])
