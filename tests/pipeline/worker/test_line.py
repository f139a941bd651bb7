"""The claim line: one session as the fleet, short statements, and a new one as soon as it is broken."""

import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
import psycopg
import pytest
from fixtures.claimers import Hands, Hire
from fixtures.cutting import CUT_WORKERS
from fixtures.queue_rows import Rows
from fixtures.worker import Echo, Tasks

from pipeline.worker.line import Line, LineBroken
from schema.db import Database
from schema.errors import Unavailable
from schema.queue import Wanted, enqueue_many

LONGEST = 0.4


class Word(msgspec.Struct, frozen=True):
    word: str


@dataclass
class Asked:
    """As `schema.query.Query`, but in no register."""

    sql: str
    row: type[Word] = Word


def ask(expression: str) -> Any:
    return Asked(f"SELECT ({expression})::text AS word")


@pytest.fixture
async def line(login_url: str, empty_database: None) -> AsyncGenerator[Line]:
    line = Line(login_url, longest_seconds=LONGEST)
    yield line
    await line.close()


async def word(line: Line, expression: str) -> str:
    return (await line.all(ask(expression)))[0].word


async def test_it_acts_as_the_fleet_and_probes_indexes(line: Line):
    for name, value in (
        ("role", "jobtrail_fleet"),
        ("statement_timeout", "400ms"),
        ("lock_timeout", "100ms"),
        ("idle_in_transaction_session_timeout", "400ms"),
        ("plan_cache_mode", "force_generic_plan"),
        ("enable_seqscan", "off"),
    ):
        assert await word(line, f"current_setting('{name}')") == value
    assert line.generation == 1


async def test_a_line_that_was_cut_says_so_once_and_is_opened_anew(line: Line, tasks: Tasks):
    first = await word(line, "pg_backend_pid()")
    await tasks.fetch(CUT_WORKERS)
    with pytest.raises(LineBroken):
        await word(line, "1")
    assert await word(line, "pg_backend_pid()") != first
    assert line.generation == 2


async def test_a_statement_that_takes_too_long_is_ended(line: Line):
    began = time.monotonic()
    with pytest.raises(Unavailable):
        await word(line, "pg_sleep(30)")
    assert time.monotonic() - began < LONGEST * 3
    assert await word(line, "1") == "1"


async def test_a_row_somebody_holds_breaks_no_line(line: Line, rows: Rows, owner_url: str):
    task = await rows.insert("pending")
    async with await psycopg.AsyncConnection.connect(owner_url) as holder:
        await holder.execute("SELECT FROM tasks WHERE id = %s FOR UPDATE", (task,))
        with pytest.raises(psycopg.errors.LockNotAvailable):
            await line.all(Asked("SELECT 'x' AS word FROM tasks FOR UPDATE"))  # pyright: ignore
    assert (await word(line, "1"), line.generation) == ("1", 1)


async def test_a_transaction_that_fails_is_rolled_back_and_breaks_no_line(
    line: Line, rows: Rows, tasks: Tasks
):
    await rows.insert("pending")
    with pytest.raises(psycopg.errors.CheckViolation):
        async with line.transaction():
            await line.all(Asked("UPDATE tasks SET priority = 7 RETURNING 'x' AS word"))  # pyright: ignore
            await line.all(Asked("UPDATE tasks SET priority = -7 RETURNING 'x' AS word"))  # pyright: ignore
    assert await tasks.fetch("SELECT priority FROM tasks") == [(100,)]
    assert (await word(line, "1"), line.generation) == ("1", 1)


async def test_a_transaction_that_is_cut_goes_on_nowhere_else(line: Line, rows: Rows, tasks: Tasks):
    await rows.insert("pending")
    with pytest.raises(LineBroken):
        async with line.transaction():
            await line.all(Asked("UPDATE tasks SET priority = 7 RETURNING 'x' AS word"))  # pyright: ignore
            await tasks.fetch(CUT_WORKERS)
            await line.all(Asked("UPDATE tasks SET priority = 8 RETURNING 'x' AS word"))  # pyright: ignore
    assert await tasks.fetch("SELECT priority FROM tasks") == [(100,)]


async def test_a_server_that_is_not_there_is_a_broken_line():
    nowhere = Line("postgresql://jobtrail@/none?host=/nonexistent", longest_seconds=LONGEST)
    for _ in range(2):
        with pytest.raises(LineBroken):
            await word(nowhere, "1")
    assert nowhere.generation == 0


async def claimed(hire: Hire, database: Database, count: int) -> tuple[Hands, list[int]]:
    async with database.as_fleet() as unit:
        await enqueue_many(unit, [Wanted(payload=Echo())] * count)
    hands = await hire()
    await hands.claimer.left_behind([])
    return hands, [task.id for task in await hands.claim(count)]


async def test_what_a_lost_answer_claimed_is_found_after_the_line_was_opened_anew(
    hire: Hire, database: Database, tasks: Tasks
):
    hands, ids = await claimed(hire, database, 3)
    assert await hands.claimer.left_behind([]) == [], "the line is the one that claimed them"
    await tasks.fetch(CUT_WORKERS)
    with pytest.raises(LineBroken):
        await hands.step(1)
    await tasks.fetch("UPDATE tasks SET lease_expires_at = now() + interval '1 minute'")
    found = await hands.claimer.left_behind(ids[:1])
    assert sorted(task.id for task in found) == ids[1:]
    assert {(task.attempts, task.claim_seq) for task in found} == {(1, 1)}
    [(least, most)] = await tasks.fetch(
        "SELECT min(lease_expires_at - now()), max(lease_expires_at - now()) FROM tasks WHERE id = ANY(%s)",
        ids[1:],
    )
    assert timedelta(minutes=9) < least <= most <= timedelta(minutes=10), "their leases begin anew"
    assert await hands.claimer.left_behind(ids) == []


async def test_what_is_over_or_somebody_elses_is_not_found(hire: Hire, database: Database, tasks: Tasks):
    hands, (expired, taken, done, mine) = await claimed(hire, database, 4)
    await tasks.fetch("UPDATE tasks SET lease_expires_at = now() - interval '1 s' WHERE id = %s", expired)
    await tasks.fetch("UPDATE tasks SET worker = gen_random_uuid() WHERE id = %s", taken)
    await tasks.fetch(
        "UPDATE tasks SET status = 'done', outcome = 'done', finished_at = now(), worker = NULL,"
        " lease_expires_at = NULL WHERE id = %s",
        done,
    )
    await hands.line.close()
    assert [task.id for task in await hands.claimer.left_behind([])] == [mine]
