"""Every connection cut, again and again, under load: work goes on at once, and nothing is left behind."""

from fixtures.chaos import LASTING, Arena
from fixtures.chaos_kinds import Unowned
from fixtures.cutting import CUT
from fixtures.proxy import proxied

CUTS = 8


async def loaded(arena: Arena) -> None:
    for _ in range(10):
        await arena.ask(arena.mixture())
        await arena.ask([Unowned()] * 3, person=0)
    for _ in range(2):
        arena.start(LASTING)


async def ended(arena: Arena) -> int:
    return (await arena.tasks.fetch("SELECT count(*) FROM tasks WHERE finished_at IS NOT NULL"))[0][0]


async def all_is_done(arena: Arena) -> None:
    """Work goes on at once, and ends long before a lease of what was forgotten would be over."""
    await arena.goes_on()
    await arena.drained(LASTING.lease_seconds / 2)
    await arena.holds()


async def test_back_ends_that_are_terminated_cost_nothing(arena: Arena):
    await loaded(arena)
    for _ in range(CUTS):
        await arena.until("count(*) >= %s FROM tasks WHERE finished_at IS NOT NULL", await ended(arena) + 15)
        await arena.tasks.fetch(CUT)
    await all_is_done(arena)


async def test_lines_that_are_reset_cost_nothing(arena: Arena):
    async with proxied(arena.url) as (proxy, url):
        arena.worker_url = url
        await loaded(arena)
        for _ in range(CUTS):
            await arena.until(
                "count(*) >= %s FROM tasks WHERE finished_at IS NOT NULL", await ended(arena) + 15
            )
            for link in list(proxy.links):
                link.cut()
        await all_is_done(arena)
