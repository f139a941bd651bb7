"""A process that asks a model is killed again and again: what was applied was applied whole, and once."""

import asyncio
import subprocess
import time

import pytest
from emulators.language_model import KEY, MODEL, Provider, Said, answer, event
from fixtures.interpreting_process import interpreting
from fixtures.language_model import LeaveOpen
from fixtures.worker import until

from schema.ids import AccountId, MessageId
from schema.settings import DatabaseSettings

GONE = "The place has gone to a colleague from within."
WINDOW = 3
KILLS = 2

pytestmark = [
    pytest.mark.process,
    pytest.mark.timeout(120),
    pytest.mark.usefixtures("model_may_read"),
]


@pytest.fixture
def start(database_settings: DatabaseSettings, provider: Provider, account: AccountId):
    def process(messages: list[MessageId]) -> subprocess.Popen[bytes]:
        return interpreting(database_settings.url, provider.url, KEY, MODEL, account, messages)

    return process


def slowly(_: str) -> Said:
    """As slow as a quick model, so that a kill finds something under way."""
    time.sleep(0.05)
    return answer(event("rejection", GONE))


async def test_killed_again_and_again_it_ends_as_if_it_had_not_been(
    provider: Provider, leave_open: LeaveOpen, start, rows
):
    provider.reads = slowly
    messages = [await leave_open(f"Letter {number}. {GONE}") for number in range(12)]
    for kill in range(1, KILLS + 1):
        process = start(messages)
        await until(lambda done=2 * kill: _paid(rows, done), 30, f"{2 * kill} answers are applied")
        process.kill()
        await asyncio.to_thread(process.wait)
        assert rows("SELECT count(*) FROM usage") == rows(
            "SELECT count(*) FROM readings WHERE stage = 'language_model'"
        )
    assert await asyncio.to_thread(start(messages).wait, 60) == 0
    assert rows("SELECT subject_id, count(*), min(outcome) FROM usage GROUP BY 1 ORDER BY 1") == [
        (message, 1, "decided") for message in messages
    ]
    assert rows("SELECT message_id, count(*) FROM events GROUP BY 1 ORDER BY 1") == [
        (message, 1) for message in messages
    ]
    # The named window: a kill loses at most what was under way, and only that is asked again.
    assert len(provider.asked) <= len(messages) + KILLS * WINDOW


async def _paid(rows, count: int) -> bool | None:
    return rows("SELECT count(*) FROM usage")[0][0] >= count or None
