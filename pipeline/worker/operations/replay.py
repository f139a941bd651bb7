"""Replay: run a failed task's work once more, as a new task of its lineage. The failed one stays as it is.

Never two runs at a time and never one after a good one: the checks here say why, the unique indexes on the
lineage's original and on the replayed task decide every race.
"""

from collections.abc import Collection
from datetime import datetime

from pipeline.worker.events.store import Noted, note
from pipeline.worker.operations import rules, store
from pipeline.worker.operations.bulk import each_failed
from pipeline.worker.operations.refusals import KeyInUse, LineageBlocked
from pipeline.worker.operations.types import BulkResult, Source
from schema.db import Database, Unit
from schema.ids import AccountId, TaskId
from schema.live import announce
from schema.queue import WAKE_CHANNEL


async def replay(
    unit: Unit,
    task_id: TaskId,
    *,
    actor: str,
    reason: str,
    kinds: Collection[str],
    account_id: AccountId | None = None,
) -> TaskId:
    """The id of the new task. `kinds` are those this release knows; `account_id` None means any account.

    Raises `NotReplayable`, `LineageBlocked`, `AlreadyReplayed` or `KeyInUse`, and `Invalid` for an empty
    actor or reason; then nothing was changed. Workers are woken after the commit.
    """
    by = rules.signed(actor, reason)
    source = await _replayable(unit, task_id, kinds, account_id)
    new_id = await store.insert_replay(unit, source, by)
    if new_id is None:
        await _require_unblocked(unit, source)
        raise LineageBlocked(f"task {task_id} was being replayed at the same moment; look at it again")
    await note(unit, [Noted(task_id=task_id, event="replayed", actor=by.actor, reason=by.reason)])
    unit.tell(WAKE_CHANNEL, "")
    announce(unit, "tasks", new_id, account_id=source.account_id)
    return new_id


async def replay_many(
    database: Database,
    *,
    actor: str,
    reason: str,
    kinds: Collection[str],
    kind: str | None = None,
    code: str | None = None,
    since: datetime | None = None,
    dry_run: bool = False,
) -> BulkResult:
    """Replay every failed task that fits, oldest first, each in its own unit and under the same rule.

    A dry run changes nothing and counts what would be replayed.
    """
    by = rules.signed(actor, reason)
    planned: set[tuple[AccountId | None, str | None]] = set()

    async def act(unit: Unit, source: Source) -> bool:
        if dry_run:
            await _plan(unit, source, kinds, planned)
        else:
            await replay(unit, source.id, actor=by.actor, reason=by.reason, kinds=kinds)
        return True

    return await each_failed(database, act, kind=kind, code=code, since=since)


async def _plan(
    unit: Unit, source: Source, kinds: Collection[str], planned: set[tuple[AccountId | None, str | None]]
) -> None:
    """Raises what the replay would raise after those that were planned before it."""
    await _replayable(unit, source.id, kinds, source.account_id)
    key = (source.account_id, source.dedupe_key)
    if source.dedupe_key is not None and key in planned:
        raise KeyInUse(f"task {source.id} cannot be replayed: an older one of these does the same work")
    planned.add(key)


async def _replayable(
    unit: Unit, task_id: TaskId, kinds: Collection[str], account_id: AccountId | None
) -> Source:
    source = await store.source(unit, task_id, account_id)
    if source is None or source.status != "failed" or source.kind not in kinds:
        raise rules.not_replayable(task_id)
    if not await store.hold(unit, source):
        raise rules.not_replayable(task_id)
    await _require_unblocked(unit, source)
    return source


async def _require_unblocked(unit: Unit, source: Source) -> None:
    # The lineage is read last: a replay that came between the two reads is then told as what it is.
    holder = await store.key_holder(unit, source)
    members = await store.members(unit, source.root_id)
    if refusal := rules.refusal_of_lineage(source, members) or rules.refusal_of_key(source, holder):
        raise refusal
