"""Rows that somebody else has locked: what hangs on them waits, and nothing else does."""

import signal
import time

import psycopg
from fixtures.chaos import BRISK, PATIENT, Arena
from fixtures.chaos_kinds import Effect, Held, Ponderous, Trivial, Unowned

_LOCK = "SELECT FROM tasks WHERE id = %s FOR UPDATE"


async def test_an_end_that_takes_longer_than_a_lease_costs_no_neighbour_its_own(arena: Arena):
    arena.start(BRISK)
    arena.start(BRISK)
    longer = 2 * BRISK.lease_seconds
    await arena.ask([Ponderous(seconds=longer), Held(seconds=longer), Held(seconds=longer)], person=1)
    await arena.drained(15)
    assert await arena.tasks.fetch("SELECT DISTINCT claim_seq FROM tasks") == [(1,)]
    await arena.holds()


async def test_a_pending_row_that_is_locked_holds_up_no_other(arena: Arena, owner_url: str):
    locked, *_ = await arena.ask([Trivial(), Effect(), Unowned(), *[Trivial() for _ in range(20)]])
    async with await psycopg.AsyncConnection.connect(owner_url) as other:
        await other.execute(_LOCK, (locked,))
        arena.start(PATIENT)
        await arena.until("count(*) = 1 FROM tasks WHERE status <> 'done'")
    await arena.drained(10)
    await arena.holds()


async def test_a_locked_row_whose_good_end_is_due_holds_up_no_other(arena: Arena, owner_url: str):
    arena.start(PATIENT)
    (locked,) = await arena.ask([Trivial(seconds=0.3)])
    await arena.until("status = 'running' FROM tasks WHERE id = %s", locked)
    async with await psycopg.AsyncConnection.connect(owner_url) as other:
        await other.execute(_LOCK, (locked,))
        await arena.ask([kind(seconds=0.02) for kind in (Trivial, Unowned) * 20])
        await arena.until("count(*) = 1 FROM tasks WHERE status <> 'done'")
        assert (await arena.tasks.row(locked)).status == "running"
    await arena.drained(10)
    assert (await arena.tasks.row(locked)).claim_seq == 1
    await arena.holds()


async def test_a_locked_row_keeps_no_worker_from_stopping(arena: Arena, owner_url: str):
    stopping = arena.start(BRISK)
    locked, free = await arena.ask([Held(), Held()], person=1)
    await arena.until("count(*) = 2 FROM chaos.entered")
    async with await psycopg.AsyncConnection.connect(owner_url) as other:
        await other.execute(_LOCK, (locked,))
        began = time.monotonic()
        stopping.signal(signal.SIGTERM)
        await arena.until("status = 'pending' AND attempts = 0 FROM tasks WHERE id = %s", free)
        assert await stopping.ended(BRISK.grace_seconds + 5) == 0
        assert time.monotonic() - began < BRISK.grace_seconds + 5
    arena.start(BRISK)
    await arena.drained(10)
    await arena.holds()
