"""Open pages are told the latest state of each task, and of a flood once that there is one."""

import asyncio

import pytest
from fixtures.worker import until

from pipeline.worker.announcer import Announcer
from pipeline.worker.claims.types import Claimed
from schema.live import CHANNEL, Hint, Message, TaskProgress, TaskState, heard
from schema.teller import Message as Told
from schema.teller import Teller


@pytest.fixture
def sent() -> list[Message]:
    return []


@pytest.fixture
async def teller(sent: list[Message]):
    async def send(messages: list[Told]) -> None:
        assert {channel for channel, _ in messages} == {CHANNEL}
        sent.extend(message for _, payload in messages if (message := heard(payload)))

    made = Teller(send)
    yield made
    await made.close()


@pytest.fixture
def announcer(teller: Teller) -> Announcer:
    return Announcer(teller)


def task(number: int, account: int | None = 7) -> Claimed:
    return Claimed(
        id=number, account_id=account, kind="mail.import.v1", payload=b'{"import_id": 5}', priority=100,
        lane=0, host=None, parent_id=None, attempts=2, max_attempts=3, claim_seq=1,
    )  # fmt: skip


async def flushed(announcer: Announcer, teller: Teller, sent: list[Message]) -> list[Message]:
    announcer.flush()
    await teller.close()
    found, sent[:] = list(sent), []
    return found


async def test_a_state_carries_what_a_page_shows(announcer: Announcer, teller: Teller, sent: list[Message]):
    announcer.stands(task(1), "running", TaskProgress(done=3, total=9, note="page 3"))
    state = TaskState(
        account_id=7, id=1, kind="mail.import.v1", status="running", attempts=2,
        progress=TaskProgress(done=3, total=9, note="page 3"), subjects={"import": 5},
    )  # fmt: skip
    assert await flushed(announcer, teller, sent) == [state]


async def test_of_one_task_only_the_latest_state_is_told(
    announcer: Announcer, teller: Teller, sent: list[Message]
):
    for done in range(100):
        announcer.stands(task(1), "running", TaskProgress(done=done))
    announcer.stands(task(1), "done")
    [state] = await flushed(announcer, teller, sent)
    assert isinstance(state, TaskState)
    assert (state.status, state.progress) == ("done", None)
    assert await flushed(announcer, teller, sent) == []


async def test_a_flood_of_one_account_becomes_one_hint_and_hides_no_other_account(
    announcer: Announcer, teller: Teller, sent: list[Message]
):
    for number in range(10_000):
        announcer.stands(task(number), "done")
    announcer.stands(task(1, account=8), "failed")
    announcer.stands(task(2, account=None), "done")
    told = await flushed(announcer, teller, sent)
    assert told[0] == Hint(account_id=7, topic="tasks")
    assert [(each.account_id, type(each)) for each in told[1:]] == [(8, TaskState), (None, TaskState)]


async def test_fifty_tasks_are_told_one_by_one_and_one_more_is_a_flood(
    announcer: Announcer, teller: Teller, sent: list[Message]
):
    for number in range(50):
        announcer.stands(task(number), "done")
    assert {type(each) for each in await flushed(announcer, teller, sent)} == {TaskState}
    for number in range(51):
        announcer.stands(task(number), "done")
    assert [type(each) for each in await flushed(announcer, teller, sent)] == [Hint]


async def test_a_task_of_which_no_more_is_known_is_hinted_once(
    announcer: Announcer, teller: Teller, sent: list[Message]
):
    announcer.changed(7, 3)
    announcer.changed(7, 3)
    announcer.changed(None, None)
    assert await flushed(announcer, teller, sent) == [
        Hint(account_id=7, topic="tasks", subject=3),
        Hint(account_id=None, topic="tasks"),
    ]


async def test_it_tells_by_itself_a_few_times_a_second(
    announcer: Announcer, teller: Teller, sent: list[Message]
):
    running = asyncio.create_task(announcer.run())
    announcer.stands(task(1), "done")

    async def told():
        return sent or None

    await until(told, 5, "the state was told")
    running.cancel()
