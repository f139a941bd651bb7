"""What stands in the way of a replay, and who may sign an act. Pure: decides from rows others have read."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from pipeline.worker.operations.refusals import (
    AlreadyReplayed,
    KeyInUse,
    LineageBlocked,
    NotReplayable,
    TaskRefused,
)
from pipeline.worker.operations.types import BulkResult, Refusals, Relative, Source
from schema.errors import Invalid
from schema.ids import TaskId
from schema.text import clean
from schema.vocabulary import TaskStatus

UNFINISHED: frozenset[TaskStatus] = frozenset({"pending", "running", "waiting", "awaiting_batch"})
ACTOR_MAX = 200
REASON_MAX = 500


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """Who acts and why, as the queue keeps it."""

    actor: str
    reason: str


def signed(actor: str, reason: str) -> Signed:
    """Raises `Invalid`, naming the field, when one is empty or too long."""
    return Signed(actor=_said("actor", actor, ACTOR_MAX), reason=_said("reason", reason, REASON_MAX))


def _said(field: str, text: str, limit: int) -> str:
    said = clean(text).strip()
    if not 1 <= len(said) <= limit:
        raise Invalid(f"the {field} has 1 to {limit} characters, not {len(said)}", field=field)
    return said


def not_replayable(task_id: TaskId) -> NotReplayable:
    """One wording for a foreign, an unknown and a not failed task and for an unknown kind."""
    return NotReplayable(f"there is no failed task {task_id} of a kind this release knows")


def refusal_of_lineage(source: Source, members: Sequence[Relative]) -> TaskRefused | None:
    """Why the lineage allows no replay of `source`. A run that is done is named before one under way."""
    if done := next((each for each in members if each.status == "done"), None):
        detail = f"task {source.id} cannot be replayed: task {done.id} of its lineage did the work"
        return LineageBlocked(detail, blocking_id=done.id)
    if unfinished := next((each for each in members if each.status in UNFINISHED), None):
        detail = (
            f"task {source.id} cannot be replayed: task {unfinished.id} of its lineage is {unfinished.status}"
        )
        return LineageBlocked(detail, blocking_id=unfinished.id)
    if later := next((each for each in members if each.replay_of_id == source.id), None):
        return _already_replayed(source, later, members)
    return None


def _already_replayed(source: Source, later: Relative, members: Sequence[Relative]) -> TaskRefused:
    """Names the newest run, which is the one a replay may start from; a cancelled one ends the lineage."""
    newest = later
    while following := next((each for each in members if each.replay_of_id == newest.id), None):
        newest = following
    advice = f"replay {newest.id}" if newest.status == "failed" else f"{newest.id} was cancelled; ask anew"
    detail = f"task {source.id} was replayed already, as task {later.id}: {advice}"
    return AlreadyReplayed(detail, blocking_id=newest.id)


def refusal_of_key(source: Source, holder: Relative | None) -> TaskRefused | None:
    if holder is None:
        return None
    detail = (
        f"task {source.id} cannot be replayed: task {holder.id} is {holder.status} and does the same work"
    )
    return KeyInUse(detail, blocking_id=holder.id)


class Tally:
    """Counts what a bulk act did and what was refused, by the refusal's code."""

    def __init__(self) -> None:
        self.done = 0
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    def refused(self, refusal: TaskRefused) -> None:
        self._counts[refusal.code] += 1
        self._examples.setdefault(refusal.code, refusal.detail)

    def result(self) -> BulkResult:
        return BulkResult(
            done=self.done,
            refused=[
                Refusals(code=code, count=count, example=self._examples[code])
                for code, count in self._counts.most_common()
            ],
        )
