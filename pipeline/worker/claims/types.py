"""What the claim path passes around: lanes with work, what was claimed, what ended."""

from uuid import UUID

import msgspec

LaneKey = tuple[str, int, int]
"""Kind, priority and lane."""


class Lane(msgspec.Struct, frozen=True, kw_only=True):
    """Due work of one kind, priority, account and host; `head` is the id of its first task."""

    kind: str
    priority: int
    lane: int
    head: int
    account_id: int | None
    host: str | None

    @property
    def key(self) -> LaneKey:
        return self.kind, self.priority, self.lane


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What one host allows this network now. `is_on_trial`: one task may show whether it answers again."""

    host: str
    is_paced: bool
    is_on_trial: bool
    is_closed: bool


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """How far to look into a lane: at most `reach` tasks with ids above `after`."""

    kind: str
    priority: int
    lane: int
    after: int
    reach: int


class Claimed(msgspec.Struct, frozen=True, kw_only=True):
    """One claimed task; `payload` is JSON text as stored."""

    id: int
    account_id: int | None
    kind: str
    payload: bytes
    priority: int
    lane: int
    host: str | None
    parent_id: int | None
    attempts: int
    max_attempts: int
    claim_seq: int


class Fence(msgspec.Struct, frozen=True):
    """Who may write about a task: the worker that holds it, by the claim it holds it with."""

    id: int
    worker: UUID
    claim_seq: int


class Ended(msgspec.Struct, frozen=True):
    """A task whose good end has yet to be written; nothing else hangs on it."""

    task: Claimed
    outcome: str
