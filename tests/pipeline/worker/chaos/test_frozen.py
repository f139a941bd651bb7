"""Workers that stand still for longer than their leases, and then go on as if nothing had been."""

import signal

import pytest
from fixtures.chaos import Arena
from fixtures.chaos_kinds import Effect, Held, Trivial, Unowned
from fixtures.hatchery import Child

STOPPED = "T"


async def stand_still_at(arena: Arena, *points: str) -> list[Child]:
    """Workers that do, one at each of these, with work of their own."""
    frozen: list[Child] = []
    for point in points:
        await arena.ask([kind() for kind in (Trivial, Effect, Unowned) * 4])
        frozen.append(arena.start(points={point: 1}, harm="freeze", statement_seconds=1))
        await arena.until_stands_still(frozen[-1])
    return frozen


async def go_on(arena: Arena, *frozen: Child) -> None:
    """They go on, and have done so for long enough that the next beat of each has come."""
    before = (await arena.tasks.fetch("SELECT clock_timestamp()"))[0][0]
    for child in frozen:
        child.signal(signal.SIGCONT)
    await arena.until("count(*) = %s FROM workers WHERE last_seen_at > %s", len(frozen) + 1, before)


async def test_what_a_frozen_worker_claimed_runs_elsewhere_and_is_not_started_late(arena: Arena):
    frozen = await stand_still_at(
        arena,
        "claim: written, not committed",
        "claim: committed, not heard of",
        "claim: heard of, not in hand",
        "start: in hand, not entered",
    )
    arena.start()
    await arena.drained(15)
    entered = await arena.count("entered")
    await go_on(arena, *frozen)
    assert await arena.count("entered") == entered
    await arena.holds()


async def test_an_end_that_comes_after_the_lease_changes_nothing(arena: Arena):
    frozen = await stand_still_at(
        arena,
        "handler: about to return",
        "end: not written",
        "end: with its effect, not committed",
        "good ends: not written",
    )
    arena.start()
    await arena.drained(15)
    await go_on(arena, *frozen)
    await arena.holds()
    await arena.stop(*frozen)
    for child in frozen:
        assert "[error" not in child.last_words(), "the server ended a unit: no fault of the program"


@pytest.mark.parametrize(
    ("point", "kind"), [("end: begun, not fenced", Effect), ("good ends: not written", Unowned)]
)
async def test_a_late_end_is_refused_also_before_anybody_took_the_task_back(
    arena: Arena, point: str, kind: type[Effect | Unowned]
):
    """Nobody else works here, so that the row still names the worker and its claim when the end comes."""
    await arena.ask([kind() for _ in range(6)], person=0)
    frozen = arena.start(points={point: 1}, harm="freeze")
    await arena.until_stands_still(frozen)
    await arena.until("max(lease_expires_at) < clock_timestamp() FROM tasks WHERE status = 'running'")
    frozen.signal(signal.SIGCONT)
    await arena.drained(15)
    await arena.holds()


async def test_a_worker_that_takes_its_own_lost_task_again_runs_it_once_at_a_time(arena: Arena):
    (task_id,) = await arena.ask([Held()])
    alone = arena.start()
    await arena.until("count(*) = 1 FROM chaos.entered")
    alone.signal(signal.SIGSTOP)
    await arena.until("lease_expires_at < clock_timestamp() FROM tasks WHERE id = %s", task_id)
    alone.signal(signal.SIGCONT)
    await arena.drained(10)
    assert [await arena.count(table, task_id) for table in ("entered", "stopped")] == [2, 1]
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
