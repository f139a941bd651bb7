"""`match.account.v1`: bring every message of one account to the decision its evidence supports.

Applications are recorded by their own transactions (a tracked posting, the extension's receipt), so the run
starts with what is there: it looks at unread, newly read and stale messages in batches, and only when none
is left derives applications from mail that proves one. Killed anywhere, the next run ends in the same state;
two runs of one account take turns batch by batch.
"""

from matcher.applications.store import bring_keys_up
from matcher.automatic.following import follow_mail
from matcher.decisions.store import hold_account
from matcher.derived.store import derive_applications
from matcher.evidence import store
from matcher.evidence.matching import match_messages
from pipeline.worker.types import Done, TaskRun
from schema.ids import MessageId
from schema.plans import plan_afresh
from schema.tasks import MatchAccount

BATCH = 100
"""Messages per transaction: others who need the account's lock wait no longer than one batch takes."""

MOST_ROUNDS = 20
"""Each round can only make finitely many messages stale; more rounds than this are somebody else's work."""


async def match_account(run: TaskRun, payload: MatchAccount) -> Done:
    """Handler of `match.account.v1`."""
    del payload
    while await _expect(run):
        pass
    async with run.db.as_account(run.owner) as unit:
        total = await store.pending_count(unit)
    done = changed = 0
    for _ in range(MOST_ROUNDS):
        looked, moved = await _round(run, done, max(total, done))
        done, changed = done + looked, changed + moved
        derived = await _derive(run)
        if not derived and not looked:
            break
    changed += await _follow(run)
    return Done("matched" if changed else "nothing_new")


async def _round(run: TaskRun, done: int, total: int) -> tuple[int, int]:
    """Everything that waits, once: how many messages were looked at, how many decisions changed."""
    looked = changed = 0
    after = MessageId(0)
    while True:
        async with run.db.as_account(run.owner) as unit:
            await plan_afresh(unit)
            await hold_account(unit)
            batch = await store.pending(unit, after=after, limit=BATCH)
            if batch:
                changed += await match_messages(unit, batch, now=run.clock.now())
        if not batch:
            return looked, changed
        looked, after = looked + len(batch), batch[-1]
        await run.progress(done + looked, max(total, done + looked), "Matching messages")


async def _expect(run: TaskRun) -> int:
    """Applications recorded past their own store, or by other rules for names, get the keys of today."""
    async with run.db.as_account(run.owner) as unit:
        await hold_account(unit)
        return await bring_keys_up(unit, now=run.clock.now())


async def _derive(run: TaskRun) -> int:
    async with run.db.as_account(run.owner) as unit:
        await hold_account(unit)
        return await derive_applications(unit, now=run.clock.now())


async def _follow(run: TaskRun) -> int:
    """Statuses the person lets follow the mail, once all of it is where it belongs."""
    async with run.db.as_account(run.owner) as unit:
        return await follow_mail(unit, now=run.clock.now())
