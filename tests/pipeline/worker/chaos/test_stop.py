"""A stop under load: not ready first, out within the grace, everything handed back and no try used up."""

import signal
import time

from fixtures.chaos import BRISK, PATIENT, Arena
from fixtures.chaos_kinds import Blocking, Effect, Held, Stubborn, Threaded, Trivial, Unowned
from msgspec.structs import replace

SWIFT = replace(PATIENT, grace_seconds=0.5)


async def test_a_stop_under_load_hands_everything_back_with_its_try(arena: Arena):
    busy = [Threaded(), Blocking(), Trivial(), Effect(), Unowned(), Trivial(seconds=0.1)] * 20
    await arena.ask([Held(), Held(), *busy])
    stopping = [arena.start(SWIFT) for _ in range(2)]
    await arena.until(
        "count(*) = 2 FROM chaos.entered e JOIN tasks t ON t.id = task_id WHERE kind = %s", Held.KIND
    )
    for child in stopping:
        began = time.monotonic()
        child.signal(signal.SIGTERM)
        assert await child.ended() == 0
        assert time.monotonic() - began < SWIFT.grace_seconds + 3
        told = [line for line in child.last_words().splitlines() if "ready" in line or "back" in line]
        assert told[0].startswith("not ready after 0.0")
    left = await arena.tasks.fetch("SELECT DISTINCT status, attempts, due FROM tasks WHERE status <> 'done'")
    assert left == [("pending", 0, True)]
    assert await arena.tasks.fetch("SELECT DISTINCT stopped_at IS NULL FROM workers") == [(False,)]
    arena.start(PATIENT)
    await arena.drained(10)
    await arena.holds()


async def test_a_stop_without_grace_hands_back_too(arena: Arena):
    await arena.ask([Held(), Held()], person=1)
    child = arena.start(replace(PATIENT, grace_seconds=0))
    await arena.until("count(*) = 2 FROM chaos.entered")
    await arena.stop(child)
    assert await arena.tasks.fetch("SELECT DISTINCT status, attempts FROM tasks") == [("pending", 0)]


async def test_a_thread_that_does_not_return_ends_with_its_worker(arena: Arena):
    await arena.ask([Stubborn(), Held()], person=1)
    child = arena.start(replace(BRISK, grace_seconds=0.2))
    await arena.until("count(*) = 2 FROM chaos.entered")
    await arena.stop(child, seconds=8)
    arena.start(BRISK)
    await arena.drained(10)
    await arena.holds()
