"""What a handler gets and how it can end. Every feature with background work writes against this file."""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

from schema.clock import Clock
from schema.db import Database, Unit
from schema.failures import require_known
from schema.ids import AccountId, TaskId
from schema.live import TaskProgress
from schema.queue import Wanted
from schema.tasks import Payload

PayloadT_contra = TypeVar("PayloadT_contra", bound=Payload, contravariant=True)
ResultT = TypeVar("ResultT")
P = ParamSpec("P")

_WORD = re.compile(r"[a-z0-9_]{1,100}")
Effect = Callable[[Unit], Awaitable[None]]
"""Writes that belong to an ending: committed with it, or not at all when the lease was lost meanwhile. The
unit is the account's, or the fleet's for a task of no account."""


@dataclass(frozen=True)
class Done:
    """The task is finished; `word` says how, as `[a-z0-9_]+` (imported, nothing_new, ...)."""

    word: str = "done"
    effect: Effect | None = None

    def __post_init__(self) -> None:
        if not _WORD.fullmatch(self.word):
            raise ValueError(f"a task ends in a word of [a-z0-9_], not in {self.word!r}")


@dataclass(frozen=True)
class Split:
    """These children do the rest. The task waits without a slot and ends when the last of them has."""

    children: Sequence[Wanted]
    effect: Effect | None = None


@dataclass(frozen=True)
class Parked:
    """An outside batch does the work; `resume` makes the task pending again. The try is given back."""

    effect: Effect | None = None


class Transient(Exception):
    """A passing trouble: try again within the attempts, later each time. `why` says which, as `[a-z0-9_]+`
    (unreachable, throttled, ...); it stands in the task's log, `detail` nowhere but in a traceback."""

    def __init__(self, why: str = "passing_trouble", detail: str = "") -> None:
        if not _WORD.fullmatch(why):
            raise ValueError(f"a passing trouble is named by a word of [a-z0-9_], not by {why!r}")
        self.why = why
        super().__init__(detail or why)


class Permanent(Exception):
    """Trying again cannot help. `code` comes from `schema.failures`; `detail` goes to the log."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = require_known(code)
        super().__init__(detail or code)


class Deferred(Exception):
    """Not now: run again at `until`, a time with its zone; the try is given back."""

    def __init__(self, until: datetime) -> None:
        if until.tzinfo is None:
            raise ValueError("a task is put off until a time with its zone")
        self.until = until
        super().__init__(until.isoformat())


class HostClosed(Deferred):
    """The host said when it wants to be asked again: no task for it starts before, from this network, for a
    day at most."""


class ReportProgress(Protocol):
    async def __call__(self, progress: TaskProgress) -> None: ...


@dataclass(frozen=True)
class TaskRun:
    """One try of one task. `report` writes only while the lease is held."""

    db: Database
    clock: Clock
    task_id: TaskId
    account_id: AccountId | None
    attempt: int
    report: ReportProgress

    @property
    def owner(self) -> AccountId:
        """The account the task belongs to; a task of the fleet has none, which is a fault of its caller."""
        if self.account_id is None:
            raise Permanent("invalid_payload", "this kind of task belongs to an account")
        return self.account_id

    async def progress(self, done: int, total: int | None = None, note: str = "") -> None:
        await self.report(TaskProgress(done=done, total=total, note=note))

    async def thread(self, call: Callable[P, ResultT], /, *args: P.args, **options: P.kwargs) -> ResultT:
        """Run `call` in a thread. A thread cannot be stopped: a cancelled handler keeps its slot and its
        lease until `call` has returned, so that nothing of it runs beside the next try."""
        running = asyncio.ensure_future(asyncio.to_thread(call, *args, **options))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            while not running.done():
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait({running})
            raise


class Handler(Protocol, Generic[PayloadT_contra]):
    def __call__(self, run: TaskRun, payload: PayloadT_contra, /) -> "Awaitable[Outcome]": ...


Outcome = Done | Split | Parked
Handlers = Mapping[type[Payload], Callable[[TaskRun, Any], Awaitable[Outcome]]]
