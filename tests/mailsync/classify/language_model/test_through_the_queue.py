"""Stage 4 as it really runs: asked for with the reading, claimed and run by a real worker."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from emulators import language_model as emulated
from emulators.language_model import Provider, answer, event
from fixtures.language_model import LeaveOpen
from fixtures.people import FixedClock
from fixtures.worker import QUICK, Tasks, until

from mailsync.classify.language_model.tasks import interpret_handler
from pipeline.worker.loop import Worker
from schema.db import Database
from schema.settings import ModelSettings
from schema.tasks import InterpretMail

GONE = "The place has gone to a colleague from within."

pytestmark = pytest.mark.usefixtures("model_may_read")


@asynccontextmanager
async def working(database: Database, clock: FixedClock, settings: ModelSettings) -> AsyncGenerator[None]:
    handlers = {InterpretMail: interpret_handler(settings)}
    worker = Worker(database, clock, handlers, QUICK, release="test", jitter=lambda: 0.0)
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop))
    try:
        yield
    finally:
        stop.set()
        await running


@pytest.fixture
def ends(tasks: Tasks):
    async def seen() -> list[tuple[object, ...]]:
        return await tasks.fetch(
            "SELECT status, outcome, failure_code, attempts FROM tasks WHERE kind = 'mail.interpret.v1'"
            " ORDER BY id"
        )

    return seen


async def test_a_worker_reads_what_was_left_open(
    database: Database,
    clock: FixedClock,
    provider: Provider,
    model_settings: ModelSettings,
    leave_open: LeaveOpen,
    ends,
    rows,
):
    provider.reads = lambda _: answer(event("rejection", GONE))
    for _ in range(3):
        await leave_open(f"Hello Ada. {GONE}")
    async with working(database, clock, model_settings):
        await until(lambda: _all_done(ends), 20, "all windows are read")
    assert {tuple(end) for end in await ends()} == {("done", "interpreted", None, 1)}
    assert rows("SELECT kind, count(*) FROM events GROUP BY kind") == [("rejection", 3)]
    assert rows("SELECT count(*) FROM usage") == [(3,)]


async def test_a_dead_key_costs_one_request_however_many_tasks_wait(
    database: Database,
    clock: FixedClock,
    provider: Provider,
    model_settings: ModelSettings,
    leave_open: LeaveOpen,
    ends,
    rows,
):
    provider.answers = [emulated.no_credit] * 20
    await leave_open(f"Hello Ada. {GONE}")

    async def closed() -> bool | None:
        return bool(rows("SELECT 1 FROM host_budgets WHERE closed_until > %s", clock.now())) or None

    async with working(database, clock, model_settings):
        await until(closed, 20, "the provider is left alone")
        asked = len(provider.asked)
        for _ in range(4):
            await leave_open(f"Hello Ada. {GONE}")
        provider.answers, provider.reads = [], lambda _: answer(event("rejection", GONE))
        assert {end[0] for end in await ends()} == {"pending"}
        assert len(provider.asked) == asked == 1
        clock.move(hours=2)
        await until(lambda: _all_done(ends), 20, "all are read when the hour is over")
    assert {end[3] for end in await ends()} == {1}


async def test_a_worker_that_is_stopped_in_the_middle_pays_again_only_for_what_was_not_applied(
    database: Database,
    clock: FixedClock,
    provider: Provider,
    model_settings: ModelSettings,
    leave_open: LeaveOpen,
    ends,
    rows,
    tasks: Tasks,
):
    first, second = await leave_open(f"Hello Ada. {GONE}"), await leave_open(f"Hello Bo. {GONE}")
    await tasks.fetch("DELETE FROM tasks WHERE kind = 'mail.interpret.v1'")
    await tasks.fetch(
        "INSERT INTO tasks (account_id, kind, payload, max_attempts, host)"
        " SELECT account_id, 'mail.interpret.v1',"
        " jsonb_build_object('message_ids', jsonb_build_array(%s, %s)), 20, 'language-model'"
        " FROM messages LIMIT 1",
        first,
        second,
    )
    provider.answers = [emulated.says(answer(event("rejection", GONE))), emulated.hangs]

    async def one_is_applied() -> bool | None:
        return rows("SELECT count(*) FROM usage") == [(1,)] or None

    async with working(database, clock, model_settings):
        await until(one_is_applied, 20, "the first answer is applied")
        await until(lambda: _asked(provider, 2), 20, "the second question is sent")
    # Stopped: the task goes back, the second answer never came.
    provider.reads = lambda _: answer(event("rejection", GONE))
    async with working(database, clock, model_settings):
        await until(lambda: _all_done(ends), 20, "the rest is read")
    assert len(provider.asked) == 3
    assert rows("SELECT subject_id FROM usage ORDER BY id") == [(first,), (second,)]
    assert rows("SELECT count(*) FROM readings WHERE stage = 'language_model'") == [(2,)]


async def _all_done(ends) -> bool | None:
    return all(end[0] == "done" for end in await ends()) or None


async def _asked(provider: Provider, count: int) -> bool | None:
    return len(provider.asked) >= count or None
