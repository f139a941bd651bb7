"""One try of one task: decode the payload, run the handler, and say how it ended.

Writes nothing itself but progress; `loop.py` turns the ending into one fenced statement.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime

import msgspec
import psycopg
import structlog

from pipeline.worker import store
from pipeline.worker.store import Claimed, Fence
from pipeline.worker.types import Deferred, Handlers, Permanent, Progress, TaskRun, Transient
from schema.clock import Clock
from schema.db import Database
from schema.errors import Unavailable
from schema.faults import told
from schema.ids import AccountId, TaskId
from schema.live import announce
from schema.tasks import CATALOGUE

log = structlog.get_logger()

_PASSING = (Transient, Unavailable, psycopg.OperationalError, OSError, MemoryError)


@dataclass(frozen=True)
class Finished:
    outcome: str


@dataclass(frozen=True)
class Failed:
    code: str


@dataclass(frozen=True)
class Again:
    """Try again, with a wait that grows; the last try ends in `code`."""

    code: str


@dataclass(frozen=True)
class Later:
    until: datetime


Ending = Finished | Failed | Again | Later


async def attempt(db: Database, clock: Clock, handlers: Handlers, task: Claimed, fence: Fence) -> Ending:
    """Run the handler once. Cancellation passes through: the caller knows whether a stop or a lost lease."""
    try:
        payload = msgspec.json.decode(task.payload, type=CATALOGUE[task.kind])
    except msgspec.ValidationError:
        log.error("a payload does not fit its kind", task=task.id, kind=task.kind)
        return Failed("invalid_payload")
    deadline = asyncio.timeout(payload.TIMEOUT_SECONDS)
    try:
        async with deadline:
            done = await handlers[type(payload)](_run(db, clock, task, fence), payload)
    except Exception as error:  # noqa: BLE001 - every ending of a handler is named here
        return _too_long(task) if deadline.expired() else _ending(task, error)
    return Finished(done.word)


def _too_long(task: Claimed) -> Ending:
    log.warning("a task ran too long", task=task.id, kind=task.kind)
    return Again("deadline_exceeded")


def _ending(task: Claimed, error: Exception) -> Ending:
    if isinstance(error, Deferred):
        return Later(error.until)
    if isinstance(error, Permanent):
        log.warning("a task failed", task=task.id, kind=task.kind, code=error.code)
        return Failed(error.code)
    if isinstance(error, _PASSING):
        log.warning("a try met a passing trouble", task=task.id, kind=task.kind, error=told(error))
        return Again("attempts_exhausted")
    log.error("a handler met a fault", task=task.id, kind=task.kind, error=told(error))
    return Again("handler_error")


def _run(db: Database, clock: Clock, task: Claimed, fence: Fence) -> TaskRun:
    async def report(progress: Progress) -> None:
        async with db.as_fleet() as unit:
            if await store.progress(unit, fence, progress):
                announce(unit, "tasks", task.id, account_id=account)

    account = None if task.account_id is None else AccountId(task.account_id)
    return TaskRun(
        db=db, clock=clock, task_id=TaskId(task.id), account_id=account, attempt=task.attempts, report=report
    )
