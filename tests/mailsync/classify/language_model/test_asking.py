"""Who asks for stage 4, when, and for what."""

import msgspec
import pytest
from fixtures.language_model import LeaveOpen
from fixtures.people import FixedClock

from mailsync.classify.language_model.asking import WINDOW, let_model_read
from mailsync.classify.store import append, correct
from mailsync.classify.types import Reading
from schema.db import Database
from schema.ids import AccountId
from schema.settings import _LIMITS  # pyright: ignore
from schema.tasks import InterpretMail


@pytest.fixture
def asked(rows):
    def windows() -> list[list[int]]:
        found = rows("SELECT payload FROM tasks WHERE kind = 'mail.interpret.v1' ORDER BY id")
        return [list(msgspec.json.decode(bytes(each), type=InterpretMail).message_ids) for (each,) in found]

    return windows


async def test_without_the_owners_leave_nothing_is_asked_for(leave_open: LeaveOpen, asked):
    await leave_open("Hello.")
    assert asked() == []


@pytest.mark.usefixtures("model_may_read")
async def test_what_is_left_open_is_asked_for_with_the_reading_that_leaves_it_open(
    leave_open: LeaveOpen, asked, database: Database, account: AccountId, clock: FixedClock
):
    message = await leave_open("Hello.")
    assert asked() == [[message]]
    async with database.as_account(account) as unit:
        own = Reading(stage="language_model", version=1, state="open")
        told = Reading(stage="rules", version=2, state="decided")
        await append(unit, {message: own}, now=clock.now())
        await append(unit, {message: told}, now=clock.now())
    assert asked() == [[message]]


async def test_letting_a_model_read_asks_for_everything_open_newest_first_in_windows(
    leave_open: LeaveOpen, asked, database: Database, account: AccountId, clock: FixedClock
):
    messages = [await leave_open("Hello.") for _ in range(WINDOW + 2)]
    await leave_open("Hello.", from_owner=True)
    async with database.as_account(account) as unit:
        await correct(unit, messages[0], ["offer"], now=clock.now())
    async with database.as_account(account) as unit:
        assert await let_model_read(unit, allowed=True, now=clock.now()) == 2
    newest_first = messages[:0:-1]
    assert asked() == [newest_first[:WINDOW], newest_first[WINDOW:]]


async def test_forbidding_it_asks_for_nothing(
    leave_open: LeaveOpen, asked, database: Database, account: AccountId, clock: FixedClock
):
    await leave_open("Hello.")
    async with database.as_account(account) as unit:
        assert await let_model_read(unit, allowed=False, now=clock.now()) == 0
    assert asked() == []


def test_a_task_of_the_slowest_answers_one_by_one_ends_within_its_time():
    _, most_seconds = _LIMITS["JOBTRAIL_MODEL_TOTAL_SECONDS"]
    assert most_seconds * WINDOW < InterpretMail.TIMEOUT_SECONDS
