"""Any number of processes may tick: each cycle is asked for once."""

import asyncio
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from fixtures.people import FixedClock
from fixtures.worker import Echo, Slow, Tasks, until
from structlog.testing import capture_logs

from pipeline.worker import ticks
from pipeline.worker.ticks import Tick, fire, scheduler
from schema.db import Database
from schema.settings import DatabaseSettings

TICK = Tick(Echo(), every_seconds=600)


async def asked(tasks: Tasks) -> int:
    return (await tasks.fetch("SELECT count(*) FROM tasks WHERE kind = %s", Echo.KIND))[0][0]


async def finish_all(tasks: Tasks) -> None:
    await tasks.fetch("UPDATE tasks SET status = 'done', outcome = 'done', finished_at = now()")


async def test_eight_processes_at_one_moment_ask_once_a_cycle(
    database_settings: DatabaseSettings, database: Database, clock: FixedClock, tasks: Tasks
):
    async def process() -> None:
        async with Database.opened(database_settings) as own:
            await fire(own, clock, TICK)

    await asyncio.gather(*(process() for _ in range(8)))
    assert await asked(tasks) == 1
    await finish_all(tasks)
    clock.move(seconds=599)
    await asyncio.gather(*(process() for _ in range(8)))
    assert await asked(tasks) == 1
    clock.move(seconds=1)
    await asyncio.gather(*(process() for _ in range(8)))
    assert await asked(tasks) == 2


async def test_a_cycle_is_passed_over_while_the_earlier_work_is_unfinished(
    database: Database, clock: FixedClock, tasks: Tasks
):
    assert await fire(database, clock, TICK) is not None
    clock.move(seconds=600)
    assert await fire(database, clock, TICK) is None
    await finish_all(tasks)
    assert await fire(database, clock, TICK) is None
    clock.move(seconds=600)
    assert await fire(database, clock, TICK) is not None


async def test_a_process_that_dies_in_between_leaves_the_cycle_to_the_next(
    database: Database, clock: FixedClock, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
):
    async def cut_off(*_: object, **__: object) -> None:
        raise psycopg.errors.QueryCanceled

    with monkeypatch.context() as patched:
        patched.setattr(ticks, "enqueue", cut_off)
        with capture_logs() as events:
            assert await fire(database, clock, TICK) is None
    assert [(event["kind"], event["log_level"]) for event in events] == [(Echo.KIND, "warning")]
    assert await fire(database, clock, TICK) is not None


async def test_kinds_have_cycles_of_their_own(database: Database, clock: FixedClock):
    assert await fire(database, clock, TICK) is not None
    assert await fire(database, clock, Tick(Slow(), every_seconds=600)) is not None


@pytest.mark.parametrize("seconds", [60, 3600])
async def test_a_release_with_another_period_goes_on_ticking(
    seconds: int, database: Database, clock: FixedClock, tasks: Tasks
):
    await fire(database, clock, TICK)
    await finish_all(tasks)
    clock.move(seconds=seconds)
    assert await fire(database, clock, Tick(Echo(), every_seconds=seconds)) is not None


async def test_a_clock_a_little_behind_asks_for_nothing_twice(
    database: Database, clock: FixedClock, tasks: Tasks
):
    await fire(database, clock, TICK)
    await finish_all(tasks)
    clock.move(minutes=-10)
    assert await fire(database, clock, TICK) is None


async def test_a_clock_that_was_years_ahead_once_does_not_silence_the_tick(
    database: Database, clock: FixedClock, tasks: Tasks
):
    await fire(database, FixedClock(clock.now() + timedelta(days=4_000)), TICK)
    await finish_all(tasks)
    assert await fire(database, clock, TICK) is not None
    await finish_all(tasks)
    assert await fire(database, clock, TICK) is None


def test_a_cycle_is_the_second_it_began():
    at = datetime(2026, 3, 2, 9, 9, 59, 999_999, tzinfo=UTC)
    began = int(datetime(2026, 3, 2, 9, 0, tzinfo=UTC).timestamp())
    assert TICK.cycle(at) == began
    assert TICK.cycle(at + timedelta(microseconds=1)) == began + 600


async def test_a_process_ticks_when_it_starts(database: Database, clock: FixedClock, tasks: Tasks):
    async def is_asked() -> bool | None:
        return await asked(tasks) == 1 or None

    made = scheduler(database, clock, [TICK])
    made.start()
    try:
        await until(is_asked, 10, "the work is asked for")
    finally:
        made.shutdown(wait=False)


def test_ticks_fire_at_the_beginning_of_each_cycle(database_settings: DatabaseSettings, clock: FixedClock):
    jobs = scheduler(Database(database_settings), clock, [TICK]).get_jobs()
    fires = [job.trigger.get_next_fire_time(None, datetime(2026, 3, 2, 9, 3, tzinfo=UTC)) for job in jobs]
    assert datetime(2026, 3, 2, 9, 10, tzinfo=UTC) in fires
