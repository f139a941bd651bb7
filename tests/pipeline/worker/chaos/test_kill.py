"""Workers killed at every place where it could hurt: every effect once, no task lost, none left running."""

import signal
import time

import pytest
from fixtures.chaos import BRISK, Arena
from fixtures.chaos_kinds import Effect, Held, Later, Unowned
from fixtures.chaos_points import names
from fixtures.proxy import proxied
from msgspec.structs import replace

AT_A_STOP = [point for point in names() if point.startswith("release")]
AFTER_A_LOST_ANSWER = "adopt: found, not in hand"
UNDER_LOAD = [point for point in names() if point not in (*AT_A_STOP, AFTER_A_LOST_ANSWER)]
AT_EASE = replace(BRISK, lease_seconds=1.8)
ONLY = {
    "claim without caps: committed, not heard of": [Unowned.KIND],
    "deferral: written, not committed": [Later.KIND],
}
"""Kinds that a worker is restricted to, so that it comes to its point in time."""
KILLED = -signal.SIGKILL
BRISK_STOP = replace(BRISK, grace_seconds=0.2)
A_FEW_BEATS = 2.0


async def test_a_worker_killed_anywhere_loses_and_doubles_nothing(arena: Arena):
    """Over 500 tasks with the children of those that split; each worker dies at another point."""
    for point in UNDER_LOAD:
        await arena.ask(arena.mixture())
        await arena.ask([Unowned()] * 3, person=0)
        if point.startswith("beat"):
            # A quick worker is done with all else before its first beat, and has nothing to renew then.
            await arena.ask([Held(seconds=A_FEW_BEATS)])
        child = arena.start(points={point: 1}, kinds=ONLY.get(point))
        assert await child.ended(15, f"reached {point!r}") == KILLED, child.last_words()
    heirs = [arena.start() for _ in range(2)]
    await arena.drained(20)
    await arena.holds()
    await arena.stop(*heirs)
    assert (await arena.tasks.fetch("SELECT count(*) >= 500 FROM tasks"))[0][0]


@pytest.mark.parametrize("point", AT_A_STOP)
async def test_a_worker_killed_while_it_stops_loses_and_doubles_nothing(arena: Arena, point: str):
    await arena.ask([Held(), Held(), *[Effect() for _ in range(20)]])
    child = arena.start(BRISK_STOP, points={point: 1})
    await arena.until("count(*) = 2 FROM tasks JOIN chaos.entered ON task_id = id WHERE kind = %s", Held.KIND)
    child.signal(signal.SIGTERM)
    assert await child.ended() == KILLED, child.last_words()
    arena.start()
    await arena.drained(15)
    await arena.holds()


async def test_a_worker_killed_while_it_adopts_loses_and_doubles_nothing(arena: Arena):
    async with proxied(arena.url) as (proxy, url):
        arena.worker_url = url
        child = arena.start(points={AFTER_A_LOST_ANSWER: 1})
        line = await proxy.until_opened("jobtrail_worker", 1)
        line.last_heard.append(b"COMMIT")
        await arena.ask([Effect(), Effect()], person=1)
        await arena.until("count(*) = 2 FROM tasks WHERE status = 'running'")
        line.cut()
        assert await child.ended() == KILLED, child.last_words()
        arena.start()
        await arena.drained(15)
    await arena.holds()


async def test_what_a_killed_worker_ran_runs_again_within_two_leases(arena: Arena):
    """With the default lease of 15 seconds that is within 30."""
    killed = arena.start(AT_EASE)
    ids = await arena.ask([Held() for _ in range(4)])
    await arena.until("count(*) = 4 FROM chaos.entered")
    arena.start(AT_EASE)
    await arena.until("count(*) = 2 FROM workers")
    killed.kill()
    began = time.monotonic()
    await arena.until("count(*) = 8 FROM chaos.entered")
    assert time.monotonic() - began < 2 * AT_EASE.lease_seconds
    await arena.drained(5)
    assert await arena.count("entered", *ids) == 8
    await arena.holds()
