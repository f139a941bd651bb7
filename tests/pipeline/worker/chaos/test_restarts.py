"""The server restarted under load, in order and by a crash: workers wait for it, and nothing is lost."""

import asyncio
import signal

import pytest
from fixtures.chaos import BRISK, LASTING, Arena
from fixtures.chaos_kinds import Held, Unowned
from fixtures.postgres_server import PostgresServer
from fixtures.worker import until

RESTARTS = 2


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["in order", "by a crash"])
async def test_a_server_that_restarts_under_load_loses_nothing(
    own_arena: Arena, own_server: PostgresServer, how: signal.Signals
):
    arena = own_arena
    for _ in range(10):
        await arena.ask(arena.mixture())
        await arena.ask([Unowned()] * 3, person=0)
    workers = [arena.start(LASTING) for _ in range(2)]
    for round_ in range(1, RESTARTS + 1):
        await arena.until("count(*) >= %s FROM tasks WHERE finished_at IS NOT NULL", round_ * 50)
        await asyncio.to_thread(own_server.halt, how)
        await asyncio.to_thread(own_server.start_again)
    await arena.goes_on()
    await arena.drained(LASTING.lease_seconds / 2)
    await arena.holds()
    assert [worker.code for worker in workers] == [None, None], "a worker had to be started anew"


async def test_a_server_that_is_away_for_longer_than_a_lease_costs_no_task(
    own_arena: Arena, own_server: PostgresServer
):
    """Handlers are stopped when the lease is over, though no server can say so; their tasks run again."""
    arena = own_arena
    worker = arena.start(BRISK)
    (held,) = await arena.ask([Held()])
    await arena.until("count(*) = 1 FROM chaos.entered")
    await arena.ask(arena.mixture())
    own_server.halt(signal.SIGINT)

    async def is_lost() -> bool | None:
        return "a lease was lost" in worker.last_words() or None

    await until(is_lost, 10, "the worker let go of its task")
    own_server.start_again()
    await arena.drained(10)
    assert await arena.count("entered", held) == 2
    await arena.holds()
