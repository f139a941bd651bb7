"""`match.bulk.v1`: does, or takes back, what a person said of many messages at once.

One transaction under the account's lock, so that it is done whole or not at all; safe to repeat.
"""

from matcher.acts.store import act
from matcher.decisions.store import hold_account
from matcher.resolutions.bulk.doing import do_pattern, meant_of, take_back_pattern
from pipeline.worker.types import Done, TaskRun
from schema.ids import ActId
from schema.tasks import BulkMatch


async def match_bulk(run: TaskRun, payload: BulkMatch) -> Done:
    """Handler of `match.bulk.v1`."""
    async with run.db.as_account(run.owner) as unit:
        await hold_account(unit)
        found = await act(unit, ActId(payload.act_id))
        total = len(meant_of(found).alike)

        async def tell(done: int) -> None:
            await run.progress(done, total, "Deciding about messages alike")

        if found.undone_at is not None:
            await take_back_pattern(unit, found, now=run.clock.now(), tell=tell)
            return Done("taken_back")
        await do_pattern(unit, found, tell=tell)
    return Done("decided")
