"""A process that has a draft written is killed at the worst moments: one text, one row for each answer."""

import asyncio
import threading

import pytest
from emulators import language_model as emulated
from emulators.language_model import KEY, MODEL, Provider
from fixtures.drafting import GOOD, OpenDraft, Shown
from fixtures.drafting_process import drafting
from fixtures.worker import Tasks, until

from schema.ids import AccountId
from schema.settings import DatabaseSettings

pytestmark = [pytest.mark.process, pytest.mark.timeout(120)]


async def test_killed_while_the_model_writes_and_between_two_answers_it_ends_as_if_it_had_not_been(
    provider: Provider,
    open_: OpenDraft,
    shown: Shown,
    tasks: Tasks,
    account: AccountId,
    database_settings: DatabaseSettings,
):
    gate = threading.Event()
    provider.answers = [
        emulated.held(gate, emulated.drafts(GOOD)),
        emulated.drafts(GOOD),
        emulated.held(gate, emulated.drafts("I built.")),
        emulated.drafts("I built."),
    ]
    draft = await open_(max_chars=20)
    for asked, paid in ((1, 0), (3, 1)):
        process = drafting(database_settings.url, provider.url, KEY, MODEL, account, draft)
        await until(lambda asked=asked: _true(len(provider.asked) == asked), 30, f"question {asked} is sent")
        process.kill()
        await asyncio.to_thread(process.wait)
        assert await tasks.fetch("SELECT count(*) FROM usage") == [(paid,)]
        assert (await shown(draft)).state == "writing"
    last = drafting(database_settings.url, provider.url, KEY, MODEL, account, draft)
    assert await asyncio.to_thread(last.wait, 60) == 0
    gate.set()
    assert (await shown(draft)).text == "I built."
    assert await tasks.fetch("SELECT outcome FROM usage ORDER BY id") == [("too_long",), ("written",)]
    assert await tasks.fetch("SELECT count(*) FROM draft_versions") == [(2,)]


async def _true(value: object) -> object | None:
    return value or None
