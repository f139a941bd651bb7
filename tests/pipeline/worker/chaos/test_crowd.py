"""Many workers and nothing goes wrong: each task runs exactly once."""

from fixtures.chaos import PATIENT, Arena
from fixtures.chaos_kinds import Effect, Hosted, Trivial, Unowned

PROCESSES = 8
TASKS = 400


async def test_eight_processes_run_each_task_once(arena: Arena):
    each = TASKS // 8
    for _ in range(each):
        await arena.ask([Effect(), Trivial(), Effect(), Hosted(), Trivial()])
        await arena.ask([Unowned(), Unowned(), Effect()], person=0)
    children = [arena.start(PATIENT, pool_size=2) for _ in range(PROCESSES)]
    await arena.drained(40)
    await arena.holds()
    assert await arena.tasks.fetch("SELECT DISTINCT attempts, claim_seq FROM tasks") == [(1, 1)]
    entered = await arena.tasks.fetch("SELECT count(*), count(DISTINCT task_id) FROM chaos.entered")
    assert entered == [(4 * each, 4 * each)]
    await arena.stop(*children)
