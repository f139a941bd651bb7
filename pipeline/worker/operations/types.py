"""What the acts on tasks answer with, and what they read to decide. Structs only."""

import msgspec

from schema.ids import AccountId, TaskId
from schema.vocabulary import TaskStatus


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A task somebody wants replayed; `root_id` is its lineage's original, itself when it is the original."""

    id: TaskId
    account_id: AccountId | None
    kind: str
    status: TaskStatus
    root_id: TaskId
    dedupe_key: str | None


class Relative(msgspec.Struct, frozen=True, kw_only=True):
    """A task that may stand in the way of an act on another one."""

    id: TaskId
    status: TaskStatus
    replay_of_id: TaskId | None = None


class Cancelled(msgspec.Struct, frozen=True, kw_only=True):
    """`below` counts the children that were cancelled with the task, at any depth."""

    task_id: TaskId
    below: int


class ArchivedLineage(msgspec.Struct, frozen=True, kw_only=True):
    """`tasks` counts the rows moved: the lineage, its children and their lineages."""

    lineage: TaskId
    tasks: int


class Refusals(msgspec.Struct, frozen=True, kw_only=True):
    """How often one refusal was met in a bulk act, and its words the first time."""

    code: str
    count: int
    example: str


class BulkResult(msgspec.Struct, frozen=True, kw_only=True):
    """`done` counts what was done, or would have been in a dry run."""

    done: int
    refused: list[Refusals]

    @property
    def refused_count(self) -> int:
        return sum(each.count for each in self.refused)
