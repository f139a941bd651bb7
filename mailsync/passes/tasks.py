"""`mail.classify.v1` and `mail.sweep.v1`: after an upgrade the workers read by themselves what was left open.

The same pass, under the same lease, as `jobtrail mail classify`; whoever finds it taken comes again later.
"""

import socket
from datetime import timedelta

from mailsync.passes import store
from mailsync.passes.reading import read_again
from mailsync.passes.rules import Wanted
from pipeline.worker.types import Deferred, Done, TaskRun
from schema.errors import HeldElsewhere
from schema.queue import SWEEP, enqueue
from schema.tasks import ClassifyMail, SweepMail

_HELD_PAUSE = timedelta(minutes=1)
WANTED = Wanted(until_done=True)


async def classify_mail(run: TaskRun, _: ClassifyMail) -> Done:
    """Handler of `mail.classify.v1`."""

    async def report(done: int, total: int) -> None:
        await run.progress(done, max(done, total), "Reading open messages again")

    name = f"a worker on {socket.gethostname()}, task {run.task_id}"
    try:
        summary = await read_again(run.db, run.clock, run.owner, WANTED, name, report)
    except HeldElsewhere as held:
        raise Deferred(run.clock.now() + _HELD_PAUSE) from held
    return Done("read_again" if summary.examined else "nothing_new")


async def sweep_mail(run: TaskRun, _: SweepMail) -> Done:
    """Handler of `mail.sweep.v1`: asking twice is harmless, an account has one unfinished reading at most."""
    async with run.db.as_fleet() as unit:
        accounts = await store.accounts(unit)
    asked = 0
    for account_id in accounts:
        async with run.db.as_account(account_id) as unit:
            if await store.waiting(unit, WANTED.version, recheck=False, before=None, limit=1):
                key = ClassifyMail.KIND
                asked += await enqueue(unit, ClassifyMail(), dedupe_key=key, priority=SWEEP) is not None
    return Done("asked" if asked else "nothing_new")
