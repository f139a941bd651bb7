"""One try of one task: decode the payload, run the handler, and say how it ended. Writes nothing itself."""

import asyncio
import socket

import msgspec
import psycopg
import structlog

from pipeline.worker.claims.types import Claimed
from pipeline.worker.endings.types import Again, Apart, Ending, Failed, Finished, IntoChildren, Later
from pipeline.worker.types import (
    Deferred,
    Done,
    Handlers,
    HostClosed,
    Outcome,
    Parked,
    Permanent,
    Split,
    TaskRun,
    Transient,
)
from schema.errors import Unavailable
from schema.faults import told
from schema.tasks import CATALOGUE

log = structlog.get_logger()

_AT_HOME = (Unavailable, psycopg.Error, MemoryError)
"""Passing troubles of our own, which say nothing about the host a task talks to."""
_PASSING = (Transient, Unavailable, psycopg.OperationalError, OSError, MemoryError)


async def attempt(handlers: Handlers, task: Claimed, run: TaskRun) -> Ending:
    """Run the handler once. Cancellation passes through, the caller knows whether for a stop or a lost lease;
    one that nobody asked for is the handler's own."""
    if task.attempts > task.max_attempts:
        return Failed("attempts_exhausted")
    try:
        payload = msgspec.json.decode(task.payload, type=CATALOGUE[task.kind])
    except (msgspec.DecodeError, RecursionError):
        log.error("a payload does not fit its kind", task=task.id, kind=task.kind)
        return Failed("invalid_payload")
    deadline = asyncio.timeout(payload.TIMEOUT_SECONDS)
    try:
        async with deadline:
            outcome = await handlers[type(payload)](run, payload)
        return too_long(task) if deadline.expired() else _ended(outcome)
    except BaseException as error:
        if is_asked_to_stop(error):
            raise
        if _is_cancelled() and not isinstance(error, Permanent | Deferred):
            raise asyncio.CancelledError from error  # what the handler made of a stop
        return too_long(task) if deadline.expired() else troubled(task, error)


def is_asked_to_stop(error: BaseException) -> bool:
    """Whether `error` ends the coroutine at somebody's wish. Everything else is what a handler or its effect
    raised, also what is no `Exception`: an exit of the program, a panic of a foreign library."""
    return isinstance(error, GeneratorExit) or (isinstance(error, asyncio.CancelledError) and _is_cancelled())


def _is_cancelled() -> bool:
    running = asyncio.current_task()
    return running is None or running.cancelling() > 0


def _ended(outcome: Outcome) -> Ending:
    """Raises `TypeError` for what is no ending, such as a forgotten `return`."""
    match outcome:
        case Done():
            return Finished(outcome.word, outcome.effect)
        case Split():
            return IntoChildren(outcome.children, outcome.effect)
        case Parked():
            return Apart(outcome.effect)
        case _:
            raise TypeError("a handler ended in something else than an outcome")


def too_long(task: Claimed) -> Ending:
    log.warning("a task ran too long", task=task.id, kind=task.kind)
    return Again("deadline_exceeded", is_passing=True)


def troubled(task: Claimed, error: BaseException) -> Ending:
    """What an error of a handler, or of the effect it asked for, means for its task."""
    if isinstance(error, Deferred):
        return Later(error.until, closes_host=isinstance(error, HostClosed))
    if isinstance(error, Permanent):
        log.warning("a task failed", task=task.id, kind=task.kind, code=error.code)
        return Failed(error.code)
    if isinstance(error, _PASSING):
        return _passing(error)
    log.error("a handler met a fault", task=task.id, kind=task.kind, error=told(error))
    return Again("handler_error")


def _passing(error: BaseException) -> Again:
    """What came from a handler's own word needs no place in the code; a fault of ours does."""
    if isinstance(error, Transient):
        return Again("attempts_exhausted", is_passing=True, why=error.why)
    is_passing = not isinstance(error, _AT_HOME)
    return Again("attempts_exhausted", is_passing=is_passing, why=_named(error), error=told(error))


def _named(error: BaseException) -> str:
    if isinstance(error, Unavailable | psycopg.Error):
        return "database_trouble"
    if isinstance(error, MemoryError):
        return "out_of_memory"
    if isinstance(error, TimeoutError):
        return "timeout"
    return "unreachable" if isinstance(error, ConnectionError | socket.gaierror) else "system_error"
