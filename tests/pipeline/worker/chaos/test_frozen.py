"""Workers that stand still for longer than their leases, and then go on as if nothing had been."""

import signal

import pytest
from fixtures.chaos import Arena
from fixtures.chaos_kinds import Effect, Held, Trivial, Unowned
from fixtures.hatchery import Child

STOPPED = "T"


async def woken(arena: Arena, frozen: Child) -> None:
    """`frozen` goes on, and has done so for long enough that its next beat has come."""
    frozen.signal(signal.SIGCONT)
    before = (await arena.tasks.fetch("SELECT clock_timestamp()"))[0][0]
    await arena.until("count(*) = 2 FROM workers WHERE last_seen_at > %s", before)


@pytest.mark.parametrize(
    "point",
    [
        "claim: written, not committed",
        "claim: committed, not heard of",
        "claim: heard of, not in hand",
        "start: in hand, not entered",
    ],
)
async def test_what_a_frozen_worker_claimed_runs_elsewhere_and_is_not_started_late(arena: Arena, point: str):
    ids = await arena.ask([Effect() for _ in range(10)])
    frozen = arena.start(points={point: 1}, harm="freeze")
    await arena.until_stands_still(frozen)
    arena.start()
    await arena.drained(15)
    assert await arena.count("entered") == len(ids)
    await woken(arena, frozen)
    assert await arena.count("entered") == len(ids)
    await arena.holds()


@pytest.mark.parametrize(
    "point",
    [
        "handler: about to return",
        "end: not written",
        "end: with its effect, not committed",
        "good ends: not written",
    ],
)
async def test_an_end_that_comes_after_the_lease_changes_nothing(arena: Arena, point: str):
    await arena.ask([kind() for kind in (Trivial, Effect, Unowned) * 5])
    frozen = arena.start(points={point: 1}, harm="freeze", statement_seconds=1)
    await arena.until_stands_still(frozen)
    arena.start()
    await arena.drained(15)
    await woken(arena, frozen)
    await arena.holds()


async def test_a_handler_that_lost_its_lease_while_frozen_is_stopped(arena: Arena):
    (task_id,) = await arena.ask([Held()])
    frozen = arena.start()
    await arena.until("count(*) = 1 FROM chaos.entered")
    frozen.signal(signal.SIGSTOP)
    arena.start()
    await arena.drained(10)
    frozen.signal(signal.SIGCONT)
    await arena.until("count(*) = 1 FROM chaos.stopped")
    assert await arena.count("entered", task_id) == 2
    await arena.holds()


async def test_a_unit_that_the_server_ended_meanwhile_is_no_fault_of_the_program(arena: Arena):
    await arena.ask([Effect() for _ in range(6)])
    point = "end: with its effect, not committed"
    frozen = arena.start(points={point: 1}, harm="freeze", statement_seconds=1)
    await arena.until_stands_still(frozen)
    arena.start()
    await arena.drained(15)
    await woken(arena, frozen)
    await arena.stop(frozen)
    assert "[error" not in frozen.last_words()
