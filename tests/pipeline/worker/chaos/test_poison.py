"""A task that kills its worker each time: it ends, and what happened to run beside it does not suffer."""

from fixtures.chaos import BRISK, Arena
from fixtures.chaos_kinds import Innocent, Poison
from msgspec.structs import replace

HASTY = replace(BRISK, lease_seconds=0.8)


async def test_a_poison_task_fails_and_its_neighbours_do_not(arena: Arena):
    (poison,) = await arena.ask([Poison()], person=1)
    await arena.ask([Innocent() for _ in range(20)])
    deaths = 0
    child = arena.start(HASTY)
    while (await arena.tasks.row(poison)).status != "failed":
        if child.code is not None:
            deaths += 1
            child = arena.start(HASTY)
        await arena.until("true")
    await arena.drained(10)
    await arena.holds()
    assert deaths == Poison.MAX_ATTEMPTS == await arena.count("entered", poison)
    assert (await arena.tasks.row(poison)).attempts == Poison.MAX_ATTEMPTS
