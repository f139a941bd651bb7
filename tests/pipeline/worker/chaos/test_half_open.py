"""Lines that are half open: what is sent goes out, nothing comes back, and nobody says so."""

from collections.abc import AsyncGenerator

import pytest
from fixtures.chaos import LASTING, PATIENT, Arena
from fixtures.chaos_kinds import Effect, Held, Trivial, Unowned
from fixtures.proxy import Proxy, proxied
from msgspec.structs import replace

LINE, POOL, HEARTBEAT, LISTENER = "jobtrail_worker", "jobtrail", "jobtrail_heartbeat", "jobtrail_listener"
SHORT = replace(PATIENT, lease_seconds=2.4)
LISTENS = """count(*) > 0 FROM pg_stat_activity
  WHERE datname = current_database() AND starts_with(query, 'LISTEN')"""


@pytest.fixture
async def proxy(arena: Arena) -> AsyncGenerator[Proxy]:
    """Between the workers and the server, for workers started with `url=through(proxy, arena)`."""
    async with proxied(arena.url) as (opened, url):
        arena.worker_url = url
        yield opened


async def test_a_deaf_listener_is_opened_anew_while_polling_goes_on(arena: Arena, proxy: Proxy):
    arena.start(PATIENT, call_seconds=0.3)
    (await proxy.until_opened(LISTENER, 1)).swallow()
    await arena.ask([Trivial()])
    await arena.drained(10)
    await proxy.until_opened(LISTENER, 2)


async def test_a_listener_that_was_opened_anew_hears_again(arena: Arena, proxy: Proxy):
    arena.start(replace(PATIENT, poll_seconds=60), call_seconds=0.3)
    (await proxy.until_opened(LISTENER, 1)).swallow()
    await proxy.until_opened(LISTENER, 2)
    await arena.until(LISTENS)
    await arena.ask([Effect()])
    await arena.drained(10)


async def test_a_silent_claim_line_is_noticed_and_opened_anew(arena: Arena, proxy: Proxy):
    arena.start(SHORT)
    (await proxy.until_opened(LINE, 1)).swallow()
    await arena.ask(arena.mixture())
    await proxy.until_opened(LINE, 2)
    await arena.drained(10)
    await arena.holds()


@pytest.mark.parametrize(("kind", "last_heard"), [(Unowned, [b"WITH ended AS", b""]), (Effect, [b"COMMIT"])])
async def test_a_claim_whose_answer_was_lost_is_adopted(
    arena: Arena, proxy: Proxy, kind: type[Unowned | Effect], last_heard: list[bytes]
):
    """The lease is far longer than the test waits: nobody but the claimer can bring these tasks back."""
    arena.start(LASTING)
    line = await proxy.until_opened(LINE, 1)
    line.last_heard += last_heard
    await arena.ask([kind()] * 3, person=0 if kind is Unowned else 1)
    await arena.until("count(*) = 3 FROM tasks WHERE status = 'running'")
    line.cut()
    await arena.drained(10)
    assert await arena.tasks.fetch("SELECT DISTINCT claim_seq FROM tasks") == [(1,)]
    await arena.holds()


async def test_a_half_open_heartbeat_is_opened_anew_before_a_lease_is_over(arena: Arena, proxy: Proxy):
    arena.start(SHORT)
    first = await proxy.until_opened(HEARTBEAT, 1)
    await arena.ask([Held(seconds=1.5 * SHORT.lease_seconds)])
    await arena.until("count(*) = 1 FROM chaos.entered")
    first.swallow()
    await arena.drained(15)
    assert await arena.tasks.fetch("SELECT claim_seq FROM tasks") == [(1,)]


async def test_a_lease_that_cannot_be_renewed_stops_its_handler_and_nothing_is_written(
    arena: Arena, proxy: Proxy
):
    cut_off = arena.start(SHORT)
    first = await proxy.until_opened(HEARTBEAT, 1)
    (task_id,) = await arena.ask([Held()])
    await arena.until("count(*) = 1 FROM chaos.entered")
    proxy.swallowed.add(HEARTBEAT)
    first.swallow()
    await arena.until("count(*) = 1 FROM chaos.stopped", seconds=2 * SHORT.lease_seconds)
    await arena.drained(10)
    assert "a lease was lost" in cut_off.last_words()
    assert await arena.count("entered", task_id) == 2
    await arena.holds()


async def test_silent_lines_of_the_pool_hold_no_task_for_good(arena: Arena, proxy: Proxy):
    arena.start(PATIENT, statement_seconds=1)
    await proxy.until_opened(POOL, 1)
    await arena.ask([Effect(), Effect()], person=1)
    await arena.drained(10)
    for link in proxy.named(POOL):
        link.swallow()
    await arena.ask([kind() for kind in (Effect, Trivial, Unowned) * 4])
    await arena.drained(15)
    await arena.holds()


async def test_slow_lines_change_nothing_but_the_pace(arena: Arena, proxy: Proxy):
    proxy.seconds = 0.01
    arena.start(PATIENT)
    await arena.ask(arena.mixture())
    await arena.drained(20)
    await arena.holds()
