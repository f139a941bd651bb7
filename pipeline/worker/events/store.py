"""The one writer of `task_events`. A line is written in the unit of the change it tells of.

A good end has no line: the task's own row says it.
"""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import msgspec

from schema.db import Unit
from schema.query import Statement

Event = Literal["retried", "failed", "lost", "parked", "resumed", "split", "cancelled", "replayed"]


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """One line: who held the task, why a try failed; or which operator acted, and why."""

    task_id: int
    event: Event
    worker: UUID | None = None
    code: str | None = None
    actor: str | None = None
    reason: str | None = None


NOTE = Statement(
    "task_events.note",
    """INSERT INTO task_events (task_id, event, attempt, worker, code, actor, reason)
       SELECT tasks.id, noted.event, tasks.attempts, noted.worker, noted.code, noted.actor, noted.reason
       FROM unnest(%(ids)s::bigint[], %(events)s::text[], %(workers)s::uuid[], %(codes)s::text[],
                   %(actors)s::text[], %(reasons)s::text[])
         WITH ORDINALITY AS noted (id, event, worker, code, actor, reason, place)
       JOIN tasks ON tasks.id = noted.id
       ORDER BY noted.place""",
)


async def note(unit: Unit, lines: Sequence[Noted]) -> None:
    """Write these lines, in this order, each with the attempts its task has had."""
    await unit.run(
        NOTE,
        ids=[line.task_id for line in lines],
        events=[line.event for line in lines],
        workers=[line.worker for line in lines],
        codes=[line.code for line in lines],
        actors=[line.actor for line in lines],
        reasons=[line.reason for line in lines],
    )
